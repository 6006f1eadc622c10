"""Programs that go to extremes, by name. None may crash or hang; each may succeed or end in an error."""

DEEP = 100_000


def nested_texts(n):
    """Source texts with n levels of one construct."""
    yield 'open parentheses', '(' * n
    yield 'open braces', '{' * n
    yield 'open angle brackets', '⟨' * n
    yield 'open square brackets', '[' * n
    yield 'closing parentheses', ')' * n
    yield 'closing braces', '}' * n
    yield 'mixed brackets', '({⟨[' * (n // 4)
    yield 'parentheses', '(' * n + '1' + ')' * n
    yield 'braces', '{' * n + '1' + '}' * n
    yield 'braces with arguments', '{𝕩' * n + '}' * n
    yield 'calls of nested blocks', '{𝕊1⋄' * n + '2' + '}' * n
    yield 'angle brackets', '⟨' * n + '1' + '⟩' * n
    yield 'square brackets', '[' * n + '1' + ']' * n
    yield 'lists with two elements', '⟨1,' * n + '⟩' * n
    yield 'alternating brackets', '(⟨' * n + '1' + '⟩)' * n
    yield 'strand', '1‿' * n + '1'
    yield 'strand of names', 'a←1⋄' + 'a‿' * n + 'a'
    yield 'nested strands', '(1‿' * n + '2' + ')' * n
    yield 'strand cut short', '1‿' * n
    yield '1-modifiers on a function', '+' + '´' * n + ' 1'
    yield 'swaps called', '1 -' + '˜' * n + ' 2'
    yield 'Each called', '-' + '¨' * n + ' ⟨1⟩'
    yield 'constants', '1' + '˙' * n + ' 5'
    yield 'undo of undo', '-' + '⁼' * n + ' 5'
    yield '2-modifiers', '+' + '∘+' * n + ' 1'
    yield '2-modifiers with subjects', '1' + '⊸+' * n + ' 1'
    yield '2-modifier without right operand', '+∘' * n
    yield 'nested 2-modifiers', '(-∘' * n + '-' + ')' * n + ' 1'
    yield 'Repeat of Repeat', '-' + '⍟1' * n + ' 1'
    yield 'Catch of Catch', '-' + '⎊-' * n + ' 1'
    yield 'Under of Under', '-' + '⌾⌽' * n + ' ⟨1⟩'
    yield 'atops', '(' + '-' * 2 * n + ') 1'
    yield 'forks', '(' + '⊢+' * n + '⊢) 1'
    yield 'forks with constants', '(' + '1+' * n + '⊢) 1'
    yield 'Nothing in a train', '(' + '·-' * n + '-) 1'
    yield 'nested trains', '(-' * n + '-' + ')' * n + ' 1'
    yield 'nested forks', '(1+' * n + '-' + ')' * n + ' 1'
    yield 'prefix calls', '-' * n + '1'
    yield 'infix calls', '1+' * n + '1'
    yield 'calls in parentheses', '(1+' * n + '1' + ')' * n
    yield 'left calls in parentheses', '(' * n + '1' + '+1)' * n
    yield 'Nothing as argument', '·-' * n + '1'
    yield 'assignments', 'a←' * n + '1'
    yield 'nested assignments', '1+(a←' * n + '1' + ')' * n
    yield 'modified assignments', 'a←1⋄' + 'a+↩' * n + '1'
    yield 'nested targets', '⟨' * n + 'a' + '⟩' * n + '←' + '⟨' * n + '1' + '⟩' * n
    yield 'nested targets in a header', '{' + '⟨' * n + 'a' + '⟩' * n + ':a}1'
    yield 'long strand target', 'a‿' * n + 'a←1'
    yield 'fields', 'a←{b⇐1}⋄a' + '.b' * n
    yield 'nested namespaces', '{a⇐' * n + '1' + '}' * n
    yield 'statements', '1⋄' * n + '1'
    yield 'separators', '⋄' * n
    yield 'empty lines', '\n' * n
    yield 'bodies', '{' + '𝕩;' * n + '𝕩}1'
    yield 'bodies with patterns', '{' + ''.join(f'{i}:{i};' for i in range(n // 10)) + '𝕩}¯1'
    yield 'predicates', '{' + '1?' * n + '5}'
    yield 'bodies with predicates', '{' + '0?5;' * n + '6}'
    yield 'nested predicates', '{1?' * n + '5' + '}' * n
    yield 'colons', '{' + ':' * n + '}'
    yield 'question marks', '{' + '?' * n + '}'
    yield 'exports', '⇐' * n
    yield 'digits', '1' * n
    yield 'digits after the point', '0.' + '7' * n
    yield 'digits of an exponent', '1e' + '9' * n
    yield 'negative exponent', '1e¯' + '9' * n
    yield 'high minuses', '¯' * n
    yield 'points', '.' * n
    yield 'underscores', '_' * n
    yield 'a name', 'a' * n + '←1⋄' + 'a' * n
    yield 'names', '⋄'.join(f'n{i}a←{i}' for i in range(n))
    yield 'a string', '"' + 'a' * n + '"'
    yield 'an open string', '"' + 'a' * n
    yield 'quotes', '"' * (n + 1)
    yield 'single quotes', "'" * n
    yield 'a comment', '#' * n
    yield 'dots and glyphs', '•' * n
    yield 'upside down', ')' * n + '(' * n
    yield 'blocks side by side', '{𝕩}¨' * n + '⟨1⟩'
    yield 'functions defined', '⋄'.join(f'F{i}a←{{𝕩+{i}}}' for i in range(n // 10))
    yield 'a list of blocks', '⟨' + ','.join(['{𝕩}'] * (n // 10)) + '⟩'
    yield 'a long list', '⟨' + ','.join(['1'] * n) + '⟩'
    yield 'a long list of lists', '⟨' + ','.join(['⟨1,2⟩'] * n) + '⟩'
    yield 'a long array notation', '[' + ','.join(['1‿2'] * n) + ']'


def deep_values(n):
    """Programs that build n levels of something while they run, then use and free it."""
    lists = f'a←{{⟨𝕩⟩}}⍟{n} 0⋄b←{{⟨𝕩⟩}}⍟{n} 0⋄'
    yield 'deep list freed', lists + '0'
    yield 'deep list replaced', lists + 'a↩0⋄b↩1⋄a+b'
    for name, use in {'matched': 'a≡b', 'shown': '•Fmt a', 'spelled': '•Repr a', 'depth': '≡a', 'added': 'a+b',
                      'negated': '-a', 'compared': '⟨a⟩⍋⟨b⟩', 'sorted': '∧⟨a,b⟩', 'classified': '⊐⟨a,b⟩',
                      'searched': '⟨a⟩⊐⟨b⟩', 'joined': '∾⟨a,b⟩', 'merged': '>a', 'its fill': '3↑a', 'at depth 0': '-⚇0 a',
                      'reshaped': '2‿2⥊a', 'under': '-⌾(⊑⍟1000)a', 'as index': 'a⊑1‿2', 'as count': '-⍟a 1'}.items():
        yield f'deep list {name}', lists + use
    yield 'deep enclosure', f'<⍟{n} 5'
    yield 'deep pair chain', f'{{𝕩‿1}}⍟{n} 0'
    for name, step in {'atop': 'F∘-', 'over': 'F○-', 'before': '1⊸F', 'after': 'F⟜1', 'swap': 'F˜', 'fork': '(F+-)', 'train': '(F-)',
                       'each': 'F¨', 'table': 'F⌜', 'cells': 'F˘', 'rank': 'F⎉0', 'depth': 'F⚇0', 'catch': 'F⎊-',
                       'valences': 'F⊘F', 'choose': '0◶⟨F⟩', 'repeat': 'F⍟1', 'under': 'F⌾⊢'}.items():
        # Calls need little stack for each level: so many levels that it does not suffice.
        build = f'F←-⋄{{𝕊:F↩{step}}}⍟{10 * n} 0⋄'
        yield f'deep {name} freed', build + '1'
        yield f'deep {name} called', build + 'F 1'
        yield f'deep {name} called with two arguments', build + '2 F 1'
    deep = f'F←-⋄{{𝕊:F↩F∘-}}⍟{n} 0⋄G←-⋄{{𝕊:G↩G∘-}}⍟{n} 0⋄'
    yield 'deep functions compared', deep + 'f≡g'
    yield 'deep function shown', deep + '•Fmt f'
    yield 'deep function spelled', deep + '•Repr f'
    yield 'deep function undone', deep + 'F⁼1'
    yield 'deep closure chain', f'f←{{𝕩}}⋄{{𝕊:f↩{{g←𝕩⋄{{G 𝕩}}}}f}}⍟{n} 0⋄F 1'
    yield 'deep namespaces', f'n←0⋄{{𝕊:n↩{{𝕊p:next⇐p}}n}}⍟{n} 0⋄n'
    yield 'deep cycle', f'n←{{next⇐0⋄Set⇐{{next↩𝕩}}}}⋄m←n⋄{{𝕊:o←{{𝕊p:next⇐p⋄me⇐p}}m⋄m↩o}}⍟{n} 0⋄n.Set m'
    yield 'closures with cycles', '{𝕊i:f←{𝕊x:f}⋄i+1}⍟100000 0'


ENDLESS = {
    'block': '{𝕊𝕩}0',
    'block with work left': '{1+𝕊𝕩}0',
    'left argument': '1{𝕨𝕊𝕩+1}0',
    'through fork': '{(𝕊+⊢)𝕩}0',
    'through Each': '{𝕊¨⟨𝕩⟩}0',
    'through Table': '{𝕊⌜⟨𝕩⟩}0',
    'through Cells': '{𝕊˘⟨𝕩⟩}0',
    'through Rank': '{𝕊⎉0⟨𝕩⟩}0',
    'through Depth': '{𝕊⚇0⟨𝕩⟩}0',
    'through Fold': '{𝕊´𝕩‿𝕩}0',
    'through Insert': '{𝕊˝𝕩‿𝕩}0',
    'through Scan': '{𝕊`𝕩‿𝕩}0',
    'through Repeat': '{𝕊⍟1 𝕩}0',
    'through Choose': '{0◶⟨𝕊⟩𝕩}0',
    'through Under': '{𝕊⌾⊢𝕩}0',
    'through structural Under': '{𝕊⌾⊑⟨𝕩⟩}0',
    'through Catch': '{𝕊⎊0 𝕩}0',
    'through swapped self': '{𝕊˜𝕩}0',
    'through Compose': '{𝕊∘- 𝕩}0',
    'through Undo': '{𝕊⁼𝕩:𝕊⁼𝕩;𝕩}⁼0',
    'through headers': '{𝕊x:x+𝕊x}0',
    'through predicates': '{𝕩≥0?1+𝕊𝕩;0}0',
    'immediate': 'F←{g←{F𝕩}⋄G𝕩}⋄F 0',
    'mutual': 'A←{1+B𝕩}⋄B←{1+A𝕩}⋄A 0',
    'modifier': '+{𝔽_𝕣 𝕩}0',
    '2-modifier': '+{1+𝔽_𝕣_𝔾 𝕩}-0',
    'operand': '_m←{𝔽𝕩}⋄F←{F _m 𝕩}⋄F 0',
    'namespace': 'n←{F⇐{1+n.F𝕩}}⋄n.F 0',
    'evaluation of text': 's←"{𝕊:•BQN s}"⋄{1+𝕊•BQN 𝕩}"0"',
    'text within text': '{(𝕊𝕩)•BQN"1"}0',
}

HUGE = {
    'range': '↕1e15',
    'range just beyond integers': '↕9007199254740993',
    'range of infinity': '↕∞',
    'range of nothing sensible': '↕¯1‿2',
    'range over axes': '↕1e5‿1e5‿1e5',
    'range over many axes': '↕300⥊1',
    'summed range': '+´↕1e14',
    'summed range of more': '+´2×1+↕1e14',
    'remainders of a range': '⌈´7|↕1e15',
    'negated range': '-↕1e12',
    'reshape': '1e15⥊0',
    'reshape of a list': '1e15⥊1‿2',
    'reshape to a matrix': '1e10‿1e10⥊0',
    'reshape overflowing': '4294967296‿4294967296⥊0',
    'reshape overflowing to zero': '4294967296‿4294967296‿0⥊0',
    'reshape overflowing through a zero': '0‿1e300⥊0',
    'reshape to infinity': '∞⥊0',
    'reshape to NaN': '(0÷0)⥊0',
    'reshape to high rank': '(300⥊1)⥊0',
    'reshape to rank of a million': '(1e6⥊1)⥊0',
    'axes one by one': '≍⍟300 0',
    'take': '1e15↑1',
    'take from the end': '¯1e15↑1‿2',
    'take over axes': '1e8‿1e8↑2‿2⥊0',
    'take many axes': '(300⥊1)↑0',
    'take minus the most': '¯9223372036854775808↑1',
    'drop': '1e300↓↕5',
    'drop minus infinity': '¯∞↓↕5',
    'rotate': '1e300⌽↕5',
    'rotate by infinity': '∞⌽↕5',
    'table': '+⌜˜↕1e7',
    'table of tables': '+⌜˜⍟4↕1e4',
    'replicate': '1e15/1‿2',
    'replicate by a list': '1e15‿1e15/1‿2',
    'indices': '/1e15‿1',
    'indices of an endless count': '/∞‿1',
    'windows': '5e6↕↕1e7',
    'prefixes merged': '>↑1e9⥊0',
    'doubling': '∾˜⍟60"a"',
    'doubling boxed': '⋈˜⍟60"a"',
    'coupling doubled': '≍˜⍟60"a"',
    'join of big parts': '∾1e9⥊<↕1000000',
    'text of a range': '•Fmt⟜↕1e11',
    'group': '⊔⟨1e15⟩',
    'group with length': '⟨0,1e15⟩⊔⟨1⟩',
    'count inverse': '/⁼⟨1e15⟩',
    'power of repeat': '{𝕩∾𝕩}⍟1000 ⟨1⟩',
    'repeat beyond integers': '{!0}⍟1e300 0',
    'repeat by infinity': '{!0}⍟∞ 0',
    'character out of range': '@+1e15',
    'rank out of range': '+⎉1e300 ↕5',
    'depth out of range': '-⚇¯1e300 ↕5',
    'select huge index': '1e300⊏↕5',
    'pick negative huge': '¯1e300⊑↕5',
    'transpose huge axis': '1e300⍉2‿2⥊0',
    'bins huge': '⟨∞⟩⍋⟨¯∞⟩',
    'modulus of everything': '|⌜˜⟨0,¯0,∞,¯∞,1e300,1e¯300,0÷0⟩',
    'power of everything': '⋆⌜˜⟨0,¯0,∞,¯∞,1e300,1e¯300,0÷0⟩',
    'shift by more': '(↕1e6)»↕5',
}
