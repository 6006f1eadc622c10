"""Drives a headless Chromium by the protocol of its developer tools, over two pipes: nothing but Python's own library is needed."""
import base64
import functools
import http.server
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time


def find_chromium():
    for name in ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'):
        found = shutil.which(name)
        if found:
            return found
    return None


class Browser:
    """A browser process. Its pages are made by `page`."""

    def __init__(self, executable, patience=60):
        self.patience = patience
        self.folder = tempfile.mkdtemp(prefix='griddle-browser-')
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()

        def place_pipes():
            # The browser reads from 3 and writes to 4; neither end may be closed by taking the place of the other.
            low, high = os.dup(commands), os.dup(answers)
            os.dup2(low, 3)
            os.dup2(high, 4)

        self.process = subprocess.Popen(
            [executable, '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--no-first-run',
             '--allow-file-access-from-files=false', '--remote-debugging-pipe', f'--user-data-dir={self.folder}', 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=place_pipes)
        os.close(commands)
        os.close(answers)
        self.buffer = b''
        self.count = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, parameters=None, session=None):
        self.count += 1
        message = {'id': self.count, 'method': method, 'params': parameters or {}}
        if session:
            message['sessionId'] = session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            answer = self._next()
            if answer.get('id') != self.count:
                self.events.append(answer)
                continue
            if 'error' in answer:
                raise RuntimeError(f'{method}: {answer["error"]}')
            return answer['result']

    def _next(self):
        while b'\0' not in self.buffer:
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise RuntimeError('the browser has ended')
            self.buffer += piece
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def page(self, address, width=1100, height=760):
        return Page(self, address, width, height)


class Page:
    """A tab, with what a person does to it."""

    def __init__(self, browser, address, width, height):
        self.browser = browser
        target = browser.call('Target.createTarget', {'url': 'about:blank'})['targetId']
        self.target = target
        self.session = browser.call('Target.attachToTarget', {'targetId': target, 'flatten': True})['sessionId']
        self.call('Page.enable')
        self.call('Runtime.enable')
        self.call('Emulation.setDeviceMetricsOverride', {'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': False})
        self.call('Page.navigate', {'url': address})

    def call(self, method, parameters=None):
        return self.browser.call(method, parameters, self.session)

    def close(self):
        self.browser.call('Target.closeTarget', {'targetId': self.target})

    def value(self, expression):
        """Evaluates JavaScript, and waits for what it promises."""
        given = self.call('Runtime.evaluate', {'expression': expression, 'awaitPromise': True, 'returnByValue': True})
        if 'exceptionDetails' in given:
            details = given['exceptionDetails']
            raise RuntimeError(details.get('exception', {}).get('description') or details['text'])
        return given['result'].get('value')

    def wait(self, condition, patience=None):
        """Waits until an expression of JavaScript is true. Tells whether it became so."""
        end = time.monotonic() + (patience or self.browser.patience)
        while time.monotonic() < end:
            if self.value(f'Boolean({condition})'):
                return True
            time.sleep(0.05)
        return False

    def click(self, selector):
        x, y = self.middle(selector)
        for kind in ('mousePressed', 'mouseReleased'):
            self.call('Input.dispatchMouseEvent', {'type': kind, 'x': x, 'y': y, 'button': 'left', 'clickCount': 1})

    def point_at(self, selector):
        x, y = self.middle(selector)
        self.call('Input.dispatchMouseEvent', {'type': 'mouseMoved', 'x': x, 'y': y})

    def middle(self, selector):
        box = self.value(f'(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();'
                         ' return [b.left + b.width / 2, b.top + b.height / 2]; })()')
        return box[0], box[1]

    def press(self, key, modifiers=0):
        """Presses one key; modifiers: 2 is Ctrl."""
        text = {'text': key} if len(key) == 1 and modifiers == 0 else {}
        code = {'Enter': 13, 'Escape': 27, 'a': 65, 'Backspace': 8}.get(key, ord(key[0]))
        self.call('Input.dispatchKeyEvent', {'type': 'keyDown', 'key': key, 'windowsVirtualKeyCode': code, 'modifiers': modifiers, **text})
        self.call('Input.dispatchKeyEvent', {'type': 'keyUp', 'key': key, 'windowsVirtualKeyCode': code, 'modifiers': modifiers})

    def insert(self, text):
        """Types text where the cursor is."""
        self.call('Input.insertText', {'text': text})

    def picture(self):
        """Gives the bytes of a PNG file of what the tab shows."""
        return base64.b64decode(self.call('Page.captureScreenshot', {'format': 'png'})['data'])


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class FolderServer:
    """Hands out the files of a folder, as any server of static files does."""

    def __init__(self, folder):
        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(QuietHandler, directory=folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f'http://127.0.0.1:{self.server.server_port}/'

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
