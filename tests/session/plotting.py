"""Pictures: files that other programs read, and what a session shows."""
import os
import struct
import subprocess
import tempfile
import xml.etree.ElementTree
import zlib

from terminal import Screen, Terminal


def pixels_of(data):
    """Reads a PNG file by the letter of its standard: signature, lengths, checksums, order of parts; gives width, height and rows of pixels."""
    assert data[:8] == b'\x89PNG\r\n\x1a\n', data[:8]
    at, parts = 8, []
    while at < len(data):
        length, = struct.unpack('>I', data[at:at + 4])
        name, content = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        assert len(content) == length and struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(name + content), name
        parts.append((name, content))
        at += 12 + length
    assert [name for name, _ in parts] == [b'IHDR', b'IDAT', b'IEND'] and parts[2][1] == b'', parts
    width, height, *kind = struct.unpack('>IIBBBBB', parts[0][1])
    assert kind == [8, 2, 0, 0, 0], kind
    packed = zlib.decompressobj()
    rows = packed.decompress(parts[1][1])
    assert packed.eof and not packed.unused_data and len(rows) == height * (1 + 3 * width), len(rows)
    lines = [rows[y * (1 + 3 * width):(y + 1) * (1 + 3 * width)] for y in range(height)]
    assert all(line[0] == 0 for line in lines), 'filtered rows'
    return width, height, [[tuple(line[1 + 3 * x:4 + 3 * x]) for x in range(width)] for line in lines]


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        check_images(bqn, folder, report)
        check_files(bqn, folder, report)
        check_example(bqn, folder, report)
        check_rights(bqn, folder, report)
        check_screen(bqn, folder, report)


def call(bqn, code, folder, *options):
    return subprocess.run([bqn, *options, '-e', code], capture_output=True, text=True, cwd=folder, timeout=120)


def read(folder, name):
    with open(os.path.join(folder, name), 'rb') as file:
        return file.read()


def check_images(bqn, folder, report):
    """Pixels that a program gives are those that another one reads. Noise, repeats near and far, rows of all kinds of lengths."""
    cases = {
        'one pixel': ('1‿1⥊7', 1, 1, lambda x, y: 7),
        'a ramp': ('256|+⌜˜↕300', 300, 300, lambda x, y: (x + y) % 256),
        'one colour': ('200‿500⥊99', 500, 200, lambda x, y: 99),
        'noise': ('256|⌊(×˜1+↕150)÷⌜1+↕77', 77, 150, lambda x, y: (y + 1) ** 2 // (x + 1) % 256),
        'wide rows': ('2‿8000⥊↕256', 8000, 2, lambda x, y: (x + y * 8000) % 256),
        'high columns': ('8000‿2⥊↕251', 2, 8000, lambda x, y: (x + y * 2) % 251),
    }
    for name, (code, width, height, gray) in cases.items():
        done = call(bqn, f'"x.png"•plot.Image {code}', folder)
        try:
            wide, high, rows = pixels_of(read(folder, 'x.png'))
            good = (wide, high) == (width, height) and all(rows[y][x] == (gray(x, y),) * 3 for y in range(height) for x in range(width))
            report.check(good, f'pictures: {name}', f'{wide} by {high}')
        except (AssertionError, OSError, zlib.error) as problem:
            report.check(False, f'pictures: {name}', f'{problem!r} {done.stderr}')
    done = call(bqn, '{max⇐1,scale⇐3,file⇐"x.png"}•plot.Image 1‿2‿4⥊1‿0‿0‿1‿0‿0‿1‿0.5', folder)
    wide, high, rows = pixels_of(read(folder, 'x.png'))
    report.check((wide, high) == (6, 3) and rows[0][2] == (255, 0, 0) and rows[2][3] == (127, 127, 255), 'pictures: colours, transparency and scale', (rows, done.stderr))


def check_files(bqn, folder, report):
    kinds = {'Line': '•math.Sin 0.1×↕100', 'Scatter': '(↕50)∾∞∾÷1+↕50', 'Bar': '3‿¯1‿4', 'Histogram': '×˜↕99', 'Heat': '(↕40)×⌜↕60', 'Image': '4×(↕40)+⌜↕60'}
    options = 'title⇐"a<b> & ""c"""∾@,xlabel⇐"ß",ylabel⇐"]]>"'
    for kind, data in kinds.items():
        done = call(bqn, f'•Out {{file⇐"x.svg",{options}}}•plot.{kind} {data} ⋄ "x.png"•plot.{kind} {data}', folder)
        try:
            tree = xml.etree.ElementTree.fromstring(read(folder, 'x.svg'))
            texts = [e.text for e in tree.iter('{http://www.w3.org/2000/svg}text')]
            named = kind == 'Image' or {'a<b> & "c" ', 'ß', ']]>'} <= set(texts)
            report.check(tree.tag == '{http://www.w3.org/2000/svg}svg' and named, f'pictures: SVG of {kind}', texts)
            wide, high, rows = pixels_of(read(folder, 'x.png'))
            colours = {pixel for row in rows for pixel in row}
            report.check((wide, high) == ((60, 40) if kind == 'Image' else (800, 500)) and len(colours) > 2, f'pictures: PNG of {kind}', f'{wide} by {high}, {len(colours)} colours')
        except (AssertionError, OSError, zlib.error, xml.etree.ElementTree.ParseError) as problem:
            report.check(False, f'pictures: files of {kind}', f'{problem!r} {done.stderr}')
        again = read(folder, 'x.svg'), read(folder, 'x.png')
        call(bqn, f'{{file⇐"x.svg",{options}}}•plot.{kind} {data} ⋄ "x.png"•plot.{kind} {data}', folder)
        report.check(again == (read(folder, 'x.svg'), read(folder, 'x.png')), f'pictures: {kind} is the same each time')
    # A line that falls by one pixel for each across, seen in the pixels.
    call(bqn, '{file⇐"x.png",width⇐400,height⇐400,yrange⇐0‿99}•plot.Line ↕100', folder)
    _, _, rows = pixels_of(read(folder, 'x.png'))
    blue = [(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row) if pixel == (31, 98, 166)]
    lowest, highest = max(blue, key=lambda p: p[1]), min(blue, key=lambda p: p[1])
    report.check(len(blue) > 300 and lowest[0] < highest[0] and all(abs((x - lowest[0]) / (highest[0] - lowest[0]) - (lowest[1] - y) / (lowest[1] - highest[1])) < .02 for x, y in blue),
                 'pictures: a straight line is straight', (lowest, highest, len(blue)))
    report.check(set(os.listdir(folder)) == {'x.svg', 'x.png'}, 'pictures: nothing else is left', os.listdir(folder))


def check_example(bqn, folder, report):
    """The picture in README.md is the one that its program draws."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'examples')
    subprocess.run([bqn, os.path.join(root, 'pictures.bqn'), os.path.join(folder, 'taylor.svg')], capture_output=True)
    report.check(read(folder, 'taylor.svg') == read(os.path.join(root, 'pictures'), 'taylor.svg'), 'pictures: that of README.md is as examples/pictures.bqn draws it')
    os.unlink(os.path.join(folder, 'taylor.svg'))


def check_rights(bqn, folder, report):
    done = call(bqn, '"y.svg"•plot.Line ↕9', folder, '--safe')
    report.check(done.returncode == 1 and '•plot.Line: This is not permitted in safe mode' in done.stderr, 'pictures: no file in safe mode', done)
    done = call(bqn, '{file⇐"y.svg"}•plot.Line ↕9', folder, '--allow', 'read-files')
    report.check(done.returncode == 1 and 'This is not permitted' in done.stderr, 'pictures: no file for who may only read', done)
    done = call(bqn, '•Out •file.Name "y.svg"•plot.Line ↕9', folder, '--allow', 'write-files')
    report.check(done.stdout == 'y.svg\n', 'pictures: a file for who may write', done)
    inner = os.path.join(folder, 'inner')
    os.makedirs(inner)
    done = call(bqn, f'"{folder}/z.svg"•plot.Line ↕9', inner, '--root', inner)
    report.check(done.returncode == 1 and 'outside of what programs may reach' in done.stderr and not os.path.exists(folder + '/z.svg'), 'pictures: no file outside of the root', done)
    # What is there already stays where the new one cannot be written.
    with open(os.path.join(inner, 'old.svg'), 'w', encoding='utf8') as file:
        file.write('old')
    done = subprocess.run(['sh', '-c', 'ulimit -f 0; exec "$0" -e \'"old.svg"•plot.Line ↕9\'', bqn], capture_output=True, text=True, cwd=inner)
    report.check(done.returncode == 1 and 'Cannot write the file' in done.stderr and read(inner, 'old.svg') == b'old' and os.listdir(inner) == ['old.svg'], 'pictures: a full disk leaves the old file', (done, os.listdir(inner)))


def check_screen(bqn, folder, report):
    def shown(keys, wanted, name, **environment):
        screen = Screen(bqn, folder, **environment)
        screen.wait_for('   ')
        screen.type(keys + '\r')
        report.check(screen.shows(wanted), f'pictures: {name}', '\n'.join(screen.rows()))
        screen.type('\x04')
        screen.end()

    def as_picture(rows):
        """The picture alone, with neither frame nor quotes."""
        return any(row.startswith('└┬─────┬──────┬─────┬─────┬') or row.startswith(' └┬─────┬──────┬─────┬─────┬') for row in rows) and not any('┌─' in row for row in rows)

    shown('{width⇐30,height⇐6}•plot.Line ↕5', as_picture, 'a session shows one as a picture')
    shown('a←{width⇐30,height⇐6}•plot.Line ↕5', '6‿30 array of characters', 'a name for one is a row')
    shown('1‿1↓{width⇐30,height⇐6}•plot.Line ↕5', lambda rows: any('┌─' in row for row in rows), 'what is made of one is an array like others')
    shown('{width⇐200,height⇐6}•plot.Line ↕5', lambda rows: any('┌─' in row for row in rows), 'one that is too wide is an array like others')
    for settings, sign in ({'TERM': 'xterm-kitty'}, '\x1b_Ga=T,f=100'), ({'GRIDDLE_PICTURES': 'sixel'}, '\x1bPq'), ({'TERM_PROGRAM': 'WezTerm'}, '\x1b_Ga=T,f=100'):
        terminal = Terminal(bqn, folder, **settings)
        terminal.wait_for('   ')
        terminal.type('•plot.Line ↕5\r')
        report.check(terminal.wait_for(sign) is not None and terminal.wait_for('\x1b\\\n') is not None, f'pictures: pixels where {settings}', terminal.seen[:300])
        terminal.type('\x04')
        terminal.end()
    # A terminal that no variable tells of is asked, once, before the first picture, and keeps what is typed meanwhile.
    for answer, sign in ('\x1b[?62;4;22c', '\x1bPq'), ('\x1b_Gi=31;OK\x1b\\\x1b[?62;4c', '\x1b_Ga=T,f=100'), ('\x1b[?62;22c', '┤'):
        terminal = Terminal(bqn, folder)
        started = terminal.wait_for('   ')
        terminal.type('•plot.Line ↕5\r')
        asked = terminal.wait_for('\x1b_Gi=31,') is not None and terminal.wait_for('\x1b\\') is not None
        terminal.type(f'"ty"{answer}∾"ped"\r')
        picture = terminal.wait_for(sign)
        typed = terminal.wait_for('"typed"')
        terminal.type('•plot.Bar ↕5\r"aft"∾"er"\r')
        again = terminal.wait_for('"after"') or ''
        report.check(asked and '\x1b_Gi' not in started and picture is not None, f'pictures: a terminal answers {answer!r}', terminal.seen[:300])
        report.check(typed is not None and sign in again and '\x1b_Gi=31,' not in again, f'pictures: keys beside {answer!r} are kept, and none is asked again', again[:300])
        terminal.type('\x04')
        terminal.end()
    # Digits that a session shows are not those of its programs.
    screen = Screen(bqn, folder)
    screen.wait_for('   ')
    screen.type(')digits 4\r÷3\r2÷3‿7\r•Fmt÷3\r)digits x\r)digits\r÷7\r')
    report.check(screen.shows(lambda rows: all(wanted in rows for wanted in ['0.3333', '⟨ 0.6667 0.2857 ⟩', '"0.3333333333333333"', '0.14285714285714285']) and
                              any('The number of digits must be 1 to 17' in row for row in rows)), 'digits: as many as )digits says', '\n'.join(screen.rows()))
    screen.type('\x04')
    screen.end()
