"""Makes random BQN expressions, half of them sensible."""
import re

from tree import Node, leaf

MONADS = '+-×÷⋆√⌊⌈|¬∧∨<>≠=≡≢⊣⊢⥊∾≍⋈↑↓↕«»⌽⍉/⍋⍒⊏⊑⊐⊒∊⍷⊔!'
ARITHMETIC = '+-×÷⋆√⌊⌈|¬∧∨<>≠=≤≥'
DYADS = ARITHMETIC + '≡≢⊣⊢⥊∾≍⋈↑↓↕«»⌽⍉/⍋⍒⊏⊑⊐⊒∊⍷⊔!'
PERVASIVE = '+-×⌊⌈|¬∧∨<>≠=≤≥'
MODIFIERS_1 = '˙˜˘¨⌜⁼´˝`'
MODIFIERS_2 = '∘○⊸⟜⌾⊘◶⎊⎉⚇⍟'
NUMBERS = ['0', '1', '2', '3', '¯1', '¯2', '5', '0.5', '¯1.5', '100', '126', '127', '128', '¯127', '¯128', '¯129', '255', '256', '32766', '32767',
           '32768', '¯32768', '¯32769', '65535', '65536', '2147483646', '2147483647', '2147483648', '¯2147483648', '¯2147483649', '4294967296',
           '9007199254740990', '9007199254740991', '9007199254740992', '¯9007199254740992', '¯9007199254740991', '1e15', '1e300', '∞', '¯∞',
           '2.5', '0.1', '1e¯5', '12345.678', '¯0']
SMALL = ['0', '1', '2', '3', '¯1', '¯2', '4']
CHARACTERS = ["'a'", "'b'", "'c'", "' '", "'z'", '@', "'A'", "'é'", "'日'", "'𝕩'"]
LETTERS = 'abcab xyz'
# Ways to hold the same elements in other storage: wider, boxed, behind a view, or in reverse twice.
FORMS = ['(¯1↓{}∾300)', '(¯1↓{}∾1e6)', '(¯1↓{}∾0.5)', '(¯1↓{}∾<0)', '(1↓9∾{})', '(2↓¯1↓0‿1∾{}∾2)', '(⌽⌽{})', '(⊢¨{})', '(¯1↓{}∾∞)']
TEXT_FORMS = ["(¯1↓{}∾'日')", "(¯1↓{}∾'𝕩')", '(¯1↓{}∾<0)', '(1↓@∾{})', '(⌽⌽{})', '(⊢¨{})']
LONG_LENGTHS = [31, 33, 63, 64, 65, 100, 127, 129, 200, 254]
# Functions that only move elements, for Under, which writes into the places they take from.
MOVES = ['⊑', '⊏', '⌽', '⍉', '⥊', '⊢', '<', '>', '∾', '⋈', '≍', '↑', '↓', '⊣']
MOVES_BY = '⊏⊑↑↓⌽⍉/⥊↕⊔∾≍»«⊢⊣⋈'
KEEPING = ['-', '⌽', '(2⊸×)', '(1⊸+)', '⊢', '(+`)', '{𝕩}', '¬', '∧', '(0⊸×)', "('x'¨)", '(5˙¨)', '(-⌾⊑)', '⌽˘', '(1⊸⌽)', '(<⚇0)', '9', '⟨9⟩', '1‿2', '"ab"']
# Blocks with headers, several bodies, predicates, destructuring and changes; their parts are values.
BLOCKS = ['{{𝕊 a‿b:b∾a}}', '{{𝕊 ⟨a,b⟩:a;"else"}}', '{{𝕊 [a,b]:b-a;"else"}}', '{{𝕊 {0}:"same";𝕩}}', '{{a 𝕊 b:a∾b;𝕊 b:⟨b⟩}}', '{{𝕨 𝕊 ⟨a,·⟩:a;𝕩}}',
          '{{2=≠𝕩?⊑𝕩;1=≠𝕩?"one";⌽𝕩}}', '{{a‿b←𝕩 ⋄ a+b}}', '{{a←𝕩 ⋄ a+↩{0} ⋄ a}}', '{{a←𝕩 ⋄ a(⌽∾⊢)↩ ⋄ a}}', '{{a‿b←𝕩 ⋄ a‿b⌽↩ ⋄ b‿a}}',
          '{{a←𝕩 ⋄ {{a∾↩𝕩}}¨{0} ⋄ a}}', '{{[a,b]←𝕩 ⋄ a≡b}}', '{{⟨a,·,b⟩←𝕩 ⋄ a‿b}}', '{{𝕩∾{0}}}', '{{𝕨;𝕩}}', '{{𝕩;𝕨}}', '{{𝕩↩⌽𝕩 ⋄ 𝕩}}', '{{(𝕩≡{0})◶⟨{{𝕩}},{{⌽𝕩}}⟩𝕩}}',
          '{{F←{{𝕩∾{0}}} ⋄ F⍟2 𝕩}}', '{{𝕊⍟(1<≠𝕩)1↓𝕩}}', '{{𝕊 a:a∾𝕨;"two"}}', '{{"a":1;\'a\':2;3:3;⟨⟩:4;·:5}}', '{{n←{{x⇐𝕩⋄Y⇐{{x+𝕩}}}}𝕩 ⋄ n.Y {0}}}',
          '{{⟨x⇐p,y⟩←{{x⇐𝕩⋄y⇐{0}}}𝕩 ⋄ p⋈y}}', '{{𝕏{{𝔽𝕩}}{0}}}', '{{+{{𝕩𝔽𝕩}}𝕩}}', '{{⌽{{𝔽𝔾𝕩}}⊢𝕩}}', '{{⊢_m:{{𝕩}}}}', '{{𝕊⍟0⌾⊑𝕩}}', '{{𝕩⊣a←0}}', '{{(⋈a)∾𝕩⊣a←0}}',
          '{{𝕨{{𝕨𝔽𝕩}}´𝕩}}', '{{a←¯1 ⋄ {{a+↩1⋄a}}¨𝕩}}', '{{(⊑𝕩){{0:"nil";𝕩}}⊘{{𝕨‿𝕩}}1}}']
# What is done to numbers beyond integers and to those without a value or a sign of their own.
ODD_NUMBERS = ['(0÷0)', '(-0÷0)', '¯0', '∞', '¯∞', '9007199254740993', '18014398509481984', '¯9007199254740994', '4503599627370497.5', '1e308', '5e¯324', '0.5', '1',
               '(0×¯1)', '(∞-∞)', '2147483648', '¯2147483648', "'a'"]
# Ways to see a fill.
FILL_PROBES = ['{{{{2↑⥊𝕩}}⎊"?"𝕩}}{}', '{{{{»𝕩}}⎊"?"𝕩}}{}', '{{{{(1+≢𝕩)↑𝕩}}⎊"?"𝕩}}{}', '{{{{(↑‿2)⥊3↑⥊𝕩}}⎊"?"𝕩}}{}', '{{{{2↑⥊>0↑⥊𝕩}}⎊"?"𝕩}}{}', '{{{{«𝕩}}⎊"?"𝕩}}{}']
INVERTIBLE = ['+', '-', '÷', '¬', '×', '⋆', '√', '∧', '∨', '⊢', '⊣', '<', '⌽', '⍉', '/', '≍', '⋈', '↑', '↓', '↕', '⊔', '≠', '∾', '⊑', '≢', '⊏', '>', '⥊']


def too_long(text):
    """Tells what might take memory or time without end: a large number where it is a length, or with ⍟."""
    if '⍟' in text and re.search(r'\d{4,}|e\d|⋆|÷', text):
        return True
    if re.search(r'\d{5,}.*[↑↓]|[↑↓].*\d{5,}', text):
        return True
    return bool(re.search(r'(\d{7,}|e15|e300)[^¨]{0,40}[⥊↑↕/]|([↕/]|⥊˜)[^¨]{0,40}(\d{7,}|\de15|\de300)|'
                          r'\d{3,}‿(¯?\d+‿)*¯?\d{3,}[^¨]{0,9}[⥊↑↕]', text))


class Generator:
    def __init__(self, random):
        self.random = random

    def expression(self):
        """Gives the tree of one whole expression."""
        node = self.call(self.random.choice([0, 0, 1, 1, 2]))
        while too_long(node.text()):
            node = self.call(self.random.choice([0, 0, 1, 1, 2]))
        chance = self.random.random()
        if chance < .07:
            return Node('value', self.random.choice(FILL_PROBES), [node])
        if chance < .09:
            return Node('value', '≢{}', [node])
        return node

    # Values

    def number(self):
        return self.random.choice(SMALL if self.random.random() < .75 else NUMBERS)

    def atom(self):
        chance = self.random.random()
        if chance < .72:
            return leaf(self.number())
        if chance < .97:
            return leaf(self.random.choice(CHARACTERS))
        return leaf(self.random.choice(['(+)', '(-´)', '(÷∘-)', '(⊣)', '(¨)', '(⟜)']))

    def length(self):
        return self.random.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 9, 17])

    def number_list(self, length):
        kind = self.random.random()
        if length == 0:
            return '(↕0)'
        if kind < .3:
            elements = [self.random.choice('01') for _ in range(length)]
        elif kind < .75:
            elements = [self.random.choice(SMALL) for _ in range(length)]
        else:
            elements = [self.random.choice(NUMBERS) for _ in range(length)]
        return elements[0].join(['⟨', '⟩']) if length == 1 else '‿'.join(elements)

    def long_list(self):
        """A list that fills vectors, from a short one that repeats."""
        length = self.random.choice(LONG_LENGTHS)
        source = self.number_list(self.random.choice([1, 2, 3, 5, 7])) if self.random.random() < .8 else self.string(self.random.choice([1, 3, 5]))
        return leaf(self.random.choice(['({0}⥊{1})', '({0}⥊{1})', '({0}↑{1})', '(¯{0}↑{1})', '(2‿{0}⥊{1})', '({0}‿2⥊{1})', '({1}⥊˜{0})',
                                        '(+`{0}⥊{1})', '(⌽{0}⥊{1})', '(1↓{0}⥊{1})', '({0}⥊{1}∾↕5)']).format(length, source))

    def formed(self, length):
        """A list in another storage form."""
        if self.random.random() < .7:
            return leaf(self.random.choice(FORMS).format(self.number_list(length)))
        return leaf(self.random.choice(TEXT_FORMS).format(self.string(length)))

    def nested(self, depth=2):
        """Lists in lists, and arrays and units among them."""
        length = self.random.choice([1, 2, 2, 3])
        parts = [self.nested(depth - 1) if depth and self.random.random() < .45 else self.value(0) for _ in range(length)]
        node = Node('value', '⟨' + ','.join(['{}'] * length) + '⟩', parts)
        chance = self.random.random()
        if chance < .15:
            return Node('value', '(<{})', [node])
        return Node('value', '(2‿2⥊{})', [node]) if chance < .25 else node

    def string(self, length):
        return '"' + ''.join(self.random.choice(LETTERS) for _ in range(length)) + '"'

    def list(self, depth=1):
        length, chance = self.length(), self.random.random()
        if chance < .42:
            return leaf(self.number_list(length))
        if chance < .5:
            return self.formed(length)
        if chance < .54:
            return self.long_list()
        if chance < .72:
            return leaf(self.string(length))
        if chance < .76:
            return leaf(f'(↕{length})')
        length = min(length, 4)
        if chance < .8:
            literal = ','.join(self.random.choice(CHARACTERS) for _ in range(length))
            return leaf(f'⟨{literal}⟩')
        parts = [self.value(depth - 1) if depth and self.random.random() < .6 else self.atom() for _ in range(length)]
        return Node('value', '⟨' + ','.join(['{}'] * length) + '⟩', parts)

    def shape(self):
        rank = self.random.choice([0, 1, 2, 2, 2, 2, 3, 3])
        lengths = [self.random.choice(['0', '1', '2', '2', '3', '3', '4']) for _ in range(rank)]
        return '⟨⟩' if not lengths else f'⟨{lengths[0]}⟩' if rank == 1 else '‿'.join(lengths)

    def array(self, depth=1):
        if self.random.random() < .12:
            return Node('value', '(<{})', [self.value(depth - 1) if depth else self.atom()])
        source = self.list(depth)
        if source.text() in ('(↕0)', '""', '⟨⟩', '(↕0)') or self.random.random() < .06:
            return Node('value', self.random.choice(['(0‿2⥊{})', '(2‿0⥊{})', '(0‿0⥊{})', '(⟨0⟩⥊{})', '(0‿3‿2⥊{})']), [source])
        return Node('value', f'({self.shape()}⥊{{}})', [source])

    def value(self, depth=1):
        chance = self.random.random()
        if chance < .22:
            return self.atom()
        if chance < .23:
            return leaf(self.random.choice(['(0÷0)', '⟨0÷0⟩', '⟨1,0÷0,∞⟩', '(÷¯0)', '(<<5)', '(<⟨⟩)', '(0↑<1‿2)', '(0⥊<"ab")', '(0⥊⟨1‿2,"a"⟩)',
                                            '(↕2‿2)', '(↕⟨⟩)', '(↕⟨3⟩)', '(1‿1‿1‿2⥊5)', '⟨⟨⟩⟩', '⟨"",⟨⟩⟩', '(2‿0⥊"")', '(0‿2⥊⟨"a",1⟩)']))
        if chance < .27 and depth:
            return self.nested()
        if chance < .68:
            return self.list(depth)
        if chance < .93:
            return self.array(depth)
        return self.call(0)

    def grouped(self, depth):
        """A value that may stand left of a function."""
        node = self.value(depth) if self.random.random() < .8 else self.call(max(0, depth - 1))
        text = node.text()
        if text[0] in '(⟨"\'@' or all(c in '0123456789¯.e‿∞⟨⟩' for c in text):
            if text[0] != '(' or node.template.startswith('('):
                return node
        return Node('value', '({})', [node])

    def small_list(self):
        length = self.random.choice([1, 1, 2, 2, 3])
        elements = [self.random.choice(SMALL) for _ in range(length)]
        return leaf(self.random.choice(elements) if self.random.random() < .5 else
                    f'⟨{elements[0]}⟩' if length == 1 else '‿'.join(elements))

    def left_for(self, glyph, depth):
        """A left argument that the primitive has a chance to accept."""
        chance = self.random.random()
        if chance < .25:
            return self.grouped(depth)
        if glyph in '⥊↑↓↕⌽⍉':
            if glyph == '⥊' and chance < .4:
                return leaf(self.random.choice(['∘‿2', '2‿⌽', '⌊‿2', '↑‿3', '2‿↑', '⟨∘⟩', '2‿∘‿2', '⌽‿4']).join('()'))
            return self.small_list()
        if glyph == '/':
            return self.random.choice([leaf(self.random.choice(['0', '1', '2', '3'])), leaf(self.number_list(self.length())),
                                       leaf(self.random.choice(['1‿0‿1', '0‿2‿1', '⟨2⟩', '1‿0', '0‿0‿1‿1']))])
        if glyph in '⊏⊑':
            return self.random.choice([self.small_list(), leaf('⟨0‿1,⟨0⟩⟩'), leaf('⟨⟨0⟩,⟨1⟩⟩'), leaf('(<0‿1)'), leaf('(2‿2⥊0‿1‿1‿0)'),
                                       leaf('⟨1‿0,0‿1⟩')])
        if glyph == '⊔':
            return self.random.choice([leaf(self.number_list(self.length())), leaf('0‿1‿0'), leaf('⟨0‿1,0‿0⟩'), leaf('1‿¯1‿0'),
                                       leaf('0‿1‿3‿4'), leaf('(2‿2⥊0‿1‿1‿0)')])
        if glyph in '⍋⍒' and chance < .7:
            return leaf(self.random.choice(['0‿1‿3', '3‿1‿0', '"abc"', '⟨1⟩', '¯1‿0‿0‿2', '"cba"', '⟨1‿2,"a"⟩', '(2‿2⥊0‿1‿1‿0)']))
        return self.grouped(depth)

    # Functions

    def function(self, depth):
        """A function that may stand in a train, as operand or before its argument."""
        chance = self.random.random()
        if depth <= 0 or chance < .55:
            return leaf(self.random.choice(MONADS), 'function')
        if chance < .72:
            glyph = self.random.choice(MODIFIERS_1)
            return Node('function', '{}' + glyph, [self.operand_of(glyph, depth - 1)])
        if chance < .88:
            return self.combined(depth)
        if chance < .97:
            return self.train(depth)
        return leaf(self.random.choice(['{𝕩}', '{𝕨𝕩}', '{-𝕩}', '{𝕩∾1}', '{𝕨⊣𝕩}', '{⟨𝕩⟩}', '{𝕊⁼𝕩:𝕩-1;𝕩+1}', '{0}',
                                        "{𝕩≡0?'z';𝕩}"]), 'function')

    def operand(self, depth):
        node = self.function(depth)
        if self.random.random() < .06:
            node = self.grouped(0)
        return self.parenthesised(node)

    def operand_of(self, glyph, depth):
        # A table of a constant is not asked for: the reference reads what it never wrote.
        return self.parenthesised(self.function(depth)) if glyph == '⌜' else self.operand(depth)

    def parenthesised(self, node):
        if not node.parts and len(node.text()) == 1 or node.text()[0] == '{' or node.template.startswith('('):
            return node
        if node.kind == 'value':
            return node if node.text()[0] in '⟨"\'' or '‿' not in node.text() else Node('value', '({})', [node])
        return Node('function', '({})', [node])

    def right_operand(self, glyph, depth):
        chance = self.random.random()
        if glyph == '◶' and chance < .8:
            functions = [self.parenthesised(self.function(depth)) for _ in range(2)]
            return Node('value', '⟨{},{}⟩', functions)
        if glyph in '⎉⚇' and chance < .85:
            return leaf(self.random.choice(['0', '1', '2', '¯1', '¯2', '∞', '0‿1', '1‿0', '1‿¯1', '0‿1‿2', '⟨1⟩', '(<0)']))
        if glyph == '⍟' and chance < .8:
            return leaf(self.random.choice(['0', '1', '2', '3', '¯1', '⟨0,1,2⟩', '⟨¯1,1⟩', '(<2)', '⟨0,⟨2⟩⟩', '(⊢≡⊢)', '(≠)']))
        if glyph == '⌾' and chance < .85:
            return self.parenthesised(self.moving(1))
        if chance < .25 and glyph in '⊸⟜':
            return self.parenthesised(self.grouped(0))
        return self.operand(depth)

    def moving(self, depth):
        """A function that only moves elements, as Under takes it; now and then one that computes and can be undone."""
        chance = self.random.random()
        if depth <= 0 or chance < .3:
            return leaf(self.random.choice(MOVES), 'function')
        if chance < .62:
            glyph = self.random.choice(MOVES_BY)
            left = self.parenthesised(self.left_for(glyph, 0))
            return Node('function', '({}⊸{})', [left, leaf(glyph, 'function')])
        if chance < .8:
            return Node('function', '({}{})', [self.moving(depth - 1), self.moving(depth - 1)])
        if chance < .9:
            return Node('function', self.random.choice(['({}¨)', '({}˘)', '({}⎉1)', '({}⎉¯1)', '({}⚇¯1)', '({}⌜)', '({}∘⊢)', '({}⟜⊢)', '({}⊘-)', '(⊢{})']),
                        [self.moving(depth - 1)])
        return leaf(self.random.choice(['-', '(2⊸×)', '√', '(1⊸+)', '(↕2˙)', '(⊑⟜0‿0)', '(2‿⌽⊸⥊)', '(1⊸⌽)', '(⊢∾⌽)', '(⊢⋈⊢)', '(≠↑⊢)', '((⌊2÷˜≠)⊸↑)',
                                        '(⊑⊏)', '(÷)', '(3-⊢)', '(⋆⟜2)', '(0‿0⊸⍉)', '(⊏˜⟜1‿0)', '(⌽⊸∾)', '(1↓⌽)']), 'function')

    def invertible(self, depth):
        """A function that Undo may have an answer for."""
        chance = self.random.random()
        if depth <= 0 or chance < .35:
            return leaf(self.random.choice(INVERTIBLE), 'function')
        if chance < .6:
            glyph = leaf(self.random.choice('+-×÷⋆√∧∨¬⌽⍉/∾≍⋈⊢⊣≠⊔'), 'function')
            left = self.parenthesised(self.left_for('⌽', 0) if self.random.random() < .8 else self.grouped(0))
            return Node('function', '({}⊸{})', [left, glyph]) if self.random.random() < .6 else Node('function', '({}⟜{})', [glyph, left])
        if chance < .75:
            return Node('function', '({}{})', [self.invertible(depth - 1), self.invertible(depth - 1)])
        if chance < .92:
            return Node('function', self.random.choice(['({}¨)', '({}˘)', '({}⌜)', '({}`)', '({}˜)', '({}⁼)', '({}⍟2)', '({}⍟¯1)', '(1+{})', '({}-2˙)',
                                                        '({}∘⌽)', '({}○-)', '({}⊘÷)', '({}⌾⌽)', '({}˜⁼)', '(5-{})', '(2‿3×{})', '({}⌾(1⊸↓))']),
                        [self.invertible(depth - 1)])
        return leaf(self.random.choice(['(1⊸+)', '(3-⊢)', '(2⊸⋆)', '(⋆⟜2)', '(∾⟜"ab")', '("ab"⊸∾)', '5', '(5˙)', '"ab"', '{𝕊⁼𝕩:𝕩-1;𝕩+1}', '{w𝕊⁼x:x-w;w𝕊x:w+x}',
                                        '{w𝕊˜⁼x:w-x;w𝕊x:w+x}']), 'function')

    def combined(self, depth):
        glyph = self.random.choice(MODIFIERS_2)
        left = self.operand(depth - 1)
        if glyph == '⊸' and self.random.random() < .5:
            left = self.parenthesised(self.left_for('⥊', 0))
        if glyph == '◶' and self.random.random() < .6:
            left = leaf(self.random.choice(['0', '1', '(0⊸<)', '(⊑)', '(≠)', '(⊢≡⊣)', '(≡)']))
        return Node('function', '{}' + glyph + '{}', [left, self.right_operand(glyph, depth - 1)])

    def train(self, depth):
        parts = [self.operand(depth - 1) for _ in range(self.random.choice([2, 2, 3, 3, 3, 4, 5]))]
        if parts[-1].kind == 'value':
            parts[-1] = leaf('⊢', 'function')
        for i in range(len(parts) - 2, -1, -1):
            if (len(parts) - 1 - i) % 2 == 1 and parts[i].kind == 'value':
                parts[i] = leaf(self.random.choice(DYADS), 'function')
        if len(parts) % 2 == 0 and parts[0].kind == 'value':
            parts[0] = leaf('-', 'function')
        return Node('function', '(' + ''.join(['{}'] * len(parts)) + ')', parts)

    # Calls

    def call(self, depth):
        chance = self.random.random()
        if chance < .22:
            return Node('value', '{}{}', [leaf(self.random.choice(MONADS), 'function'), self.value(1)])
        if chance < .52:
            glyph = self.random.choice(DYADS)
            return Node('value', '{}{}{}', [self.left_for(glyph, 1), leaf(glyph, 'function'), self.argument(glyph, depth)])
        if chance < .62:
            fold = self.random.choice('´˝`¨⌜˘')
            glyph = self.random.choice(PERVASIVE + '∾⋈⊣⊢≍')
            function = Node('function', '{}' + fold, [leaf(glyph, 'function')])
            if self.random.random() < .7:
                return Node('value', '{}{}', [function, self.value(1)])
            return Node('value', '{}{}{}', [self.grouped(1), function, self.value(1)])
        if chance < .78:
            return self.special_call(depth)
        function = self.function(max(1, depth))
        if self.random.random() < .5:
            return Node('value', '{} {}', [function, self.value(1)])
        return Node('value', '{} {} {}', [self.grouped(1), function, self.value(1)])

    def special_call(self, depth):
        """A call of what random choice would seldom make sensible."""
        kind = self.random.choice(['under', 'under', 'undo', 'undo', 'rank', 'depth', 'group', 'repeat', 'cells', 'search', 'choose', 'axes', 'block', 'block',
                                   'odd', 'fill', 'operand'])
        return getattr(self, 'call_of_' + kind)()

    def call_of_under(self):
        keeping = leaf(self.random.choice(KEEPING), 'function')
        moving = self.parenthesised(self.moving(2))
        if self.random.random() < .85:
            return Node('value', '{}⌾{} {}', [keeping, moving, self.value(1)])
        return Node('value', '{} {}⌾{} {}', [self.grouped(0), leaf(self.random.choice(['+', '⊣', '⊢', '-', '∾', '⌽'])), moving, self.value(1)])

    def call_of_undo(self):
        function = self.parenthesised(self.invertible(2))
        template = self.random.choice(['{0}⁼{1}', '{0}⁼{0} {1}', '{2}{0}⁼{1}', '{2}{0}⁼{2}{0} {1}', '{0}⍟¯1 {1}', '{1} {0}˜⁼ {2}'])
        return Node('value', template, [function, self.value(1), self.grouped(0)])

    def call_of_rank(self):
        ranks = self.random.choice(['0', '1', '2', '¯1', '¯2', '3', '∞', '¯∞', '0‿1', '1‿0', '¯1‿1', '1‿¯1', '0‿1‿2', '⟨2⟩', '⟨¯1⟩', '1‿2‿¯1', '=', '(<1)'])
        function = self.operand(1)
        if self.random.random() < .5:
            return Node('value', '{}⎉' + ranks + ' {}', [function, self.array(1)])
        return Node('value', '{} {}⎉' + ranks + ' {}', [self.grouped(1), function, self.array(1)])

    def call_of_depth(self):
        depths = self.random.choice(['0', '1', '2', '¯1', '¯2', '3', '∞', '0‿1', '1‿0', '¯1‿1', '1‿¯1', '0‿1‿2', '⟨1⟩', '¯1‿¯2‿0', '≡', '(<1)'])
        if self.random.random() < .5:
            return Node('value', '{}⚇' + depths + ' {}', [self.operand(1), self.nested()])
        left = self.nested() if self.random.random() < .5 else self.grouped(0)
        return Node('value', '{} {}⚇' + depths + ' {}', [left if left.text()[0] in '(⟨' else self.grouped(0), self.operand(1), self.nested()])

    def call_of_group(self):
        left = self.random.choice(['⟨0‿1‿0,1‿0⟩', '⟨0‿1,1‿¯1‿2⟩', '⟨(2‿2⥊0‿1‿1‿0),0‿1⟩', '⟨0‿0‿3,⟨⟩⟩', '⟨<0,1‿0⟩', '⟨<1⟩', '⟨0‿1⟩', '⟨1‿0‿4,0‿1‿1‿0⟩',
                                   '(<0‿1‿1)', '⟨⟩', '⟨⟨⟩⟩', '(3⥊0‿2)', '(2‿3⥊0‿1‿¯1)', '⟨0‿¯1‿1‿5⟩'])
        return Node('value', left + '⊔{}', [self.array(1)])

    def call_of_repeat(self):
        counts = self.random.choice(['⟨0,1,2⟩', '⟨¯1,1⟩', '(2‿2⥊↕4)', '⟨2,⟨0,⟨1⟩⟩⟩', '(<3)', '⟨⟩', '"a"', '⟨0.5⟩', '(⊢≡⊢)', '(2⌊≠)', '(1‿2˙)', '(<<2)', '(3⌊≢)',
                                     '⟨1,¯1,⟨¯2⟩⟩', '(0‿2⥊0)'])
        function = self.operand(1) if self.random.random() < .6 else self.parenthesised(self.invertible(1))
        if self.random.random() < .6:
            return Node('value', '{}⍟' + counts + ' {}', [function, self.value(1)])
        return Node('value', '{} {}⍟' + counts + ' {}', [self.grouped(1), function, self.value(1)])

    def call_of_cells(self):
        fold = self.random.choice('´˝`¨⌜˘')
        function = self.operand_of(fold, 1)
        if self.random.random() < .6:
            return Node('value', '{}' + fold + ' {}', [function, self.array(1)])
        return Node('value', '{} {}' + fold + ' {}', [self.grouped(1), function, self.array(1)])

    def call_of_search(self):
        glyph = self.random.choice('⊐⊒∊⍷⍋⍒⊐∊')
        pool = self.random.choice([['0', '1', '2'], ['"a"', '"b"', '"ab"', '⟨⟩'], ["'a'", "'b'", "'z'"], ['1‿2', '⟨1⟩', '1‿3', '(<1)', '1'],
                                   ['¯∞', '∞', '0.5', '3'], ['127', '128', '¯128', '32768', '2147483648', '9007199254740992']])
        def cells(outer):
            elements = [self.random.choice(pool) for _ in range(self.random.choice([1, 2, 3, 4, 6]))]
            text = f'⟨{",".join(elements)}⟩'
            shape = self.random.choice(['', '', '', '2‿2⥊', '3‿2⥊', '2‿2‿2⥊', '0‿2⥊', '40⥊', '⟨⟩⥊'] + ['∧', '∨', '∧', '∨'] * (glyph in '⍋⍒' and outer))
            return leaf(f'({shape}{text})')
        if self.random.random() < .3:
            return Node('value', '{}{}', [leaf(self.random.choice('⊐⊒∊⍷⍋⍒∧∨'), 'function'), cells(False)])
        return Node('value', '{}' + glyph + '{}', [cells(True), cells(False)])

    def call_of_block(self):
        template = self.random.choice(BLOCKS)
        inner = self.parenthesised(self.value(0)) if '{0}' in template else None
        block = Node('function', template if inner else template.replace('{{', '{').replace('}}', '}'), [inner] if inner else [])
        pair = Node('value', '⟨{},{}⟩', [self.value(1), self.value(1)])
        argument = pair if self.random.random() < .4 else self.value(1)
        if self.random.random() < .25:
            block = Node('function', '{}' + self.random.choice('¨˘´`⌜⁼˜'), [block])
        if self.random.random() < .65:
            return Node('value', '{} {}', [block, argument])
        return Node('value', '{} {} {}', [self.grouped(1), block, argument])

    def call_of_odd(self):
        def odd():
            elements = [self.random.choice(ODD_NUMBERS) for _ in range(self.random.choice([1, 1, 2, 3, 4]))]
            if len(elements) == 1 and self.random.random() < .5:
                return leaf(elements[0])
            text = f'⟨{",".join(elements)}⟩'
            return leaf(self.random.choice(['{}', '{}', '(2‿2⥊{})', '(70⥊{})', '(¯1↓{}∾<0)', '(<{})']).format(text))
        glyph = leaf(self.random.choice(ARITHMETIC + '⊐⊒∊⍷⍋⍒≡≢⍋⍒∊⊐'), 'function')
        chance = self.random.random()
        if chance < .3:
            return Node('value', '{}{}', [glyph, odd()])
        if chance < .75:
            return Node('value', '{}{}{}', [odd(), glyph, odd()])
        return Node('value', '{}' + self.random.choice('´`˝⌜¨˜') + '{}', [glyph, odd()])

    def call_of_fill(self):
        inner = self.call(1)
        while too_long(inner.text()):
            inner = self.call(1)
        if self.random.random() < .5:
            return Node('value', self.random.choice(FILL_PROBES), [inner])
        glyph = self.random.choice(['¨', '⌜', '˘', '⚇0', '⚇1', '⎉1', '`', '⍟0‿1'])
        source = Node('value', self.random.choice(['(0↑{})', '(0⥊{})', '(1↑{})', '(1⥊{})', '(0‿2⥊{})', '{}', '{}']), [self.list(1)])
        function = Node('function', '{}' + glyph, [self.parenthesised(self.function(1))])
        if self.random.random() < .6:
            return Node('value', self.random.choice(FILL_PROBES), [Node('value', '{} {}', [function, source])])
        return Node('value', self.random.choice(FILL_PROBES), [Node('value', '({} {} {})', [self.grouped(0), function, source])])

    def call_of_operand(self):
        constant = self.parenthesised(self.grouped(1))
        modifier = self.random.choice(['¨', '⌜', '˘', '´', '˝', '`', '˜', '⁼', '˙', '⌾⊑', '⌾(0⊸⊏)', '⌾⥊', '⚇0', '⚇¯1', '⎉1', '⎉0‿1', '⍟2', '⍟⟨0,1⟩', '⎊0',
                                       '∘⊢', '○⌽', '⊸⋈', '⟜⋈', '⊘-'])
        function = Node('function', '{}' + modifier, [constant])
        if self.random.random() < .6:
            return Node('value', '{} {}', [function, self.value(1)])
        return Node('value', '{} {} {}', [self.grouped(0), function, self.value(1)])

    def call_of_choose(self):
        index = self.random.choice(['⊢', '⟨0⟩', '⟨¯1⟩', '(<⟜2)', '⟨⟨0⟩,⟨1⟩⟩', '(⊑)', '(≠)', '1', '¯1', '(2|⊢)', '{𝕊:⟨⟨0⟩,⟨¯1⟩⟩}', '{⟨𝕩⟩}', '(⋈⋈)', '{0}', '(<1)',
                                    '{⊑𝕩}', '⟨⟨⟨0⟩,⟨1⟩⟩,⟨1⟩⟩'])
        choices = self.random.choice(['⟨{},{}⟩', '({}‿{})', '(⋈⟜⊢´⟨{},{}⟩)', '(2‿1⥊⟨{},{}⟩)'])
        node = Node('value', choices, [self.parenthesised(self.function(0)) for _ in range(2)])
        if self.random.random() < .6:
            return Node('value', '{}◶{} {}', [leaf(index), node, self.value(1)])
        return Node('value', '{} {}◶{} {}', [self.grouped(0), leaf(index), node, self.value(1)])

    def call_of_axes(self):
        glyph = self.random.choice('↑↓↕⌽⍉/⊏⊑⥊«»∾≍')
        left = self.left_for(glyph, 1)
        source = Node('value', self.random.choice(['(2‿3‿2⥊{})', '(3‿2⥊{})', '(2‿2‿2‿2⥊{})', '(0‿3⥊{})', '(1‿0‿2⥊{})', '(2‿40⥊{})', '(70‿2⥊{})']), [self.list(1)])
        return Node('value', '{}' + glyph + '{}', [left, source])

    def argument(self, glyph, depth):
        if depth and self.random.random() < .4:
            return self.call(depth - 1)
        return self.array(1) if glyph in '↑↓⌽⍉⊏/⊔↕' and self.random.random() < .5 else self.value(1)
