"""Interpreters: sessions, options, failures, functions of Python, interrupts and threads."""
import gc
import io
import os
import resource
import signal
import sys
import threading
import time
import types
import unittest

import numpy as np

import griddle

FOREVER = '{𝕊:1}•_while_(1˙)0'


class Sessions(unittest.TestCase):
    def test_names_stay(self):
        bqn = griddle.Interpreter()
        self.assertEqual(bqn.run('a←5'), 5)
        self.assertIsNone(bqn.run('# nothing'))
        self.assertEqual(bqn.run('a+1'), 6)
        bqn.define('Triple', lambda x: 3 * x)
        bqn.define('numbers', [1, 2, 3])
        self.assertEqual(bqn.run('+´Triple numbers'), 18)
        self.assertEqual(bqn.names(), ['a', 'Triple', 'numbers'])
        with self.assertRaises(griddle.Error):
            bqn.define('no name', 1)
        with self.assertRaises(griddle.Error):
            griddle.Interpreter().run('a')

    def test_text_is_kept(self):
        bqn = griddle.Interpreter()
        for i in range(2000):
            self.assertEqual(bqn.eval(f'{{𝕩+{i}}}', 1), i + 1)
        self.assertEqual(bqn.eval('{𝕩+1}', 1), 2)

    def test_version(self):
        self.assertRegex(griddle.__version__, r'^\d+\.\d+\.\d+$')


class Failures(unittest.TestCase):
    def test_places(self):
        with self.assertRaises(griddle.Error) as caught:
            griddle.eval('F←{𝕩+"ab"‿1}\nG←{1+F 𝕩}\nG 1‿2‿3')
        error = caught.exception
        self.assertEqual([frame.line for frame in error.frames], [1, 2, 3])
        self.assertEqual(error.frames[2].line_text, 'G 1‿2‿3')
        self.assertEqual(error.frames[2].source, '(Python)')
        self.assertIn('^', error.report)
        self.assertEqual(str(error), error.message)

    def test_values(self):
        with self.assertRaises(griddle.Error) as caught:
            griddle.eval('⟨1,"why"⟩!0')
        self.assertEqual(caught.exception.value, [1, 'why'])
        with self.assertRaises(griddle.Exited) as caught:
            griddle.eval('•Exit 3')
        self.assertEqual(caught.exception.code, 3)
        with self.assertRaises(griddle.Error):
            griddle.eval('1+')

    def test_limits(self):
        bqn = griddle.Interpreter(time_limit=0.1, memory_limit=100e6, step_limit=10**9, safe=True, output_limit=100, stdout=io.StringIO())
        with self.assertRaises(griddle.TimedOut):
            bqn.eval(FOREVER)
        with self.assertRaisesRegex(griddle.Error, 'memory'):
            bqn.eval('↕1e9')
        with self.assertRaises(griddle.Error):
            bqn.eval('•FBytes "/etc/passwd"')
        with self.assertRaises(griddle.Error):
            bqn.eval('•Out¨1e3⥊<"abc"')
        self.assertEqual(bqn.eval('1+1'), 2)
        with self.assertRaises(griddle.OutOfSteps):
            griddle.Interpreter(step_limit=100).eval(FOREVER)

    def test_options(self):
        with self.assertRaises(TypeError):
            griddle.Interpreter(no_such_option=1)
        with self.assertRaises(ValueError):
            griddle.Interpreter(device='fast')
        with self.assertRaises(ValueError):
            griddle.Interpreter(capabilities=['fly'])
        self.assertEqual(griddle.Interpreter(arguments=['a', 'b']).eval('•args'), ['a', 'b'])
        self.assertEqual(griddle.Interpreter(seed=7).eval('•rand.Range 1e9'), griddle.Interpreter(seed=7).eval('•rand.Range 1e9'))
        with self.assertRaises(griddle.Error):
            griddle.Interpreter(capabilities=['read_clock']).eval('•SH⟨"true"⟩')
        bqn = griddle.Interpreter(files={'/a/b.bqn': 'x⇐5', '/a/text': b'bytes'})
        self.assertEqual(bqn.eval('(•Import "/a/b.bqn").x'), 5)
        self.assertEqual(bqn.eval('•FChars "/a/text"'), 'bytes')

    def test_streams(self):
        output = io.StringIO()
        bqn = griddle.Interpreter(stdout=output, stdin=io.StringIO('first\nsecond\n'))
        bqn.eval('•Out "𝕩 and "∾•GetLine@')
        self.assertEqual(output.getvalue(), '𝕩 and first\n')
        self.assertEqual(bqn.eval('•GetLine@'), 'second')
        before, sys.stdout = sys.stdout, io.StringIO()
        try:
            griddle.eval('•Show ↕3')
            shown = sys.stdout.getvalue()
        finally:
            sys.stdout = before
        self.assertEqual(shown, '⟨ 0 1 2 ⟩\n')
        griddle.Interpreter(stdout=None).eval('•Out "nowhere"')


class FunctionsOfPython(unittest.TestCase):
    def test_calls(self):
        self.assertEqual(griddle.eval('{𝕏¨↕4}', lambda x: x * x).tolist(), [0, 1, 4, 9])
        self.assertEqual(griddle.eval('{2 𝕏 5}', lambda w, x: w - x), -3)
        self.assertEqual(griddle.eval('{𝕏 "abc"}', str.upper), 'ABC')
        self.assertEqual(griddle.eval('{+´𝕏↕5}', np.flip), 10)
        self.assertEqual(griddle.eval('{𝕏 3}', lambda x: griddle.eval('2⊸×', x)), 6)
        self.assertEqual(griddle.eval('{f←𝕏 3⋄F 4}', lambda x: lambda y: x * y), 12)

    def test_exceptions(self):
        def fails(x):
            raise KeyError('not there')
        with self.assertRaises(KeyError) as caught:
            griddle.eval('{1+𝕏 3}', fails)
        self.assertEqual(caught.exception.args, ('not there',))
        self.assertIsInstance(caught.exception.__cause__, griddle.Error)
        self.assertEqual(griddle.eval('{𝕏⎊"caught" 1}', fails), 'caught')
        with self.assertRaises(griddle.Error):
            griddle.eval('{𝕏⎊0 1 ⋄ "other"!0}', fails)
        with self.assertRaises(TypeError):
            griddle.eval('{𝕏 1}', lambda x: object())

        def leaves(x):
            raise SystemExit(5)
        with self.assertRaises(SystemExit):
            griddle.eval('{𝕏⎊0 1}', leaves)
        self.assertEqual(griddle.eval('1+1'), 2)

    def test_nothing_leaks(self):
        def alive():
            gc.collect()
            return sum(isinstance(o, types.FunctionType) and o.__name__ == 'counted' for o in gc.get_objects())

        def counted(x):
            return x
        for _ in range(100):
            griddle.eval('{𝕏 1}', lambda x: x)
        griddle.eval('{𝕏 1}', counted)
        references = sys.getrefcount(counted)
        for _ in range(100):
            griddle.eval('{𝕏 1}', counted)
        self.assertEqual(sys.getrefcount(counted), references)
        self.assertEqual(alive(), 1)

    def test_no_growth(self):
        bqn = griddle.Interpreter()
        array = np.arange(100.0)

        def some():
            for _ in range(20_000):
                bqn.eval('{⟨𝕩,"abc"⟩}', array)
                bqn.eval('+', 1, 2)
        some()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        some()
        some()
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 4096)


class Interrupts(unittest.TestCase):
    def interrupted_after(self, seconds, action):
        timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        try:
            with self.assertRaises(KeyboardInterrupt):
                action()
        finally:
            timer.join()
        self.assertLess(time.monotonic() - begin, seconds + 5)

    def test_ctrl_c(self):
        self.interrupted_after(0.2, lambda: griddle.eval(FOREVER))
        self.interrupted_after(0.2, lambda: griddle.eval('{𝕊:{𝕊:!0}⎊0 1⋄1}•_while_(1˙)0'))
        # Here Python's handler runs in the function.
        self.interrupted_after(0.2, lambda: griddle.eval('{F←𝕏⋄{𝕊:F⎊0 1⋄1}•_while_(1˙)0}', lambda x: time.sleep(0.01)))
        self.assertEqual(griddle.eval('1+1'), 2)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_from_another_thread(self):
        bqn = griddle.Interpreter()
        timer = threading.Timer(0.2, bqn.interrupt)
        timer.start()
        with self.assertRaises(griddle.Interrupted):
            bqn.eval(FOREVER)
        timer.join()
        bqn.stop()
        with self.assertRaises(griddle.Interrupted):
            bqn.eval('1')
        self.assertTrue(bqn.should_stop())
        bqn.resume()
        self.assertEqual(bqn.eval('1'), 1)
        bqn.set_deadline(0.1)
        with self.assertRaises(griddle.TimedOut):
            bqn.eval(FOREVER)
        bqn.set_deadline(None)
        self.assertEqual(bqn.eval('1'), 1)


class Threads(unittest.TestCase):
    def test_others_run_while_bqn_computes(self):
        counted = 0
        done = threading.Event()

        def count():
            nonlocal counted
            while not done.is_set():
                counted += 1
                time.sleep(0.001)
        thread = threading.Thread(target=count)
        thread.start()
        bqn = griddle.Interpreter(time_limit=0.5)
        with self.assertRaises(griddle.TimedOut):
            bqn.eval(FOREVER)
        done.set()
        thread.join()
        self.assertGreater(counted, 20)

    def test_many_interpreters_and_one(self):
        one = griddle.Interpreter()
        wrong = []

        def work(i):
            own = griddle.Interpreter()
            for k in range(200):
                array = np.full(100, i * 1000 + k, 'f8')
                if own.eval('+´', array) != 100 * (i * 1000 + k):
                    wrong.append((i, k))
                if one.eval('+´', array) != 100 * (i * 1000 + k):
                    wrong.append((i, k))
                if one.eval('{𝕏 3}', lambda x: x + i) != 3 + i:
                    wrong.append((i, k))
        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Package(unittest.TestCase):
    def test_stubs_name_what_there_is(self):
        folder = os.path.dirname(griddle.__file__)
        with open(os.path.join(folder, '__init__.pyi'), encoding='utf8') as file:
            stubs = file.read()
        for name in griddle.__all__:
            self.assertRegex(stubs, rf'(def|class) {name}\b|^{name}:', name) if name not in ('commit', 'instruction_set') else self.assertIn(name + ': str', stubs)
        for cls in griddle.Interpreter, griddle.Value, griddle.Namespace:
            for name in vars(cls):
                if not name.startswith('_'):
                    self.assertIn(f'def {name}(', stubs)
        self.assertTrue(os.path.exists(os.path.join(folder, 'py.typed')))

    def test_magic(self):
        try:
            from IPython.testing.globalipapp import start_ipython
        except ImportError:
            self.skipTest('IPython is not installed')
        shell = start_ipython()
        shell.run_line_magic('load_ext', 'griddle')
        self.assertEqual(shell.run_line_magic('bqn', '+´↕10').python(), 45)
        shell.user_ns['readings'] = [1, 2, 3]
        shell.run_cell_magic('bqn', '-i readings -o total', 'total←+´readings')
        self.assertEqual(shell.user_ns['total'], 6)


if __name__ == '__main__':
    unittest.main()
