"""Faults of files and streams, for fault_tests.py."""
import os
import resource
import signal
import subprocess
import time

# Reads a mapped file that became shorter; the first is caught.
MAPPED = '"FOLDER/m"•file.Bytes 1000000⥊@ ⋄ b←•file.MapBytes"FOLDER/m" ⋄ '


def limited(which, soft, hard=None):
    return lambda: resource.setrlimit(which, (soft, soft if hard is None else hard))


def check_streams(f):
    """Standard streams that are full, closed, broken, or no streams."""
    large = '•Out 100000⥊"line"'
    with open('/dev/full', 'w', encoding='utf8') as full:
        f.expect('output to a full disk', f.run('•Out "hi"', stdout=full), 1, error='No space left')
        f.expect('much output to a full disk', f.run(large, stdout=full), 1, error='No space left')
        f.expect('a message to a full disk', f.run('!"wrong"', stderr=full), 1)
        f.expect('status of a program whose message is lost', f.run('•Out "hi"⋄•Exit 3', stderr=full), 3, 'hi\n')
    with open(f.path('small'), 'w', encoding='utf8') as small:
        f.expect('output beyond the limit of files', f.run(large, stdout=small, preexec_fn=limited(resource.RLIMIT_FSIZE, 1000)), 1, error='File too large')
    for name, closed in [('input', [0]), ('output', [1]), ('error output', [2]), ('every stream', [0, 1, 2]), ('input and output', [0, 1])]:
        def close():
            for number in closed:  # noqa: B023
                os.close(number)
        streams = {key: None for number, key in enumerate(['stdin', 'stdout', 'stderr']) if number in closed}
        file = f.path('opened')
        done = f.run('f←"write"•file.Open"FOLDER/opened"⋄•Out 30000⥊"to output"⋄•term.ErrRaw"to error"⋄f.Write"to the file"', preexec_fn=close, **streams)
        with open(file, encoding='utf8') as opened:
            held = opened.read()
        f.report.check(held == 'to the file', f'faults: a file opened where {name} is closed', held[:200])
        f.expect(f'output where {name} is closed', done, 1 if 1 in closed else 0)
        done = f.run('r←•SH⟨"sh","-c","cat; echo a; echo b >&2"⟩⋄!r≡⟨0,"a"∾@+10,"b"∾@+10⟩', preexec_fn=close, **streams)
        f.expect(f'•SH where {name} is closed', done, 0)
    f.expect('a program on a closed input', f.run(None, ['-'], stdin=None, preexec_fn=lambda: os.close(0)), 1, error='input could not be read')
    folder = os.open(f.folder, os.O_RDONLY)
    f.expect('a program on a folder', f.run(None, ['-'], stdin=folder), 1, error='Is a directory')
    os.close(folder)
    # Nobody reads the rest.
    done = subprocess.run(['bash', '-c', '"$0" -e "•Out¨ 100000⥊<\\"abc\\"" | head -1; echo ${PIPESTATUS[0]}', f.bqn], capture_output=True, text=True, env=f.environment)
    f.expect('output to head', done, 0, 'abc\n141\n', '')
    f.expect('•SH that closes its input', f.run('r←{stdin⇐10000000⥊"a"}•SH⟨"sh","-c","exec <&-; echo done"⟩⋄•Out 1⊑r'), 0, 'done\n\n')
    f.expect('•SH that ends at once', f.run('{stdin⇐10000000⥊"a"}•SH⟨"true"⟩'), 0)
    done = f.run('•Out 1⊑•SH⟨"sh","-c","grep SigIgn /proc/self/status"⟩')
    ignored = [number for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGCHLD) if int(done.stdout.split()[1], 16) >> (number - 1) & 1]
    f.report.check(not ignored, 'faults: •SH has programs get all signals', ignored)
    check_waiting(f)


def check_waiting(f):
    """Reads and writes that wait end by an interrupt."""
    os.mkfifo(f.path('pipe'))
    for name, program, arguments, streams in [
            ('reading a pipe', '•FChars"FOLDER/pipe"', [], {}), ('opening a pipe to write', '"FOLDER/pipe"•FChars"x"', [], {}),
            ('importing a pipe', '•Import"FOLDER/pipe"', [], {}), ('running a pipe', None, [f.path('pipe')], {}),
            ('a line of input', '•GetLine@', [], {'stdin': subprocess.PIPE}), ('a key', '•term.CharB@', [], {'stdin': subprocess.PIPE}),
            ('a program on standard input', None, ['-'], {'stdin': subprocess.PIPE}), ('output', '•Out 1000000⥊"a"', [], {'stdout': subprocess.PIPE}),
            ('•SH', '•SH⟨"sleep","60"⟩', [], {}), ('•SH with much input', '{stdin⇐1000000⥊"a"}•SH⟨"sleep","60"⟩', [], {})]:
        code = ['-e', program.replace('FOLDER', f.folder)] if program is not None else []
        process = subprocess.Popen([f.bqn, *arguments, *code], env=f.environment, stderr=subprocess.PIPE, **{'stdin': subprocess.DEVNULL, **streams})
        writes = os.open(f.path('pipe'), os.O_RDWR) if 'ing a pipe' in name and 'opening' not in name else None
        time.sleep(0.15)
        ends = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < ends:
            process.send_signal(signal.SIGINT)
            time.sleep(0.05)
        status = process.poll()
        process.kill()
        error = process.communicate()[1].decode()
        if writes is not None:
            os.close(writes)
        f.report.check(status == 130 and error.startswith('Interrupted\n'), f'faults: an interrupt while waiting for {name}', f'status {status}\n{error}')
    os.unlink(f.path('pipe'))


def check_files(f):
    for writing in ['"/dev/full"•FChars 100000⥊"é"', '"/dev/full"•FLines⟨"a"⟩', '"/dev/full"•FBytes 100000⥊@', '"/dev/full"•file.Value ↕100000',
                    'o←"write"•file.Open"/dev/full"⋄o.Write"x"']:
        f.expect(f'a full disk: {writing}', f.run(writing), 1, error='No space left')
        f.expect(f'a full disk, caught: {writing}', f.run('•Out {𝕊:PROGRAM⋄""}⎊{𝕊:•CurrentError@}@'.replace('PROGRAM', writing)), 0)
    f.write('imported.bqn', '{a⇐1⋄b⇐2}')
    for writing in ['"FOLDER/large"•FChars 100000⥊"x"', '"FOLDER/copy"•file.Copy"FOLDER/whole"']:
        f.write('whole', bytes(100000))
        f.expect(f'beyond the limit of files: {writing}', f.run(writing, preexec_fn=limited(resource.RLIMIT_FSIZE, 1000)), 1, error='File too large')
    check_small_disk(f)
    check_shorter(f)
    check_vanishing(f)


def check_small_disk(f):
    script = 'mount -t tmpfs -o size=64k tmpfs "$1" && exec "$2" -e "$3"'
    program = '"FOLDER/disk/f"•FChars 1000000⥊"x"'.replace('FOLDER', f.folder)
    os.mkdir(f.path('disk'))
    done = subprocess.run(['unshare', *([] if os.getuid() == 0 else ['-r']), '-m', 'sh', '-c', script, 'sh', f.path('disk'), f.bqn, program], capture_output=True, text=True)
    if 'unshare' in done.stderr or 'mount:' in done.stderr:
        return f.leave_out('a small disk', done.stderr.strip())
    return f.expect('a disk that fills up', done, 1, error='No space left')


def check_shorter(f):
    shorter = 'became shorter while it was read'
    empty = '"FOLDER/m"•FChars""'
    f.expect('a mapped file that was emptied', f.run(MAPPED + empty + '⋄•Show +´b-@'), 1, '', shorter)
    f.expect('a mapped file of which a page is left', f.run(MAPPED + '"FOLDER/m"•FChars 5000⥊"x"⋄•Show +´b-@'), 1, '', shorter)
    f.expect('what is left of it', f.run(MAPPED + '"FOLDER/m"•FChars 5000⥊"x"⋄•Out 4000↑b'), 0, 4000 * 'x' + '\n')
    f.expect('an error that is caught', f.run(MAPPED + empty + '⋄•Out {𝕊:+´b-@}⎊{𝕊:•CurrentError@}@⋄•Out "on"'), 0, f'A mapped file {shorter}\non\n')
    f.expect('writing what is gone', f.run(MAPPED + empty + '⋄"FOLDER/n"•FBytes b'), 1, error='Bad address')
    f.expect('printing what is gone', f.run(MAPPED + empty + '⋄•Out b'), 1, '', shorter)
    for changed in ['⌽b', '∧b', '⍋b', 'b∊"a"', 'b⊐"a"', '⊔b-@', '∾⟜b b', '•FromUTF8 b', '5⌽b', "'a'¨⌾(500000⊸⊑)b", '{𝕩=@}¨b', '•Hash b', '•Fmt b', 'b≡⌽b', '+`b-@', '⌽˘1000‿1000⥊b']:
        done = f.run(MAPPED + empty + f'⋄r←{changed}')
        f.expect(f'a function of what is gone: {changed}', done, 1, '', shorter)
    # The next line of a session is none the worse.
    session = (MAPPED.replace(' ⋄ ', '\n') + empty + '\n+´b-@\n1+1\n').replace('FOLDER', f.folder)
    done = subprocess.run([f.bqn, '-s'], input=session, capture_output=True, text=True, env=f.environment)
    f.report.check(done.stdout.endswith('\n2\n') and shorter in done.stderr, 'faults: a session after a mapped file became shorter', done.stdout + done.stderr)
    # Somebody else changes it meanwhile.
    process = subprocess.Popen([f.bqn, '-e', 'Try←{𝕊:b←•file.MapBytes"FOLDER/t"⋄+´(+´b-@)∾b∊"abc"}⋄•Show+´{𝕊:Try⎊0 @}¨↕300'.replace('FOLDER', f.write('t', bytes(300000))[:-2])],
                               env=f.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        os.truncate(f.path('t'), f.random.choice([0, 1, 4096, 5000, 300000]))
    output, error = process.communicate()
    f.report.check(process.returncode == 0 and not error, 'faults: a mapped file that somebody cuts and lengthens', f'{process.returncode} {output} {error}')
    process = subprocess.Popen([f.bqn, '-e', 'Try←{𝕊:≠∾⟨•FBytes p,∾•FLines p,•FChars p⟩}⋄p←"FOLDER/t"⋄•Show 0≤+´{𝕊:Try⎊0 @}¨↕300'.replace('FOLDER', f.folder)],
                               env=f.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        os.truncate(f.path('t'), f.random.choice([0, 1, 4096, 5000, 300000]))
    output, error = process.communicate()
    f.report.check((process.returncode, output, error) == (0, '1\n', ''), 'faults: a file that changes while it is read', f'{process.returncode} {output} {error}')


def check_vanishing(f):
    os.makedirs(f.path('many'))
    process = subprocess.Popen([f.bqn, '-e', 'd←"FOLDER/many"⋄{𝕊:n←•file.List d⋄{•FChars⎊""d∾"/"∾𝕩}¨n⋄{(@•Import⊢)⎊0 d∾"/"∾𝕩}¨n⋄{•file.Size⎊0 d∾"/"∾𝕩}¨n}¨↕100⋄•Out"done"'.replace('FOLDER', f.folder)],
                               env=f.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        name = f.path(f'many/{f.random.randrange(20)}')
        for change in (lambda: f.write(name, '1+1'), lambda: os.mkdir(name), lambda: os.unlink(name), lambda: os.rmdir(name), lambda: os.symlink(name, name)):
            try:
                change()
            except OSError:
                pass
    output, error = process.communicate()
    f.report.check((process.returncode, output, error) == (0, 'done\n', ''), 'faults: files that come and vanish', f'{process.returncode} {output} {error}')
    os.symlink(f.path('loop'), f.path('loop'))
    with open(f.path('sparse'), 'wb') as file:
        file.truncate(1 << 42)
    with open(os.path.join(f.folder.encode(), b'bad\xff.bqn'), 'wb') as file:
        file.write(b'1+1')
    os.makedirs(f.path('closed'), exist_ok=True)
    for place, why in [('loop', 'Too many levels'), ('none', 'No such file'), ('many', 'Is a directory'), ('sparse', 'Out of memory'), ('imported.bqn/x', 'Not a directory')]:
        for program in ['•FChars"PLACE"', '•Import"PLACE"', '•FBytes"PLACE"', '•FLines"PLACE"']:
            f.expect(f'{place}: {program}', f.run(program.replace('PLACE', f.path(place))), 1, '', why)
        f.expect(f'{place} as a program', f.run(None, [f.path(place)]), 1, '', why)
    f.expect('a large sparse file is mapped', f.run('•Show 2⋆⁼≠•file.MapBytes"FOLDER/sparse"'), 0, '42\n')
    f.expect('a program whose name is no UTF-8', f.run(None, [os.path.join(f.folder.encode(), b'bad\xff.bqn')]), 0, '', '')
    f.expect('a folder with such a name', f.run('•Show ≠•file.List"FOLDER"'), 0, f'{len(os.listdir(f.folder))}\n', '')
    f.expect('a file without size', f.run('•Out ⊑•FLines"/proc/self/status"'), 0, 'Name:\tbqn\n', '')
    f.expect('a mapped file without size', f.run('•Show •file.MapBytes"/proc/self/status"'), 0, '⟨⟩\n', '')
    if os.getuid() == 0:
        f.leave_out('files that may not be read', 'root may read them')
    else:
        os.chmod(f.write('secret', 'x'), 0)
        f.expect('a file that may not be read', f.run('•FChars"FOLDER/secret"'), 1, '', 'Permission denied')
