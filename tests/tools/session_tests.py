#!/usr/bin/env python3
"""Tests the session on a terminal:  session_tests.py [--bqn PATH]

Types into a pseudo-terminal, and looks at what a person would see.
"""
import argparse
import os
import pty
import re
import select
import signal
import sys
import tempfile
import time

from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATIENCE = 30


def shown_until(file, end):
    """Gives what a terminal shows next, without where the cursor goes; None where nothing comes until then, or no more."""
    if not select.select([file], [], [], max(0, end - time.monotonic()))[0]:
        return None
    try:
        read = os.read(file, 1 << 16)
    except OSError:  # the other side is closed
        read = b''
    return re.sub(r'\x1b\[[0-9;?]*[A-Za-z]|\r', '', read.decode(errors='replace')) if read else None


class Terminal:
    """A session on a pseudo-terminal."""

    def __init__(self, bqn, folder, arguments=(), **environment):
        self.seen = ''
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.environ.update(TERM='xterm', NO_COLOR='1', XDG_STATE_HOME=folder)
            os.environ.update(environment)
            os.execv(bqn, [bqn, *arguments])

    def wait_for(self, text):
        """Reads until the text appears. Gives what came before and with it; None where it does not."""
        end = time.monotonic() + PATIENCE
        while text not in self.seen:
            if (shown := shown_until(self.file, end)) is None:
                return None
            self.seen += shown
        start, self.seen = self.seen.split(text, 1)
        return start + text

    def type(self, keys):
        os.write(self.file, keys.encode())

    def end(self):
        """Gives the exit status."""
        os.set_blocking(self.file, False)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            done, status = os.waitpid(self.process, os.WNOHANG)
            if done:
                os.close(self.file)
                return os.waitstatus_to_exitcode(status)
            try:
                os.read(self.file, 1 << 16)
            except (BlockingIOError, OSError):
                pass
            time.sleep(0.01)
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        return None


def run(bqn, report):
    bqn = os.path.abspath(bqn)
    try:
        for file in pty.openpty():
            os.close(file)
    except OSError as problem:
        print(f'no pseudo-terminals here ({problem}): the session is not tested')
        return
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'a file.bqn'), 'w', encoding='utf8') as file:
            file.write('fromFile ← 40\n•Out "ran"\n')
        check_session(Terminal(bqn, folder), report)
        check_history(bqn, folder, report)
        plain = Terminal(bqn, folder, TERM='dumb')
        plain.type('1+1\n')
        report.check(plain.wait_for('   2\n') is not None, 'a session on a dumb terminal reads plain lines', plain.seen)
        plain.type('\x04')
        report.check(plain.end() == 0, 'the end of input ends a session on a dumb terminal')
        check_exits(bqn, folder, report)


def check_session(terminal, report):
    def expect(name, keys, text, at_prompt=False):
        # Before the prompt is there the terminal still gathers lines, in which some keys mean something else.
        if at_prompt:
            terminal.wait_for('   ')
        terminal.type(keys)
        report.check(terminal.wait_for(text) is not None, f'session: {name}', f'wanted {text!r} in {terminal.seen!r}')

    expect('a value is shown', '2×3\r', '\n6\n')
    expect('a backslash types glyphs', '\\+\\5\\d4\r', '⋆´↕4\n0\n')
    expect('Tab completes a name', 'long_name←5\r', '\n5\n')
    expect('Tab completes a name, used', 'long\t+1\r', 'long_name+1\n6\n')
    expect('Tab completes a system value', '•parse\t"7"\r', '•ParseFloat"7"\n7\n')
    expect('choices are shown', '•file.creat\t\t', 'CreateDir  Created')
    expect('Ctrl-C gives up a line', '\x03', '\n')
    expect('an arrow brings back the line before', '\x1b[A\r', '•ParseFloat"7"\n7\n', at_prompt=True)
    expect('a search finds an older line', '\x122×\r', '2×3\n6\n', at_prompt=True)
    expect('a block may have several rows', '{\r𝕩+1\r}3\r', '\n4\n')
    expect('an error is told', '!"wrong"\r', 'Error: wrong\n')
    expect('what is pasted waits', '\x1b[200~p←8\rp×2\x1b[201~\r', '\n16\n')
    expect('a program reads lines', '•Out "go"⋄•GetLine @\r', '\ngo\n')
    expect('a program reads lines, which it gets', 'typed\r', '"typed"\n')
    expect('names are listed', ')vars\r', 'long_name p\n')
    expect('a file is run', ')ex a file.bqn\r', 'ran\n')
    expect('a file leaves its names', 'fromFile+2\r', '\n42\n')
    expect('a missing file is told', ')ex nowhere.bqn\r', 'Cannot read the file (nowhere.bqn)\n')
    expect('code is timed', ')time:5 +´↕9\r', 's\n')
    expect('an error in timed code is told', ')t !"slow"\r', 'Error: slow\n')
    expect('a line is explained', ')explain ⌽↕9\r', 'Run, with kernels for')
    expect('a command needs its argument', ')time\r', ')time needs CODE\n')
    expect('help lists the commands', ')help\r', ')exit ')
    expect('keys are shown', ')keys\r', '⌽  𝕨  ∊  ↑')
    expect('memory is shown', ')mem\r', 'MB in use\n')
    expect('an unknown command is told', ')nothing\r', 'There is no such command: )nothing; )help lists them\n')
    expect('an interrupt ends what runs', '•Out "go"⋄1+•_while_{𝕊:1}0\r', '\ngo\n')
    expect('an interrupt is told', '\x03', 'Interrupted\n')
    expect('the session goes on', '1+1\r', '\n2\n')
    terminal.type(')exit\r')
    report.check(terminal.end() == 0, 'session: )exit ends it')


def check_history(bqn, folder, report):
    terminal = Terminal(bqn, folder)
    terminal.type('\x12fromFi\r')
    report.check(terminal.wait_for('Undefined identifier') is not None, 'session: the history outlives the session', terminal.seen)
    # Before the prompt is there the terminal still gathers lines, in which Ctrl-D is no key.
    report.check(terminal.wait_for('^\n') is not None and terminal.wait_for('   ') is not None, 'session: a prompt follows an error', terminal.seen)
    terminal.type('\x04')
    report.check(terminal.end() == 0, 'session: Ctrl-D ends it')


def check_exits(bqn, folder, report):
    for name, keys, status in [('•Exit', '•Exit 7\r', 7), ('•Exit in a timed run', ')time •Exit 4\r', 4)]:
        terminal = Terminal(bqn, folder)
        terminal.type(keys)
        got = terminal.end()
        report.check(got == status, f'session: {name} ends it with its code', repr(got))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'bqn'))
    report = Report()
    run(arguments.parse_args().bqn, report)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
