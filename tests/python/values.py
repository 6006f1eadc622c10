"""Values that stay in BQN: functions, modifiers, namespaces, and what was asked to be kept."""
import pickle
import unittest

import numpy as np

import griddle



class Kept(unittest.TestCase):
    def test_values(self):
        v = griddle.value(np.arange(6.0).reshape(2, 3))
        self.assertEqual(v.shape, (2, 3))
        self.assertEqual(len(v), 2)
        self.assertTrue(v.matches([[0, 1, 2]]) is False)
        self.assertTrue(v.matches(np.arange(6).reshape(2, 3)))
        self.assertEqual([line.rstrip() for line in repr(v).split('\n')], ['┌─', '╵ 0 1 2', '  3 4 5', '        ┘'])
        np.testing.assert_array_equal(np.asarray(v), np.arange(6).reshape(2, 3))
        self.assertEqual(np.asarray(v, dtype='i4').dtype, np.dtype('i4'))
        self.assertEqual(v.source(), '(2‿3⥊0‿1‿2‿3‿4‿5)')
        self.assertIsInstance(griddle.eval('+`', v, keep=True), griddle.Value)

    def test_shown(self):
        self.assertEqual(griddle.shown(griddle.value([1, 2, 3])), '⟨ 1 2 3 ⟩')
        cut = griddle.shown(griddle.eval('↕10⋆6', keep=True), 2, 20)
        self.assertIn('…', cut)
        self.assertLess(len(cut), 60)

    def test_pictures(self):
        for form, start in (('png', b'\x89PNG'), ('text', '1'.encode()), ('none', None)):
            bqn = griddle.Interpreter(pictures=form)
            drawn = griddle.picture(bqn.eval('{height⇐5}•plot.Line 1‿0', keep=True))
            self.assertEqual(drawn and drawn.lstrip()[:len(start)], start)
            self.assertIsNone(griddle.picture(bqn.value(5)))
        with self.assertRaises(ValueError):
            griddle.Interpreter(pictures='sixel')

    def test_pickles(self):
        for value in [griddle.value([1, 'abc', [2.5]]), griddle.eval('+´÷≠'), griddle.eval('{a⇐3,b⇐"x"}')]:
            again = pickle.loads(pickle.dumps(value))
            self.assertEqual(repr(again), repr(value))
        self.assertEqual(griddle.loads(griddle.dumps([1, 'a'])), [1, 'a'])
        with self.assertRaises(griddle.Error):
            griddle.loads(b'nothing')

    def test_dlpack(self):
        array = np.arange(12.0).reshape(3, 4)
        v = griddle.from_dlpack(array)
        self.assertEqual(v.shape, (3, 4))
        self.assertEqual(v.__dlpack_device__(), (1, 0))
        back = np.from_dlpack(griddle.eval('⌽', v, keep=True))
        np.testing.assert_array_equal(back, array[::-1])
        self.assertEqual(griddle.eval('+´⥊', griddle.from_dlpack(array.T)), 66)
        v.__dlpack__()  # nobody takes it

    def test_namespaces(self):
        n = griddle.eval('{a⇐3, Double⇐2⊸×, text⇐"abc"}')
        self.assertIsInstance(n, griddle.Namespace)
        self.assertEqual((n.a, n.text, n.double(4)), (3, 'abc', 8))
        self.assertEqual(sorted(n.keys()), ['a', 'double', 'text'])
        self.assertEqual(n['a'], 3)
        with self.assertRaises(AttributeError):
            n.nothing
        with self.assertRaises(KeyError):
            n['nothing']
        self.assertEqual(griddle.eval('{𝕩.x+𝕩.y}', {'x': 1, 'y': 2}), 3)

    def test_functions(self):
        f = griddle.eval('{𝕨‿𝕩}')
        self.assertEqual(f(1, 2).tolist(), [1, 2])
        with self.assertRaises(TypeError):
            f()
        with self.assertRaises(TypeError):
            f(1, 2, 3)
        fold = griddle.eval('⊑⟨´⟩')
        self.assertIsInstance(fold, griddle.Modifier)
        self.assertEqual(fold(griddle.eval('+'))([1, 2, 3]), 6)
        self.assertEqual(griddle.eval('⊑⟨∘⟩')(griddle.eval('-'), griddle.eval('÷'))(4), -0.25)

    def test_other_interpreters(self):
        other = griddle.Interpreter()
        self.assertEqual(other.eval('⌽', griddle.value([1, 2, 3])).tolist(), [3, 2, 1])
        self.assertEqual(other.eval('{𝕏 4}', griddle.eval('2⊸×')), 8)


if __name__ == '__main__':
    unittest.main()
