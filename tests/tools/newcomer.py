"""Does what a newcomer does: types all that README.md, tutorial and cookbook show, in a fresh copy of the sources, from an empty home."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, 'tests', 'session'))
# Three blanks are the prompt; what is shown below it begins with fewer, or more.
TYPED = re.compile(r' {3}(?=\S)')


def pages():
    """The pages that a newcomer reads, in this order."""
    return ['README.md', *sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, 'docs', 'tutorial*.md'))), 'docs/cookbook.md']


def text_of(page):
    with open(os.path.join(ROOT, page), encoding='utf8') as file:
        return file.read()


def typed_sessions(text):
    """Gives what the blocks marked `console` show: a command of the shell, the rows below it, and what was typed before where a block
    goes on with a session, which it does without such a command."""
    before = []
    for block in re.findall('^```console\n(.*?)^```', text, re.M | re.S):
        if block.startswith('$ '):
            before = []
        else:
            block = '$ ./bqn\n' + block
        for part in re.split(r'^\$ ', block, flags=re.M)[1:]:
            command, *rows = part.rstrip('\n').split('\n')
            yield command, rows, before
            before = before + [row for row in rows if TYPED.match(row)] if command == './bqn' else []


def without_blanks(text):
    return [line.rstrip() for line in text.rstrip('\n').split('\n')]


class Clone:
    """A copy of the sources as they are right after the first `./bqn` has built them, and a home without anything."""

    def __init__(self, folder, executable):
        self.place, self.home = os.path.join(folder, 'griddle'), os.path.join(folder, 'home')
        os.mkdir(self.home)
        shutil.copytree(ROOT, self.place, symlinks=True, ignore=lambda at, names: {'.git', 'build', 'dist', '__pycache__'} & set(names))
        os.makedirs(os.path.join(self.place, 'build/quick'))
        shutil.copy(executable, os.path.join(self.place, 'build/quick/bqn'))
        os.symlink('quick', os.path.join(self.place, 'build/current'))
        os.symlink('current/bqn', os.path.join(self.place, 'build/bqn'))
        open(os.path.join(self.place, 'build/quick/.stamp'), 'w').close()
        self.environment = {'HOME': self.home, 'PATH': os.environ['PATH'], 'LANG': 'C.UTF-8', 'TERM': 'dumb'}

    def shell(self, command):
        """Gives what a command prints, on both streams."""
        done = subprocess.run(['sh', '-c', command], cwd=self.place, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120)
        return without_blanks(done.stdout.decode())

    def session(self, rows, before):
        """Types into a session what stands behind the prompt, and gives all rows of the screen as they are then."""
        from terminal import Screen
        screen = Screen(os.path.join(self.place, 'bqn'), self.place, columns=140, rows=100, HOME=self.home)
        screen.begin()
        for row in before:
            screen.type(row[len('   '):] + '\r')
            screen.settle()
        screen.type('\x0c')
        for number, row in enumerate(rows):
            if TYPED.match(row):
                screen.shows(lambda shown, number=number: shown[:number] == rows[:number] and not any(shown[number:]))
                screen.type(row[len('   '):] + '\r')
        screen.shows(lambda shown: shown[:len(rows)] == rows and screen.cursor() == (len(rows), len('   ')))
        shown = screen.rows()
        screen.kill()
        return without_blanks('\n'.join(shown))


def write_files_of_tutorial(clone, text):
    """Makes the files that the tutorial says somebody has: a script of what stands above, and the poem that it is run on."""
    definitions = re.search('^Split ← .*?^}\n', text, re.M | re.S)
    line = re.search('below them the line `(.*?)`', text)
    if definitions and line:
        with open(os.path.join(clone.place, 'bars.bqn'), 'w', encoding='utf8') as file:
            file.write(f'{definitions[0]}{line[1]}\n')
        poem = next((rows for command, rows, _ in typed_sessions(text) if command == 'cat poem.txt'), [])
        with open(os.path.join(clone.place, 'poem.txt'), 'w', encoding='utf8') as file:
            file.writelines(row + '\n' for row in poem)


def check(executable, report):
    with tempfile.TemporaryDirectory() as folder:
        clone = Clone(folder, executable)
        with_build = os.environ.pop('GRIDDLE_BUILD', None)
        for page in pages():
            text = text_of(page)
            write_files_of_tutorial(clone, text)
            for command, rows, before in typed_sessions(text):
                is_session = command == './bqn'
                shown = clone.session(rows, before) if is_session else clone.shell(command)
                report.check(shown == rows, f'{page}: $ {command} {rows[0] if is_session else ""}', '\n'.join(shown))
            # Commands that are told in a line of their own or in the running text.
            told = set(re.findall(r'^ {4}(\./\w+)', text, re.M)) | set(re.findall(r'`(\./bqn (?:-|examples/)[^`]*)`', text))
            for command in sorted(told - {'./bqn', './test'}):
                got = subprocess.run(['sh', '-c', command], cwd=clone.place, env=clone.environment, stdin=subprocess.DEVNULL, capture_output=True,
                                     timeout=120)
                report.check(got.returncode == 0, f'{page}: {command} works', got.stderr.decode())
            targets = re.findall(r'\]\((?!http|#)([^)#]+)', text)
            lost = [target for target in targets if not os.path.exists(os.path.join(clone.place, os.path.dirname(page), target))]
            report.check(not lost, f'{page}: all that it points to is there', ' '.join(lost))
        examples = subprocess.run([sys.executable, 'tests/tools/spec_examples.py', '--bqn', './bqn', *pages()], cwd=clone.place,
                                  env=clone.environment, capture_output=True, text=True)
        report.check(examples.returncode == 0, 'the examples of these pages run in a fresh copy', examples.stdout[-2000:] + examples.stderr)
        if with_build is not None:
            os.environ['GRIDDLE_BUILD'] = with_build
