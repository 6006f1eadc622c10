#!/usr/bin/env python3
"""Measures what a person waits for in a session:  session.py [--bqn PATH] [--rounds N]

Prints, in milliseconds, the median and the worst time until: the first prompt, without and with a long history; the answer to a key, in an
empty text, in one of 100 rows, and in one of a megabyte, and of a step in a long history and a search of it. Then the seconds and the
megabytes of memory that pasting takes. Times run from writing a key to the first byte that the terminal gets.
"""
import argparse
import os
import pty
import select
import signal
import statistics
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, 'tests', 'session'))
from terminal import Terminal  # noqa: E402

HISTORY_ROWS = 10_000
PATIENCE = 60


def start(bqn, folder):
    """Gives a session at its first prompt."""
    terminal = Terminal(bqn, folder)
    terminal.wait_for('   ')
    quiet(terminal)
    return terminal


def first_prompt(bqn, folder):
    """Gives the time until a new process shows something on a terminal."""
    ours, its = pty.openpty()
    environment = {**os.environ, 'TERM': 'xterm', 'XDG_STATE_HOME': folder}
    before = time.monotonic()
    process = os.posix_spawn(bqn, [bqn], environment, file_actions=[(os.POSIX_SPAWN_DUP2, its, number) for number in range(3)])
    os.close(its)
    select.select([ours], [], [], PATIENCE)
    seconds = time.monotonic() - before
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.close(ours)
    return seconds


def quiet(terminal, wait=0.05):
    """Reads what the session writes until it has written nothing for a while. Gives when the last of it came."""
    last = time.monotonic()
    while select.select([terminal.file], [], [], wait)[0]:
        os.read(terminal.file, 1 << 16)
        last = time.monotonic()
    return last


def answer(terminal, keys):
    """Gives the time until something is drawn for a key."""
    before = time.monotonic()
    os.write(terminal.file, keys.encode())
    if not select.select([terminal.file], [], [], PATIENCE)[0]:
        raise SystemExit(f'no answer to {keys!r}')
    seconds = time.monotonic() - before
    quiet(terminal)
    return seconds


def show(name, seconds):
    print(f'{name:44} median {statistics.median(seconds) * 1e3:7.2f} ms   worst {max(seconds) * 1e3:7.2f} ms', flush=True)


def show_keys(terminal, name, keys, rounds):
    show(name, [answer(terminal, keys[i % len(keys)]) for i in range(rounds)])


def paste(terminal, text, begin=b'\x1b[200~', end=b'\x1b[201~'):
    """Pastes a text. Gives the seconds until it is drawn."""
    rest = begin + text.replace('\n', '\r').encode() + end
    os.set_blocking(terminal.file, False)
    before = time.monotonic()
    while rest:
        select.select([terminal.file], [terminal.file], [])
        try:
            rest = rest[os.write(terminal.file, rest):]
        except BlockingIOError:
            pass
        if select.select([terminal.file], [], [], 0)[0]:
            os.read(terminal.file, 1 << 16)
    os.set_blocking(terminal.file, True)
    return quiet(terminal, 0.3) - before


def end(terminal):
    terminal.type('\x03\x04')
    terminal.end()


def measure(bqn, rounds):
    with tempfile.TemporaryDirectory() as folder:
        show('first prompt', [first_prompt(bqn, folder) for _ in range(rounds)])
        os.makedirs(os.path.join(folder, 'griddle'), exist_ok=True)
        with open(os.path.join(folder, 'griddle', 'history'), 'w', encoding='utf8') as file:
            file.writelines(f'value_{i} ← ⌽↕{i}+≠"some text"\n' for i in range(HISTORY_ROWS))
        show(f'first prompt with {HISTORY_ROWS} rows of history', [first_prompt(bqn, folder) for _ in range(rounds)])
        terminal = start(bqn, folder)
        show_keys(terminal, 'a key', 'abc1', rounds)
        show_keys(terminal, '  up and down in the history', ['\x15\x0b', '\x1b[A', '\x1b[A', '\x1b[B'], rounds)
        os.write(terminal.file, b'\x15\x0bnone of these')
        quiet(terminal)
        os.write(terminal.file, b'\x15\x0b\x12')
        quiet(terminal)
        show_keys(terminal, '  a search to the first row of the history', ['value_1 '[i % 8] for i in range(8)], 8)
        end(terminal)
        terminal = start(bqn, folder)
        paste(terminal, '{\n' + 'F ← {⌽𝕩+1} ⋄ "text" ∾ •Fmt 3 # a row\n' * 100)
        show_keys(terminal, 'a key in a text of 100 rows', ['x', '\x1b[A', '\x1b[D', '\x1b[B'], rounds)
        end(terminal)
        for name, text in [('of one row', '"' + 'abcdefghij' * 100_000 + '"'), ('of 25,000 rows', 'F ← {⌽𝕩+1} ⋄ "text" ∾ •Fmt 3 # row\n' * 25_000)]:
            terminal = start(bqn, folder)
            before = terminal.most_memory()
            seconds = paste(terminal, text)
            print(f'pasting {len(text.encode()) / 1e6:.2f} MB {name:32} {seconds:.2f} s   {(terminal.most_memory() - before) / 1024:.1f} MB more memory')
            show_keys(terminal, '  a key at its end', 'abc1', rounds)
            show_keys(terminal, '  undo and redo of the paste', ['\x1f'] * rounds + ['\x1f', '\x1b_'], rounds + 2)
            os.write(terminal.file, b'\x1b<')
            quiet(terminal)
            show_keys(terminal, '  a key at its start', 'abc1', rounds)
            print(f'  after that: {(terminal.most_memory() - before) / 1024:.1f} MB more memory')
            end(terminal)
            terminal = start(bqn, folder)
            before = terminal.most_memory()
            seconds = paste(terminal, '{\n' + text, b'', b'')
            print(f'  without marks of the terminal {seconds:29.2f} s   {(terminal.most_memory() - before) / 1024:.1f} MB more memory')
            end(terminal)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'full', 'bqn'))
    arguments.add_argument('--rounds', type=int, default=40)
    options = arguments.parse_args()
    measure(os.path.abspath(options.bqn), options.rounds)


if __name__ == '__main__':
    main()
