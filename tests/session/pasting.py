"""Text that comes from elsewhere: pasted, with the terminal's brackets or without, or piped."""
import subprocess
import tempfile

from terminal import Screen


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        check_brackets(bqn, folder, report)
        check_plain(bqn, folder, report)
        check_megabyte(bqn, folder, report)
    check_pipes(bqn, report)


def check_brackets(bqn, folder, report):
    screen = Screen(bqn, folder)
    screen.begin()
    screen.type('\x1b[200~F←{\r\n\r\n\t𝕩+1\r\n}\r\nF 41\x1b[201~'.replace('\r\n', '\r'))
    report.check(screen.shows('   F 41'), 'pasting: rows wait for Enter', screen.rows())
    screen.type('\r')
    report.check(screen.shows(lambda rows: '42' in rows), 'pasting: all of them run at once', screen.rows())
    screen.type('\x1b[200~1\r2\r3\x1b[201~\x1f9\r')
    report.check(screen.shows(lambda rows: '9' in rows), 'pasting: a paste is undone as one', screen.rows())
    screen.type('\x04')
    screen.end()


def check_plain(bqn, folder, report):
    """Of a terminal that does not mark what is pasted."""
    for name, environment in [('a terminal', {}), ('a dumb terminal', {'TERM': 'dumb'})]:
        screen = Screen(bqn, folder, **environment)
        screen.shows(lambda rows: screen.cursor()[1] == 3)
        screen.type('F←{\r\r𝕩+1\r\r}\rF 41\r')
        report.check(screen.shows(lambda rows: '42' in [row.strip() for row in rows]), f'pasting: empty rows within a block, on {name}', screen.rows())
        report.check('Error' not in '\n'.join(screen.rows()), f'pasting: no error on {name}', screen.rows())
        screen.type('{\r')
        screen.shows(lambda rows: '{' in [row.strip() for row in rows if row][-1] and screen.cursor()[1] == 3)
        screen.type('\r')
        report.check(screen.shows('Unclosed'), f'pasting: an empty row that is typed ends a block, on {name}', screen.rows())
        screen.type('\x04')
        screen.end()


def check_megabyte(bqn, folder, report):
    screen = Screen(bqn, folder, columns=80, rows=24)
    screen.begin()
    before = screen.most_memory()
    screen.paste('≠"' + 'abcdefghij' * 100_000 + '"')
    report.check(screen.shows(lambda rows: rows[-1].endswith('"') and rows[0].startswith('fghijabc')), 'pasting: the window shows the end of a megabyte', screen.rows())
    more = screen.most_memory() - before
    report.check(more < 50_000, 'pasting: a megabyte takes less than 50 of memory', f'{more} kB')
    screen.type('-0')
    report.check(screen.shows(lambda rows: rows[-1].endswith('"-0')), 'pasting: a key is drawn', screen.rows())
    screen.type('\r')
    report.check(screen.shows(lambda rows: '1000000' in rows), 'pasting: a megabyte is run', screen.rows())
    screen.type('\x04')
    report.check(screen.end() == 0, 'pasting: the session ends')


def check_pipes(bqn, report):
    for name, program, output, status in [
            ('empty rows within a block', 'F←{𝕊:\n\n  𝕩+1\n\n}\nF 41\n', '(function block)\n42\n', 0),
            ('an error, and what follows it', '1+1\n⊑⟨⟩\n2+2\n', '2\n4\n', 1),
            ('a block that is left open', '1+1\n{\n\n1', '2\n', 1),
            ('a command that there is not', ')nothing\n1+1\n', '2\n', 1),
            ('a file that there is not', ')load nowhere\n1+1\n', '2\n', 1),
            ('a last row without an end', '1+1', '2\n', 0),
            ('nothing', '', '', 0)]:
        done = subprocess.run([bqn], input=program, capture_output=True, text=True, check=False)
        report.check((done.stdout, done.returncode) == (output, status), f'a piped program with {name}', f'{done}')
        report.check((done.stderr != '') == (status == 1), f'errors of a piped program with {name}', done.stderr)
