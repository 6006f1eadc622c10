"""Interrupts at random moments, for fault_tests.py: scripts end with status 130; sessions go on, and their variables are whole."""
import os
import pty
import re
import signal
import subprocess
import time

from terminal import shown_until

PATIENCE = 20
KNOWN = ('a←↕100000⋄b←a÷7⋄s←100000⥊"aé⟨𝕩"⋄n←⟨⟨1,"two"⟩,3‿4⥊↕12⟩⋄m←(↕1000)•HashMap⌽↕1000⋄v←100000⥊↕1000⋄u←"some text"⋄h←⟨⟩•HashMap⟨⟩⋄'
         't←3‿2⥊"x"⋄l←⟨⟩⋄F←{𝕩<2?𝕩;(𝕊𝕩-1)+𝕊𝕩-2}')
# What must hold, whatever was interrupted: some of it changes all the time.
WHOLE = ('∧´⟨a≡↕100000,b≡(↕100000)÷7,s≡100000⥊"aé⟨𝕩",n≡⟨⟨1,"two"⟩,3‿4⥊↕12⟩,(m.Get¨↕1000)≡⌽↕1000,(∧v)≡∧100000⥊↕1000,(∧u)≡∧"some text",'
         '(2×h.Keys@)≡h.Values@,(⥊t)≡6⥊"x",∧´2=l⟩')
BODIES = ['(a+b)×a-3', '+´a', '{𝕨+𝕩}´a', '+`⌽a', '∧b', '⍋⌽s', '•FromUTF8•ToUTF8 s', 's⊐"𝕩x"', '{𝕩⊸+}¨↕1000', '{x⇐𝕩⋄y⇐x+1}¨↕1000',
          'm.Get¨↕1000', '{𝕩 h.Set 2×𝕩}¨1000⥊↕37', 'h.Delete¨h.Keys@', 'v↩1⌽v', 'v↩⌽v', '(⌽⌾(10⊸↑))⊸≡v', 'v⌽⌾(50⊸↑)↩', 'u↩1⌽u', 't↩⍉t', 't↩6‿1⥊t⋄t↩3‿2⥊t',
          'l↩(⋈2)∾l⋄l↩¯1↓l', '•SH⟨"true"⟩', '•SH⟨"sleep","20"⟩', '@•Import"FOLDER/imported.bqn"', '•FLines"FOLDER/lines"', '•FBytes"FOLDER/lines"',
          '•file.MapBytes"FOLDER/lines"', '"FOLDER/out"•FLines 20000⥊"ab"‿"c"', '•Delay 20', '•BQN"+´↕1000"', 'F 15', '⊔100000⥊↕10', 'a⊐⌽a', '•Fmt n', '•Fmt a',
          '{𝕊:!"x"}⎊{𝕊:0}@', '+´¨↑a↑˜100', '100‿1000⥊⍉1000‿100⥊a', '•ParseFloat¨100⥊<"1.5"', '(<˘≍˘a)', '⟨"a",2⟩≡⟨"a",3⟩', '(+˝×⎉1‿∞)˜100‿100⥊a', '/100000⥊0‿1', '{𝕊:F•_maxTime_ 0.001 25}⎊0@']


class Session:
    """A session that lines are sent to, on a pseudo-terminal or a pipe."""

    def __init__(self, f, terminal):
        self.seen, self.terminal = '', terminal
        if terminal:
            self.process, self.file = pty.fork()
            if self.process == 0:
                os.execve(f.bqn, [f.bqn], {**f.environment, 'TERM': 'xterm', 'NO_COLOR': '1'})
            self.input = self.file
        else:
            self.child = subprocess.Popen([f.bqn, '-s'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=f.environment)
            self.process, self.file, self.input = self.child.pid, self.child.stdout.fileno(), self.child.stdin.fileno()

    def send(self, line):
        os.write(self.input, (line + ('\r' if self.terminal else '\n')).encode())

    def wait_for(self, text, patience=PATIENCE):
        """Reads until a line is the text. Gives what came before; None where it does not come."""
        end = time.monotonic() + patience
        while not (found := re.search(f'(^|\n)(\\^C)?{text}(?=\n)', self.seen)):
            if (shown := shown_until(self.file, end)) is None:
                return None
            self.seen += shown
        before, self.seen = self.seen[:found.start()], self.seen[found.end():]
        return before

    def interrupt(self, by_key):
        if by_key and self.terminal:
            os.write(self.input, b'\x03')
        else:
            os.kill(self.process, signal.SIGINT)

    def end(self):
        os.kill(self.process, signal.SIGKILL)
        if not self.terminal:
            self.child.communicate()
        else:
            os.waitpid(self.process, 0)
            os.close(self.file)


def check(f):
    f.write('imported.bqn', 'x←↕1000⋄{x⇐+´x}\n')
    f.write('lines', 'a line of some text\n' * 5000)
    f.count = 0
    scripts = f.interrupts // 8
    start = time.monotonic()
    with_terminal = (f.interrupts - scripts) // 2
    check_session(f, False, f.interrupts - scripts - with_terminal)
    try:
        check_session(f, True, with_terminal)
    except OSError as problem:
        f.leave_out('a session on a terminal', problem)
    check_scripts(f, scripts)
    print(f'     {f.count} interrupts in {time.monotonic() - start:.0f} s', flush=True)


def check_session(f, terminal, count):
    session, kind = Session(f, terminal), 'terminal' if terminal else 'pipe'
    session.send(KNOWN.replace('FOLDER', f.folder))
    bodies = []
    for number in range(count):
        if not bodies:
            bodies = [body.replace('FOLDER', f.folder) for body in BODIES]
            f.random.shuffle(bodies)
        body = bodies.pop()
        session.send(f'•Out"be"∾"gin"⋄•term.Flush@⋄{{𝕊:{body}⋄0}}•_while_{{𝕊:1}}0')
        good = session.wait_for('begin') is not None
        time.sleep(f.random.random() ** 3 * 0.03)
        session.interrupt(number % 2)
        # One at the prompt, and two in a row, are interrupts too.
        good = good and session.wait_for('Interrupted') is not None
        if number % 5 == 0 and good:
            session.interrupt(False)
        session.send(f'•Out"whole "∾•Fmt {WHOLE}')
        good = good and session.wait_for('whole 1') is not None
        f.count += 1
        if not f.report.check(good, f'faults: an interrupt of {body} in a session on a {kind}', session.seen[-2000:]):
            session.end()
            session = Session(f, terminal)
            session.send(KNOWN)
    session.end()


def check_scripts(f, count):
    for _ in range(count):
        body = f.random.choice(BODIES).replace('FOLDER', f.folder)
        code = f'{KNOWN}⋄•Out"begin"⋄•term.Flush@⋄{{𝕊:{body}⋄0}}•_while_{{𝕊:1}}0'
        process = subprocess.Popen([f.bqn, '-e', code], env=f.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(f.random.random() ** 3 * 0.03)
        process.send_signal(signal.SIGINT)
        try:
            error = process.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            error = process.communicate()[1]
        f.count += 1
        f.report.check(process.returncode == 130 and error.startswith(b'Interrupted\n'), f'faults: an interrupt of {body} in a script', f'{process.returncode} {error}')
