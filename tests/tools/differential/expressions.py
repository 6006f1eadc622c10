"""Makes random BQN expressions, half of them sensible, and shrinks them.

An expression is a tree of Node: a kind ('value', 'function' or 'modifier'), a template with {} for each part, and the parts.
"""
from dataclasses import dataclass, field

MONADS = '+-×÷⋆√⌊⌈|¬∧∨<>≠=≡≢⊣⊢⥊∾≍⋈↑↓↕«»⌽⍉/⍋⍒⊏⊑⊐⊒∊⍷⊔!'
ARITHMETIC = '+-×÷⋆√⌊⌈|¬∧∨<>≠=≤≥'
DYADS = ARITHMETIC + '≡≢⊣⊢⥊∾≍⋈↑↓↕«»⌽⍉/⍋⍒⊏⊑⊐⊒∊⍷⊔!'
PERVASIVE = '+-×⌊⌈|¬∧∨<>≠=≤≥'
MODIFIERS_1 = '˙˜˘¨⌜⁼´˝`'
MODIFIERS_2 = '∘○⊸⟜⌾⊘◶⎊⎉⚇⍟'
NUMBERS = ['0', '1', '2', '3', '¯1', '¯2', '5', '0.5', '¯1.5', '100', '127', '128', '¯128', '¯129', '255', '32767', '32768', '65536',
           '2147483647', '2147483648', '¯2147483648', '4294967296', '9007199254740991', '9007199254740992', '1e15', '1e300', '∞', '¯∞',
           '2.5', '0.1', '1e¯5', '12345.678']
SMALL = ['0', '1', '2', '3', '¯1', '¯2', '4']
CHARACTERS = ["'a'", "'b'", "'c'", "' '", "'z'", '@', "'A'", "'é'", "'日'", "'𝕩'"]
LETTERS = 'abcab xyz'


@dataclass
class Node:
    kind: str
    template: str
    parts: list = field(default_factory=list)

    def text(self):
        return self.template.format(*[part.text() for part in self.parts]) if self.parts else self.template

    def size(self):
        return 1 + len(self.template) // 4 + sum(part.size() for part in self.parts)


def leaf(text, kind='value'):
    return Node(kind, text)


class Generator:
    def __init__(self, random):
        self.random = random

    def expression(self):
        """Gives the tree of one whole expression."""
        node = self.call(self.random.choice([0, 0, 1, 1, 2]))
        chance = self.random.random()
        if chance < .04:
            return Node('value', '{{{{2↑⥊𝕩}}⎊"?"𝕩}}{}', [node])  # looks at the fill
        if chance < .06:
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

    def string(self, length):
        return '"' + ''.join(self.random.choice(LETTERS) for _ in range(length)) + '"'

    def list(self, depth=1):
        length, chance = self.length(), self.random.random()
        if chance < .5:
            return leaf(self.number_list(length))
        if chance < .72:
            return leaf(self.string(length))
        if chance < .76:
            return leaf(f'(↕{length})')
        length = min(length, 4)
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
        if source.text() in ('(↕0)', '""', '⟨⟩', '(↕0)'):
            return Node('value', self.random.choice(['(0‿2⥊{})', '(2‿0⥊{})', '(0‿0⥊{})', '(⟨0⟩⥊{})', '(0‿3‿2⥊{})']), [source])
        return Node('value', f'({self.shape()}⥊{{}})', [source])

    def value(self, depth=1):
        chance = self.random.random()
        if chance < .25:
            return self.atom()
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
            return Node('function', '{}' + self.random.choice(MODIFIERS_1), [self.operand(depth - 1)])
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
            return leaf(self.random.choice(['⊑', '⊏', '⌽', '⍉', '⥊', '⊢', '<', '>', '∾', '(1⊸↓)', '(¯1⊸↓)', '(2⊸↑)', '(0⊸⊏)', '(0⊸⊑)',
                                            '(1⊸⌽)', '(1‿0⊸⊏)', '(⊑⟜0‿0)', '(0‿0⊸⍉)', '(1‿0‿1⊸/)', '(2⊸/)', '(⌽¨)', '(⊑¨)', '(⌽˘)', '(⊏⍉)', '-',
                                            '(2⊸×)', '√', '(1⊸+)', '(↕2˙)', '(¯1⊸⊑)', '(⊏⌽)', '(⊑1⊸↓)', '(⥊⍉)', '(2‿⌽⊸⥊)']))
        if chance < .25 and glyph in '⊸⟜':
            return self.parenthesised(self.grouped(0))
        return self.operand(depth)

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
        function = self.function(max(1, depth))
        if self.random.random() < .5:
            return Node('value', '{} {}', [function, self.value(1)])
        return Node('value', '{} {} {}', [self.grouped(1), function, self.value(1)])

    def argument(self, glyph, depth):
        if depth and self.random.random() < .4:
            return self.call(depth - 1)
        return self.array(1) if glyph in '↑↓⌽⍉⊏/⊔↕' and self.random.random() < .5 else self.value(1)


def smaller(node):
    """Gives simpler trees: a part in place of the whole, or a simpler part."""
    for part in node.parts:
        if part.kind == node.kind:
            yield part
    if node.kind == 'value' and len(node.template) > 1:
        for text in ('0', '⟨⟩', '1‿2', '(2‿2⥊↕4)', '"ab"'):
            if len(text) < len(node.text()):
                yield leaf(text)
    if not node.parts and '‿' in node.template and node.template[0] not in '("':
        elements = node.template.split('‿')
        if len(elements) > 2:
            yield leaf('‿'.join(elements[1:]))
            yield leaf('‿'.join(elements[:-1]))
        else:
            yield leaf(f'⟨{elements[0]}⟩')
    if not node.parts and node.template.startswith('"') and len(node.template) > 2:
        yield leaf(node.template[0] + node.template[2:])
    if node.kind == 'function' and len(node.text()) > 1:
        for text in '-⊢⌽':
            yield leaf(text, 'function')
    for i, part in enumerate(node.parts):
        for other in smaller(part):
            yield Node(node.kind, node.template, node.parts[:i] + [other] + node.parts[i + 1:])
