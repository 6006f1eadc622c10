"""Sessions, and what the package consists of."""
import os
import unittest

import griddle



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
