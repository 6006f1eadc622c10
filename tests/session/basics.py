"""What each key and command does that a first session needs."""
import os
import tempfile

from terminal import Screen, Terminal


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'a file.bqn'), 'w', encoding='utf8') as file:
            file.write('fromFile ← 40\n•Out "ran"\n')
        check_session(Terminal(bqn, folder), report)
        check_history(bqn, folder, report)
        plain = Terminal(bqn, folder, TERM='dumb')
        plain.type('1+1\n')
        # The prompt comes before what the terminal echoes, or between that and the result.
        report.check(plain.wait_for('2\n') is not None, 'a session on a dumb terminal reads plain lines', plain.seen)
        plain.type('\x04')
        report.check(plain.end() == 0, 'the end of input ends a session on a dumb terminal')
        check_exits(bqn, folder, report)
        check_screen(bqn, folder, report)


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
    expect('choices are shown', '•file.creat\t\t', 'CreateDir  function\nCreated    function')
    expect('Ctrl-C gives up a line', '\x03', '\n')
    expect('an arrow brings back the line before', '\x1b[A\r', '•ParseFloat"7"\n7\n', at_prompt=True)
    expect('a search finds an older line', '\x122×\r', '2×3\n6\n', at_prompt=True)
    expect('a block may have several rows', '{\r𝕩+1\r}3\r', '\n4\n')
    expect('an error is told', '!"wrong"\r', 'Error: wrong\n')
    expect('what is pasted waits', '\x1b[200~p←8\rp×2\x1b[201~\r', '\n16\n')
    expect('a program reads lines', '•Out "go"⋄•GetLine @\r', '\ngo\n')
    expect('a program reads lines, which it gets', 'typed\r', '"typed"\n')
    expect('names are listed', ')vars\r', 'long_name  number ')
    expect('a file is run', ')ex a file.bqn\r', 'ran\n')
    expect('a file leaves its names', 'fromFile+2\r', '\n42\n')
    expect('a missing file is told', ')ex nowhere.bqn\r', 'Cannot read the file (nowhere.bqn)\n')
    expect('code is timed', ')time:5 +´↕9\r', 's\n')
    expect('an error in timed code is told', ')t !"slow"\r', 'Error: slow\n')
    expect('a line is explained', ')explain ⌽↕9\r', 'Run, with kernels for')
    expect('a command needs its argument', ')time\r', ')time needs CODE\n')
    expect('help lists the commands', ')help\r', ')exit ')
    expect('keys are shown', ')keys\r', '⌽  𝕨  ∊  ↑')
    expect('memory is shown', ')mem\r', 'MB in use, ')
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


def check_screen(bqn, folder, report):
    """What is typed stands behind the prompt, its value below, and the cursor behind the next prompt."""
    screen = Screen(bqn, folder, columns=40, rows=10)
    screen.settle()
    screen.type('2+3')
    report.check(screen.shows(lambda rows: '   2+3' in rows), 'session: a key is drawn', screen.rows())
    screen.type('\r')
    report.check(screen.shows(lambda rows: '5' in rows and screen.cursor() == (rows.index('5') + 1, 3)), 'session: a value and the next prompt', screen.rows())
    screen.type('\x04')
    report.check(screen.end() == 0, 'session: Ctrl-D ends one that was drawn')
