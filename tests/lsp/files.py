"""Several files: names that one defines and others use by importing it, whether they are open or not, and errors in what is imported."""
import contextlib
import os
import tempfile

from editor import MARK, Editor, applied, utf16_place

LIBRARY = '# Adds two.\nAdd⇐{𝕨+𝕩}\nhidden←1\nsub⇐{Deep⇐{𝕩}}\nAdd 3\n'
MAIN = 'lib←•Import "sub folder/lib é.bqn"\n5 lib.Add 6\nlib.sub.Deep 1\nlib.hidden\n'


@contextlib.contextmanager
def workspace(bqn, files, with_folder=True):
    """Writes files, and gives an editor with their folder, and a function from a file's name to its URI."""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf8') as file:
                file.write(text.replace(MARK, ''))
        uri_of = lambda name: 'file://' + os.path.join(folder, name).replace(' ', '%20').replace('é', '%C3%A9')
        with Editor(bqn, initialize=False) as editor:
            editor.ask('initialize', {'processId': None, 'rootUri': uri_of('').rstrip('/') if with_folder else None, 'capabilities': {}})
            editor.tell('initialized', {})
            yield editor, uri_of


def place_in(text, part, after=0):
    return utf16_place(text, text.index(part) + after)


def definition(bqn, report):
    for opened in (False, True):
        with workspace(bqn, {'main.bqn': MAIN, 'sub folder/lib é.bqn': LIBRARY}) as (editor, uri_of):
            library = uri_of('sub folder/lib é.bqn')
            text, _ = editor.open(MAIN, uri_of('main.bqn'))
            shift = ''
            if opened:
                # What is open counts, not what the file holds.
                shift = '\n\n'
                editor.open(shift + LIBRARY, library)
            for part, after, wanted in [('lib.Add', 4, 'Add⇐'), ('lib.Add', 7, 'Add⇐'), ('lib.sub', 4, 'sub⇐'), ('sub.Deep', 4, 'Deep⇐')]:
                found = editor.ask_at('definition', place_in(text, part, after), uri_of('main.bqn'))
                start = place_in(shift + LIBRARY, wanted)
                report.check(found and (found['uri'], found['range']['start']) == (library, start), f'{part} leads to {wanted}, open: {opened}', found)
            found = editor.ask_at('definition', place_in(text, 'folder/'), uri_of('main.bqn'))
            report.check(found and found['uri'] == library, 'the name of a file leads there', found)
            for part, after in [('lib.hidden', 4), ('Import', 2)]:
                found = editor.ask_at('definition', place_in(text, part, after), uri_of('main.bqn'))
                report.check(found is None, f'{part} leads nowhere', found)


def chains(bqn, report):
    """Names that are taken apart, files that hand on what others define, circles, and files that are not there."""
    files = {'main.bqn': '⟨Add,b⟩←•Import "middle.bqn"\nAdd b\nm←•Import "middle.bqn" ⋄ m.inner.Add m.b\nx←"an argument"•Import "middle.bqn"\nx.Add 1',
             'middle.bqn': '⟨Add⟩⇐•Import "./low.bqn"\nb⇐1 ⋄ inner⇐•Import "../{}/low.bqn" ⋄ main←•Import "main.bqn"',
             'low.bqn': 'Add⇐{𝕩+1}', 'lost.bqn': 'l←•Import "nowhere.bqn" ⋄ l.Add 1'}
    with workspace(bqn, files) as (editor, uri_of):
        folder = os.path.basename(os.path.dirname(uri_of('main.bqn')))
        text, _ = editor.open(files['main.bqn'], uri_of('main.bqn'))
        editor.open(files['middle.bqn'].format(folder), uri_of('middle.bqn'))
        for part, after, wanted in [('Add,', 0, 'low.bqn'), ('Add b', 0, 'low.bqn'), ('Add b', 4, 'middle.bqn'), ('inner.Add', 6, 'low.bqn'),
                                    ('m.b', 2, 'middle.bqn'), ('x.Add', 2, 'low.bqn')]:
            found = editor.ask_at('definition', place_in(text, part, after), uri_of('main.bqn'))
            report.check(found and found['uri'] == uri_of(wanted), f'{part}: {wanted} defines it', found)
        text, _ = editor.open(files['lost.bqn'], uri_of('lost.bqn'))
        found = editor.ask_at('definition', place_in(text, 'l.Add', 2), uri_of('lost.bqn'))
        report.check(found is None, 'a file that is not there defines nothing', found)


def told(bqn, report):
    with workspace(bqn, {'main.bqn': MAIN, 'sub folder/lib é.bqn': LIBRARY}) as (editor, uri_of):
        text, _ = editor.open(MAIN + 'lib.\nlib.sub.', uri_of('main.bqn'))
        found = editor.ask_at('hover', place_in(text, 'lib.Add', 5), uri_of('main.bqn'))
        about = found['contents']['value'] if found else ''
        report.check('Add⇐{𝕨+𝕩}' in about and 'Adds two.' in about and 'line 2' in about and 'lib é.bqn' in about, 'hover shows what another file says', about)
        for part, wanted in [('lib.\n', ['Add', 'sub']), ('lib.sub.', ['Deep'])]:
            at = utf16_place(text, text.rindex(part) + len(part.rstrip()))
            found = editor.ask_at('completion', at, uri_of('main.bqn'))
            report.check([item['label'] for item in found] == wanted, f'what {part!r} may go on with', found)


def uses(bqn, report):
    files = {'main.bqn': MAIN, 'sub folder/lib é.bqn': LIBRARY, 'other.bqn': '⟨Add⟩←•Import "sub folder/lib é.bqn"\n2 Add 3\nAdd2←{Add←{𝕩} ⋄ Add 1}',
             'stranger.bqn': 'Add←{𝕩}\nAdd 1', '.hidden/copy.bqn': 'lib←•Import "../sub folder/lib é.bqn"\nlib.Add 1'}
    wanted = [('main.bqn', 1, 6), ('other.bqn', 0, 1), ('other.bqn', 1, 2), ('sub folder/lib é.bqn', 1, 0), ('sub folder/lib é.bqn', 4, 0)]
    for opened, part in [('main.bqn', 'lib.Add'), ('sub folder/lib é.bqn', 'Add⇐')]:
        with workspace(bqn, files) as (editor, uri_of):
            text, _ = editor.open(files[opened], uri_of(opened))
            at = place_in(text, part, part.index('Add') + 1)
            found = editor.ask_at('references', at, uri_of(opened), context={'includeDeclaration': True})
            places = sorted((use['uri'], use['range']['start']['line'], use['range']['start']['character']) for use in found or [])
            report.check(places == sorted((uri_of(name), line, column) for name, line, column in wanted), f'uses in all files, asked in {opened}', places)
            found = editor.ask_at('documentHighlight', at, uri_of(opened))
            report.check(len(found) == sum(name == opened for name, *_ in wanted), f'highlights in {opened} are its own', found)


def rename(bqn, report):
    files = {'main.bqn': MAIN, 'sub folder/lib é.bqn': LIBRARY, 'other.bqn': '⟨Add,sub⟩←•Import "sub folder/lib é.bqn"\n2 Add 3 ⋄ add‿sub'}
    after = {'main.bqn': MAIN.replace('Add', 'Sum'), 'sub folder/lib é.bqn': LIBRARY.replace('Add⇐', 'Sum⇐').replace('Add 3', 'Sum 3'),
             'other.bqn': '⟨Sum,sub⟩←•Import "sub folder/lib é.bqn"\n2 Sum 3 ⋄ sum‿sub'}

    def ask(editor, uri, at, name):
        return editor.ask_whole('textDocument/rename', {'textDocument': {'uri': uri}, 'position': at, 'newName': name})

    for opened, part in [('main.bqn', 'lib.Add'), ('sub folder/lib é.bqn', 'Add⇐'), ('other.bqn', 'Add')]:
        with workspace(bqn, files) as (editor, uri_of):
            text, _ = editor.open(files[opened], uri_of(opened))
            at = place_in(text, part, part.index('Add'))
            found = editor.ask_at('prepareRename', at, uri_of(opened))
            report.check(found and found['placeholder'] == 'Add', f'what is renamed, asked in {opened}', found)
            found = ask(editor, uri_of(opened), at, 'sum')
            changes = found.get('result', {}).get('changes', {})
            got = {name: applied(files[name], changes.get(uri_of(name), [])) for name in files}
            report.check(got == after, f'renamed in all files, asked in {opened}', found)
    refusals = [('hidden', {}, 'Another definition', 'sub folder/lib é.bqn'), ('sub', {}, 'Another definition', 'sub folder/lib é.bqn'),
                ('sum', {'third.bqn': 'both←⟨•Import "sub folder/lib é.bqn"⟩ ⋄ l←⊑both ⋄ l.Add 1'}, 'It is not known', 'third.bqn'),
                ('sum', {'third.bqn': '⟨Add⟩←•Import "sub folder/lib é.bqn"\nSum←1 ⋄ {Add 1}'}, 'Another definition', 'third.bqn')]
    for name, more, why, where in refusals:
        with workspace(bqn, files | more) as (editor, uri_of):
            text, _ = editor.open(files['main.bqn'], uri_of('main.bqn'))
            found = ask(editor, uri_of('main.bqn'), place_in(text, 'lib.Add', 4), name)
            message = found.get('error', {}).get('message', '')
            report.check(why in message and (where in message or where.startswith('sub')), f'not renamed to {name} because of {where}', found)
    with workspace(bqn, files, with_folder=False) as (editor, uri_of):
        text, _ = editor.open(files['main.bqn'], uri_of('main.bqn'))
        found = ask(editor, uri_of('main.bqn'), place_in(text, 'lib.Add', 4), 'sum')
        report.check('exported' in found.get('error', {}).get('message', ''), 'not renamed where nobody knows who else uses it', found)


def errors(bqn, report):
    with workspace(bqn, {'main.bqn': MAIN, 'sub folder/lib é.bqn': LIBRARY + '•Import "low.bqn"\n', 'sub folder/low.bqn': 'a←1\na 2 3\n'}) as (editor, uri_of):
        main, low = uri_of('main.bqn'), uri_of('sub folder/low.bqn')
        editor.open(MAIN, main)
        report.check(editor.errors(main) == [], 'the file that imports has no error')
        found = editor.errors(low)
        report.check(len(found) == 1 and found[0]['range']['start']['line'] == 1, 'an error is shown in the file that has it', found)

        def change(text, version):
            editor.tell('textDocument/didChange', {'textDocument': {'uri': main, 'version': version}, 'contentChanges': [{'text': text}]})
        change(MAIN + '1 2', 2)
        report.check(len(editor.errors(main)) == 1, 'another error is told')
        # What did not change is not told again: the next of this file is its end.
        change('1', 3)
        report.check(editor.errors(low) == [], 'nobody imports it any more')
        change(MAIN, 4)
        report.check(len(editor.errors(low)) == 1, 'it is imported again')
        with open(low.removeprefix('file://').replace('%20', ' '), 'w', encoding='utf8') as file:
            file.write('a←1\n')
        editor.tell('workspace/didChangeWatchedFiles', {'changes': [{'uri': low, 'type': 2}]})
        report.check(editor.errors(low) == [], 'the file was repaired')
        editor.open(']', low)
        report.check(len(editor.errors(low)) == 1, 'an open text tells its own errors')
        editor.tell('textDocument/didClose', {'textDocument': {'uri': low}})
        report.check(editor.errors(low) == [], 'a text that is closed has none')
        report.check(editor.end() == 0, 'the server ends')


def run(bqn, report):
    for part in (definition, chains, told, uses, rename, errors):
        part(bqn, report)
