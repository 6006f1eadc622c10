"""Values are shown as far as a screen holds them, and no more is formatted."""
import tempfile

from terminal import Screen, Terminal

# Values that are large in different ways: each shows in little time and memory, beside the value itself.
LARGE = ['3000‿3000⥊0.1+↕1000', '1e6⥊0.1+↕1000', '100‿100‿100⥊↕999', '1e6⥊"abc"', '1e6⥊"abc"∾@+10', '2000‿2000⥊"abcd"', '1e5⥊⟨"ab",1‿2,⟨3,"c"⟩⟩', '300‿300⥊<300‿300⥊↕9',
         '{⟨𝕩,𝕩⟩}⍟16 1', '{⋈𝕩}⍟20000 1', '{≍𝕩}¨⍟3 ⟨1e3⥊5,9⟩', '{(𝕩⊸+)∘𝕩}⍟3 5', '1e5‿0⥊0', '(1e4⥊<1e4⥊7)']


# The same, shown as a whole, with how many characters that are at least.
WHOLE = [('1e6⥊0.1+↕1000', 5_000_000), ('1e6⥊"abc"', 1_000_000), ('1e6⥊⟨"ab",1‿2⟩', 5_000_000), ('1e5⥊⟨"ab",1‿2,⟨3,"c",2‿2⥊4⟩⟩', 5_000_000), ('1e5‿5⥊0.1+↕1000', 2_000_000),
         ('⟨⟨1e6⥊0.1⟩,3‿5⥊<"ab"⟩', 5_000_000)]


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        check_elision(Screen(bqn, folder, columns=60, rows=24), report)
        check_large(bqn, folder, report)
        check_whole(bqn, folder, report)
        check_paging(Screen(bqn, folder, columns=60, rows=12), report)
        check_results(Screen(bqn, folder, columns=60, rows=30), report)
        check_progress(Screen(bqn, folder, columns=60, rows=24), report)


def check_progress(screen, report):
    """A bar is drawn while a loop runs, and gone when it ends or fails."""
    screen.begin()
    screen.type('"naps"{•Delay 0.1 ⋄ 𝕩}•_progress 30\r')
    report.check(screen.shows(lambda rows: any(row.startswith('naps █') and '/30, ' in row for row in rows)), 'session: a loop shows a bar', screen.rows())
    report.check(screen.shows('⟨ 0 1 2 3') and not any('/30' in row for row in screen.rows()), 'session: a loop that ended shows no bar', screen.rows())
    screen.type('{•Delay 0.2 ⋄ !𝕩<4}•_progress 30\r')
    report.check(screen.shows('Error') and not any('/30' in row for row in screen.rows()), 'session: a loop that failed shows no bar', screen.rows())
    screen.kill()


def below(rows, text):
    """The rows after the last one that holds a text, without empty ones."""
    found = [i for i, row in enumerate(rows) if text in row]
    return [row for row in rows[found[-1] + 1:] if row] if found else []


def enter(screen, line, text):
    screen.settle()
    screen.type(line + '\r')
    return screen.shows(lambda rows: any(text in row for row in below(rows, line)))


def check_elision(screen, report):
    line = '1000‿1000⥊↕1000'
    shown = enter(screen, line, ')all shows the whole')
    rows = below(screen.rows(), line)
    report.check(shown and rows[0].startswith('┌─') and rows[1].startswith('╵ 0 1 2') and rows[1].endswith('…'), 'session: the upper left of a large table is shown', rows)
    report.check(len(rows) <= 22 and any(row.startswith('(1000‿1000 array of') for row in rows), 'session: what is left out of a table is said', rows)
    line = '3‿4⥊↕12'
    report.check(enter(screen, line, '8 9 10 11') and not any('…' in row for row in below(screen.rows(), line)), 'session: a small table is shown whole', screen.rows())
    line = '↕100000'
    report.check(enter(screen, line, '(list of 100000 i32') and any('…' in row for row in below(screen.rows(), line)), 'session: a long list is cut', screen.rows())
    line = '↕60'
    report.check(enter(screen, line, '58 59 ⟩'), 'session: a list of a few rows is shown whole', screen.rows())
    screen.type(')exit\r')
    screen.end()


def check_large(bqn, folder, report):
    """Memory grows by no more than 10 MB while a value is shown."""
    terminal = Terminal(bqn, folder, GRIDDLE_DEVICE='cpu')  # what a device has would come first
    for value in LARGE:
        terminal.wait_for('   ')
        terminal.type(f'v←{value};\r')
        terminal.wait_for(';')
        terminal.wait_for('   ')
        terminal.draw_for(0.1)
        before = memory_of(terminal.process, 'VmRSS', forget_peak=True)
        terminal.type('v\r')
        terminal.type('"do"∾"ne"\r')
        shown = terminal.wait_for('"done"') or ''
        grown = memory_of(terminal.process, 'VmHWM') - before
        report.check(0 < len(shown) < 30000, f'session: {value} is shown in part', f'{len(shown)} characters')
        report.check(grown <= 10e6, f'session: showing {value} takes little memory', f'{grown / 1e6:.1f} MB')
    terminal.wait_for('   ')
    terminal.type('\x04')
    report.check(terminal.end() == 0, 'session: it ends after large values')


def check_whole(bqn, folder, report):
    """Memory grows by no more than 10 MB while all of a value is shown, at once or a screen at a time."""
    terminal = Terminal(bqn, folder)
    terminal.wait_for('   ')
    for value, least in WHOLE:
        terminal.type(f'v←{value};\r')
        terminal.type('v\r')
        terminal.type('"rea"∾"dy"\rv;\r')
        terminal.skip_to('"ready"')
        terminal.skip_to('v;')
        terminal.skip_to('   ')
        terminal.draw_for(0.1)
        before = memory_of(terminal.process, 'VmRSS', forget_peak=True)
        terminal.type(')all\r')
        terminal.type('"al"∾"l"\r')
        shown = terminal.skip_to('"all"') or 0
        grown = memory_of(terminal.process, 'VmHWM') - before
        report.check(shown >= least, f'session: )all shows all of {value}', f'{shown} characters')
        report.check(grown <= 10e6, f'session: )all of {value} takes little memory', f'{grown / 1e6:.1f} MB')
        terminal.type('v;\r')
        terminal.skip_to('v;')
        terminal.skip_to('   ')
        before = memory_of(terminal.process, 'VmRSS', forget_peak=True)
        terminal.type(')page\r')
        first = terminal.skip_to('a key for more') or 0
        terminal.type(' ')
        second = terminal.skip_to('a key for more') or 0
        terminal.type('q')
        terminal.skip_to('   ')
        terminal.type('"pag"∾"es"\r')
        ended = terminal.skip_to('"pages"')
        grown = memory_of(terminal.process, 'VmHWM') - before
        report.check(ended is not None and 0 < first < 10_000 and 0 < second < 10_000, f'session: )page shows {value} by screens', (first, second, ended))
        report.check(grown <= 10e6, f'session: )page of {value} takes little memory', f'{grown / 1e6:.1f} MB')
    terminal.skip_to('   ')
    terminal.type('\x04')
    report.check(terminal.end() == 0, 'session: it ends after large values were shown whole')


def memory_of(process, what, forget_peak=False):
    """The memory that a process has, VmRSS, or has had at most, VmHWM, in bytes."""
    if forget_peak:
        with open(f'/proc/{process}/clear_refs', 'w', encoding='utf8') as file:
            file.write('5')
    with open(f'/proc/{process}/status', encoding='utf8') as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(what))


def check_paging(screen, report):
    screen.settle()
    screen.type('30‿3⥊↕90;\r')
    screen.settle()
    screen.type(')page\r')
    report.check(screen.shows('(a key for more, q to end)') and not any('87' in row for row in screen.rows()), 'session: a page is shown', screen.rows())
    screen.type(' ')
    screen.settle()
    screen.type(' ')
    screen.settle()
    screen.type(' ')
    report.check(screen.shows('87 88 89'), 'session: a key shows the next page', screen.rows())
    screen.settle()
    screen.type(')page\r')
    screen.shows('a key for more')
    screen.type('q')
    screen.settle()
    screen.type('"aft"∾"er"\r')
    report.check(screen.shows('"after"') and screen.shows(lambda rows: not any('a key for more' in row for row in rows)), 'session: q ends paging', screen.rows())
    screen.settle()
    screen.type('30‿3⥊↕90;\r')
    screen.settle()
    screen.type(')all\r')
    report.check(screen.shows('87 88 89') and any('0  1  2' in row for row in screen.scrolled()), 'session: )all shows the whole', screen.rows())
    screen.type('\x04')
    screen.end()


def check_results(screen, report):
    line = '2+3;'
    screen.settle()
    screen.type(line + '\r')
    screen.settle()
    report.check(below(screen.rows(), line) == [], 'session: a semicolon keeps a value from being shown', screen.rows())
    report.check(enter(screen, 'ans×2', '10'), 'session: the last value has a name', screen.rows())
    report.check(enter(screen, '"a;" # not the end;', '"a;"'), 'session: a semicolon in a comment is none', screen.rows())
    report.check(enter(screen, 'table←20‿20⥊7', '20‿20 array of i8'), 'session: an assignment is shown on one row', screen.rows())
    report.check(len(below(screen.rows(), 'table←20‿20⥊7')) == 1, 'session: an assignment takes no more', screen.rows())
    report.check(enter(screen, '⊑⟨+´⟩', '+´'), 'session: a function is a last value', screen.rows())
    report.check(enter(screen, 'Ans ↕5', '10'), 'session: it is called by the name', screen.rows())
    enter(screen, 'ans←77', '77')
    enter(screen, '1+1', '2')
    report.check(enter(screen, 'ans+0', '77'), 'session: a program keeps a name of its own', screen.rows())
    screen.type('\x04')
    screen.end()
