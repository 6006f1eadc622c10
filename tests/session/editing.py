"""What keys do to a text that is typed, as a person sees it in a window."""
import os
import tempfile

from terminal import Screen


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_undo, check_words, check_widths, check_tall_text, check_resizing, check_suspending, check_editor, check_vi):
            check(bqn, folder, report)


def started(bqn, folder, **options):
    """Gives a session that waits for keys, with nothing on its screen but the prompt."""
    screen = Screen(bqn, folder, **options)
    screen.begin()
    return screen


def expect(report, screen, name, keys, holds):
    screen.type(keys)
    report.check(screen.shows(holds), f'editing: {name}', '\n'.join([*screen.rows(), repr(screen.cursor())]))


def leave(report, screen, name):
    screen.type('\x03')
    screen.settle()
    screen.type('\x04')
    report.check(screen.end() == 0, f'editing: {name} ends well')


def check_undo(bqn, folder, report):
    screen = started(bqn, folder)
    expect(report, screen, 'Ctrl-_ undoes a cut', 'one+two\x17\x1f', lambda rows: rows[0] == '   one+two')
    expect(report, screen, 'Alt-_ does it again', '\x1b_', lambda rows: rows[0] == '   one+')
    expect(report, screen, 'Ctrl-Y pastes what was cut', '\x19', lambda rows: rows[0] == '   one+two')
    expect(report, screen, 'Alt-Y pastes what was cut before', '\x15x\x19\x1by', lambda rows: rows[0] == '   xtwo')
    leave(report, screen, 'undo')


def check_words(bqn, folder, report):
    screen = started(bqn, folder)
    expect(report, screen, 'Alt-B stops at a run of glyphs', 'x←⊑∘⍋y\x1bb\x1bb', lambda rows: screen.cursor() == (0, 4))
    expect(report, screen, 'Alt-T exchanges words', '\x15\x0bone two\x1bt', lambda rows: rows[0] == '   two one')
    expect(report, screen, 'Alt-U makes a word large', '\x01\x1bu', lambda rows: rows[0] == '   TWO one')
    expect(report, screen, 'Alt-C begins one so', '\x1bc', lambda rows: rows[0] == '   TWO One')
    expect(report, screen, 'Alt-L makes one small', '\x01\x1bl', lambda rows: rows[0] == '   two One')
    expect(report, screen, 'Ctrl-T exchanges characters', '\x05\x14', lambda rows: rows[0] == '   two Oen')
    expect(report, screen, 'a value', '\x15"first"∾"last"\r', '"firstlast"')
    expect(report, screen, 'Alt-. types the last argument', '⌽\x1b.', lambda rows: rows[2] == '   ⌽"last"')
    expect(report, screen, 'an entry', '\x15\x0b1\r2\r\x1b[A\x1b[A', lambda rows: [row for row in rows if row][-1] == '   1')
    expect(report, screen, 'Ctrl-O accepts and fetches the next entry', '\x0f', lambda rows: [row for row in rows if row][-2:] == ['1', '   2'])
    leave(report, screen, 'words')


def check_widths(bqn, folder, report):
    """The cursor stands where a terminal puts it."""
    screen = started(bqn, folder, columns=20)
    for text, columns in [('⚡⌚✅', 6), ('漢字', 4), ('e\u0301x', 2), ('⌽𝕩¯∞', 4), ('\x1b[200~\t\x1b[201~', 4)]:
        expect(report, screen, f'{text!r} takes {columns} columns', f'\x15"{text}"', lambda rows: screen.cursor() == (0, 3 + columns + 2))
    leave(report, screen, 'widths')


def check_tall_text(bqn, folder, report):
    """A text that is taller than the window scrolls in it, and leaves nothing behind until it is entered."""
    screen = started(bqn, folder, columns=40, rows=6)
    expect(report, screen, 'a long block is seen at its end', '{' + ''.join(f'\r{i}' for i in range(30)),
           lambda rows: rows == [f'   {i}' for i in range(24, 30)])
    before = len(screen.scrolled())
    expect(report, screen, 'the window follows the cursor', '\x1b[A' * 29, lambda rows: rows == [f'   {i}' for i in range(6)])
    expect(report, screen, 'a key changes what is seen', 'x', lambda rows: '   0x' in rows or '   x0' in rows)
    expect(report, screen, 'and down again', '\x7f' + '\x1b[B' * 29, lambda rows: rows == [f'   {i}' for i in range(24, 30)])
    report.check(len(screen.scrolled()) == before, 'editing: keys put nothing into the scrollback', screen.scrolled()[before:])
    expect(report, screen, 'it is entered', '\x1b[1;5F}\r', lambda rows: '29' in rows)
    rows = [row for row in screen.scrolled() + screen.rows() if row]
    report.check([rows.count(f'   {i}') for i in range(29)] == [1] * 29, 'editing: each row stands once in the end', rows)
    leave(report, screen, 'a tall text')


def check_resizing(bqn, folder, report):
    screen = started(bqn, folder, columns=40, rows=8)
    expect(report, screen, 'a long row', '1+' * 12 + '2', lambda rows: rows[0] == '   ' + '1+' * 12 + '2')
    screen.resize(20, 8)
    report.check(screen.shows(lambda rows: rows[:2] == ['   ' + '1+' * 8 + '1', '+' + '1+' * 3 + '2']), 'editing: a narrower window', screen.rows())
    screen.resize(40, 8)
    report.check(screen.shows(lambda rows: rows[:2] == ['   ' + '1+' * 12 + '2', '']), 'editing: a wider window', screen.rows())
    # In a window that gets lower, a tall text is still seen around the cursor.
    expect(report, screen, 'a tall text', '\x15\x0b{' + ''.join(f'\r{i}' for i in range(10)), lambda rows: rows == [f'   {i}' for i in range(2, 10)])
    screen.resize(40, 5)
    report.check(screen.shows(lambda rows: rows == [f'   {i}' for i in range(5, 10)]), 'editing: a lower window', screen.rows())
    screen.resize(40, 8)
    report.check(screen.shows(lambda rows: rows == [f'   {i}' for i in range(2, 10)]), 'editing: a higher window', screen.rows())
    screen.type('\x03')
    expect(report, screen, 'its value', '12+2\r', lambda rows: '14' in rows)
    # A program that waits is not woken, and the next prompt is where it belongs.
    expect(report, screen, 'a program waits', '•Out "go" ⋄ 1=⌊•Delay 1\r', lambda rows: 'go' in rows)
    screen.resize(30, 8)
    report.check(screen.shows(lambda rows: [row for row in rows if row][-1] == '1' and screen.cursor()[1] == 3), 'editing: a program is not woken', screen.rows())
    expect(report, screen, 'a key after that', '7', lambda rows: [row for row in rows if row][-1] == '   7')
    leave(report, screen, 'resizing')


def check_suspending(bqn, folder, report):
    """Ctrl-Z gives the terminal back to a shell, and the text is there again afterwards."""
    shell = Screen('/bin/bash', folder, ['--norc', '--noprofile', '-i'], PS1='$ ', BQN=bqn)
    shell.shows('$')
    shell.type('"$BQN"\r')
    shell.shows(lambda rows: shell.cursor()[1] == 3)
    expect(report, shell, 'a text before Ctrl-Z', '20+', '   20+')
    expect(report, shell, 'Ctrl-Z stops the session', '\x1a', 'Stopped')
    expect(report, shell, 'the shell shows what is typed', 'echo a$((40+2))b\r', 'a42b')
    expect(report, shell, 'fg shows the text again', 'fg\r', lambda rows: [row for row in rows if row][-1] == '   20+')
    expect(report, shell, 'and keys go on', '3\r', lambda rows: '23' in rows)
    shell.type('\x04')
    shell.shows(lambda rows: [row for row in rows if row][-1].startswith('$'))
    shell.type('exit\r')
    report.check(shell.end() == 0, 'editing: the shell ends')


def check_editor(bqn, folder, report):
    path = os.path.join(folder, 'editor')
    with open(path, 'w', encoding='utf8') as file:
        file.write('#!/bin/sh\nsed -i "s/one/1+2/" "$1"\n')
    os.chmod(path, 0o755)
    screen = started(bqn, folder, EDITOR=path, VISUAL='')
    expect(report, screen, 'Ctrl-X Ctrl-E edits in $EDITOR', 'one×2\x18\x05', '   1+2×2')
    expect(report, screen, 'what it wrote is run', '\r', lambda rows: '5' in rows)
    leave(report, screen, 'an editor')


def check_vi(bqn, folder, report):
    screen = started(bqn, folder, GRIDDLE_KEYS='vi')
    expect(report, screen, 'Escape shows that keys are commands', '12+3\x1b', lambda rows: rows[0] == ':  12+3')
    expect(report, screen, 'letters are commands', '0x', lambda rows: rows[0] == ':  2+3')
    expect(report, screen, 'typing goes on', 'A4', lambda rows: rows[0] == '   2+34')
    expect(report, screen, 'Enter runs it', '\r', lambda rows: '36' in rows)
    expect(report, screen, 'k fetches an entry', '\x1bk', lambda rows: ':  2+34' in rows)
    leave(report, screen, 'vi')
    screen = Screen(bqn, folder, GRIDDLE_KEYS='vim')
    report.check(screen.shows('GRIDDLE_KEYS must be vi or emacs (vim)'), 'editing: other keys are refused', screen.rows())
    screen.shows(lambda rows: screen.cursor() == (2, 3))
    leave(report, screen, 'a session with other keys')
