"""An editor as far as the language server sees one."""
import contextlib
import json
import queue
import subprocess
import threading

MARK = '¶'


def encoded(message):
    """Gives a message as it travels."""
    text = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b'Content-Length: %d\r\n\r\n' % len(text) + text


def utf16_place(text, index):
    before = text[:index]
    start = before.rfind('\n') + 1
    return {'line': before.count('\n'), 'character': len(before[start:].encode('utf-16-le')) // 2}


class Editor:
    """Starts a server; use it with `with`. Each answer is waited for: a server that hangs fails by the patience of the queue."""

    patience = 60

    def __init__(self, bqn, capabilities=None, arguments=(), initialize=True):
        self.server = subprocess.Popen([bqn, '--lsp', *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.messages, self.notes, self.last_id, self.strays = queue.Queue(), [], 0, b''
        threading.Thread(target=self._listen, daemon=True).start()
        self.start = initialize and self.ask('initialize', {'processId': None, 'rootUri': None, 'capabilities': capabilities or {}})
        if initialize:
            self.tell('initialized', {})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.wait()
        for stream in (self.server.stdin, self.server.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def _listen(self):
        out = self.server.stdout
        while line := out.readline():
            length = None
            while line not in (b'\r\n', b''):
                name, _, value = line.partition(b':')
                if name != b'Content-Length':
                    self.strays += line
                else:
                    length = int(value)
                line = out.readline()
            if length is not None:
                self.messages.put(json.loads(out.read(length)))
        self.messages.put(None)

    def send(self, message):
        self.send_bytes(encoded(message))

    def send_bytes(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def tell(self, method, parameters):
        self.send({'jsonrpc': '2.0', 'method': method, 'params': parameters})

    def next(self):
        """Gives the next message; None where the server has ended."""
        return self.messages.get(timeout=self.patience)

    def answer(self, wanted):
        """Gives the whole answer to a request, and keeps what comes before it."""
        for message in self.notes:
            if 'method' not in message and message.get('id') == wanted:
                return message
        while (message := self.next()) is not None:
            if 'method' not in message and message.get('id') == wanted:
                return message
            self.notes.append(message)
        raise EOFError('the server has ended')

    def ask_whole(self, method, parameters):
        self.last_id += 1
        self.send({'jsonrpc': '2.0', 'id': self.last_id, 'method': method, 'params': parameters})
        return self.answer(self.last_id)

    def ask(self, method, parameters):
        return self.ask_whole(method, parameters).get('result')

    def open(self, marked, uri='file:///a.bqn'):
        """Opens a text; gives it, and the places of the marks in it."""
        pieces = marked.split(MARK)
        text = ''.join(pieces)
        ends = [sum(map(len, pieces[:i + 1])) for i in range(len(pieces) - 1)]
        self.tell('textDocument/didOpen', {'textDocument': {'uri': uri, 'languageId': 'bqn', 'version': 1, 'text': text}})
        return text, [utf16_place(text, end) for end in ends]

    def errors(self, uri='file:///a.bqn'):
        """Waits for what the server tells of errors in a text."""
        while (message := self.next()) is not None:
            if message.get('method') == 'textDocument/publishDiagnostics' and message['params']['uri'] == uri:
                return message['params']['diagnostics']
        raise EOFError('the server has ended')

    def ask_at(self, method, place, uri='file:///a.bqn', **more):
        return self.ask('textDocument/' + method, {'textDocument': {'uri': uri}, 'position': place, **more})

    def end(self):
        """Ends the server as an editor does; gives its exit status."""
        self.ask('shutdown', None)
        self.tell('exit', None)
        return self.server.wait(self.patience)


def applied(text, edits):
    """Gives a text after edits."""
    starts = [0]
    for line in text.split('\n'):
        starts.append(starts[-1] + len(line) + 1)

    def index(place):
        line = text[starts[place['line']]:starts[place['line'] + 1] - 1]
        return starts[place['line']] + len(line.encode('utf-16-le')[:2 * place['character']].decode('utf-16-le'))
    for edit in sorted(edits, key=lambda e: index(e['range']['start']), reverse=True):
        text = text[:index(edit['range']['start'])] + edit['newText'] + text[index(edit['range']['end']):]
    return text
