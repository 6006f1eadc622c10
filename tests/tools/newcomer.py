#!/usr/bin/env python3
"""Does what a newcomer does: types all that README.md, tutorial and cookbook show, in a fresh copy of the sources, from an empty home.

newcomer.py  does so on a new Debian that has nothing, in a folder of its own: `./bqn` installs and builds first. Needs root, debootstrap
and a mirror of Debian.
"""
import glob
import os
import re
import shlex
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


def copy_sources(place):
    shutil.copytree(ROOT, place, symlinks=True, ignore=lambda at, names: {'.git', 'build', 'dist', '__pycache__'} & set(names))


class Clone:
    """A copy of the sources as they are right after the first `./bqn` has built them, and a home without anything."""

    def __init__(self, folder, executable):
        self.place, self.home = os.path.join(folder, 'griddle'), os.path.join(folder, 'home')
        self.start = os.path.join(self.place, 'bqn')
        os.mkdir(self.home)
        copy_sources(self.place)
        os.makedirs(os.path.join(self.place, 'build/quick'))
        shutil.copy(executable, os.path.join(self.place, 'build/quick/bqn'))
        os.symlink('quick', os.path.join(self.place, 'build/current'))
        os.symlink('current/bqn', os.path.join(self.place, 'build/bqn'))
        open(os.path.join(self.place, 'build/quick/.stamp'), 'w').close()
        self.environment = {'HOME': self.home, 'PATH': os.environ['PATH'], 'LANG': 'C.UTF-8', 'TERM': 'dumb'}

    def run(self, command, patience=120):
        """Gives the exit status of a command, and what it prints, on both streams."""
        done = subprocess.run(['sh', '-c', command], cwd=self.place, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=patience)
        return done.returncode, done.stdout.decode()

    def session(self, rows, before):
        """Types into a session what stands behind the prompt, and gives all rows of the screen as they are then."""
        from terminal import Screen
        screen = Screen(self.start, self.place, columns=140, rows=100, HOME=self.home)
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


class Machine(Clone):
    """A new Debian in a folder, with a copy of the sources and nothing else."""

    ENVIRONMENT = '/usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM="$TERM"'

    def __init__(self, folder):
        self.root, self.home = os.path.join(folder, 'machine'), '/root'
        self.place, self.start = os.path.join(self.root, 'root', 'griddle'), os.path.join(folder, 'start')
        self.enter = os.path.join(folder, 'enter')
        self.environment = dict(os.environ, TERM='dumb')
        subprocess.run(['debootstrap', '--variant=minbase', 'bookworm', self.root], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=900)
        shutil.copy('/etc/resolv.conf', os.path.join(self.root, 'etc'))
        copy_sources(self.place)
        # A /proc, as every machine has one, is there for as long as the command runs, and for it alone.
        self.write_script(self.enter, f"""exec unshare --mount-proc={self.root}/proc chroot {self.root} {self.ENVIRONMENT} sh -c "$@"
""")
        self.write_script(self.start, f"""exec {self.enter} 'cd /root/griddle && exec ./bqn "$@"' bqn "$@"
""")
        subprocess.run([self.enter, 'test -e /proc/self/exe'], check=True, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, text=True, timeout=60)

    @staticmethod
    def write_script(path, text):
        with open(path, 'w', encoding='utf8') as file:
            file.write('#!/bin/sh\n' + text)
        os.chmod(path, 0o755)

    def run(self, command, patience=120):
        return super().run(f'exec {self.enter} {shlex.quote("cd /root/griddle && " + command)}', patience)


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


def check_pages(clone, report):
    """Types what the pages show, and compares what comes back."""
    for page in pages():
        text = text_of(page)
        write_files_of_tutorial(clone, text)
        for command, rows, before in typed_sessions(text):
            is_session = command == './bqn'
            shown = clone.session(rows, before) if is_session else without_blanks(clone.run(command)[1])
            report.check(shown == rows, f'{page}: $ {command} {rows[0] if is_session else ""}', '\n'.join(shown))
        # Commands that are told in a line of their own or in the running text.
        told = set(re.findall(r'^ {4}(\./\w+)', text, re.M)) | set(re.findall(r'`(\./bqn (?:-|examples/)[^`]*)`', text))
        for command in sorted(told - {'./bqn', './test'}):
            status, shown = clone.run(command)
            report.check(status == 0, f'{page}: {command} works', shown)
        targets = re.findall(r'\]\((?!http|#)([^)#]+)', text)
        lost = [target for target in targets if not os.path.exists(os.path.join(clone.place, os.path.dirname(page), target))]
        report.check(not lost, f'{page}: all that it points to is there', ' '.join(lost))
    status, shown = clone.run(f'python3 tests/tools/spec_examples.py --bqn ./bqn {" ".join(pages())}', 600)
    report.check(status == 0, 'the examples of these pages run in a fresh copy', shown[-2000:])


def check(executable, report):
    with tempfile.TemporaryDirectory() as folder:
        clone = Clone(folder, executable)
        with_build = os.environ.pop('GRIDDLE_BUILD', None)
        check_pages(clone, report)
        if with_build is not None:
            os.environ['GRIDDLE_BUILD'] = with_build


def check_machine(report):
    """Does the same on a machine that has nothing, where such a one can be made."""
    if os.getuid() != 0 or not shutil.which('debootstrap'):
        print('no new Debian without root and debootstrap: not tried on one')
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            machine = Machine(folder)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failed:
            print(f'no new Debian could be had ({failed} {failed.stderr or ""}): not tried on one')
            return
        # The first command of the README; whoever types it gets a session afterwards.
        status, shown = machine.run("./bqn -p '+´↕10'", 2400)
        if status != 0 and 'griddle: could not install' in shown:
            print('no packages could be had on a new Debian: not tried on one')
            return
        if report.check(status == 0 and shown.endswith('\n45\n'), 'on a new Debian ./bqn installs, builds and runs', shown[-2000:]):
            check_pages(machine, report)


if __name__ == '__main__':
    from report import Report, finish
    counted = Report()
    check_machine(counted)
    finish(counted)
