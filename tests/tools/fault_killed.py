"""Processes that are killed while they write, and files of Griddle's own that hold something else, for fault_tests.py."""
import os
import signal
import subprocess
import time

from terminal import Terminal

ENTRIES = 20001  # of a history that is cut when it is read
KEPT = 10000


def check(f):
    check_history(f)
    check_costs(f)
    check_spoilt(f)


def killed(process, delay):
    time.sleep(delay)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def check_history(f):
    """The history is the old one or the new one, and at most one other file lies beside it."""
    folder = f.path('griddle')
    os.makedirs(folder, exist_ok=True)
    text = ''.join(f'1+{i}\n' for i in range(ENTRIES))
    cut = ''.join(f'1+{i}\n' for i in range(ENTRIES - KEPT, ENTRIES))
    seen = {len(text): 0, len(cut): 0}
    for _ in range(400 if f.long else 30):
        f.write('griddle/history', text)
        terminal = Terminal(f.bqn, f.folder)
        killed(terminal.process, f.random.random() * 0.08)
        os.close(terminal.file)
        with open(os.path.join(folder, 'history'), encoding='utf8') as file:
            held = file.read()
        f.report.check(held in (text, cut), 'faults: a history whose session was killed', f'{len(held)} bytes')
        seen[len(held)] = seen.get(len(held), 0) + 1
    f.report.check(set(os.listdir(folder)) <= {'history', 'history.new'}, 'faults: what killed sessions leave', os.listdir(folder))
    # What one has left does not keep the next from writing.
    f.write('griddle/history', text)
    f.write('griddle/history.new', 'half a line')
    terminal = Terminal(f.bqn, f.folder)
    terminal.wait_for('   ')
    terminal.type('\x04')
    terminal.end()
    with open(os.path.join(folder, 'history'), encoding='utf8') as file:
        f.report.check(file.read() == cut and os.listdir(folder) == ['history'], 'faults: a session after one that was killed', os.listdir(folder))


def check_costs(f):
    if not os.path.exists(f.plugin):
        return f.leave_out('costs of devices', 'no tests/gpu/host_plugin.so')
    cache = os.path.join(f.folder, 'griddle')
    path = os.path.join(cache, 'device-costs')
    settings = {**f.environment, 'GRIDDLE_CUDA_PLUGIN': f.plugin, 'GRIDDLE_DEVICE': 'auto', 'GRIDDLE_OFFLOAD_FROM': ''}
    program = [f.bqn, '-e', '•Show +´↕5e5⋄•Show +´⍋5e5⥊70000‿1‿2']
    for _ in range(60 if f.long else 10):
        f.write('griddle/device-costs', 'no costs\n')
        process = subprocess.Popen(program, env=settings, stdout=subprocess.DEVNULL)
        killed(process.pid, f.random.random() * 0.3)
        with open(path, encoding='utf8') as file:
            held = file.read()
        f.report.check(held == 'no costs\n' or held.endswith(' The host, driver 0\n'), 'faults: costs whose process was killed', held)
    for name, spoil in SPOILT:
        put(path, spoil)
        done = subprocess.run(program, env=settings, capture_output=True, text=True, errors='replace', timeout=60)
        f.report.check(done.returncode == 0 and not done.stderr and done.stdout.startswith('124999750000\n'), f'faults: costs that are {name}', f'{done.returncode} {done.stderr}')
        clear(path)
    return None


def others(path):
    with open(path, 'wb') as file:
        file.write(b'1+1\n')
    if os.getuid() == 0:
        os.chown(path, 12345, 12345)


def sparse(path):
    with open(path, 'wb') as file:
        file.truncate(1 << 42)


def bytes_of(contents):
    def put_bytes(path):
        with open(path, 'wb') as file:
            file.write(contents)
    return put_bytes


SPOILT = [('random bytes', bytes_of(os.urandom(100000))), ('one endless line', bytes_of(b'\\' * 100000)), ('empty', bytes_of(b'')), ('zeros', bytes_of(bytes(4096))),
          ('half a code point', bytes_of(b'1+1\n\xe2\x9f')), ('huge and sparse', sparse), ('a pipe', os.mkfifo), ('a folder', os.mkdir),
          ('a link to itself', lambda path: os.symlink(path, path)), ('a device', lambda path: os.symlink('/dev/zero', path)), ("another user's", others),
          ('costs beyond all numbers', bytes_of(b'1e999 nan inf -0 0x1 The host, driver 0\n' * 1000))]


def clear(path):
    for ending in ('', '.new'):
        try:
            (os.rmdir if os.path.isdir(path + ending) and not os.path.islink(path + ending) else os.unlink)(path + ending)
        except FileNotFoundError:
            pass


def put(path, spoil):
    clear(path)
    spoil(path)


def check_spoilt(f):
    path = os.path.join(f.folder, 'griddle', 'history')
    for beside in ('', '.new'):
        for name, spoil in SPOILT:
            clear(path)
            if beside:
                f.write('griddle/history', '1\n' * (2 * KEPT + 1))
            spoil(path + beside)
            terminal = Terminal(f.bqn, f.folder)
            came = terminal.wait_for('   ') is not None
            terminal.type('2×3\r')
            # Before the next prompt is there, Ctrl-C would take what is typed away.
            good = came and terminal.wait_for('\n6\n') is not None and terminal.wait_for('   ') is not None
            terminal.type('\x1b[A\x1b[A\x1b[A\x15\x12zz\x03\x04')
            good = good and terminal.end() == 0
            f.report.check(good, f'faults: a history{beside} that is {name}', terminal.seen[-500:])
    clear(path)
