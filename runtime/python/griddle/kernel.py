"""BQN in notebooks of Jupyter, with cells of BQN alone. Needs ipykernel.

    python3 -m griddle.kernel install            # for this user; --sys-prefix or --prefix FOLDER for elsewhere
    jupyter lab                                  # then choose BQN
"""
import base64
import contextlib
import json
import os
import re
import sys
import tempfile
import threading

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel

import griddle

NAME = 'bqn'
# Kinds of tokens and uses of names, as griddle_analysis.h counts them.
COMMENT, NAME_TOKEN, BRACKET, SEPARATOR, ARROW = 0, 3, 9, 10, 11
OPENING = ('Unclosed bracket', 'Unclosed string')
# As much of a value as a person looks at; a cell can print more by •Out.
ROWS, COLUMNS = 60, 120
WORD = re.compile(r'[•0-9A-Za-z_¯∞πÀ-ÖØ-öø-þ.]*$')
# The keys of glyphs, which bqn and its editors have too: a test compares them.
KEYS = ("`1234567890-=~!@#$%^&*()_+qwertyuiop[]QWERTYUIOP{}asdfghjkl;'ASDFGHJKL:\"zxcvbnm,./ZXCVBNM<>? ",
        "˜˘¨⁼⌜´˝ ∞¯•÷×¬⎉⚇⍟◶⊘⎊  ⟨⟩√⋆⌽𝕨∊↑∧ ⊔⊏⊐π←→↙𝕎⍷𝕣⍋ ⊑⊒  ⊣⊢⍉𝕤↕𝕗𝕘⊸∘○⟜⋄↩↖𝕊 𝔽𝔾« ⌾»·˙⥊𝕩↓∨⌊ ≡∾≍≠⋈𝕏 ⍒⌈ ≢≤≥⇐‿")
GLYPHS = {key: glyph for key, glyph in zip(*KEYS) if glyph != ' '}


def same_name(name):
    """Gives a name as BQN compares it."""
    return name.replace('_', '').lower()


def spelled_field(name, value):
    """Spells a field by the role of its value; those of the system as their values name themselves."""
    if not isinstance(value, griddle.Function):
        return name
    own = repr(value).rpartition('.')
    return own[2] if own[0].startswith('•') and same_name(own[2]) == name else name[:1].upper() + name[1:]


class Text:
    """A cell, read without running it. Places of BQN are bytes, those of Python characters."""

    def __init__(self, interpreter, source):
        self.source, self.bytes = source, source.encode()
        found = interpreter.analyse(source)
        tokens = found['tokens']
        self.tokens = list(zip(*([int(x) for x in tokens[column]] for column in ('start', 'end', 'kind', 'role', 'definition'))))
        self.defined = [self.piece(self.tokens[int(token)]) for token in found['definitions']['token']]
        self.problems = list(found['problems']['message'])

    def piece(self, token):
        return self.bytes[token[0]:token[1]].decode()

    def is_open(self):
        """Tells whether the cell goes on in the next line."""
        return any(problem in OPENING for problem in self.problems)

    def last_statement(self):
        statement, depth, end = [], 0, 0
        for token in self.tokens:
            start, _, kind = token[:3]
            if kind == COMMENT:
                continue
            if depth == 0 and (kind == SEPARATOR or b'\n' in self.bytes[end:start]):
                statement = []
            end = token[1]
            if kind == SEPARATOR and depth == 0:
                continue
            depth += 0 if kind != BRACKET else 1 if self.piece(token) in '([{⟨' else -1
            statement.append((depth, token))
        return statement

    def assigns(self):
        """Tells whether the last statement gives a name its value, which is then not shown."""
        return any(depth == 0 and token[2] == ARROW for depth, token in self.last_statement())


class Output:
    """What programs write, for the cell that runs: in pieces, a tenth of a second after the first byte of each at the latest."""

    largest, delay = 8192, 0.1

    def __init__(self, kernel, name):
        self.kernel, self.name, self.pieces, self.size = kernel, name, [], 0
        self.lock, self.timer = threading.Lock(), None

    def write(self, text):
        with self.lock:
            self.pieces.append(text)
            self.size += len(text)
            if self.timer is None:
                self.timer = threading.Timer(self.delay, self.flush)
                self.timer.daemon = True
                self.timer.start()
        if self.size > self.largest:
            self.flush()

    def flush(self):
        with self.lock:
            if self.timer is not None:
                self.timer.cancel()
            text, self.pieces, self.size, self.timer = ''.join(self.pieces), [], 0, None
            if text:
                self.kernel.send_response(self.kernel.iopub_socket, 'stream', {'name': self.name, 'text': text})


class BQNKernel(Kernel):
    implementation = 'griddle'
    implementation_version = griddle.__version__
    language_info = {'name': 'bqn', 'version': griddle.__version__, 'mimetype': 'text/x-bqn', 'file_extension': '.bqn', 'codemirror_mode': 'apl', 'pygments_lexer': 'text'}
    banner = f'BQN, by Griddle {griddle.__version__}'

    def __init__(self, **options):
        super().__init__(**options)
        self.outputs = [Output(self, 'stdout'), Output(self, 'stderr')]
        self.bqn = griddle.Interpreter(pictures='png', stdin=self, stdout=self.outputs[0], stderr=self.outputs[1])

    # --- cells

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False):
        shows = not silent
        # As in a session, a semicolon at the end keeps a value from being shown: no program can have one there.
        if code.rstrip().endswith(';'):
            code, shows = code.rstrip()[:-1], False
        self._allow_stdin = allow_stdin  # what raw_input looks at
        try:
            value = self.run(code)
            if shows and value is not None and not Text(self.bqn, code).assigns():
                self.show(value)
        except griddle.Exited as end:
            return {'status': 'ok', 'execution_count': self.execution_count, 'user_expressions': {}, 'payload': [{'source': 'ask_exit', 'keepkernel': False}]} if end.code == 0 \
                else self.failed('Exited', f'The program ended itself ({end.code})', silent)
        except (griddle.Interrupted, KeyboardInterrupt):
            return self.failed('Interrupted', 'The cell was interrupted', silent)
        except griddle.Error as error:
            return self.failed(type(error).__name__, error.message, silent, error.report)
        return {'status': 'ok', 'execution_count': self.execution_count, 'payload': [], 'user_expressions': {}}

    def run(self, code):
        try:
            return self.bqn.run(code, f'(cell {self.execution_count})', keep=True) if code.strip() else None
        finally:
            for output in self.outputs:
                output.flush()

    def show(self, value):
        data = {'text/plain': griddle.shown(value, ROWS, COLUMNS)}
        if picture := griddle.picture(value):
            data['image/png'] = base64.b64encode(picture).decode()
        self.send_response(self.iopub_socket, 'execute_result', {'execution_count': self.execution_count, 'data': data, 'metadata': {}})

    def failed(self, name, message, silent, report=None):
        told = {'ename': name, 'evalue': message, 'traceback': (report or message).rstrip('\n').split('\n')}
        if not silent:
            self.send_response(self.iopub_socket, 'error', told)
        return {'status': 'error', 'execution_count': self.execution_count, **told}

    def readline(self):
        """Reads a line for BQN: the notebook asks for it."""
        for output in self.outputs:
            output.flush()
        return self.raw_input() + '\n' if self._allow_stdin else ''

    # --- what is asked while a cell is written

    def do_is_complete(self, code):
        return {'status': 'incomplete', 'indent': '  '} if Text(self.bqn, code).is_open() else {'status': 'complete'}

    def do_complete(self, code, cursor_pos):
        before = code[:cursor_pos]
        key = before.rpartition('\\')[2]
        if '\\' in before and len(key) <= 1:
            # A backslash and a key are a glyph, and a backslash alone may become any.
            start = len(before) - len(key) - 1
            found = [GLYPHS[key]] if key in GLYPHS else list(GLYPHS.values()) if not key else []
        else:
            word = WORD.search(before).group()
            path, _, name = word.rpartition('.')
            start = len(before) - len(name)
            found = sorted(known for known in self.names_for(code, path) if same_name(known).startswith(same_name(name)) and (name or path))
        return {'status': 'ok', 'matches': found, 'cursor_start': start, 'cursor_end': cursor_pos, 'metadata': {}}

    def names_for(self, code, path):
        if not path:
            return {*self.bqn.names(), *self.bqn.system_names(), *Text(self.bqn, code).defined}
        value = self.value_of(path)
        return [spelled_field(name, value[name]) for name in value.keys()] if isinstance(value, griddle.Namespace) else []

    def value_of(self, path):
        """Gives the value of a name, or of fields of one; None where there is none. Runs no function."""
        name, *fields = path.split('.')
        known = {same_name(known) for known in [*self.bqn.names(), *self.bqn.system_names()]}
        if same_name(name) not in known or not all(re.fullmatch(r'\w+', field) for field in fields):
            return None
        # In the role of a value any name may be looked at.
        mark, word = ('•', name[1:]) if name.startswith('•') else ('', name)
        word = word.strip('_')
        with contextlib.suppress(griddle.Error):
            return self.bqn.run('.'.join([mark + word[:1].lower() + word[1:], *(f.strip('_')[:1].lower() + f.strip('_')[1:] for f in fields)]), keep=True)
        return None

    def do_inspect(self, code, cursor_pos, detail_level=0, omit_sections=()):
        after = re.match(r'[0-9A-Za-z_¯∞πÀ-ÖØ-öø-þ]*', code[cursor_pos:]).group()
        word = WORD.search(code[:cursor_pos]).group() + after
        value = self.value_of(word) if word else None
        if value is None:
            return {'status': 'ok', 'found': False, 'data': {}, 'metadata': {}}
        kind = {griddle.Function: 'function', griddle.Modifier: 'modifier', griddle.Namespace: 'namespace'}.get(type(value), 'value')
        shape = f', shape {"‿".join(map(str, value.shape))}' if kind == 'value' and value.shape else ''
        rows = None if detail_level else 10
        return {'status': 'ok', 'found': True, 'data': {'text/plain': f'{word}: {kind}{shape}\n{griddle.shown(value, rows or ROWS, COLUMNS)}'}, 'metadata': {}}


def install(arguments):
    """Tells Jupyter of the kernel."""
    from jupyter_client.kernelspec import KernelSpecManager
    where = {'user': True}
    if arguments[:1] == ['--sys-prefix']:
        where = {'prefix': sys.prefix}
    elif arguments[:1] == ['--prefix'] and len(arguments) == 2:
        where = {'prefix': arguments[1]}
    elif arguments not in ([], ['--user']):
        sys.exit('Usage: python3 -m griddle.kernel install [--user | --sys-prefix | --prefix FOLDER]')
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'kernel.json'), 'w', encoding='utf8') as file:
            json.dump({'argv': [sys.executable, '-m', 'griddle.kernel', '-f', '{connection_file}'], 'display_name': 'BQN', 'language': NAME}, file)
        print('Installed in', KernelSpecManager().install_kernel_spec(folder, NAME, **where))


if __name__ == '__main__':
    if sys.argv[1:2] == ['install']:
        install(sys.argv[2:])
    else:
        IPKernelApp.launch_instance(kernel_class=BQNKernel)
