"""What the server tells of a text: its errors, what stands at a place, what may stand there, and its colours."""
from editor import Editor

URI = 'file:///a.bqn'


def errors(bqn, report):
    with Editor(bqn) as editor:
        editor.open('a←1\n"𝕩"∾alhpa ⋄ alpha←2\nb←•mahts\n1 2')
        found = editor.errors()
        places = [(e['range']['start']['line'], e['range']['start']['character'], e['range']['end']['character']) for e in found]
        report.check(places == [(1, 5, 10), (2, 2, 8), (3, 0, 3)], 'each error has its place', found)
        report.check('alpha' in found[0]['message'] and 'Hint' in found[0]['message'], 'an error has its hint', found)
        editor.tell('textDocument/didChange', {'textDocument': {'uri': URI, 'version': 2}, 'contentChanges': [
            {'range': {'start': {'line': 3, 'character': 1}, 'end': {'line': 3, 'character': 1}}, 'text': '‿2'},
            {'range': {'start': {'line': 1, 'character': 4}, 'end': {'line': 2, 'character': 8}}, 'text': ''}]})
        found = editor.errors()
        report.check(len(found) == 1 and 'missing ‿' in found[0]['message'], 'changes of pieces apply one after the other', found)
        editor.tell('textDocument/didChange', {'textDocument': {'uri': URI, 'version': 3}, 'contentChanges': [{'text': '1+1'}]})
        report.check(editor.errors() == [], 'no error is left')
        editor.tell('textDocument/didChange', {'textDocument': {'uri': URI, 'version': 4}, 'contentChanges': [{'text': ')'}]})
        report.check(len(editor.errors()) == 1, 'an error comes back')
        editor.tell('textDocument/didClose', {'textDocument': {'uri': URI}})
        report.check(editor.errors() == [], 'a text that is closed has no errors')


def hover(bqn, report):
    with Editor(bqn) as editor:
        _, places = editor.open('# how many\n# there are\ncount←{¶≠𝕩}\n•Out¶ •Fmt ¶count 3‿¶4 ⋄ •math.¶Sin 1')
        texts = [(editor.ask_at('hover', place) or {}).get('contents', {}).get('value', '') for place in places]
        report.check('Length, Not Equals' in texts[0] and '`\\/`' in texts[0], 'a glyph has its page', texts[0])
        report.check('•Out' in texts[1], 'a system value has its page, also at its end', texts[1])
        report.check(texts[2] == '', 'nothing is said of what is not known', texts[2])
        report.check(texts[3] == '', 'nothing is said of a number', texts[3])
        report.check('•math' in texts[4], 'a field of the system has the page of its namespace', texts[4])
        _, places = editor.open('# how many\n# there are\nCount←{≠𝕩}\n1+¶Count "ab"')
        found = editor.ask_at('hover', places[0])
        text = found['contents']['value']
        report.check('Count←{≠𝕩}' in text and 'how many\nthere are' in text and 'function' in text and 'line 3' in text, 'a name has its definition', text)
        report.check(found['range'] == {'start': {'line': 3, 'character': 2}, 'end': {'line': 3, 'character': 7}}, 'a hover has its range', found)


def proposals(bqn, report):
    def labels(marked):
        with Editor(bqn) as editor:
            _, places = editor.open(marked)
            return {item['label']: item for item in editor.ask_at('completion', places[0])}
    found = labels('alpha←1 ⋄ F←{beta←𝕩 ⋄ al¶}')
    report.check({'alpha', 'F', 'beta'} <= set(found), 'names in scope are proposed', found)
    report.check('function' in found['F']['detail'] and found['F']['kind'] == 3, 'a proposal says what it is', found)
    report.check(found['alpha']['textEdit']['range']['start']['character'] == 23, 'a proposal replaces what is typed', found['alpha'])
    found = labels('F←{beta←𝕩 ⋄ beta}\nal¶')
    report.check('beta' not in found and 'F' in found, 'names of other blocks are not', found)
    found = labels('ns←{field⇐1 ⋄ hidden←2 ⋄ Get⇐{inner⇐𝕩}}\nns.¶')
    report.check(set(found) == {'field', 'Get'}, 'fields of a block are proposed', found)
    found = labels('•math.S¶')
    report.check('Sin' in found, 'fields of the system are proposed', found)
    found = labels('"a"∾•¶')
    report.check('•Out' in found and '•math' in found and found['•Out']['textEdit']['range']['start']['character'] == 4, 'system values are proposed', found)
    found = labels('1 \\q¶')
    report.check(found['⌽']['filterText'] == '\\q' and found['⌽']['textEdit']['range']['start']['character'] == 2, 'keys propose glyphs', found)
    report.check(len(labels('\\¶')) > 70, 'a backslash proposes all glyphs')
    report.check(labels('a←1 ⋄ "a¶"') == {}, 'nothing is proposed in a string')
    report.check(labels('a←1 # a¶') == {}, 'nothing is proposed in a comment')


def symbols(bqn, report):
    text = 'a‿b←1‿2\nF←{𝕊arg: helper←𝕩 ⋄ Inner←{𝕩}}\nns←{f⇐1}\n_m←{𝔽}'
    nests = {'textDocument': {'documentSymbol': {'hierarchicalDocumentSymbolSupport': True}}}
    with Editor(bqn, nests) as editor:
        editor.open(text)

        def names(items):
            return [(i['name'], i['kind'], names(i['children'])) if i.get('children') else (i['name'], i['kind']) for i in items]
        found = editor.ask('textDocument/documentSymbol', {'textDocument': {'uri': URI}})
        report.check(names(found) == [('a', 13), ('b', 13), ('F', 12, [('helper', 13), ('Inner', 12)]), ('ns', 3, [('f', 13)]), ('_m', 25)],
                     'symbols lie within each other', found)
    with Editor(bqn) as editor:
        editor.open(text)
        found = editor.ask('textDocument/documentSymbol', {'textDocument': {'uri': URI}})
        report.check([i['name'] for i in found] == ['a', 'b', 'F', 'helper', 'Inner', 'ns', 'f', '_m'] and 'location' in found[0], 'or in a list', found)


def colours(bqn, report):
    with Editor(bqn) as editor:
        legend = editor.start['capabilities']['semanticTokensProvider']['legend']['tokenTypes']
        editor.open('F←{"𝕩\nb"∾𝕩+´1} # c\n_m F 2')
        data = editor.ask('textDocument/semanticTokens/full', {'textDocument': {'uri': URI}})['data']
        line = character = 0
        found = []
        for i in range(0, len(data), 5):
            line, character = line + data[i], data[i + 1] + (0 if data[i] else character)
            found.append((line, character, data[i + 2], legend[data[i + 3]]))
        report.check(found == [
            (0, 0, 1, 'function'), (0, 1, 1, 'operator'), (0, 2, 1, 'operator'), (0, 3, 3, 'string'), (1, 0, 2, 'string'), (1, 2, 1, 'function'),
            (1, 3, 2, 'parameter'), (1, 5, 1, 'function'), (1, 6, 1, 'macro'), (1, 7, 1, 'number'), (1, 8, 1, 'operator'), (1, 10, 3, 'comment'),
            (2, 0, 2, 'macro'), (2, 3, 1, 'function'), (2, 5, 1, 'number')], 'tokens have their roles, in each line', found)


def run(bqn, report):
    for part in (errors, hover, proposals, symbols, colours):
        part(bqn, report)
