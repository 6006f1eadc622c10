#!/usr/bin/env python3
"""Tests ./bqn as a command: arguments, standard input, exit status, and when it builds."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import newcomer
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
    lines = call(['--version'])[1].split('\n')
    for line, pattern in zip(lines, [r'bqn \d+[.]\d+[.]\d+ [(]Griddle[)], commit ([0-9a-f]{12}(, modified)?|unknown)',
                                     r'instruction sets:( \w+)+; this processor runs \w+', r'device: .+', '']):
        report.check(re.fullmatch(pattern, line) is not None, f'./bqn --version says {pattern}', line)
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


def check_scripts(executable, report):
    """What a shell sees of a script: order of its streams, broken pipes, signals, safe mode, errors inside imports."""
    def expect(name, good, got):
        report.check(good, f'bqn {name}', repr(got))

    with tempfile.TemporaryDirectory() as folder:
        def script(name, text):
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf8') as file:
                file.write(text)
            return path

        both = subprocess.run([executable, '-e', '•Out "a" ⋄ •term.ErrRaw "b"∾@+10 ⋄ •Out "c" ⋄ !"d"'], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        expect('keeps the order of both streams', both.stdout.startswith('a\nb\nc\nError: d\n'), both.stdout)
        programs = subprocess.run([executable, '-e', '•Out "a" ⋄ •SH⟨"sh","-c","echo b >/dev/tty || true"⟩ ⋄ •Out "c"'],
                                  capture_output=True, text=True)
        expect('writes around programs that it runs', programs.stdout == 'a\nc\n', programs.stdout)

        endless = script('endless.bqn', '•Out "begun" ⋄ •term.Flush @\n{•Out 𝕩 ⋄ 𝕩}•_while_{𝕊:1} "x"\n')
        pipe = subprocess.run(['sh', '-c', '{ "$1" "$2"; echo "$?" >&2; } | head -n 1', 'sh', executable, endless], capture_output=True,
                              text=True, timeout=60)
        expect('ends without a word where nobody reads on', (pipe.stdout, pipe.stderr) == ('begun\n', '141\n'), pipe)

        for name, code in {'a loop': '1⊸+•_while_{𝕊:1} 0', 'a wait': '•Delay 60', 'a program': '•SH⟨"sleep","60"⟩',
                           'a recursion under ⎊': '{𝕊: {𝕊 1+𝕩}⎊0 𝕩 ⋄ 𝕊 𝕩} 0', 'reading': '•GetLine @'}.items():
            path = script('interrupted.bqn', '•Out "begun" ⋄ •term.Flush @\n' + code + '\n')
            process = subprocess.Popen([executable, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process.stdout.readline()
            time.sleep(.1)
            process.send_signal(signal.SIGINT)
            try:
                _, errors = process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                _, errors = process.communicate()
            expect(f'ends by Ctrl-C in {name}, and says where', process.returncode == 130 and errors.startswith(f'Interrupted\n{path}:2:\n') and '^' in errors, (process.returncode, errors))

        for options, result in {
                ('-e', 'a←1', '-e', 'a←2', '-p', 'a'): (0, '2\n', ''), ('-e', 'F←{𝕩+1}', '-p', 'F⟜2¨↕2'): (0, '⟨ 3 3 ⟩\n', ''),
                ('-e', 'a←"x"', '-o', 'a', '-p', 'a'): (0, 'x\n"x"\n', ''),
                ('-e', 'a←1', '-p', 'b', '-p', 'a'): (1, '', 'Error: Undefined identifier\n(-p):1:\n  b\n  ^\n'),
                ('-e', '!"no"', '-p', '1'): (1, '', 'Error: no\n(-e):1:\n  !"no"\n  ^\n')}.items():
            got = call(list(options), command=executable)
            expect('hands names on from one option to the next: ' + ' '.join(options), got == result, got)
        got = call(['-p', '1', '-p', '#'], command=executable)
        expect('prints nothing but values', got == (1, '1\n', call(['-p', '#'], command=executable)[2]) and 'Error' in got[2], got)

        lines = subprocess.run([executable, '-e', '•Show {𝕊:•GetLine@}¨↕4'], input=b'a\rb\r\n\r\nlast\r', capture_output=True).stdout
        expect('reads lines that end as on other systems', lines == '⟨ "a\rb" ⟨⟩ "last" @ ⟩\n'.encode(), lines)

        for code, status in {'0': 0, '7': 7, '255': 255, '"text"': 0}.items():
            got = call(['-e', f'•Exit {code}'], command=executable)
            expect(f'ends with •Exit {code}', got == (status, '', ''), got)

        script('sub folder/inner é.bqn', 'F ← {𝕩+1‿2}\nF 1‿2‿3\n')
        script('sub folder/middle.bqn', '# comment\n•Import "inner é.bqn"\n')
        outer = script('outer.bqn', 'value ← •Import "sub folder/middle.bqn"\n')
        got = call([outer], command=executable)
        places = [line for line in got[2].split('\n') if line.startswith('/') or line.lstrip().startswith('^') or '•Import' in line]
        wanted = [folder + '/sub folder/inner é.bqn:1:', '        ^', folder + '/sub folder/inner é.bqn:2:', '  ^',
                  folder + '/sub folder/middle.bqn:2:', '  •Import "inner é.bqn"', '  ^^^^^^^',
                  outer + ':1:', '  value ← •Import "sub folder/middle.bqn"', '          ^^^^^^^']
        expect('shows the files that an error came through', got[0] == 1 and places == wanted, got)
        script('sub folder/inner é.bqn', '1+\n')
        got = call([outer], command=executable)
        expect('shows the file of a syntax error', 'inner é.bqn:1:' in got[2] and 'middle.bqn:2:' in got[2] and 'outer.bqn:1:' in got[2], got)

        secret = script('secret.txt', 'secret')
        refused = {'•FChars': f'•FChars "{secret}"', '•FLines': f'•FLines "{secret}"', '•FBytes': f'"{secret}"•FBytes "x"',
                   '•file.List': '•file.List "/"', '•file.Exists': f'•file.Exists "{secret}"', '•file.Open': f'•file.Open "{secret}"',
                   '•file.Remove': f'•file.Remove "{secret}"', '•SH': '•SH⟨"true"⟩', '•FFI': '@•FFI"i32"‿"getpid"',
                   '•Import': f'•Import "{secret}"', '•wdpath': '•wdpath'}
        for name, code in refused.items():
            got = call(['--safe', '-e', code], command=executable)
            expect(f'--safe refuses {name}', got[0] == 1 and got[2].startswith(f'Error: {name}: This is not permitted in safe mode\n'), got)
            got = call(['--safe', '-e', f'•BQN "{code.replace(chr(34), chr(34) * 2)}"'], command=executable)
            expect(f'--safe refuses {name} inside of •BQN', got[0] == 1 and 'safe mode' in got[2], got)
        got = call(['--safe', script('safe.bqn', '•Out •file.Name •FChars⎊"refused/caught" "x"\n•Show •args‿(•Fmt 1+1)\n'), 'a'], command=executable)
        expect('--safe runs a file', got == (0, 'caught\n⟨ ⟨ "a" ⟩ "2" ⟩\n', ''), got)
        got = call(['--allow', 'read-files', '-p', f'•FChars "{secret}"'], command=executable)
        expect('--allow permits what it names', got == (0, '"secret"\n', ''), got)
        for name in ['"x"•FChars "b"', '•SH⟨"true"⟩', '•UnixTime @', '•wdpath']:
            got = call(['--allow', 'read-files', '-e', name.replace('"b"', f'"{secret}"')], command=executable)
            expect(f'--allow refuses {name}', got[0] == 1 and 'This is not permitted in safe mode' in got[2], got)
        os.makedirs(os.path.join(folder, 'root'), exist_ok=True)
        with open(os.path.join(folder, 'root', 'inside.txt'), 'w', encoding='utf8') as inside:
            inside.write('inside')
        root = ['--root', os.path.join(folder, 'root')]
        got = call([*root, '-p', '•FChars "inside.txt"'], command=executable)
        expect('--root leaves the files in it', got == (0, '"inside"\n', ''), got)
        for path in ['../secret.txt', secret]:
            got = call([*root, '-e', f'•FChars "{path}"'], command=executable)
            expect('--root refuses all others', got[0] == 1 and 'The file lies outside of what programs may reach' in got[2], got)
        expect('--safe touches nothing', open(secret, encoding='utf8').read() == 'secret', secret)


def check_words(executable, report):
    """Arguments of code, the end of the options, and names and texts that are not plain ASCII."""
    def expect(name, good, got):
        report.check(good, f'bqn {name}', repr(got))

    for arguments, wanted in {('-p', '•args', 'a', '-p', 'é'): '⟨ "a" "-p" "é" ⟩\n', ('-p', '•args', '--', '-x', '--'): '⟨ "-x" "--" ⟩\n',
                              ('-p', '•args'): '⟨⟩\n', ('-e', 'a←≠•args', '-p', 'a∾•args', 'x'): '⟨ 1 "x" ⟩\n'}.items():
        got = call(list(arguments), command=executable)
        expect(f'hands arguments to code: {arguments}', got == (0, wanted, ''), got)
    mark = b'\xef\xbb\xbf'
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, '-odd.bqn')
        with open(path, 'wb') as file:
            file.write(mark + '⟨1⟩+⟨1,2⟩\n'.encode())
        got = call(['--', '-odd.bqn', 'x'], cwd=folder, command=executable)
        expect('skips a byte order mark, and counts lines and columns without it', got == (1, '', got[2]) and '-odd.bqn:1:\n  ⟨1⟩+⟨1,2⟩\n     ^\n' in got[2], got)
        with open(path, 'wb') as file:
            file.write(mark + '•Show •args\n'.encode())
        got = call(['--', '-odd.bqn', 'x'], cwd=folder, command=executable)
        expect('takes what follows -- as a file', got == (0, '⟨ "x" ⟩\n', ''), got)
        got = call(['-p', '•Import "-odd.bqn"'], cwd=folder, command=executable)
        expect('imports a file with a byte order mark', got[0] == 0, got)
        done = subprocess.run([executable, '-'], input=mark + '•Out "in"\n'.encode(), capture_output=True)
        expect('skips a byte order mark on standard input', (done.returncode, done.stdout) == (0, b'in\n'), done)
        done = subprocess.run([executable, '-p', '⊑•FChars "-odd.bqn"'], cwd=folder, capture_output=True)
        expect('reads a byte order mark as any character', '\ufeff' in done.stdout.decode(), done)

    with tempfile.TemporaryDirectory() as folder:
        names = [b'plain', 'zwölf'.encode(), b'\xff', b'caf\xe9', b'\xed\xb3\xbf', b'\xe2\x82']
        for name in names:
            with open(os.path.join(folder.encode(), name), 'wb') as file:
                file.write(name)
        got = call(['-p', '(+´≠∘•FBytes¨n)∾∧´•file.Exists¨n←•file.List "."'], cwd=folder, command=executable)
        expect('opens every file that a list names', got == (0, f'⟨ {sum(map(len, names))} 1 ⟩\n', ''), got)
        done = subprocess.run([executable, '-p', '≠•FBytes ⊑•args', b'caf\xe9'], cwd=folder, capture_output=True)
        expect('opens a file that the command line names in bytes', done.stdout == b'4\n', done)
        done = subprocess.run([executable, '-p', '∧´{𝕩.a≡@+𝕩.b}¨{{a⇐•FBytes 𝕩,b⇐@-˜1⊑{raw⇐1}•SH"cat"‿𝕩}}¨•file.List "."'], cwd=folder, capture_output=True)
        expect('hands such names to other programs', done.stdout == b'1\n', done)
        done = subprocess.run([executable, '-e', '"new"•file.Rename⊑•args ⋄ •Out •file.Name (⊑•args)•file.Rename "new"', b'\xff'], cwd=folder, capture_output=True)
        expect('renames such a file', done.returncode == 0 and sorted(os.listdir(folder.encode())) == sorted(names), done)


def check_ends(executable, report):
    """What a script has written is not lost where a signal ends it, and appears while it works."""
    busy = '{𝕊:1}•_while_{𝕊:1}0'
    for number in (signal.SIGTERM, signal.SIGHUP):
        # Whoever runs the tests may ignore the signal, which what it starts inherits.
        process = subprocess.Popen([executable, '-e', f'•Out "begun" ⋄ {busy}'], stdout=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
        line = process.stdout.readline()
        report.check(line == b'begun\n', 'bqn shows what was written while it goes on to work', repr(line))
        process.send_signal(number)
        process.communicate(timeout=60)
        report.check(process.returncode == -number, f'bqn at work ends by {number.name}', process.returncode)
        # Nobody takes what is written: the end comes all the same.
        process = subprocess.Popen([executable, '-e', '•Out¨1e6⥊<"abc"'], stdout=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
        process.stdout.read(1)
        process.send_signal(number)
        report.check(process.wait(timeout=60) == -number, f'bqn whose output nobody takes ends by {number.name}', process.returncode)
        process.stdout.close()
    with tempfile.TemporaryDirectory() as folder:
        # A file says when there is something to lose, before it is written by itself.
        path, ready = os.path.join(folder, 'out'), os.path.join(folder, 'ready')
        with open(path, 'wb') as out:
            process = subprocess.Popen([executable, '-e', f'•Out¨1000⥊<"x" ⋄ "{ready}"•FChars"" ⋄ {busy}'], stdout=out)
            while not os.path.exists(ready):
                time.sleep(.001)
            process.terminate()
            process.wait(timeout=60)
        with open(path, 'rb') as out:
            held = out.read()
        report.check(held == b'x\n' * 1000, 'bqn writes all before it ends by a signal', repr(held[-20:]))


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
        for name in ('runtime/vm', 'primitives/kernels/folds', 'primitives/kernels/sort', 'gpu', 'repl', 'build/quick', 'build/full'):
            os.makedirs(os.path.join(folder, name))
        os.symlink('quick', os.path.join(folder, 'build/current'))
        for name in ('runtime/vm/vm.cc', 'primitives/table.cc', 'primitives/kernels/folds/scan.cc', 'repl/main.cc', 'meson.build'):
            self.write(name, '')
        shutil.copy(LAUNCHER, folder)
        self.write('build/quick/bqn', '#!/bin/sh\ncat\n', executable=True)
        self.write('build/full/bqn', '#!/bin/sh\necho full\n', executable=True)
        self.write('build.sh', '#!/bin/sh\necho "$@" >"${0%/*}/called"\n: >"${0%/*}/build/${1:-quick}/.stamp"\n', executable=True)

    def write(self, name, text, executable=False):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf8') as file:
            file.write(text)
        if executable:
            os.chmod(path, 0o755)

    def builds(self):
        """Runs the launcher and tells whether it wanted to build; standard input must reach the program."""
        note = os.path.join(self.folder, 'called')
        had_stamp = os.path.exists(os.path.join(self.folder, 'build/quick/.stamp'))
        got = call([], given='input', command=os.path.join(self.folder, 'bqn'))
        called = os.path.exists(note)
        said = 'griddle: sources have changed since the last build\n' if called and had_stamp else ''
        assert got == (0, 'input', said), got
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
        copy.write('primitives/kernels/sort/sort.cc', '')
        report.check(copy.builds(), './bqn builds for a new file')
        os.unlink(os.path.join(folder, 'primitives/kernels/sort/sort.cc'))
        report.check(copy.builds(), './bqn builds for a deleted file')
        copy.write('meson_options.txt', '')
        report.check(copy.builds(), './bqn builds for changed options')
        copy.write('README.md', '')
        report.check(not copy.builds(), './bqn does not build for a README')
        full = subprocess.run([os.path.join(folder, 'bqn')], capture_output=True, text=True, env={**os.environ, 'GRIDDLE_BUILD': 'full'})
        report.check(full.stdout == 'full\n', 'GRIDDLE_BUILD=full ./bqn builds and runs the full build', repr(full))
        report.check(open(os.path.join(folder, 'called'), encoding='utf8').read() == 'full\n', 'GRIDDLE_BUILD names what is built')
        for arguments, wanted in {('--build',): '--use\n', ('--build', 'full'): '--use full\n', ('--build', 'quick'): '--use quick\n'}.items():
            subprocess.run([os.path.join(folder, 'bqn'), *arguments], capture_output=True)
            got = open(os.path.join(folder, 'called'), encoding='utf8').read()
            report.check(got == wanted, './bqn ' + ' '.join(arguments) + ' builds', repr(got))
        got = call(['--build', 'ful'], command=os.path.join(folder, 'bqn'))
        report.check(got == (1, '', 'bqn: --build takes quick or full\n'), './bqn refuses to build what it does not know', repr(got))
        os.unlink(os.path.join(folder, 'build/quick/bqn'))
        report.check(subprocess.run([os.path.join(folder, 'bqn')], capture_output=True).returncode != 0, './bqn without executable fails')
        copy.write('build.sh', '#!/bin/sh\necho sorry >&2\nexit 1\n', executable=True)
        got = call([], command=os.path.join(folder, 'bqn'))
        report.check(got == (1, '', 'sorry\n'), './bqn runs nothing after a failed build', repr(got))


def check_alone(report):
    """The launcher starts nothing but the executable, so that it adds only milliseconds to a start."""
    done = subprocess.run([LAUNCHER, '-p', '1+1'], capture_output=True, text=True, env={**os.environ, 'PATH': '/nowhere'})
    report.check((done.stdout, done.stderr) == ('2\n', ''), './bqn starts no other program', repr(done))


class Workshop:
    """A house with the real build.sh, and with stand-ins for what it calls: the ninja here makes a bqn that says which build it is."""

    TOOLS = {
        'c++': 'exit 0',
        'pkg-config': 'exit 0',
        'meson': 'test "$1" = setup || exit 0\nwhile [ $# -gt 2 ]; do shift; done\nmkdir -p "$1/meson-info"\n: >"$1/build.ninja"\n'
                 'echo "\\"source\\": \\"$2\\"" >"$1/meson-info/meson-info.json"\n',
        'ninja': 'directory=$2\ncase $3 in\n-t) exit 1 ;;\n-n) echo "[1/1] Compiling bqn" ;;\n'
                 '*) if [ -e "$directory/../../broken" ]; then echo "it does not compile"; exit 1; fi\n'
                 'echo "[1/1] Compiling bqn"\necho "echo ${directory##*/}" >"$directory/bqn"\nchmod +x "$directory/bqn" ;;\nesac\n',
    }

    def __init__(self, folder):
        self.folder = folder
        self.tools = os.path.join(folder, 'tools')
        os.mkdir(self.tools)
        for name in ('build.sh', 'bqn'):
            shutil.copy(os.path.join(ROOT, name), folder)
        for name, text in self.TOOLS.items():
            path = os.path.join(self.tools, name)
            with open(path, 'w', encoding='utf8') as file:
                file.write('#!/bin/sh\n' + text)
            os.chmod(path, 0o755)

    def run(self, name, *arguments):
        done = subprocess.run([os.path.join(self.folder, name), *arguments], capture_output=True, text=True, timeout=60,
                              env={**os.environ, 'PATH': self.tools + ':' + os.environ['PATH']})
        return done.returncode, done.stdout, done.stderr

    def current(self):
        link = os.path.join(self.folder, 'build', 'current')
        return os.readlink(link) if os.path.islink(link) else None


def check_builds(report):
    """A build is taken into use when it is whole, and only then; the first is the quick one and says how to get the rest."""
    advice = '--build full builds the rest'
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(folder)
        broken = os.path.join(folder, 'broken')

        def expect(name, good):
            report.check(good, name, repr((got, workshop.current())))

        open(broken, 'w').close()
        got = workshop.run('bqn')
        expect('a first build that fails shows why, runs nothing and is not taken into use',
               got[:2] == (1, '') and 'it does not compile' in got[2] and 'failed' in got[2] and advice not in got[2] and
               not workshop.current() and not os.path.exists(os.path.join(folder, 'build/quick/.stamp')))
        os.unlink(broken)
        got = workshop.run('bqn')
        expect('the first ./bqn makes the quick build, shows progress and says in one line how to get the rest',
               got[:2] == (0, 'quick\n') and '[1/1] 0:0' in got[2] and got[2].count(advice) == 1 and workshop.current() == 'quick')
        got = workshop.run('bqn')
        expect('the second ./bqn only runs', got == (0, 'quick\n', ''))
        got = workshop.run('build.sh', 'full')
        expect('a full build that nobody asked to use is not taken into use', got[:2] == (0, '') and workshop.current() == 'quick')
        got = workshop.run('bqn', '--build', 'full')
        expect('./bqn --build full takes it into use', got[0] == 0 and workshop.current() == 'full' and advice not in got[2])
        expect('./bqn runs the full build', workshop.run('bqn') == (0, 'full\n', ''))
        open(broken, 'w').close()
        got = workshop.run('bqn', '--build', 'quick')
        expect('a build that fails does not take the place of one that is whole', got[0] == 1 and workshop.current() == 'full')
        got = workshop.run('build.sh', 'fast')
        expect('build.sh refuses to build what it does not know', got == (2, '', 'build.sh: no such build: fast (quick, full, sanitize, verify, web)\n'))


def check_instruction_sets(executable, report):
    """GRIDDLE_TARGET takes what is compiled and nothing else; a wish that cannot be met is an error, no other run."""
    def run_as(target):
        done = subprocess.run([executable, '-p', '+´↕10'], capture_output=True, text=True, env={**os.environ, 'GRIDDLE_TARGET': target})
        return done.returncode, done.stdout, done.stderr

    version = subprocess.run([executable, '--version'], capture_output=True, text=True).stdout
    sets, _, best = re.search('instruction sets: (.*); (this processor runs )(.*)', version).groups()
    names = sets.split()
    for name in names[:names.index(best) + 1]:
        report.check(run_as(name) == (0, '45\n', ''), f'GRIDDLE_TARGET={name} bqn', repr(run_as(name)))
    got = run_as('MMX')
    report.check(got == (1, '', f'bqn: GRIDDLE_TARGET names no instruction set that is compiled ({sets}) and that this processor has\n'),
                 'GRIDDLE_TARGET=MMX bqn', repr(got))


def run(executable, report):
    # The launcher runs the build that is tested.
    os.environ['GRIDDLE_BUILD'] = os.path.basename(os.path.dirname(executable))
    check_instruction_sets(executable, report)
    with_build = os.environ.pop('GRIDDLE_BUILD')
    check_rebuilds(report)
    check_builds(report)
    os.environ['GRIDDLE_BUILD'] = with_build
    check_arguments(report)
    check_words(executable, report)
    check_ends(executable, report)
    check_scripts(executable, report)
    check_places(report)
    newcomer.check(executable, report)
    check_alone(report)


def main():
    report = Report()
    run(os.path.realpath(os.path.join(ROOT, 'build', 'bqn')), report)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
