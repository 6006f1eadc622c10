"""The kernel for Jupyter: installed by its command, and driven by the clients that notebooks use. Left out where these are not installed."""
import base64
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

MISSING = [name for name in ('ipykernel', 'jupyter_client', 'nbclient', 'nbformat') if not importlib.util.find_spec(name)]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def setUpModule():
    if MISSING:
        return
    global folder
    folder = tempfile.TemporaryDirectory()
    os.environ.update(HOME=folder.name, JUPYTER_DATA_DIR=os.path.join(folder.name, 'data'), JUPYTER_RUNTIME_DIR=os.path.join(folder.name, 'run'),
                      JUPYTER_CONFIG_DIR=os.path.join(folder.name, 'config'), IPYTHONDIR=os.path.join(folder.name, 'ipython'), JUPYTER_PLATFORM_DIRS='0',
                      PYDEVD_DISABLE_FILE_VALIDATION='1')  # its warnings would stand between the lines of the tests
    done = subprocess.run([sys.executable, '-m', 'griddle.kernel', 'install'], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def tearDownModule():
    if not MISSING:
        folder.cleanup()


@unittest.skipIf(MISSING, f'not installed: {", ".join(MISSING)}')
class Notebooks(unittest.TestCase):
    def run_cells(self, *cells, fails=False):
        """Runs a notebook; gives what each cell shows."""
        import nbformat
        from nbclient import NotebookClient
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        NotebookClient(notebook, kernel_name='bqn', timeout=60, allow_errors=fails).execute()
        return [cell.outputs for cell in notebook.cells]

    def test_values_and_names(self):
        outputs = self.run_cells('a←↕3', 'a+1', '1+1;', 'b←2 ⋄ a×b', '# nothing', '"x"∾"é𝕩"', '•Out "printed"\n•term.Err "told"')
        self.assertEqual(outputs[0], [])
        self.assertEqual(outputs[1][0].data['text/plain'], '⟨ 1 2 3 ⟩')
        self.assertEqual(outputs[2], [])
        self.assertEqual(outputs[3][0].data['text/plain'], '⟨ 0 2 4 ⟩')
        self.assertEqual(outputs[4], [])
        self.assertEqual(outputs[5][0].data['text/plain'], '"xé𝕩"')
        self.assertEqual({(o.name, o.text) for o in outputs[6] if o.output_type == 'stream'}, {('stdout', 'printed\n'), ('stderr', 'told\n')})

    def test_pictures(self):
        outputs = self.run_cells('•plot.Line ×˜↕11', 'p←•plot.Bar 1‿2', 'p', '5‿5⥊"x"')
        for output in (outputs[0][0], outputs[2][0]):
            self.assertTrue(base64.b64decode(output.data['image/png']).startswith(b'\x89PNG'))
            self.assertIn('┤', output.data['text/plain'])
        self.assertEqual(outputs[1], [])
        self.assertNotIn('image/png', outputs[3][0].data)

    def test_errors(self):
        outputs = self.run_cells('"a"+"b"', 'a←1\nb←a+c', '1', fails=True)
        self.assertEqual(outputs[0][0].output_type, 'error')
        self.assertIn('(cell 1)', '\n'.join(outputs[0][0].traceback))
        self.assertEqual(outputs[1][0].evalue, 'Undefined identifier')
        self.assertIn('^', '\n'.join(outputs[1][0].traceback))
        self.assertEqual(outputs[2][0].data['text/plain'], '1')

    def test_large_values_are_cut(self):
        outputs = self.run_cells('↕10⋆7')
        self.assertLess(len(outputs[0][0].data['text/plain']), 10_000)
        self.assertIn('…', outputs[0][0].data['text/plain'])


@unittest.skipIf(MISSING, f'not installed: {", ".join(MISSING)}')
class Requests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from jupyter_client.manager import start_new_kernel
        cls.manager, cls.client = start_new_kernel(kernel_name='bqn')
        cls.client.execute_interactive('alpha←3‿4⥊↕12 ⋄ Beta←{𝕩+1} ⋄ ns←{field⇐5 ⋄ Get⇐{𝕩}}', timeout=60)

    @classmethod
    def tearDownClass(cls):
        cls.client.stop_channels()
        cls.manager.shutdown_kernel()

    def ask(self, method, *arguments):
        return getattr(self.client, method)(*arguments, reply=True, timeout=60)['content']

    def reply_to(self, asked):
        reply = self.client.get_shell_msg(timeout=60)
        while reply['parent_header'].get('msg_id') != asked:
            reply = self.client.get_shell_msg(timeout=60)
        return reply['content']

    def matches(self, code):
        found = self.ask('complete', code, len(code))
        return [code[:found['cursor_start']] + match for match in found['matches']]

    def test_completion(self):
        self.assertEqual(self.matches('1+al'), ['1+alpha'])
        self.assertEqual(self.matches('bE'), ['Beta'])
        self.assertIn('gamma', self.matches('gamma←1 ⋄ gam')[0])
        self.assertEqual(self.matches('ns.f'), ['ns.field'])
        self.assertIn('•Out', self.matches('•Ou'))
        self.assertIn('•math.Sin', self.matches('•math.s'))
        self.assertIn('•file.MapBytes', self.matches('•file.mapb'))
        self.assertEqual(self.matches('ns.g'), ['ns.Get'])
        self.assertEqual(self.matches('a\\q'), ['a⌽'])
        self.assertGreater(len(self.matches('\\')), 70)
        self.assertEqual(self.matches('nosuch.x'), [])
        self.assertEqual(self.matches(''), [])

    def test_keys(self):
        kernel = importlib.import_module('griddle.kernel')
        with open(os.path.join(ROOT, 'repl', 'glyph_keys.cc'), encoding='utf8') as file:
            rows = re.findall(r'^ *\{(U".*")\},', file.read(), re.M)
        known = {}
        for row in rows:
            texts = [re.sub(r'\\(.)', r'\1', text) for text in re.findall(r'U"((?:\\.|[^"\\])*)"', row)]
            known.update((key, glyph) for keys, glyphs in (texts[:2], texts[2:]) for key, glyph in zip(keys, glyphs) if glyph != ' ')
        self.assertEqual(kernel.GLYPHS, known)

    def test_inspection(self):
        found = self.ask('inspect', 'alpha+1', 2)
        self.assertTrue(found['found'])
        self.assertIn('alpha: value, shape 3‿4', found['data']['text/plain'])
        self.assertIn('function', self.ask('inspect', 'Beta 3', 4)['data']['text/plain'])
        self.assertIn('5', self.ask('inspect', 'ns.field', 8)['data']['text/plain'])
        self.assertIn('namespace', self.ask('inspect', '•math', 3)['data']['text/plain'])
        self.assertFalse(self.ask('inspect', 'nosuch', 3)['found'])
        self.assertFalse(self.ask('inspect', '1+⌽', 3)['found'])

    def test_unfinished_cells(self):
        for code, status in (('{1', 'incomplete'), ('"abc', 'incomplete'), ('⟨1\n2', 'incomplete'), ('1+1', 'complete'), ('', 'complete'), ('1 2', 'complete')):
            asked = self.client.is_complete(code)
            self.assertEqual(self.reply_to(asked)['status'], status, code)

    def test_interrupt(self):
        waiting = self.client.execute('1•_while_⊢ 1', stop_on_error=False)
        while self.client.get_iopub_msg(timeout=60)['content'].get('execution_state') != 'busy':
            pass
        time.sleep(0.5)  # the message says that the cell begins, and not that BQN computes
        self.manager.interrupt_kernel()
        self.assertEqual(self.reply_to(waiting)['ename'], 'Interrupted')
        self.assertEqual(self.client.execute_interactive('Beta 3', timeout=60, output_hook=lambda _: None)['content']['status'], 'ok')

    def test_input(self):
        shown = []
        self.client.execute_interactive('•Out⌽•GetLine@', timeout=60, allow_stdin=True, stdin_hook=lambda _: self.client.input('abc'),
                                        output_hook=lambda message: shown.append(message['content'].get('text', '')))
        self.assertIn('cba\n', ''.join(shown))


if __name__ == '__main__':
    unittest.main()
