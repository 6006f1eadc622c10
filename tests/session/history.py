"""What sessions keep for each other, also while they run side by side."""
import os
import stat
import subprocess
import tempfile

from terminal import Screen, Terminal

SESSIONS, ENTRIES = 4, 60


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        check_sharing(bqn, folder, report)
    with tempfile.TemporaryDirectory() as folder:
        check_cutting(bqn, folder, report)
    with tempfile.TemporaryDirectory() as folder:
        check_steps(bqn, folder, report)


def lines_of(folder):
    with open(os.path.join(folder, 'griddle', 'history'), encoding='utf8') as file:
        return file.read().splitlines()


def check_sharing(bqn, folder, report):
    """Sessions that run at once lose nothing of each other."""
    sessions = [Terminal(bqn, folder) for _ in range(SESSIONS)]
    for session in sessions:
        session.wait_for('   ')
    for entry in range(ENTRIES):
        for number, session in enumerate(sessions):
            session.type(f'{number}‿{entry}\r')
    for number, session in enumerate(sessions):
        session.wait_for(f'⟨ {number} {ENTRIES - 1} ⟩')
        session.wait_for('   ')
        session.type('\x04')
        session.end()
    wanted = {f'{number}‿{entry}' for number in range(SESSIONS) for entry in range(ENTRIES)}
    lines = lines_of(folder)
    report.check(set(lines) == wanted and len(lines) == len(wanted), 'history: sessions lose nothing of each other', sorted(wanted ^ set(lines))[:5])
    mode = stat.S_IMODE(os.stat(os.path.join(folder, 'griddle', 'history')).st_mode)
    report.check(mode == 0o600, 'history: its owner alone may read it', oct(mode))


def check_cutting(bqn, folder, report):
    """A session that cuts a long file down loses nothing of one that adds to it."""
    path = os.path.join(folder, 'griddle', 'history')
    os.mkdir(os.path.dirname(path))
    with open(path, 'w', encoding='utf8') as file:
        file.writelines(f'old {i}\n' for i in range(19_990))
    writer = Terminal(bqn, folder)
    writer.wait_for('   ')
    for entry in range(30):
        writer.type(f'{entry}+0\r')
        writer.wait_for(f'\n{entry}\n')
        if entry % 3 == 0:
            reader = Terminal(bqn, folder)
            reader.wait_for('   ')
            reader.type('\x04')
            reader.end()
    writer.type('\x04')
    writer.end()
    lines = lines_of(folder)
    report.check(len(lines) < 11_000, 'history: a long file is cut down', len(lines))
    report.check([line for line in lines if line.endswith('+0')] == [f'{entry}+0' for entry in range(30)], 'history: nothing is lost by that', lines[-30:])


def check_steps(bqn, folder, report):
    screen = Screen(bqn, folder)
    screen.begin()
    screen.type('x←1\r{\r𝕩}5\r2\r')
    report.check(screen.shows(lambda rows: rows[-1] == '' and '2' in rows), 'history: entries run', screen.rows())
    for keys, row, name in [('x\x1b[A', '   x←1', 'an arrow brings back what begins alike'), ('\x15\x0b\x1b[A\x1b[A', '   𝕩}5', 'entries of several rows'),
                            ('\x12x←', '(search: x←) x←1', 'a search')]:
        screen.type(keys)
        report.check(screen.shows(lambda rows, row=row: [r for r in rows if r][-1] == row), f'history: {name}', screen.rows())
    screen.type('\x07\x03')
    screen.settle()
    screen.type('\x04')
    report.check(screen.end() == 0, 'history: the session ends')
    # What is piped is no entry.
    subprocess.run([bqn], input='piped←1\n', text=True, check=True, capture_output=True, env={**os.environ, 'XDG_STATE_HOME': folder})
    report.check('piped←1' not in lines_of(folder), 'history: what is piped is no entry')
