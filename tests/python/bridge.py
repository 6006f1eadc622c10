"""Failures, functions of Python that BQN calls, and threads."""
import gc
import resource
import sys
import threading
import time
import types
import unittest

import numpy as np

import griddle

FOREVER = '{𝕊:1}•_while_(1˙)0'


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


if __name__ == '__main__':
    unittest.main()
