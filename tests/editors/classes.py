"""What each character of a text is: as the tokenizer of the executable says, by the colours that its language server gives."""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, 'tests', 'lsp'))
from editor import Editor  # noqa: E402

# What themes know, by what the syntax files call it.
NAMES = {'comment': 'comment', 'number': 'number', 'string': 'string', 'variable': 'subject', 'property': 'subject', 'function': 'function',
         'macro': 'modifier1', 'decorator': 'modifier2', 'parameter': 'special', 'keyword': 'nothing', 'operator': 'operator'}
# What programs of the tests may not have.
with open(os.path.join(ROOT, 'tests', 'editors', 'edges.bqn'), encoding='utf8') as edges:
    EDGES = edges.read()


def programs():
    """Gives the programs of the tests, and the examples of the pages."""
    for path in sorted(glob.glob(os.path.join(ROOT, 'tests', 'conformance', '**', '*.bqn'), recursive=True) + glob.glob(os.path.join(ROOT, 'tests', 'programs', '*.bqn'))
                       + glob.glob(os.path.join(ROOT, 'examples', '**', '*.bqn'), recursive=True)):
        with open(path, encoding='utf8', errors='replace') as file:
            yield os.path.relpath(path, ROOT), file.read()
    for path in sorted(glob.glob(os.path.join(ROOT, 'spec', '**', '*.md'), recursive=True) + glob.glob(os.path.join(ROOT, 'docs', '*.md'))):
        with open(path, encoding='utf8') as file:
            blocks = re.findall(r'^```bqn\n(.*?)^```', file.read(), re.M | re.S)
        lines = [line.removeprefix('▸ ') for block in blocks for line in block.split('\n') if line.startswith('▸ ') or '▸' not in block]
        yield os.path.relpath(path, ROOT), '\n'.join(lines)


class Tokenizer:
    """A server that is asked for one text after the other."""

    def __init__(self, bqn):
        self.editor = Editor(bqn)
        self.legend = self.editor.start['capabilities']['semanticTokensProvider']['legend']['tokenTypes']

    def close(self):
        self.editor.__exit__()

    def classes(self, text):
        """Gives the class of each character; None where no token is. Nothing at all where the text is none of BQN's."""
        self.editor.open(text)
        unread = ('Unknown character', 'Unclosed', 'Malformed', 'Invalid', 'bracket', 'Expected \'', 'A name', 'may only stand', 'Expected the name of a system', 'outside', 'Only a block', 'Parentheses may not')
        if any(word in error['message'] for error in self.editor.errors() for word in unread):
            return None
        data = self.editor.ask('textDocument/semanticTokens/full', {'textDocument': {'uri': 'file:///a.bqn'}})['data']
        lines = text.split('\n')
        starts, found = [0], [None] * len(text)
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        line = character = 0
        for i in range(0, len(data), 5):
            line, character = line + data[i], data[i + 1] + (0 if data[i] else character)
            units = lines[line].encode('utf-16-le')
            start = len(units[:2 * character].decode('utf-16-le'))
            end = len(units[:2 * (character + data[i + 2])].decode('utf-16-le'))
            found[starts[line] + start:starts[line] + end] = [NAMES[self.legend[data[i + 3]]]] * (end - start)
        return found


def differences(text, expected, given):
    """Lists characters whose class is another one; blanks have none."""
    found = []
    for i, c in enumerate(text):
        if c.isspace() or expected[i] == given[i]:
            continue
        start = text.rfind('\n', 0, i) + 1
        found.append(f'{text[start:text.find(chr(10), i)]!r}: {c!r} is {expected[i]}, not {given[i]}')
    return found


def sample(tokenizer, every=1):
    """Gives one long text of whole programs, each of which leaves no string open, and its classes."""
    texts = [EDGES] + [text for _, text in list(programs())[::every]]
    texts = [text for text in texts if "'\n'" not in text and tokenizer.classes(text) is not None]
    text = '\n'.join(texts)
    expected = [kind for part in texts for kind in tokenizer.classes(part) + [None]][:len(text)]
    return text, expected
