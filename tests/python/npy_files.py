"""Files of NumPy, read and written by •npy, beside those that NumPy reads and writes."""
import os
import tempfile
import unittest

import numpy as np

import griddle

TYPES = ['b1', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8']
SHAPES = [(), (1,), (7,), (3, 4), (2, 3, 5), (0,), (0, 3), (200, 1000)]


def sample(rng, code, shape):
    """Gives random elements of a type, those of 64 bits within what doubles hold."""
    if code == 'b1':
        return rng.integers(0, 2, shape).astype('?')
    if code[0] == 'f':
        return rng.normal(size=shape).astype(code)
    limits = np.iinfo(code)
    return np.asarray(rng.integers(max(limits.min, -2**53), min(limits.max, 2**53), shape, endpoint=True, dtype='i8')).astype(code)


class NpyFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, 'a.npy')
        self.parse = griddle.eval('•npy.ParseFile')
        self.write = griddle.eval('{𝕨•FBytes •npy.Format 𝕩}')

    def test_arrays(self):
        rng = np.random.default_rng(1)
        for code in TYPES:
            for shape in SHAPES:
                for order in 'CF':
                    for bytes_first in '<>':
                        array = np.array(sample(rng, code, shape), dtype=np.dtype(bytes_first + code), order=order)
                        with self.subTest(code=code, shape=shape, order=order, bytes_first=bytes_first):
                            np.save(self.path, array)
                            read = self.parse(self.path)
                            self.assertEqual(np.shape(read), shape)
                            np.testing.assert_array_equal(np.asarray(read, dtype='f8'), array.astype('f8'))
                            self.write(self.path, read)
                            written = np.load(self.path)
                            self.assertEqual(written.shape, shape)
                            np.testing.assert_array_equal(written.astype('f8'), array.astype('f8'))

    def test_strings(self):
        for array in [np.array(['ab', 'c', 'été', '']), np.array([b'x', b'yz'])]:
            np.save(self.path, array)
            self.assertEqual(list(self.parse(self.path)), [s if isinstance(s, str) else s.decode() for s in array.tolist()])
        self.write(self.path, ['ab', 'cde'])
        self.assertEqual(np.load(self.path).tolist(), ['ab', 'cde'])

    def test_archives(self):
        path = self.path[:-1] + 'z'
        for save in [np.savez, np.savez_compressed]:
            save(path, a=np.arange(100000), b=np.eye(30))
            names, arrays = griddle.eval('{<˘•npy.ParseFile 𝕩}')(path)
            self.assertEqual(list(names), ['a', 'b'])
            np.testing.assert_array_equal(arrays[0], np.arange(100000))
            np.testing.assert_array_equal(arrays[1], np.eye(30))
        for options in ['{compress⇐0}', '{compress⇐1}']:
            griddle.eval('{𝕩•FBytes ' + options + '•npy.Format {a⇐↕100000, b⇐2‿2⥊"abcd"}}')(path)
            with np.load(path) as back:
                np.testing.assert_array_equal(back['a'], np.arange(100000))
                self.assertEqual(back['b'].tolist(), [['a', 'b'], ['c', 'd']])


if __name__ == '__main__':
    unittest.main()
