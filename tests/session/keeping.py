"""Code and values of a session in files: loaded, reloaded, edited, saved, brought back, logged; and timed."""
import os
import subprocess
import tempfile

from terminal import Screen, expecting


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'tool.bqn'), 'w', encoding='utf8') as file:
            file.write('Twice ← {2×𝕩}\nbase ← 40\n')
        check_files(bqn, folder, report)
        check_times(Screen(bqn, folder, columns=80, rows=30), report)
        check_after_file(bqn, folder, report)


def check_files(bqn, folder, report):
    # An editor that adds to what it is given.
    editor = os.path.join(folder, 'editor')
    with open(editor, 'w', encoding='utf8') as file:
        file.write('#!/bin/sh\nsed -i "s/2×/3×/; s/41/43/" "$1"\n')
    os.chmod(editor, 0o700)
    screen = Screen(bqn, folder, columns=80, rows=40, EDITOR=editor, VISUAL='')
    expect = expecting(screen, report)
    expect('a log begins', ')log session.log')
    expect('a file is loaded', ')load tool.bqn')
    expect('its names are there', 'Twice base', '80')
    expect('nothing has changed', ')reload', 'No file has changed')
    with open(os.path.join(folder, 'tool.bqn'), 'a', encoding='utf8') as file:
        file.write('base ↩ 41\n')
    os.utime(os.path.join(folder, 'tool.bqn'), (2e9, 2e9))
    expect('a changed file is loaded anew', ')reload', 'Loading tool.bqn')
    expect('with what changed', 'Twice base', '82')
    expect('a definition is edited', ')edit Twice', 'Twice ← {3×𝕩}')
    expect('and counts', 'Twice base', '123')
    expect('an entry is edited', '2×5', '10')
    expect('and runs', ')edit', '15')
    expect('a file is edited and loaded', ')edit tool.bqn')
    expect('and its names change', 'base', '43')
    expect('a log ends', ')log')
    expect('a session is saved', ')save kept', 'saved: ', 'saved as source, which )restore runs: Twice')
    screen.type('\x04')
    report.check(screen.end() == 0, 'session: it ends after it was saved')
    report.check(os.stat(os.path.join(folder, 'kept')).st_mode & 0o777 == 0o600, 'session: what is saved is its owner\'s alone')
    with open(os.path.join(folder, 'session.log'), encoding='utf8') as log:
        text = log.read()
    report.check('   Twice base\n80\n' in text and '\x1b' not in text, 'session: what is typed and shown is logged, and not how it is drawn', text)
    other = Screen(bqn, folder, columns=80, rows=20)
    expect = expecting(other, report)
    expect('a session is brought back', ')restore kept', 'restored: ')
    expect('with its values and functions', 'Twice base', '129')
    expect('what is none is refused', ')restore tool.bqn', 'This is no saved session')
    other.type('\x04')
    other.end()


def check_times(screen, report):
    expect = expecting(screen, report)
    expect('code is timed again and again', ')time x←+´↕1000', 'value    499500', 'median ', ' least ', ' runs')
    expect('its names stay', 'x-499499', '1')
    expect('its value is the last one', ')time 6×7', 'value    42')
    expect('by name', 'ans÷6', '7')
    expect('what changes a variable runs once', ')time x+↩1', ', 1 run')
    expect('and once only', 'x-499500', '1')
    expect('memory is told', ')time:1 +´(1e7⥊0.5)×1e7⥊2.5', 'MB more at most')
    screen.type('\x04')
    screen.end()


def check_after_file(bqn, folder, report):
    """A session after a file knows its names, and its arguments."""
    done = subprocess.run([bqn, '-sr', 'tool.bqn', 'one', 'two'], cwd=folder, input='Twice base\n', capture_output=True, text=True, check=False)
    report.check(done.stdout == '129\n' and done.stderr == '', 'session: it knows the names of the file before it', done)
