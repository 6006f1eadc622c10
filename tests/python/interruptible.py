"""Ctrl-C, and other ways to end an evaluation."""
import os
import signal
import threading
import time
import unittest

import griddle

FOREVER = '{𝕊:1}•_while_(1˙)0'


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


if __name__ == '__main__':
    unittest.main()
