"""Clocks, limits, variables and folders that are out of the ordinary, for fault_tests.py."""
import ctypes
import os
import resource
import shutil
import subprocess

USUAL = 'r←+´↕10⋄p←"FOLDER/f"•FChars"é⟨"⋄!"é⟨"≡•FChars p⋄!"a"≡¯1↓1⊑•SH⟨"echo","a"⟩⋄!0<•rand.Range 0⋄•Show r‿"é"'
SHOWN = '⟨ 45 "é" ⟩\n'


def limited(which, soft, hard=None):
    return lambda: resource.setrlimit(which, (soft, resource.getrlimit(which)[1] if hard is None else hard))


def check_surroundings(f):
    for variable, values in {'LC_ALL': ['', 'C', 'POSIX', 'nonsense', 'tr_TR.UTF-8', 'C.UTF-8'], 'LANG': ['de_DE', '\x01'], 'TERM': ['', 'dumb', 'nonsense', 'x' * 5000],
                             'HOME': ['', '/nowhere', '/dev/null', 'relative', '/' * 5000], 'PATH': [f.environment['PATH'] + ':' + 'x' * 5000], 'TZ': ['nonsense', ':/dev/zero'],
                             'GRIDDLE_OFFLOAD_FROM': ['x', '-1', '9' * 50], 'GRIDDLE_WAYS_TAKEN': ['/dev/full', '/nowhere/x', ''], 'GRIDDLE_CUDA_PLUGIN': ['/dev/null', 'x']}.items():
        for value in values:
            f.expect(f'{variable}={value[:20]}', f.run(USUAL, variables={variable: value}), 0, SHOWN, '')
    for name, environment in [('no environment', {'PATH': f.environment['PATH']}), ('a large environment', {**f.environment, **{f'V{i}': 'x' * 10000 for i in range(150)}})]:
        done = subprocess.run([f.bqn, '-e', USUAL.replace('FOLDER', f.folder)], env=environment, capture_output=True, text=True)
        f.expect(name, done, 0, SHOWN, '')
    check_sessions(f)
    check_limits(f)
    check_start(f)
    f.expect('nothing of /proc can be opened', f.disturbed(USUAL, {'DISTURB_PROC': '1'}), 0, SHOWN, '')
    f.expect('a stack that ends, without /proc', f.disturbed('•Out {𝕊:{1+𝕊𝕩}0}⎊{𝕊:•CurrentError@}@', {'DISTURB_PROC': '1'}), 0, 'Stack overflow\n', '')
    script = 'mount -t tmpfs tmpfs /proc && mount -t tmpfs tmpfs /sys && exec "$0" -e "$1"'
    done = subprocess.run(['unshare', *([] if os.getuid() == 0 else ['-r']), '-m', 'sh', '-c', script, f.bqn, USUAL.replace('FOLDER', f.folder)], capture_output=True, text=True)
    if 'unshare' in done.stderr or 'mount:' in done.stderr:
        f.leave_out('an empty /proc', done.stderr.strip())
    else:
        f.expect('an empty /proc and /sys', done, 0, SHOWN, '')


def check_sessions(f):
    """A session without a terminal, in a home that cannot be written."""
    for variables in ({'HOME': '/proc/nowhere', 'XDG_STATE_HOME': '', 'XDG_CACHE_HOME': ''}, {'XDG_STATE_HOME': '/dev/full'}, {'TERM': ''}):
        done = subprocess.run([f.bqn, '-s'], input='1+1\n!"x"\n2+2\n', capture_output=True, text=True, env={**f.environment, **variables})
        f.report.check((done.returncode, done.stdout) == (1, '2\n4\n'), f'faults: a session with {variables}', done.stdout + done.stderr)
        done = subprocess.run(['script', '-qec', f.bqn, '/dev/null'], input='1+1\n)exit\n', capture_output=True, text=True, env={**f.environment, 'TERM': 'xterm', **variables})
        if 'not found' not in done.stderr:
            f.report.check(done.returncode == 0 and '2' in done.stdout, f'faults: a session on a terminal with {variables}', done.stdout + done.stderr)


def check_limits(f):
    for most in range(12):
        done = f.run(USUAL, preexec_fn=limited(resource.RLIMIT_NOFILE, most))
        # The loader needs some files to find the libraries.
        good = done.returncode in (0, 1) and (done.stderr or done.stdout == SHOWN) or done.returncode == 127 and 'loading shared libraries' in done.stderr
        f.report.check(good, f'faults: {most} open files', f'{done.returncode} {done.stderr}')
    for kibibytes in (64, 128, 1024, 65536, None):
        size = resource.RLIM_INFINITY if kibibytes is None else kibibytes << 10
        f.expect(f'a stack of {kibibytes} KiB', f.run(USUAL, preexec_fn=limited(resource.RLIMIT_STACK, size)), 0, SHOWN, '')
        f.expect(f'deep recursion on a stack of {kibibytes} KiB', f.run('•Out {𝕊:{1+𝕊𝕩}0}⎊{𝕊:•CurrentError@}@', preexec_fn=limited(resource.RLIMIT_STACK, size)), 0, 'Stack overflow\n')
    done = f.run('{𝕊:0}•_while_{𝕊:1}0', preexec_fn=limited(resource.RLIMIT_CPU, 1, 3))
    f.report.check(done.returncode == -24, 'faults: the limit of processor time ends a program as it does others', f'{done.returncode} {done.stderr}')
    if os.getuid() == 0:
        def few_processes():
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
            os.setgid(12345)
            os.setuid(12345)
        # The build may be in a folder that others do not see into.
        os.chmod(f.folder, 0o755)
        copy = shutil.copy(f.bqn, f.path('bqn'))
        try:
            done = subprocess.run([copy, '-e', USUAL.replace('FOLDER', '/tmp')], preexec_fn=few_processes, capture_output=True, text=True, cwd='/')
        except PermissionError as problem:
            f.leave_out('no more processes', problem)
        else:
            f.expect('no more processes', done, 1, error='temporarily unavailable')
    else:
        f.expect('no more processes', f.run(USUAL, preexec_fn=limited(resource.RLIMIT_NPROC, 0)), 1, error='temporarily unavailable')


def check_start(f):
    """A process that is started as no shell does."""
    execve = ctypes.CDLL(None, use_errno=True).execve
    for name, words in [('no argument, not even a name', []), ('an empty name', [b'']), ('an empty argument', [b'bqn', b'']), ('bytes that are no text', [b'bqn', b'-p', b'\xff\xfe']),
                        ('a long argument', [b'bqn', b'-p', b'1+' * 60000 + b'1'])]:
        array = (ctypes.c_char_p * (len(words) + 1))(*words, None)
        variables = (ctypes.c_char_p * 1)(None)
        done = subprocess.run(['true'], executable='/bin/true', capture_output=True, text=True, errors='replace', stdin=subprocess.DEVNULL,
                              preexec_fn=lambda: execve(f.bqn.encode(), array, variables))  # noqa: B023
        f.report.check(done.returncode in (0, 1) and (done.returncode == 0 or done.stderr), f'faults: {name}', f'{done.returncode} {done.stderr[-500:]}')
    gone = f.path('gone')
    for program, status, error in [('•Show 2+2', 0, ''), ('•Show •path', 1, 'Cannot find'), ('•FChars"x"', 1, 'Cannot find'), ('•Show •SH⟨"true"⟩', 0, ''), ('•Import"x.bqn"', 1, 'Cannot find')]:
        os.makedirs(gone, exist_ok=True)
        f.expect(f'a working directory that is gone: {program}', f.run(program, preexec_fn=lambda: (os.chdir(gone), os.rmdir(gone))), status, error=error)
    os.makedirs(gone, exist_ok=True)
    f.write('main.bqn', '•Show 3+3')
    f.expect('a program where the working directory is gone', f.run(None, [f.path('main.bqn')], preexec_fn=lambda: (os.chdir(gone), os.rmdir(gone))), 0, '6\n', '')


def check_clock(f):
    """Times are taken on the clock that never jumps; calls that signals end early are made again."""
    jumps, signals = {'DISTURB_CLOCK': '1'}, {'DISTURB_EVERY': '300'}
    program = ('t←•MonoTime@⋄!(⊢≡∧)•MonoTime¨↕1000⋄!0.1>|0.2-•Delay 0.2⋄!1≥10•_timed⟨⟩⊸⊣@⋄!(5>⊢)⊸∧⟜(0.2≤⊢)t-˜•MonoTime@⋄'
               '!"up"≡{𝕊:{𝕊:0}•_while_{𝕊:1}•_maxTime_ 0.2 0}⎊{𝕊:"up"}@⋄!1e5<⌈´|-⟜(1⊸⌽)•UnixTime¨↕20⋄•Out"well"')
    f.expect('a clock that jumps', f.disturbed(program, jumps), 0, 'well\n', '')
    f.write('text', 'a line of text\n' * 200000)
    for program in ['•Show ≠•FLines"FOLDER/text"', '•Show ≠1⊑{stdin⇐3000000⥊"abc"}•SH⟨"cat"⟩', '•Show +´{𝕊:⊑•SH⟨"sleep","0.01"⟩}¨↕20', '"FOLDER/copied"•file.Copy"FOLDER/text"⋄•Show •file.Size"FOLDER/copied"⋄•file.Remove"FOLDER/copied"',
                    '•Show ≠"FOLDER/written"•FChars 3000000⥊"é"', '•Show 0.1<•Delay 0.1', '•Show +´(@•Import⊢)¨100⥊<"FOLDER/one.bqn"', '•Show ≠•file.List"/usr/bin"', USUAL]:
        f.write('one.bqn', '1')
        usual = f.run(program)
        f.expect(f'signals all the time: {program}', f.disturbed(program, signals), 0, usual.stdout, '')
    for name, program, given in [('lines', '{𝕊:•Out 𝕩⋄•GetLine@}•_while_(@⊸≢)•GetLine@', 'a\nbb\n' * 3), ('keys', '•Out{𝕊:•term.CharB@}¨↕6', 'abcdef')]:
        script = 'for i in 1 2 3 4 5 6; do sleep 0.02; printf "%s" "$0" | cut -c $i | tr -d "\\n"; done' if name == 'keys' else 'for i in 1 2 3; do sleep 0.05; printf "a\\nbb\\n"; done'
        with subprocess.Popen(['sh', '-c', script, given], stdout=subprocess.PIPE) as slow:
            f.expect(f'signals all the time: slow {name}', f.disturbed(program, signals, stdin=slow.stdout), 0, given if name == 'lines' else given + '\n', '')
    with subprocess.Popen(['sh', '-c', 'sleep 0.2; wc -c'], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as slow:
        done = f.disturbed('•Out 3000000⥊"a"', signals, stdout=slow.stdin)
        slow.stdin.close()
        f.report.check(done.returncode == 0 and slow.stdout.read().strip() == b'3000001', 'faults: signals all the time: slow output', done.stderr)
