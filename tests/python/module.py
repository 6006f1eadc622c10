"""Sessions, and what the package consists of."""
import argparse
import doctest
import os
import re
import sys
import types
import unittest

import griddle



def stand_in_for_ipython():
    """What the magics use of IPython, where that is not installed."""
    def magic_arguments():
        def decorate(function):
            function.parser = argparse.ArgumentParser()
            for args, kwargs in reversed(function.__dict__.pop('arguments', [])):
                function.parser.add_argument(*args, **kwargs)
            return function
        return decorate

    def argument(*args, **kwargs):
        def decorate(function):
            function.__dict__.setdefault('arguments', []).append((args, kwargs))
            return function
        return decorate

    class Magics:
        def __init__(self, shell):
            self.shell = shell
    magic = types.ModuleType('IPython.core.magic')
    magic.__dict__.update(Magics=Magics, magics_class=lambda cls: cls, line_cell_magic=lambda function: function)
    arguments = types.ModuleType('IPython.core.magic_arguments')
    arguments.__dict__.update(argument=argument, magic_arguments=magic_arguments,
                              parse_argstring=lambda function, line: function.parser.parse_args(line.split()))
    sys.modules.update({'IPython': types.ModuleType('IPython'), 'IPython.core': types.ModuleType('IPython.core'),
                        'IPython.core.magic': magic, 'IPython.core.magic_arguments': arguments})


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

    def test_analysis(self):
        bqn = griddle.Interpreter()
        found = bqn.analyse('a←1\na+b')
        self.assertEqual(list(found['tokens']['start']), [0, 1, 4, 6, 7, 8])
        self.assertEqual(list(found['definitions']['token']), [0])
        self.assertEqual(list(found['problems']['message']), ['Undefined identifier'])
        self.assertEqual(bqn.names(), [])
        self.assertIn('•Out', bqn.system_names())
        self.assertNotIn('•FFI', griddle.Interpreter(safe=True).system_names())

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

    def test_documentation(self):
        self.assertEqual(doctest.testmod(griddle).failed, 0)
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        with open(os.path.join(root, 'spec', 'python.md'), encoding='utf8') as file:
            code = re.search(r'^```python\n(.*?)^```', file.read(), re.M | re.S).group(1)
        names, shown = {}, 0
        for line in code.split('\n'):
            expression, _, result = line.partition('# ')
            if result.startswith('a function') or not result:
                exec(line, names)
            else:
                self.assertEqual(repr(eval(expression, names)), result)
                shown += 1
        self.assertEqual(shown, 3)

    def test_magic(self):
        try:
            import IPython  # noqa: F401
        except ImportError:
            stand_in_for_ipython()
        from griddle.magic import BQNMagics

        class Shell:
            user_ns = {'readings': [1, 2, 3]}

            def register_magics(self, magics):
                self.magics = magics(self)
        shell = Shell()
        griddle.load_ipython_extension(shell)
        self.assertIsInstance(shell.magics, BQNMagics)
        self.assertEqual(shell.magics.bqn('+´↕10').python(), 45)
        self.assertIsNone(shell.magics.bqn('-i readings -o total', 'total←+´readings'))
        self.assertEqual(shell.user_ns['total'], 6)
        self.assertEqual(repr(shell.magics.bqn('', '1+total')), '7')


if __name__ == '__main__':
    unittest.main()
