// Programs to begin with. The tests of the page run each of them.
'use strict';

const griddleExamples = {
  'Averages': `# A function of one argument
Average ← +´÷≠
•Show Average 2‿3‿5‿7
•Show ×´1+↕10
÷⟜2 ↕8`,
  'Prime numbers': `# Numbers above 1 that none below them divides
IsPrime ← {𝕊 n: (n>1)∧∧´0<(2↓↕1⌈n)|n}
IsPrime¨⊸/↕60`,
  'Words by length': `words ← "array"‿"glyph"‿"box"‿"fold"‿"rank"‿"train"
•Show ≠¨words
(≠¨words)⊔words`,
  'Game of life': `# All cells at once: how many of the nine around each are alive
Next ← {n←+´⥊(⌽⟜𝕩)¨⋈⌜˜¯1‿0‿1 ⋄ (n=3)∨𝕩∧n=4}
board ← 10‿24↑[0‿1‿0,0‿0‿1,1‿1‿1]
•Out˘"·█"⊏˜Next⍟8 board`,
  'A plot': `x ← 0.05×↕200
{title⇐"Waves", x⇐x, names⇐"sin x"‿"half of sin 2x"}•plot.Line ⟨•math.Sin x, 0.5×•math.Sin 2×x⟩`,
  'A picture: Mandelbrot': `# How many steps each point stays near 0 when it is squared and moved
re ← 200‿280⥊¯2.2+0.0125×↕280
im ← ⍉280‿200⥊¯1.25+0.0125×↕200
Step ← {𝕊 a‿b‿n: in←4≥(×˜a)+×˜b ⋄ ⟨in×re+(×˜a)-×˜b, in×im+2×a×b, n+in⟩}
•plot.Image 6×2⊑Step⍟40 ⟨re,im,0×re⟩`,
  'Sorting': `# As it is written elsewhere, and as it is written in BQN
Quick ← {1≥≠𝕩 ? 𝕩 ; p←⊑𝕩 ⋄ ∾⟨𝕊(𝕩<p)/𝕩, (𝕩=p)/𝕩, 𝕊(𝕩>p)/𝕩⟩}
•Show Quick 5‿3‿8‿1‿9‿2‿7
∧5‿3‿8‿1‿9‿2‿7`,
  'Reading input': `# Open “Input” below, and write some lines there
Read ← {𝕊 lines: {@≡𝕩 ? lines ; Read lines∾⟨𝕩⟩} •GetLine@}
⌽¨Read ⟨⟩`,
};
