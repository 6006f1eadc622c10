"""Changes of a variable, some of which fail, as programs in pairs: one holds the array once, so that it may be changed in place, the
other twice. Both must end alike: what fails leaves a variable as it was.
"""

VALUES = ['"hello"', '↕7', '1‿0‿1‿1', '3‿1‿2', '2.5‿0‿¯1', '⟨"ab",3⟩', '2‿3⥊↕6', '"xyz"∾@', '⟨⟩', '⟨2,"a",⟨1⟩⟩', '3‿2⥊"abcdef"', '⟨1,\'a\'⟩',
          '300+↕5', '40⥊1‿0‿0', '(↕20)÷4', '2‿2‿2⥊↕8', '5']
FUNCTIONS = ['+', '-', '÷', '⌊', '√', '¬', '⋆', '+´', '⊑', '1⊸+', '2⊸×', '"ab"⊸+', '1‿2⊸+', '⌽', '∧', '⍋', '2⊸⊏', '9⊸⊏', '3⊸⊑', '1⊸↓', '5⊸↑', '∾⟜1', '∾', '»',
             '⍉', '⥊', '¯1⊸⌽', '<', '>', '≢', '1‿0⊸/', '-˜', '+˜', '!', '0⊸!', '"no"˙', '{!0}', '{𝕩+1}', '3˙', '⊔']
MODIFIED = ['{0}⌾{1}', '{0}⌾(2⊸↑)', '{0}⌾(1⊸⊏)', '{0}⌾(0‿1⊸⊏)', '{0}⌾(1⊸⊑)', '{0}⌾⊑', '{0}⌾⊏', '{0}⌾(1⊸↓)', '{0}⌾⌽', '{0}⌾∧', '{0}⌾≢', '{0}⌾(1‿0‿1⊸/)', '{0}⌾(0‿0⊸⊏)',
            '{0}∘{1}', '{0}○{1}', '{0}⟜{1}', '{0}⊸{1}', '{0}¨', '{0}˘', '{0}´', '{0}`', '{0}˝', '{0}⍟1', '({0}{1})', '({0}{1}{2})', '{0}⎉1', '{0}⌾⍉', '{0}⌾<',
            '{0}⊘{1}', '{0}◶⟨{1},{2}⟩', '{0}⌾(⌽{1})', '{0}⌾({1}⌽)', '{0}⌾⥊', '{0}⁼', '{0}⌾(⊑⌽)']
STATEMENTS = ['a {f}↩', 'a↩{f} a', 'a {f}↩ {x}', 'a↩{x} {f} a', 'a↩a {f} {x}', 'a↩{f}{g} a', 'a↩{f} {x}∾a', 'a↩({f}a)∾{g}a']


class Sequences:
    def __init__(self, random):
        self.random = random

    def function(self, depth=2):
        if depth == 0 or self.random.random() < .35:
            return self.random.choice(FUNCTIONS)
        parts = [self.part(depth) for _ in range(3)]
        return self.random.choice(MODIFIED).format(*parts)

    def part(self, depth):
        text = self.function(depth - 1)
        return text if len(text) == 1 or text[0] in '({"' and text[-1] in ')}"' and text.count(text[0]) == 1 else f'({text})'

    def value(self):
        return self.random.choice(VALUES)

    def program(self):
        """Give the program that holds its array once, and the one that holds it twice."""
        changes = ['{𝕊: ' + self.random.choice(STATEMENTS).format(f=self.part(2), g=self.part(1), x=self.value()) + '⋄0}⎊0@'
                   for _ in range(self.random.choice([1, 2, 2, 3]))]
        text = '⋄'.join(changes)
        value = self.value()
        once, twice = ('{𝕊: v←' + value + '⋄a←⌽⍟(0<=v)⌽⍟(0<=v)v⋄b←' + held + '⋄' + text + '⋄a}0' for held in ('@', 'a'))
        return once, twice


def check(evaluator, report, sequences, count, seed):
    pairs = [sequences.program() for _ in range(count)]
    outcomes = evaluator.evaluate([program for pair in pairs for program in pair])
    good = True
    for i, (once, twice) in enumerate(pairs):
        one, two = outcomes[2 * i], outcomes[2 * i + 1]
        if (one.kind, one.printed) != (two.kind, two.printed) or one.kind in ('crashed', 'hung'):
            good = False
            report.fail(f'fuzz: an array that is held once, seed {seed}', f'program: {once}\nonce:  {one.kind} {one.printed}\ntwice: {two.kind} {two.printed}')
    if good:
        report.passed += 1
