"""Values of Python and NumPy in BQN and back."""
import gc
import sys
import unittest

import numpy as np

import griddle

IDENTITY = griddle.eval('⊢')
DTYPES = ['?', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8']


def data(dtype, shape):
    """Numbers that fit every dtype, in another order than sorted."""
    n = int(np.prod(shape))
    return (np.arange(n) * 37 % 101).astype(dtype).reshape(shape)


class Atoms(unittest.TestCase):
    def test_numbers(self):
        for number in [0, 1, -1, 2**53, -2**53, 0.5, -0.25, 1e300, float('inf')]:
            back = IDENTITY(number)
            self.assertEqual(back, number)
            if abs(number) < 1e300:
                self.assertIs(type(back), type(number))
        self.assertIs(type(griddle.eval('6÷3')), int)
        self.assertEqual(IDENTITY(True), 1)
        for number in [np.float64(2.5), np.float32(2.5), np.float16(2.5)]:
            self.assertEqual(IDENTITY(number), 2.5)
        for number in [np.int8(7), np.uint64(7), np.int64(7), np.bool_(True)]:
            self.assertEqual(IDENTITY(number), int(number))
        self.assertNotEqual(IDENTITY(float('nan')), 0)
        for number in [2**53 + 1, -2**53 - 1, 2**70]:
            with self.assertRaises(OverflowError):
                IDENTITY(number)

    def test_text(self):
        for text in ['', 'a', 'abc', 'naïve', '日本語', '𝕨⌾𝕩', 'a"b\n']:
            self.assertEqual(IDENTITY(text), text)
        self.assertEqual(griddle.eval("'x'"), 'x')
        self.assertEqual(griddle.eval('@+8364'), '€')
        self.assertEqual(griddle.eval('≠', 'a'), 1)
        self.assertEqual(griddle.eval('2‿3⥊"abcdef"').tolist(), [['a', 'b', 'c'], ['d', 'e', 'f']])

    def test_what_has_no_value(self):
        for thing in [None, object(), 1j, np.complex128(1), np.zeros(3, 'c16'), np.zeros(3, 'M8[s]'), {1: 2}, [1, None]]:
            with self.subTest(thing=thing), self.assertRaises(TypeError):
                IDENTITY(thing)
        for array in [np.array([2**60]), np.array([2**60], 'u8')]:
            with self.assertRaises(ValueError):
                IDENTITY(array)


class Lists(unittest.TestCase):
    def test_nested(self):
        for value in [['abc', 'de'], [1, 'a b'], [[1, 'x'], ['y', ['z', 2.5]]], ['', 'x']]:
            back = IDENTITY(value)
            self.assertEqual(back, value)
        self.assertEqual(IDENTITY((1, 2.5)).tolist(), [1, 2.5])
        self.assertEqual(IDENTITY([1, True]).tolist(), [1, 1])
        self.assertEqual(IDENTITY([]).tolist(), [])
        self.assertEqual(IDENTITY(range(5)).tolist(), [0, 1, 2, 3, 4])
        self.assertEqual(IDENTITY(b'\x01\xff').tolist(), [1, 255])
        self.assertEqual(IDENTITY(memoryview(b'\x01\x02')).tolist(), [1, 2])
        self.assertEqual(IDENTITY({5}).tolist(), [5])
        self.assertEqual(IDENTITY(iter([1, 2])).tolist(), [1, 2])

    def test_tables_of_any_values(self):
        table = griddle.eval('2‿2⥊⟨1,"ab",⟨⟩,@⟩')
        self.assertEqual(table.dtype, object)
        self.assertEqual(table[0, 1], 'ab')
        back = IDENTITY(table)
        self.assertEqual(back.shape, (2, 2))
        self.assertEqual(back[0, 1], 'ab')

    def test_deep(self):
        deep = []
        for _ in range(100_000):
            deep = [deep, 1]
        with self.assertRaises(RecursionError):
            IDENTITY(deep)
        with self.assertRaises(RecursionError):
            griddle.eval('{𝕩‿1}⍟1e5 ⟨⟩')


class Arrays(unittest.TestCase):
    def check(self, array):
        before = array.copy()
        back = IDENTITY(array)
        self.assertEqual(back.shape, array.shape)
        np.testing.assert_array_equal(np.asarray(back, dtype='f8'), np.asarray(before, dtype='f8'))
        self.assertEqual(griddle.eval('+´⥊', array), before.astype('f8').sum())

    def test_every_dtype_and_stride(self):
        for dtype in DTYPES:
            for order in '=', '>', '<':
                array = data(np.dtype(dtype).newbyteorder(order), (6, 5, 4))
                forms = {
                    'whole': array, 'axes turned': array.T, 'every second': array[::2], 'backwards': array[:, ::-1], 'columns': array[:, :, 1],
                    'part': array[1:3, 2:4, 1:], 'one row': array[2:3], 'repeated': np.broadcast_to(array[0], (3, 5, 4)), 'row': array[1, 2],
                    'none': array[:0], 'empty rows': array[:, :, :0], 'unit': array[1, 2, 3:4].reshape(()), 'column major': np.asfortranarray(array),
                }
                for name, form in forms.items():
                    with self.subTest(dtype=dtype, order=order, form=name):
                        self.check(form)

    def test_what_is_not_aligned(self):
        for dtype in 'i2', 'i4', 'f8', 'f4':
            memory = np.zeros(8 * 10 + 1, 'u1')
            array = memory[1:].view(dtype)[:10]
            array[:] = np.arange(len(array))
            self.check(array)

    def test_nothing_is_copied(self):
        for dtype in 'i1', 'i2', 'i4', 'f8':
            array = data(dtype, (1000,))
            back = IDENTITY(array)
            self.assertEqual(back.__array_interface__['data'][0], array.__array_interface__['data'][0])
            self.assertEqual(back.dtype, array.dtype)
            with self.assertRaises(ValueError):
                back[0] = 1

    def test_arrays_outlive_each_other(self):
        views = []
        for i in range(50):
            views.append(griddle.eval('1⊸+', np.full(10_000, i, 'f8')))
        gc.collect()
        for i, view in enumerate(views):
            self.assertTrue((view == i + 1).all())
        array = np.arange(1000.0)
        count = sys.getrefcount(array)
        kept = griddle.value(array)
        self.assertEqual(sys.getrefcount(array), count + 1)
        del kept
        griddle.eval('1')
        self.assertEqual(sys.getrefcount(array), count)

    def test_truths_and_texts(self):
        truths = griddle.eval('3<↕10')
        self.assertEqual(truths.dtype, bool)
        self.assertEqual(truths.tolist(), [False] * 4 + [True] * 6)
        self.assertEqual(IDENTITY(np.array(['ab', 'cde'])), ['ab', 'cde'])
        self.assertEqual(IDENTITY(np.array([['ab'], ['cde']]))[1, 0], 'cde')
        self.assertEqual(IDENTITY(np.array([1, 'x', [2]], dtype=object))[1], 'x')

    def test_special_numbers(self):
        array = np.array([np.nan, np.inf, -np.inf, -0.0])
        np.testing.assert_array_equal(griddle.eval('1⊸×', array), array)


if __name__ == '__main__':
    unittest.main()
