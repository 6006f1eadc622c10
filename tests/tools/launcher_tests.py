#!/usr/bin/env python3
"""Tests ./bqn as a command: arguments, standard input, exit status, and when it builds."""
import os
import shutil
import subprocess
import sys
import tempfile
import time

from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAUNCHER = os.path.join(ROOT, 'bqn')


def call(arguments, given='', cwd=None, command=LAUNCHER):
    done = subprocess.run([command] + arguments, input=given, capture_output=True, text=True, encoding='utf8', errors='replace',
                          cwd=cwd, timeout=60)
    return done.returncode, done.stdout, done.stderr


def check_arguments(report):
    def expect(name, arguments, status=0, out=None, err='', given=''):
        got = call(arguments, given)
        good = got[0] == status and (out is None or got[1] == out) and err in got[2] and bool(err) == bool(got[2])
        report.check(good, f'./bqn {name}', f'exit status {got[0]}, stdout {got[1]!r}, stderr {got[2]!r}')

    expect('-p prints a value formatted', ['-p', '+´↕10'], out='45\n')
    expect('-p prints what •Fmt gives', ['-p', '"a"‿1'], out='⟨ "a" 1 ⟩\n')
    expect('-o prints a string raw', ['-o', '"abc"'], out='abc\n')
    expect('-e runs and prints nothing', ['-e', '1+1'], out='')
    expect('-e runs what prints', ['-e', '•Out "hi"'], out='hi\n')
    expect('-e several in a row', ['-e', '•Out "a"', '-e', '•Out "b"'], out='a\nb\n')
    expect('reports an error on stderr', ['-e', '1+⟨⟩+1‿2'], status=1, out='', err='Error: ')
    expect('reports a compile error', ['-e', '(1'], status=1, out='', err='Error: ')
    expect('shows the place of an error', ['-e', '•Out "x" ⋄ !0'], status=1, out='x\n', err='^')
    expect('ends with the status of •Exit', ['-e', '•Exit 3'], status=3, out='')
    expect('runs standard input for -', ['-'], out='7\n', given='•Show 3+4\n')
    expect('--version names itself', ['--version'])
    expect('--help lists the options', ['--help'])
    expect('a missing file is an error', ['/no/such/file.bqn'], status=1, out='', err='/no/such/file.bqn')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'a name with blanks.bqn')
        with open(path, 'w', encoding='utf8') as file:
            file.write('#!/usr/bin/env bqn\n•Show •args\n')
        expect('runs a file with arguments', [path, 'x y', '-e', 'é'], out='⟨ "x y" "-e" "é" ⟩\n')
        expect('-f runs a file', ['-f', path, 'z'], out='⟨ "z" ⟩\n')
        with open(path, 'wb') as file:
            file.write(b'"\xff\xfe"')
        got = call([path])
        report.check(got[0] == 1 and 'Error' in got[2], './bqn refuses bytes that are not UTF-8', repr(got))


def check_places(report):
    """The launcher finds its house from anywhere, through links and PATH."""
    with tempfile.TemporaryDirectory() as folder:
        link = os.path.join(folder, 'link')
        os.symlink(LAUNCHER, link)
        relative = os.path.join(folder, 'again')
        os.symlink('link', relative)
        for name, command in {'a link': link, 'a link to a link': relative, 'a relative path': os.path.relpath(LAUNCHER, folder)}.items():
            got = call(['-p', '2×3'], cwd=folder, command=command)
            report.check(got == (0, '6\n', ''), f'./bqn through {name}', repr(got))
        done = subprocess.run(['sh', '-c', 'PATH=$1:$PATH; bqn -p 1+1', 'sh', ROOT], capture_output=True, text=True, cwd=folder)
        report.check(done.stdout == '2\n', './bqn found on PATH', repr(done))


class Copy:
    """A small house of its own, with a stand-in for build.sh that only notes that it was called."""

    def __init__(self, folder):
        self.folder = folder
        for name in ('runtime/vm', 'primitives/kernels', 'gpu', 'repl', 'build'):
            os.makedirs(os.path.join(folder, name))
        for name in ('runtime/vm/vm.cc', 'primitives/table.cc', 'primitives/kernels/scan.cc', 'repl/main.cc', 'meson.build'):
            self.write(name, '')
        shutil.copy(LAUNCHER, folder)
        self.write('build/bqn', '#!/bin/sh\ncat\n', executable=True)
        self.write('build.sh', '#!/bin/sh\n: >"${0%/*}/called"\n: >"${0%/*}/build/.stamp"\n', executable=True)

    def write(self, name, text, executable=False):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf8') as file:
            file.write(text)
        if executable:
            os.chmod(path, 0o755)

    def builds(self):
        """Runs the launcher and tells whether it wanted to build; standard input must reach the program."""
        note = os.path.join(self.folder, 'called')
        got = call([], given='input', command=os.path.join(self.folder, 'bqn'))
        assert got == (0, 'input', ''), got
        called = os.path.exists(note)
        if called:
            os.unlink(note)
        time.sleep(.02)  # file times tick every few milliseconds
        return called


def check_rebuilds(report):
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(folder)
        report.check(copy.builds(), './bqn builds the first time')
        report.check(not copy.builds(), './bqn does not build again')
        copy.write('runtime/vm/vm.cc', '//')
        report.check(copy.builds(), './bqn builds after a change')
        report.check(not copy.builds(), './bqn builds once for a change')
        copy.write('primitives/kernels/sort.cc', '')
        report.check(copy.builds(), './bqn builds for a new file')
        os.unlink(os.path.join(folder, 'primitives/kernels/sort.cc'))
        report.check(copy.builds(), './bqn builds for a deleted file')
        copy.write('meson_options.txt', '')
        report.check(copy.builds(), './bqn builds for changed options')
        copy.write('README.md', '')
        report.check(not copy.builds(), './bqn does not build for a README')
        os.unlink(os.path.join(folder, 'build/bqn'))
        report.check(subprocess.run([os.path.join(folder, 'bqn')], capture_output=True).returncode != 0, './bqn without executable fails')
        copy.write('build.sh', '#!/bin/sh\necho sorry >&2\nexit 1\n', executable=True)
        got = call([], command=os.path.join(folder, 'bqn'))
        report.check(got == (1, '', 'sorry\n'), './bqn runs nothing after a failed build', repr(got))


def check_readme(report):
    """The terminal sessions in README.md show what really happens."""
    with open(os.path.join(ROOT, 'README.md'), encoding='utf8') as file:
        blocks = file.read().split('```console\n')[1:]
    for block in blocks:
        for session in block.split('```')[0].split('$ ')[1:]:
            command, _, shown = session.partition('\n')
            done = subprocess.run(['sh', '-c', command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
            got = '\n'.join(line.rstrip() for line in done.stdout.decode('utf8').split('\n'))
            report.check(got == shown, f'README.md: {command}', f'gave:\n{got}')


def check_overhead(executable, report):
    """The launcher may add a few milliseconds to a start."""
    def best(command):
        times = []
        for _ in range(30):
            start = time.perf_counter()
            subprocess.run([command, '-e', '0'], stdin=subprocess.DEVNULL)
            times.append(time.perf_counter() - start)
        return min(times)
    added = (best(LAUNCHER) - best(executable)) * 1e3
    report.check(added < 10, './bqn adds only milliseconds', f'{added:.1f} ms')


def run(executable, report):
    check_rebuilds(report)
    check_arguments(report)
    check_places(report)
    check_readme(report)
    check_overhead(executable, report)


def main():
    report = Report()
    run(os.path.join(ROOT, 'build', 'bqn'), report)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
