"""What Tab proposes, and what it says of each proposal."""
import os
import tempfile

from terminal import Screen


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'data folder'))
        with open(os.path.join(folder, 'data.bqn'), 'w', encoding='utf8') as file:
            file.write('fromFile ← 40\n')
        screen = Screen(bqn, folder, columns=60, rows=20)
        screen.begin()

        def expect(name, keys, holds):
            screen.type(keys)
            report.check(screen.shows(holds), f'completing: {name}', '\n'.join(screen.rows()))

        expect('definitions', 'some_list←↕7 ⋄ some_text←"abc" ⋄ Some_fun←{𝕩} ⋄ ns←{one⇐1⋄Go⇐{𝕩}}\r', lambda rows: rows[2:3] == [''] and screen.cursor()[1] == 3)
        expect('names say what they are', 'some\t', lambda rows: '      ' not in rows and {'Some_fun   function', 'some_list  list of 7 i8', 'some_text  string "abc"'} <= set(rows))
        expect('the menu goes with the next key', '_l\t', lambda rows: 'Some_fun   function' not in rows and any(row.endswith('   some_list') for row in rows))
        expect('fields of a name', '\x15\x0bns.\t', lambda rows: {'Go   function', 'one  number 1'} <= set(rows))
        expect('fields of an expression', '\x15\x0b(⊑⟨ns⟩).o\t', lambda rows: any(row.endswith('   (⊑⟨ns⟩).one') for row in rows))
        expect('names of the text itself', '\x15\x0bmy_own_name←3 ⋄ 1+myo\t', lambda rows: any(row.endswith('1+my_own_name') for row in rows))
        expect('paths in strings', '\x15\x0b•Import "dat\t\t', lambda rows: {'data folder/  folder', 'data.bqn      file, 16 bytes'} <= set(rows))
        expect('a path', '.\t', lambda rows: any(row.endswith('•Import "data.bqn') for row in rows))
        expect('paths behind a command', '\x15\x0b)ex data.\t', lambda rows: any(row.endswith('   )ex data.bqn') for row in rows))
        expect('it runs', '\rfromFile+2\r', lambda rows: '42' in rows)
        expect('commands say what they do', ')\t', lambda rows: any(row.startswith('keys') and 'glyphs' in row for row in rows))
        expect('a command', 'vars\t\r', lambda rows: all(any(row.startswith(name) for row in rows) for name in ('some_list', 'fromFile')))
        expect('system values say what they are', '•file.at\t\t', lambda rows: any(row.endswith('•file.At') for row in rows))
        screen.type('\x03')
        screen.settle()
        screen.type('\x04')
        report.check(screen.end() == 0, 'completing: the session ends')
