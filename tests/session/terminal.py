"""A session on a pseudo-terminal: keys go in, and what a person sees comes out, as a stream of text or as a screen."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

try:
    import pyte
except ImportError:  # a Python of its own, beside that of the system, which has the package
    sys.path.append('/usr/lib/python3/dist-packages')
    import pyte

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
    """A session on a pseudo-terminal. Its history and other files lie in a folder, which is the working directory, too."""

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

    def most_memory(self):
        """Gives the most memory that the session has had so far, in kB."""
        with open(f'/proc/{self.process}/status', encoding='utf8') as file:
            return next(int(line.split()[1]) for line in file if line.startswith('VmHWM'))

    def draw_for(self, seconds):
        """Reads for some time what is shown, so that what a program writes does not wait for us, and keeps the last of it."""
        end = time.monotonic() + seconds
        while (shown := shown_until(self.file, end)) is not None:
            self.seen = (self.seen + shown)[-4096:]

    def skip_to(self, text):
        """Reads until the text appears, however much comes before it. Gives how many characters that were; None where it does not."""
        end, count = time.monotonic() + PATIENCE, 0
        while text not in self.seen:
            if (shown := shown_until(self.file, end)) is None:
                return None
            kept = self.seen[-len(text):]
            count += len(self.seen) - len(kept)
            self.seen = kept + shown
        start, self.seen = self.seen.split(text, 1)
        return count + len(start)

    def kill(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.file)

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


def expecting(screen, report):
    """Gives a function that enters a line, and checks that the screen shows what it should."""
    def expect(name, line, *parts):
        screen.settle()
        screen.type(line + '\r')
        good = all(screen.shows(part) for part in parts)
        report.check(good, f'session: {name}', screen.rows())
    return expect


class Screen(Terminal):
    """A session whose terminal is drawn, so that rows, columns, colours and the cursor can be looked at."""

    def __init__(self, bqn, folder, arguments=(), columns=80, rows=24, **environment):
        super().__init__(bqn, folder, arguments, **environment)
        self.screen = pyte.HistoryScreen(columns, rows, history=10000, ratio=1)
        self.stream = pyte.ByteStream(self.screen)
        self.rest = b''
        self.resize(columns, rows)

    def resize(self, columns, rows):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
        self.screen.resize(rows, columns)
        # A terminal keeps its cursor in its window.
        self.screen.ensure_hbounds()
        self.screen.ensure_vbounds()

    def begin(self):
        """Waits for the first prompt, and has nothing but that in the window."""
        self.shows(lambda rows: self.cursor()[1] == 3)
        self.type('\x0c')
        self.shows(lambda rows: self.cursor() == (0, 3) and not any(rows))

    def paste(self, text):
        """Sends what a terminal sends for a text that is pasted, while it draws what is shown."""
        rest = b'\x1b[200~' + text.replace('\n', '\r').encode() + b'\x1b[201~'
        os.set_blocking(self.file, False)
        while rest:
            try:
                rest = rest[os.write(self.file, rest):]
            except BlockingIOError:
                select.select([self.file], [self.file], [])
                self.draw(0)
        os.set_blocking(self.file, True)

    def draw(self, seconds):
        """Draws what comes within some time. Tells whether something came."""
        if not select.select([self.file], [], [], max(0, seconds))[0]:
            return False
        try:
            self.rest += os.read(self.file, 1 << 16)
        except OSError:  # the other side is closed
            return False
        # Terminals show nothing of commands for programs (APC), which pyte does not know.
        shown = re.sub(rb'\x1b_.*?\x1b\\', b'', self.rest, flags=re.S)
        begun = shown.find(b'\x1b_')
        shown, self.rest = (shown, b'') if begun < 0 else (shown[:begun], shown[begun:])
        self.stream.feed(shown)
        return True

    def shows(self, holds, patience=PATIENCE):
        """Draws until rows are as wanted: a text that they contain, or a function of their list. Gives whether they are."""
        wanted = holds if callable(holds) else lambda rows: holds in '\n'.join(rows)
        end = time.monotonic() + patience
        while not wanted(self.rows()):
            if not self.draw(end - time.monotonic()):
                return wanted(self.rows())
        return True

    def settle(self, quiet=0.2):
        """Draws until nothing comes for a while."""
        while self.draw(quiet):
            pass

    def rows(self):
        """What the window shows, without blanks at the ends of rows."""
        return [row.rstrip() for row in self.screen.display]

    def scrolled(self):
        """The rows that have left the window at its top."""
        return [''.join(row[x].data for x in range(self.screen.columns)).rstrip() for row in self.screen.history.top]

    def cursor(self):
        """The cursor's row and column, from 0."""
        return self.screen.cursor.y, self.screen.cursor.x
