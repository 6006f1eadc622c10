"""Names: where they are defined and used, what they may be called instead, and how they are spelled."""
from editor import Editor, applied


def definition(bqn, report):
    """Each text has two marks: the definition, and a use that means it; or the other way round, where `later` says so."""
    for marked, later in [
            ('¶F←{𝕩+1}\n¶F 2', False), ('a←1\n{¶a←2 ⋄ ¶a+1}\na', False), ('¶a←1\n{a←2 ⋄ a+1}\n¶A_', False), ('G←{𝕊¶xs: +´¶xs}', False),
            ('ns←{¶field⇐3}\nns.¶field', False), ('outer←{inner⇐{¶deep⇐1}}\nouter.inner.¶deep', False), ('¶a←1\nb←1 2\n¶a', False),
            ('"𝕩𝕩𝕩"∾¶text←"é"\ntext', None), ('¶a‿b←1‿2 ⋄ ¶a↩3', False), ('¶Rec←{𝕩≤0?0; ¶Rec 𝕩-1}', False), ('F←{¶b+𝕩}\n¶b←1', True)]:
        with Editor(bqn) as editor:
            text, places = editor.open(marked)
            to, at = places if later is False else reversed(places) if later else (places[0], {'line': 1, 'character': 0})
            found = editor.ask_at('definition', at)
            report.check(found and found['range']['start'] == to, f'definition in {marked!r}', found)
    with Editor(bqn) as editor:
        _, places = editor.open('¶1¶+¶2 ⋄ •Out¶ "a ¶b"')
        for place in places:
            report.check(editor.ask_at('definition', place) is None, f'nothing is defined at {place}')


def uses(bqn, report):
    with Editor(bqn) as editor:
        text, places = editor.open('a←1\nF←{a+𝕩}\na↩F ¶a_\n{a←5}')
        found = editor.ask_at('references', places[0], context={'includeDeclaration': True})
        report.check([(r['range']['start']['line'], r['range']['start']['character']) for r in found] == [(0, 0), (1, 3), (2, 0), (2, 4)],
                     'all uses of a name, and no others', found)
        found = editor.ask_at('references', places[0], context={'includeDeclaration': False})
        report.check(len(found) == 3, 'uses without the definition', found)
        found = editor.ask_at('documentHighlight', places[0])
        report.check([r['kind'] for r in found] == [3, 2, 3, 2], 'highlights tell writing from reading', found)


def rename(bqn, report):
    for marked, name, wanted in [
            ('¶a←1 ⋄ b←a+a_', 'count', 'count←1 ⋄ b←count+count'),
            ('¶Sum←{+´𝕩} ⋄ Sum⊸+¨sum', 'add_up', 'Add_up←{+´𝕩} ⋄ Add_up⊸+¨add_up'),
            ('_¶m←{𝔽𝕩} ⋄ -_m 3', 'Twice', '_Twice←{𝔽𝕩} ⋄ -_Twice 3'),
            ('_m_←{𝔽𝔾𝕩} ⋄ -_m¶_÷ 3', 'both', '_both_←{𝔽𝔾𝕩} ⋄ -_both_÷ 3'),
            ('¶x←1 ⋄ "𝕩𝕩"∾"é"‿x', 'y', 'y←1 ⋄ "𝕩𝕩"∾"é"‿y'),
            ('¶a⇐1 ⋄ a', 'A_', 'a⇐1 ⋄ a')]:
        with Editor(bqn) as editor:
            text, places = editor.open(marked)
            found = editor.ask_whole('textDocument/rename', {'textDocument': {'uri': 'file:///a.bqn'}, 'position': places[0], 'newName': name})
            if report.check('result' in found, f'{marked} is renamed', found):
                after = applied(text, found['result']['changes']['file:///a.bqn'])
                report.check(after == wanted, f'{marked} renamed to {name}', after)


def refused(bqn, report):
    for marked, name, why in [
            ('¶a←1 ⋄ b←2 ⋄ a+b', 'b', 'Another definition'),
            ('b←2 ⋄ f←{¶a←1 ⋄ a+b}', 'b', 'Another definition'),
            ('¶a←1 ⋄ f←{b←1 ⋄ a+b}', 'b', 'Another definition'),
            ('¶a⇐1', 'b', 'exported'),
            ('¶a←1', '1b', 'letter'), ('¶a←1', '', 'letter'), ('¶a←1', 'a b', 'letter'), ('¶a←1', '__', 'letter'),
            ('¶a←1\na 2 3', 'b', 'line 2'),
            ('1¶+1', 'b', 'No name')]:
        with Editor(bqn) as editor:
            _, places = editor.open(marked)
            found = editor.ask_whole('textDocument/rename', {'textDocument': {'uri': 'file:///a.bqn'}, 'position': places[0], 'newName': name})
            report.check('error' in found and why in found['error']['message'], f'{marked} is not renamed to {name!r}', found)
    with Editor(bqn) as editor:
        _, places = editor.open('¶Sum←{+´𝕩} ⋄ Sum 1 ⋄ 3¶+4')
        found = editor.ask_at('prepareRename', places[0])
        report.check(found and found['placeholder'] == 'Sum' and found['range']['end']['character'] == 3, 'what may be renamed is told', found)
        report.check(editor.ask_at('prepareRename', places[1]) is None, 'a glyph may not be renamed')


def formatting(bqn, report):
    for text, wanted in [
            ('fooBar←1 ⋄ foo_bar+FOOBAR', 'fooBar←1 ⋄ fooBar+FooBar'),
            ('SumUp←{+´𝕩} ⋄ Sumup↕3 ⋄ S_um_up⊸+¨sumUP', 'SumUp←{+´𝕩} ⋄ SumUp↕3 ⋄ SumUp⊸+¨sumUp'),
            ('•OUT "a" ⋄ •fILE.at "b"  # •OUT', '•Out "a" ⋄ •file.at "b"  # •OUT'),
            ('_Each←{𝔽¨𝕩} ⋄ -_EACH 1‿2', '_Each←{𝔽¨𝕩} ⋄ -_Each 1‿2'),
            ('ns←{Get⇐{𝕩}} ⋄ ns.GET 3', 'ns←{Get⇐{𝕩}} ⋄ ns.Get 3'),
            ('a  ←  1   # untouched \n\n\n  A+1', 'a  ←  1   # untouched \n\n\n  A+1'),
            ('a←1 2 3', 'a←1 2 3'), ('', '')]:
        with Editor(bqn) as editor:
            editor.open(text)
            edits = editor.ask('textDocument/formatting', {'textDocument': {'uri': 'file:///a.bqn'}, 'options': {'tabSize': 2, 'insertSpaces': True}})
            report.check(applied(text, edits) == wanted, f'{text!r} formatted', applied(text, edits))


def run(bqn, report):
    for part in (definition, uses, rename, refused, formatting):
        part(bqn, report)
