"""Generators of random programs. Each takes a random.Random, so that a seed names its programs."""
import re

GLYPHS = '+-×÷⋆√⌊⌈|¬∧∨<>≠=≤≥≡≢⊣⊢⥊∾≍⋈↑↓↕«»⌽⍉/⍋⍒⊏⊑⊐⊒∊⍷⊔!˙˜˘¨⌜⁼´˝`∘○⊸⟜⌾⊘◶⎊⎉⚇⍟'
SPECIAL = '𝕨𝕩𝕗𝕘𝕤𝕎𝕏𝔽𝔾𝕊'
PUNCTUATION = '←⇐↩(){}⟨⟩[]‿·⋄,;:?'
TOKENS = (list(GLYPHS) + list(SPECIAL) + list(PUNCTUATION) * 2 +
          ['0', '1', '2', '5', '¯1', '1.5', '∞', 'π', '"ab"', "'c'", '""', '⟨⟩', '@', 'a', 'b', 'F', 'G', '_m', '_c_', 'a.b', '𝕣', '_𝕣', '_𝕣_',
           ' ', '\n', '#', '↕3', '{𝕩}', '(', ')', '•Fmt', '•Repr'])
# What these would do to the machine, or to the run, is no business of a random program.
ALLOWED_SYSTEM = {'fmt', 'repr', 'out', 'show', 'type', 'glyph'}


def random_bytes(random):
    length = random.choice([1, 2, 3, 10, 100, 1000])
    return bytes(random.randrange(256) for _ in range(length))


def random_text(random):
    """Characters from everywhere: controls, spaces, other scripts, glyphs."""
    ranges = [(0, 32), (32, 127), (127, 256), (0x2000, 0x2100), (0x2190, 0x2400), (0x1d538, 0x1d570), (0xe000, 0x110000)]
    return ''.join(chr(random.randrange(*random.choice(ranges))) if random.random() < .4 else random.choice(GLYPHS)
                   for _ in range(random.randrange(1, 40)))


def random_tokens(random):
    return ''.join(random.choice(TOKENS) for _ in range(random.choice([1, 2, 3, 5, 8, 13, 21])))


def mutated(random, programs):
    """A program cut short, or with parts dropped, doubled, exchanged or taken from elsewhere."""
    program = random.choice(programs)
    for _ in range(random.choice([1, 1, 2, 4])):
        if not program:
            break
        at = random.randrange(len(program))
        to = min(len(program), at + random.randrange(1, 6))
        kind = random.randrange(6)
        if kind == 0:
            program = program[:at]
        elif kind == 1:
            program = program[:at] + program[to:]
        elif kind == 2:
            program = program[:to] + program[at:]
        elif kind == 3:
            program = program[:at] + random.choice(TOKENS) + program[to:]
        elif kind == 4:
            program = program[:at] + random.choice(TOKENS) + program[at:]
        else:
            other = random.choice(programs)
            start = random.randrange(len(other) + 1)
            program = program[:at] + other[start:start + random.randrange(12)] + program[to:]
    return program


def harmless(program):
    names = re.findall(r'•([\w¯∞π.]*)', program)
    return all(name.replace('_', '').lower() in ALLOWED_SYSTEM for name in names)
