"""What a bad or hasty editor sends, and how all ends."""
import os
import subprocess

from editor import Editor, encoded

URI = 'file:///a.bqn'


def life(bqn, report):
    with Editor(bqn) as editor:
        report.check(editor.start['serverInfo']['name'] == 'Griddle' and editor.start['capabilities']['positionEncoding'] == 'utf-16', 'the server says what it is', editor.start)
        report.check(editor.end() == 0, 'an end that was asked for has status 0')
        report.check(editor.strays == b'', 'nothing but messages is written', editor.strays)
        report.check(editor.server.stderr.read() == b'', 'nothing is written as an error')
    with Editor(bqn) as editor:
        editor.tell('exit', None)
        report.check(editor.server.wait(60) == 1, 'an end that was not asked for has status 1')
    with Editor(bqn) as editor:
        editor.server.stdin.close()
        report.check(editor.server.wait(60) == 1, 'an editor that is gone ends the server')
    with Editor(bqn, initialize=False) as editor:
        found = editor.ask_whole('textDocument/hover', {})
        report.check(found['error']['code'] == -32002, 'requests before the first one are refused', found)
        editor.tell('textDocument/didOpen', {'textDocument': {'uri': URI, 'text': ')'}})
        report.check('result' in editor.ask_whole('initialize', {'capabilities': {}}), 'what comes too early does no harm')
        report.check(editor.ask_whole('initialize', {'capabilities': {}})['error']['code'] == -32600, 'a second start is refused')
        editor.ask('shutdown', None)
        report.check(editor.ask_whole('textDocument/hover', {})['error']['code'] == -32600, 'requests after the end are refused')
    done = subprocess.run([bqn, '--lsp', '-e', '1'], stdin=subprocess.DEVNULL, capture_output=True)
    report.check(done.returncode == 1 and b'--lsp' in done.stderr, 'a server runs no programs', done)


def mistakes(bqn, report):
    with Editor(bqn) as editor:
        for bad in (b'{', b'', b'{"a":}', b'[1,]', b'"\xff"', b'{"a":1}x', b'[' * 5000):
            editor.send_bytes(encoded(bad))
            found = editor.next()
            report.check(found['error']['code'] == -32700 and found['id'] is None, f'{bad[:9]!r} is no JSON', found)
        for bad in (b'3', b'[]', b'{}', b'{"id":1}', b'{"id":1,"method":3}'):
            editor.send_bytes(encoded(bad))
            report.check(editor.next()['error']['code'] == -32600, f'{bad!r} is no request')
        report.check(editor.ask_whole('no/such', {})['error']['code'] == -32601, 'unknown methods are refused')
        editor.tell('$/unknown', {})
        editor.tell('workspace/unknown', {})
        report.check(editor.ask_whole('textDocument/hover', {'textDocument': {'uri': 'file:///closed'}, 'position': {}})['error']['code'] == -32602,
                     'a text must be open')
        for parameters in (None, 3, [], {'textDocument': 3}, {'textDocument': {'uri': 3}}):
            report.check('error' in editor.ask_whole('textDocument/definition', parameters), f'{parameters} are no parameters')
        editor.open('a←1')
        for place in ({'line': 9, 'character': 9}, {'line': -1, 'character': -5}, {'line': 1e300, 'character': 0.5}, {'line': 'x'}, None):
            report.check('result' in editor.ask_whole('textDocument/hover', {'textDocument': {'uri': URI}, 'position': place}), f'{place} is some place')
        editor.tell('textDocument/didChange', {'textDocument': {'uri': URI}, 'contentChanges': [
            {'range': {'start': {'line': 5, 'character': 5}, 'end': {'line': 0, 'character': 0}}, 'text': ' '}, {}, 3]})
        report.check('result' in editor.ask_whole('textDocument/hover', {'textDocument': {'uri': URI}, 'position': {'line': 0, 'character': 0}}), 'senseless changes do no harm')
        report.check(editor.end() == 0, 'the server has outlived all that')
    for header in (b'Content-Length: x\r\n\r\n', b'Nothing\r\n\r\n', b'Content-Length: 99999999999999\r\n\r\n', b'x' * 100000):
        with Editor(bqn) as editor:
            editor.send_bytes(header)
            report.check(editor.server.wait(60) == 1, f'{header[:20]!r} ends the server')


def hurry(bqn, report):
    hover = {'textDocument': {'uri': URI}, 'position': {'line': 0, 'character': 0}}
    with Editor(bqn) as editor:
        text = '\n'.join(f'name{i}←{i}+name{max(i - 1, 0)}' for i in range(20000)).replace('+name0', '', 1)
        editor.open(text)
        # All in one piece, so that the server finds the requests before it comes to the first.
        batch = encoded({'jsonrpc': '2.0', 'method': 'textDocument/didChange', 'params': {'textDocument': {'uri': URI}, 'contentChanges': [{'text': text + '\n1'}]}})
        for i in range(100, 110):
            batch += encoded({'jsonrpc': '2.0', 'id': i, 'method': 'textDocument/hover', 'params': hover})
        batch += encoded({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': 109}})
        batch += encoded({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': 'unknown'}})
        editor.send_bytes(batch)
        answers = [editor.answer(i) for i in range(100, 110)]
        report.check(all('result' in a for a in answers[:9]) and answers[9]['error']['code'] == -32800, 'a request is cancelled before its turn', answers[-1])
    with Editor(bqn) as editor:
        editor.open('1')
        editor.errors()
        message = encoded({'jsonrpc': '2.0', 'id': 'a "b"', 'method': 'textDocument/hover', 'params': hover})
        for i in range(len(message)):
            editor.send_bytes(message[i:i + 1])
        report.check(editor.answer('a "b"')['result'] is None, 'a message may come byte by byte; an id may be a text')
        text = b'{"id":9,"method":"no"}'
        editor.send_bytes(b'content-length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s' % (len(text), text))
        report.check(editor.answer(9)['error']['code'] == -32601, 'a header may have other fields, and small letters')
    with Editor(bqn) as editor:
        changes = b''.join(encoded({'jsonrpc': '2.0', 'method': 'textDocument/didChange', 'params': {'textDocument': {'uri': URI}, 'contentChanges': [{'text': ')' * i}]}})
                           for i in range(50))
        editor.open('1')
        editor.errors()
        editor.send_bytes(changes + encoded({'jsonrpc': '2.0', 'id': 7, 'method': 'textDocument/hover', 'params': hover}))
        editor.answer(7)
        report.check(len(editor.errors()) > 0, 'what is typed fast is read in the end')
        report.check(len([n for n in editor.notes if n.get('method') == 'textDocument/publishDiagnostics']) < 49, 'and not each time', len(editor.notes))


def deaf(bqn, report):
    """Nobody reads what the server writes."""
    reading, writing = os.pipe()
    os.close(reading)
    server = subprocess.Popen([bqn, '--lsp'], stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    server.stdin.write(encoded({'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': {}}))
    server.stdin.flush()
    report.check(server.wait(60) == 1 and server.stderr.read() == b'', 'a server that nobody hears ends')
    server.stdin.close()


def units(bqn, report):
    text = '"𝕩é"∾¶name←"a"\nname'
    for offered, chosen, character in (([], 'utf-16', 6), (['utf-32', 'utf-8'], 'utf-8', 11), (['utf-16'], 'utf-16', 6)):
        with Editor(bqn, {'general': {'positionEncodings': offered}}) as editor:
            report.check(editor.start['capabilities']['positionEncoding'] == chosen, f'of {offered} {chosen} is chosen')
            editor.open(text)
            found = editor.ask_at('definition', {'line': 1, 'character': 2})
            report.check(found['range']['start'] == {'line': 0, 'character': character}, f'places in {chosen}', found)


def large(bqn, report):
    with Editor(bqn) as editor:
        editor.open('a←1\n' + '"' + 'x' * 5_000_000 + '"\n' + 'a+1\n' * 100_000)
        report.check(editor.errors() == [], 'a text of some megabytes')
        found = editor.ask('textDocument/references', {'textDocument': {'uri': URI}, 'position': {'line': 0, 'character': 0}, 'context': {'includeDeclaration': True}})
        report.check(len(found) == 100_001, 'and its names', len(found))
        editor.open('(' * 1_000_000)
        report.check(len(editor.errors()) >= 1, 'a text that is nested very deeply')
        editor.open('{' * 20_000 + '1' + '}' * 20_000)
        report.check(isinstance(editor.errors(), list), 'or whose blocks are')
    with Editor(bqn, arguments=['-M', '16']) as editor:
        editor.open('a+' * 3_000_000)
        found = editor.errors()
        report.check(len(found) == 1 and 'emory' in found[0]['message'], 'a text for which there is no memory', found)
        editor.open('1 2')
        report.check(len(editor.errors()) == 1, 'the next one is read')


def run(bqn, report):
    for part in (life, mistakes, hurry, deaf, units, large):
        part(bqn, report)
