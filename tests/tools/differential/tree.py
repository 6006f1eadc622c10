"""Expressions and programs as trees, which can be shrunk.

A Node has a kind ('value', 'function', 'modifier', 'statement', 'program'), a template with {} for each part, and the parts.
"""
from dataclasses import dataclass, field


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


def smaller(node):
    """Gives simpler trees: a part in place of the whole, or a simpler part."""
    if node.kind == 'program':
        for i in range(len(node.parts) - 1):
            yield Node(node.kind, node.template.replace('{}⋄', '', 1), node.parts[:i] + node.parts[i + 1:])
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
    if node.kind == 'result' and ',' in node.template:
        names = node.template[1:-1].split(',')
        for i in range(len(names)):
            yield leaf('⟨' + ','.join(names[:i] + names[i + 1:]) + '⟩', 'result')
    for i, part in enumerate(node.parts):
        for other in smaller(part):
            yield Node(node.kind, node.template, node.parts[:i] + [other] + node.parts[i + 1:])
