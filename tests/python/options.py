"""Options of interpreters: limits, capabilities, streams and files."""
import io
import sys
import unittest

import griddle

FOREVER = '{𝕊:1}•_while_(1˙)0'


class Options(unittest.TestCase):
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


if __name__ == '__main__':
    unittest.main()
