"""Help inside a session: )help NAME, the key that names a glyph, the first line, hints and colours of errors."""
import os
import re
import shlex
import subprocess
import tempfile

from terminal import Screen

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GLYPHS = '+-×÷⋆√⌊⌈|¬∧∨<>≠=≤≥≡≢⊣⊢⥊∾≍⋈↑↓↕«»⌽⍉/⍋⍒⊏⊑⊐⊒∊⍷⊔!˙˜˘¨⌜⁼´˝`∘○⊸⟜⌾⊘◶⎉⚇⍟⎊←↩⇐⋄,‿⟨⟩[]{}():;?𝕩𝕏𝕨𝕎𝕤𝕊𝕗𝔽𝕘𝔾𝕣·¯∞π@"\'#.•'


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'faulty.bqn'), 'w', encoding='utf8') as file:
            file.write('fine ← 1\nPart ← {𝕩-"a"}\nPart 2\n')
        with open(os.path.join(folder, 'outer.bqn'), 'w', encoding='utf8') as file:
            file.write('# imports\n\n•Import "faulty.bqn"\n')
        check_topics(bqn, folder, report)
        check_screen(bqn, folder, report)
        check_colours(bqn, folder, report)
        check_places(bqn, folder, report)
        check_command_line(bqn, report)
        check_reports(bqn, report)


def check_reports(bqn, report):
    """What a page of the specification shows of a command line is what it prints."""
    with open(os.path.join(ROOT, 'spec', 'errors.md'), encoding='utf8') as file:
        examples = re.findall(r'```console\n[$] bqn (.*)\n((?:.*\n)*?)```', file.read())
    report.check(len(examples) > 3, 'spec/errors.md shows reports', repr(examples))
    for words, shown in examples:
        done = subprocess.run([bqn, *shlex.split(words)], capture_output=True, text=True, check=False)
        report.check(done.stderr == shown, f'spec/errors.md: bqn {words}', done.stderr)


def session(bqn, lines):
    """Gives what a session without prompts writes."""
    done = subprocess.run([bqn, '-s'], input=''.join(line + '\n' for line in lines), capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def check_topics(bqn, folder, report):
    for topic, begins, holds in [
            ('⍷', '⍷ Deduplicate, Find   type \\E\n', '\n𝕨⍷𝕩: '), ('under', '⌾ Under   type \\K\n', '\n   10⊸+⌾(1⊸⊑) ↕3\n⟨ 0 11 2 ⟩\n'),
            ('•HashMap', '•HashMap\n', 'Delete k removes'), ('•math.Sin', '•math\n', 'Sin Cos'), ('take', '↑ Prefixes, Take   type \\r\n', '"ab"\n'),
            ('blocks', 'Blocks\n', '\n  )help blocks Headers\n'), ('headers', 'Headers\n', 'F x:'), ('topics', 'Pages', '\n  blocks ')]:
        shown, errors = session(bqn, [')help ' + topic])
        report.check(shown.startswith(begins) and holds in shown and not errors, f'session: )help {topic}', (shown + errors)[:300])
    shown, errors = session(bqn, [')help undre'])
    report.check('there is on Under' in errors, 'session: )help for what there is not names what is like it', errors)
    shown, errors = session(bqn, [')hlep'])
    report.check(errors == 'There is no such command: )hlep; )help lists them; did you mean )help?\n', 'session: a command that is mistyped', errors)
    shown, errors = session(bqn, [f')help {glyph}' for glyph in GLYPHS])
    report.check(not errors, 'session: )help knows every glyph', errors)
    names = subprocess.run([bqn, '-p', '•Out¨•listsys'], capture_output=True, text=True, check=False).stdout.split('\n')
    names = [name for name in names if re.fullmatch(r'\w+', name)]
    shown, errors = session(bqn, [f')help •{name}' for name in names])
    report.check(len(names) > 40 and not errors, 'session: )help knows every system value', errors)


def check_screen(bqn, folder, report):
    screen = Screen(bqn, folder, columns=100, rows=16)
    report.check(screen.shows(lambda rows: re.match(r'Griddle \d+[.]\d+[.]\d+ · \w+ · .*[)]help', rows[0])), 'session: it says first what it is', screen.rows())
    screen.settle()
    screen.type('"ab"\\EE')
    report.check(screen.shows('   "ab"⍷E'), 'session: a glyph is typed before its help', screen.rows())
    screen.type('\x7f\x1bOP')
    report.check(screen.shows('⍷ Deduplicate, Find (\\E)   ⍷𝕩: '), 'session: F1 names the glyph before the cursor', screen.rows())
    report.check('   "ab"⍷' in screen.rows(), 'session: the text stays while help is shown', screen.rows())
    screen.type('"abab"')
    report.check(screen.shows(lambda rows: '   "ab"⍷"abab"' in rows and not any('Deduplicate' in row for row in rows)),
                 'session: the next key takes the help away', screen.rows())
    screen.type('\r')
    report.check(screen.shows('⟨ 1 0 1 ⟩'), 'session: the text is run after its help', screen.rows())
    screen.type('x←4\r')
    screen.shows(lambda rows: '4' in rows)
    screen.type('\x1bh')
    report.check(screen.shows('No glyph stands at the cursor'), 'session: Alt-H at no glyph says so', screen.rows())
    screen.type('\r•Shwo 3\r')
    report.check(screen.shows('Hint: did you mean •Show?'), 'session: an error ends in a hint', screen.rows())
    screen.type('list←1‿2‿3\rlist+1‿2\r')
    report.check(screen.shows('Here list is ⟨ 1 2 3 ⟩'), 'session: an error shows the value beside its place', screen.rows())
    screen.type('{𝕨+𝕩}⟜list 1‿2\r')
    report.check(screen.shows('Here 𝕨 is ⟨ 1 2 ⟩, 𝕩 is ⟨ 1 2 3 ⟩'), 'session: an error within a function shows its operands', screen.rows())
    screen.type('\x04')
    report.check(screen.end() == 0, 'session: Ctrl-D ends it after help')
    silent = Screen(bqn, folder, ['-s'])
    silent.type('1+1\r')
    report.check(silent.shows(lambda rows: '2' in rows) and not any('Griddle' in row for row in silent.rows()), 'session: -s says nothing first', silent.rows())
    silent.type('\x04')
    silent.end()


def check_colours(bqn, folder, report):
    """Of a report the word Error, carets and the word Hint are coloured, unless NO_COLOR is set."""
    for environment, coloured in [({'NO_COLOR': '1'}, False), ({}, True)]:
        if coloured:
            os.environ.pop('NO_COLOR', None)
        screen = Screen(bqn, folder, columns=60, rows=12, **environment) if not coloured else ColouredScreen(bqn, folder, columns=60, rows=12)
        screen.settle()
        screen.type('3*4\r')
        report.check(screen.shows('Hint: × multiplies'), 'session: a hint on *', screen.rows())
        screen.settle()
        rows = screen.rows()
        places = {'Error:': 'red', '^': 'red', 'Hint:': 'green'}
        for text, colour in places.items():
            row = next(i for i, line in enumerate(rows) if text in line and '3*4' not in line)
            got = screen.screen.buffer[row][rows[row].index(text)].fg
            report.check(got == (colour if coloured else 'default'), f'session: the colour of {text} {"" if coloured else "with NO_COLOR"}', f'{got} in {rows[row]}')
        screen.type('\x04')
        screen.end()
    done = subprocess.run([bqn, '-p', '3*4'], capture_output=True, text=True, check=False)
    report.check('\x1b' not in done.stderr and done.stderr.startswith('Error: '), 'no colours where nobody reads them on a terminal', done.stderr)


class ColouredScreen(Screen):
    """A screen whose process has no NO_COLOR."""

    def __init__(self, bqn, folder, **size):
        super().__init__('/usr/bin/env', folder, ['-u', 'NO_COLOR', bqn], **size)


def check_places(bqn, folder, report):
    outer = subprocess.run([bqn, 'outer.bqn'], cwd=folder, capture_output=True, text=True, check=False).stderr
    report.check(re.search(r'faulty[.]bqn:2:\n.*\n +\^', outer) and 'faulty.bqn:3:' in outer and 'outer.bqn:3:' in outer,
                 'an error in a file that is imported shows files and rows', outer)
    screen = Screen(bqn, folder, columns=80, rows=16)
    screen.settle()
    screen.type(')ex faulty.bqn\r')
    report.check(screen.shows(lambda rows: 'faulty.bqn:2:' in rows and 'faulty.bqn:3:' in rows), 'session: an error in )ex shows file and row', screen.rows())
    screen.type('\x04')
    screen.end()


def check_command_line(bqn, report):
    done = subprocess.run([bqn, '--help', '⍷'], capture_output=True, text=True, check=False)
    report.check(done.returncode == 0 and done.stdout.startswith('⍷ Deduplicate'), 'bqn --help ⍷', done.stdout)
    done = subprocess.run([bqn, '--help', 'undre'], capture_output=True, text=True, check=False)
    report.check(done.returncode == 1 and 'there is on Under' in done.stderr, 'bqn --help for what there is not', done.stderr)
    done = subprocess.run([bqn, '--help'], capture_output=True, text=True, check=False)
    report.check(done.returncode == 0 and done.stdout.startswith('Usage: '), 'bqn --help alone lists the options', done.stdout)
