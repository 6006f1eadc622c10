"""Makes random whole programs: variables, blocks, changes in place, aliases, closures, and arrays round the edges of vectors."""
import re

from expressions import CHARACTERS, PERVASIVE, Generator
from tree import Node, leaf

NAMES = 'abcde'
LENGTHS = [0, 1, 2, 3, 5, 7, 8, 9, 16, 31, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257]
LONG = [1000, 4095, 4096, 4099]
# Arrays of each storage form, some of them at its limits.
SOURCES = ['{}⥊1‿0‿0‿1‿1', '{}⥊0‿1', '{}⥊1', '↕{}', '3-˜↕{}', '{}⥊"abcxyz"', '{}⥊¯128+↕256', '{}⥊120+↕9', '{}⥊32760+↕9', '{}⥊¯32770+↕5', '{}⥊2147483640+↕9',
           '{}⥊¯2147483650+↕5', '0.5×↕{}', '{}⥊1.5‿¯2‿0.25', '{}⥊⟨1,"ab",\'c\',2‿3⟩', '{}⥊"日本a"', '{}⥊"𝕩a"', '{}⥊⟨"ab","","c"⟩', '{}⥊1‿\'a\'', '7|3×↕{}', '{}⥊⟨0‿1,"x"⟩',
           '{}⥊∞‿1', '{}⥊9007199254740991‿¯1']
SHAPES = ['2‿∘', '∘‿3', '1‿∘', '∘‿1', '2‿2‿∘', '⟨∘,1,2⟩', '1‿∘‿1', '2‿1‿2‿∘', '2‿3‿2‿1‿∘', '⟨∘⟩']
# Views: what may show the same memory as its argument, or be put together from parts of it.
VIEWS = ['⌽{}', '⍉{}', '1↓{}', '¯1↓{}', '2↓¯1↓{}', '(⌊2÷˜≠)⊸↑{}', '3↑{}', '¯3↑{}', '⥊{}', '1⌽{}', '¯2⌽{}', '⊏⍟(0<≠){}', '»{}', '«{}', '⊢˘{}', '∾⟜⌽{}', '({0})∾{0}',
         '≍˜{}', '⋈˜{}', '⊑⍟(0<≠)⥊{}', '(0=2|↕∘≠)⊸/{}', '(↕∘≠)⊸⊏{}', '(⌽↕∘≠)⊸⊏{}', '>⋈˜{}', '∾⋈˜{}', '<{}', '⟨{}⟩', '∧{}', '⍷{}', '2/{}', '⊢¨{}', '-{}',
         '1+{}', '=⟜⊑{}', '+`{}', '¬{}', '⍋{}', '0⊸<{}', '↕∘≠{}', '≠{}', '≢{}', '≡{}', '(2⌊≠)⊸↑{}', '⌽˘{}', '⌽¨{}', '⊑¨{}', '≠¨{}', '(3|↕∘≠)⊸⊔{}']
# What Under goes to.
PLACES = ['⊑', '⊏', '(1⊸⊑)', '(¯1⊸⊑)', '(0⊸⊏)', '(0‿2⊸⊏)', '(¯1‿0⊸⊏)', '(2⊸↑)', '(¯2⊸↑)', '(1⊸↓)', '(¯1⊸↓)', '⌽', '⍉', '⥊', '(1⊸⌽)', '((0=2|↕∘≠)⊸/)', '(⊑⌽)',
          '(2↑1⊸↓)', '(1↓¯1⊸↓)', '(⌽1⊸↓)', '(⊏⍉)', '(⊏⎉1)', '(⊑¨)', '(⊑1⊸⊏)', '(⌽˘)', '(1⊸⊑⥊)', '((⌊2÷˜≠)⊸↑)', '(0‿1⊸⊑)', '(⟨⟨0⟩,⟨1⟩⟩⊸⊑)', '⊢', '<',
          '(⊑∘⌽)', '(2‿∘⊸⥊)', '(∘‿1⊸⥊)', '((1+↕2)⊸⊏)', '(≠↑⊢)', '(3⊸↑⥊)', '(⊏⌽)', '(⊑⟨0,1⟩⊸⊏)']
# What is done to a variable, or to a place in one.
CHANGES = ['⌽', '-', '(1⊸+)', '(2⊸×)', '¬', '(3⌊⊢)', '⌽˘', '⌽¨', '(+`)', '∧', '∨', '»', '«', "('x'˙)", '(5˙)', '(300˙)', '(0.5˙)', '(70000˙)', '("ab"˙)', "('x'¨)",
           '(9¨)', '(<¨)', '⊢', '⊑', '⥊', '⍉', '(1⊸⌽)', '(0⊸=)', '(0⊸<)', "(⟨1,'b'⟩˙)", '(∾⟜1)', '(1⊸↓)', '(∾˜)', '{𝕩}', '{⌽𝕩}', '{𝕩∾𝕩}', '{a←𝕩⋄a⌽↩⋄a}', '(2|⊢)', '⌊',
           '|', '(1e10⊸+)', '(0⊸⥊)', '(≠⊸⥊)', '⍋', '⍷', '(+⟜»)', '(-⟜«)', '≡', '≢']
TAKING_TWO = '+-×⌊⌈=<∾⋈⊣⊢≍⊏⊑↑↓⌽/⥊⊐∊»«≡¬∧∨|≤⊔⍷⊒'
UNDONE = ['(1⊸+)⁼', '(+`)⁼', '⌽⁼', '⍉⁼', '(3⊸-)⁼', '(2⊸×)⁼', '(1⊸⌽)⁼', '/⁼', '⊔⁼', '<⁼', '⋈⁼', '-⁼', '¬⁼', '(⌽∘-)⁼', '(-¨)⁼', '(⌽˘)⁼', '(≍)⁼', '{𝕊⁼𝕩:⌽𝕩;𝕩}⁼', '(≠`)⁼',
          '(∾⟜1)⁼', '(1⊸∾)⁼']
# Blocks with headers, several bodies, predicates, recursion and states. Those of the second list change a variable around them.
FUNCTIONS = ['{𝕩∾⌽𝕩}', '{𝕊 x:⌽x}', '{𝕊 ⟨x,y⟩:y∾x;𝕊 x:⟨x⟩}', '{𝕊 [x,y]:x≡y;≢𝕩}', '{2<≠𝕩?1↓𝕩;𝕩∾𝕩}', '{x←𝕩⋄x⌽↩⋄x∾𝕩}', '{(1<≠𝕩)◶⟨⊢,{𝕊 1↓𝕩}⟩𝕩}', '{0=≠𝕩?𝕩;(𝕊 1↓𝕩)∾1↑𝕩}',
             '{1≥≠𝕩?𝕩;h←⌊2÷˜≠𝕩⋄(𝕊 h↓𝕩)∾𝕊 h↑𝕩}', '{𝕨 𝕊 𝕩:𝕨∾𝕩;𝕊 𝕩:⌽𝕩}', '{w 𝕊 x:w⌊x;-𝕩}', '{(⊑⌽𝕩)˙⌾⊑𝕩}', '{𝕩⊣𝕩↩⌽𝕩}', '{y←𝕩⋄{y∾↩𝕩}¨3↑𝕩⋄y}', '{𝕊⍟(3<≠𝕩)¯1↓𝕩}',
             '{s←0⋄{s+↩1⋄s}¨𝕩}', '{𝕩-⍟2 1}', '{G←{𝕩+1}⋄G 𝕩}', '{𝕨⊣𝕩}', '{𝕨;𝕩}', '{⟨x,·⟩←2↑𝕩⋄x}', '{x‿y←⟨𝕩,⌽𝕩⟩⋄x‿y↩y‿x⋄x∾y}', '{𝕩{𝕨𝔽𝕩}⌽𝕩}',
             '{𝕊 0:"zero";𝕊 "":"empty";𝕩}', '{!0<≠𝕩⋄𝕩}', '{𝕩˙⌾(1⊸⊑)↕5}', '{𝕊⁼𝕩:⌽𝕩;𝕩∾0}', '{(𝕩⊸∾)⌾(1⊸↓)𝕩}', '{𝕏⎊0 𝕩}', '{𝕩⊸{𝕨∾𝕩}𝕩}', '{+´⍟(2>≡𝕩)𝕩}']
CHANGING = ['{a∾𝕩}', '{a↩𝕩⋄a}', '{a⌽↩⋄𝕩}', '{a 𝕩˙⌾⊑↩⋄a}', '{a∾↩<𝕩⋄≠a}']
MODIFIERS = ['{𝔽∘⌽}', '{𝔽𝔽𝕩}', '{𝔽⌾⊑𝕩}', '{𝕩𝔽𝕩}', '{F _𝕣:F∘⊢}', '{𝕗∾𝕩}', '{0=≠𝕩?𝕩;𝔽 1↓𝕩}', '{𝕩⊣𝔽𝕩}', '{n←0⋄{n+↩1⋄𝔽n⋈𝕩}}']
PAIRS = ['{𝔽∘𝔾}', '{𝔽⎊𝔾𝕩}', '{𝔽⌾𝔾𝕩}', '{(𝔽𝕩)∾𝔾𝕩}', '{𝕩𝔽𝔾𝕩}', '{F _𝕣_ G:G∘F}', '{𝕘∾𝔽𝕩}', '{𝔽⍟(0<≠)𝔾𝕩}']
SPACES = ['n←{{v⇐{}⋄Set⇐{{v↩𝕩}}⋄Get⇐{{𝕊:v}}⋄Do⇐{{v (𝕏⎊⊢)↩}}}}', 'n←{{v⇐{}⋄Set⇐{{v∾↩𝕩}}⋄Get⇐{{𝕊·:⌽v}}⋄Do⇐{{v↩𝕏v}}}}',
          'Make←{{v⇐𝕩⋄Set⇐{{v↩𝕩⋄v}}⋄Get⇐{{𝕊:v}}⋄Do⇐{{𝕏⌾⊑v}}}}⋄n←Make {}']
COMBINED = ['({}⎊⊢)', '({}∘⌽)', '({}⍟2)', '({}¨)', '({}˘)', '({}⎊"err")', '({}⌾⌽)', '({}⊢)', '({}⊸⋈)', '(⊢∾{})', '(⌽{})', '({}⎉1)', '({}⚇1)', '(⊑∘{})', '({}⟜⌽)']
# Changes of a variable {0} by parts {{}}: loops, and what fails half-way.
LOOPS = ['{{{{{0}↩𝕩˙⌾(𝕩⊸⊑){0}}}}}¨↕3⊣{{}}', '{{{{{0}∾↩𝕩}}}}¨3↑{{}}', '{{{{𝕊:{0}↩{{}}⋄!0}}}}⎊1 @', '{0}‿·↩{0}⋈{{}}', '⟨{0}⟩↩⟨{{}}⟩']
LOOPS_OF_CHANGES = ['{{{{{0} {{}}⌾(𝕩⊸⊑)⎊⊢↩}}}}¨↕2', '{{{{𝕊:{0} {{}}↩}}}}⍟3 @', '{{{{𝕊:{0} {{}}↩⋄!0}}}}⎊1 @', '{{{{𝕊:{0} {{}}↩}}}}¨⟨1,2⟩']
FAILING_CHANGES = ['{{{{{0} {{}}⌾(𝕩⊸⊑)↩}}}}¨↕2', '{{{{𝕊:{0} {{}}↩⋄0}}}}⎊1 @']
# What reads a variable beside what changes it: {{}} is an argument, then a function of two.
CHANGES_INSIDE = ['{0}↩{{}}{{}}⊢{0}', '{0}↩({1}↩{{}}){{}}⊢{0}', '{0}↩({1}↩{{}}){{}}{0}⊣0', '{0}↩(({1}↩{{}})⊢{0}){{}}{1}', '{0}↩({1}⊣{1}∾↩{{}}){{}}{0}']
DESTRUCTURING = ['{0}‿{1}←⟨{{}},1⟩', '⟨{0},{1}⟩←2↑{{}}', '⟨{0},·,{1}⟩←3↑{{}}', '[{0},{1}]←≍˜{{}}', '⟨x⇐{0},y⇐{1}⟩←{{{{x⇐{{}}⋄y⇐5}}}}', '⟨{0},⟨{1},·⟩⟩←⟨1,2↑{{}}⟩',
                 '{0}‿{1}←⌽⟨{{}},1⟩', '{0}←{1}←{{}}', '[{0},{1}]←2↑⍉≍˜{{}}', '⟨{0},{1}⟩←⋈⟜⌽{{}}']
USES_OF_SPACES = ['n.Set {{}}', '{0}↩n.Get @', 'n.Set {0}', '{0}↩n.v', '⟨v⇐{0}⟩↩n', 'm←n⋄m.Set {{}}']
USES_BY_CHANGES = ['n.Do {{}}', '{{{{𝕊:n.Do {{}}}}}}⍟2 @']
# Of a failure only the statement is lost.
GUARDED = '{{𝕊:{}⋄0}}⎊1 @'


def too_long(text):
    """Tells what might take memory or time without end: a length that is a large number, other than those that this makes."""
    # Long results have to be the same to the last bit, which those of the library's functions need not.
    if re.search('[⋆√]|•math', text):
        return True
    # Tables of long lists, and recursion through each element of one.
    if re.search(r'⌜|𝕊⍟|𝕊 1↓|𝕊 h', text) and re.search(r'\d{4}⥊|↕\d{4}', text):
        return True
    # As often as a function says, where values are large.
    if re.search(r'⍟[^\d¯(⟨↩]|⍟\([^0123⊑]', text) and re.search(r'\d{5,}', text):
        return True
    return bool(re.search(r'(\d{7,}|e10|e15|e300)(‿\S+)?[⟩)]*[⥊↑↕/⊔]|[↕/⊔]\(*(\d{6,}|1e10)|\d{5,}[‿∘\d]*‿\d{4,}', text))


class Programs(Generator):
    """`fails`: changes may fail half-way, which must leave the variable as it was; a failure in the reference takes its value away."""

    def __init__(self, random, fails=False):
        super().__init__(random)
        self.fails = fails

    def program(self):
        """Gives the tree of a whole program, an immediate block that gives a list of what its variables are in the end."""
        node = self.any_program()
        while too_long(node.text()):
            node = self.any_program()
        return node

    def any_program(self):
        self.names, self.functions, self.has_space = [], [], False
        # Most arrays of a program have lengths that go together.
        self.usual = self.random.choice(LENGTHS if self.random.random() < .93 else LONG)
        statements = [self.definition(), self.definition()]
        statements += [self.statement() for _ in range(self.random.choice([1, 2, 2, 3, 3, 4, 5]))]
        held = list(self.names) + ['n.v'] * self.has_space
        statements.append(leaf('⟨' + ','.join(held) + '⟩', 'result'))
        return Node('program', '{{𝕊:' + '⋄'.join(['{}'] * len(statements)) + '}}0', statements)

    def pick(self, texts, kind='value'):
        return leaf(self.random.choice(texts), kind)

    # Values

    def source(self):
        length = self.usual if self.random.random() < .7 else self.random.choice(LENGTHS)
        text = self.random.choice(SOURCES).format(length)
        if self.random.random() < .25:
            text = f'{self.random.choice(SHAPES)}⥊{12 * self.random.choice([0, 1, 1, 2, 5, 11])}⥊' + (f'({text})' if length else '↕9')
        return leaf(f'({text})')

    def operand_value(self):
        chance = self.random.random()
        if self.names and chance < .6:
            return leaf(self.random.choice(self.names))
        if chance < .85:
            return self.source()
        return self.grouped(0) if chance < .95 else leaf(f'({self.random.choice(CHARACTERS)})')

    def viewed(self, depth=2):
        """A value seen through views, or changed, or what a function makes of it."""
        chance = self.random.random()
        if depth == 0 or chance < .2:
            return self.operand_value()
        inner = Node('value', '({})', [self.viewed(depth - 1)])
        if chance < .6:
            return Node('value', self.random.choice(VIEWS), [inner])
        if chance < .8:
            return Node('value', '{} {}', [self.change(), inner])
        return Node('value', '{}{} {}', [self.small() if self.random.random() < .4 else self.operand_value(), self.two(), inner])

    def small(self):
        return self.pick(['0', '1', '2', '3', '¯1', '¯2', "'x'", '0‿1', '1‿0', '⟨0⟩', '2‿2', '"ab"', '1.5', '300', '70000', '1e10', '⟨1,"b"⟩'])

    # Functions

    def change(self, depth=1):
        chance = self.random.random()
        if chance < .3:
            return self.pick(CHANGES, 'function')
        if chance < .55:
            return Node('function', '{}⌾{}', [self.pick(CHANGES, 'function'), self.pick(PLACES, 'function')])
        if chance < .62:
            return self.pick(UNDONE, 'function')
        if chance < .72 and self.functions:
            return leaf(self.random.choice(self.functions), 'function')
        if chance < .8:
            return self.pick(FUNCTIONS + CHANGING * (self.fails and bool(self.names)), 'function')
        if depth and chance < .95:
            return Node('function', self.random.choice(COMBINED), [self.change(depth - 1)])
        return self.parenthesised(self.function(1))

    def two(self):
        """A function that may have two arguments."""
        chance = self.random.random()
        if chance < .6:
            return self.pick(list(TAKING_TWO), 'function')
        if chance < .75:
            return Node('function', '{}' + self.random.choice('´˝`¨⌜˘˜'), [self.pick(list(PERVASIVE + '∾⋈⊣⊢'), 'function')])
        if self.functions and chance < .85:
            return leaf(self.random.choice(self.functions), 'function')
        return Node('function', '{}⌾{}', [self.pick(list(TAKING_TWO), 'function'), self.pick(PLACES, 'function')])

    # Statements

    def new_name(self):
        free = [name for name in NAMES if name not in self.names]
        if not free:
            return None
        self.names.append(free[0])
        return free[0]

    def definition(self):
        value = self.viewed()
        name = self.new_name()
        if not name:
            return self.modification()
        return Node('statement', name + ('←{}' if self.random.random() < .15 else '←{{𝕊:{}}}⎊1‿2 @'), [value])

    def modification(self):
        node = self.bare_modification(self.random.choice(self.names))
        return Node('statement', GUARDED, [node]) if self.fails and self.random.random() < .7 else node

    def guarded(self, function, otherwise, chance=.8):
        """Most of the time a function that gives an argument where it would fail."""
        return Node('function', f'({{}}⎊{otherwise})', [function]) if self.random.random() < (.2 if self.fails else chance) else function

    def bare_modification(self, name):
        chance = self.random.random()
        if chance < .35:
            return Node('statement', name + ' {}↩', [self.guarded(self.change(), '⊢')])
        if chance < .55:
            return Node('statement', name + ' {}↩ {}', [self.guarded(self.two(), '⊣'), self.small() if self.random.random() < .5 else self.viewed(1)])
        if chance < .75:
            return Node('statement', name + '↩{{𝕊:{}}}⎊"lost"@', [self.viewed()])
        if chance < .82:
            return Node('statement', self.random.choice(LOOPS).format(name), [self.viewed(1)])
        if chance < .9:
            return Node('statement', self.random.choice(LOOPS_OF_CHANGES + FAILING_CHANGES * self.fails).format(name), [self.guarded(self.change(), '⊢', 1)])
        text = self.random.choice(CHANGES_INSIDE).format(name, self.random.choice(self.names))
        return Node('statement', text, [self.small(), self.guarded(self.two(), '⊢')])

    def statement(self):
        chance = self.random.random()
        if chance < .4:
            return self.modification()
        if chance < .5:
            known, name = self.random.choice(self.names), self.new_name()
            return leaf(f'{name}←{known}', 'statement') if name else self.modification()
        if chance < .6:
            return self.definition()
        if chance < .7:
            return self.destructuring()
        return self.operation() if chance < .87 else self.space()

    def operation(self):
        """Defines a function: a block, another one, or what a modifier makes of one."""
        name = 'FGH'[len(self.functions) % 3]
        if name in self.functions:
            return self.modification()
        chance = self.random.random()
        if chance < .4:
            node = leaf(f'{name}←{self.random.choice(FUNCTIONS + CHANGING * self.fails)}', 'statement')
        elif chance < .6:
            node = Node('statement', name + '←{}', [self.change()])
        elif chance < .8:
            node = Node('statement', name + '←{}{}', [self.parenthesised(self.change(0)), self.pick(MODIFIERS, 'modifier')])
        else:
            node = Node('statement', name + '←{}{}{}', [self.parenthesised(self.change(0)), self.pick(PAIRS, 'modifier'),
                                                         self.pick(['⌽', '⊑', '1', '≠', '(1⊸↓)'], 'function')])
        self.functions.append(name)
        return node

    def destructuring(self):
        value = Node('value', '({})', [self.viewed(1)])
        if len(self.names) > len(NAMES) - 2:
            return self.modification()
        return Node('statement', self.random.choice(DESTRUCTURING).format(self.new_name(), self.new_name()), [value])

    def space(self):
        """Defines a namespace, or uses it."""
        if not self.has_space:
            self.has_space = True
            return Node('statement', self.random.choice(SPACES), [Node('value', '({})', [self.viewed(1)])])
        name = self.random.choice(self.names)
        if self.random.random() < .3:
            return Node('statement', self.random.choice(USES_BY_CHANGES).format(name), [self.parenthesised(self.change())])
        text = self.random.choice(USES_OF_SPACES).format(name)
        return Node('statement', text, [self.viewed(1)] if '{}' in text else [])
