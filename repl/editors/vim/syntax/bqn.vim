" Made by tests/tools/editor_files.py from the tables of the sources: do not edit.
" Colours of BQN sources, by role.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax sync minlines=100
syntax match bqnFunction /[+×÷⋆√⌊⌈|¬∧∨<>≠=≤≥≡≢⊣⊢⥊∾≍⋈↑↓↕«»⌽⍉\/⍋⍒⊏⊑⊐⊒∊⍷⊔!𝕎𝕏𝕊𝔽𝔾-]/
syntax match bqnModifier1 /[˙˜˘¨⌜⁼´˝`]/
syntax match bqnModifier2 /[∘○⊸⟜⌾⊘◶⎉⚇⍟⎊]/
syntax match bqnSpecial /[𝕨𝕩𝕤𝕗𝕘𝕣]/
syntax match bqnNothing /[·]/
syntax match bqnOperator /[]←↩⇐()[{}⟨⟩‿⋄,.;:?]/
syntax match bqnSubject /•\=[a-zà-öø-þ]\%([0-9_¯∞π𝕣A-ZÀ-ÖØ-Þa-zà-öø-þ]\|\.[0-9]\)*/
syntax match bqnSpecial /𝕣[0-9_¯∞π𝕣A-ZÀ-ÖØ-Þa-zà-öø-þ]\@!/
syntax match bqnFunction /•\=[A-ZÀ-ÖØ-Þ]\%([0-9_¯∞π𝕣A-ZÀ-ÖØ-Þa-zà-öø-þ]\|\.[0-9]\)*/
syntax match bqnModifier1 /•\=_\%([0-9_¯∞π𝕣A-ZÀ-ÖØ-Þa-zà-öø-þ]\|\.[0-9]\)*/
syntax match bqnModifier2 /•\=_\%([0-9_¯∞π𝕣A-ZÀ-ÖØ-Þa-zà-öø-þ]\|\.[0-9]\)*_[0-9_¯∞π𝕣A-ZÀ-ÖØ-Þa-zà-öø-þ]\@!/
syntax match bqnNumber /\%([0-9¯π∞]\|\.[0-9]\)\%([0-9_¯∞π𝕣A-ZÀ-ÖØ-Þa-zà-öø-þ]\|\.[0-9]\)*/
syntax match bqnString /@/
syntax match bqnString /'.'/
syntax region bqnString start=/"/ skip=/""/ end=/"/
syntax match bqnComment /#.*$/ contains=@Spell
highlight default link bqnNumber Number
highlight default link bqnModifier2 Special
highlight default link bqnModifier1 Operator
highlight default link bqnFunction Function
highlight default link bqnSubject Identifier
highlight default link bqnSpecial Keyword
highlight default link bqnNothing Constant
highlight default link bqnOperator Delimiter
highlight default link bqnComment Comment
highlight default link bqnString String
let b:current_syntax = 'bqn'
