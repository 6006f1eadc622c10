"""BQN, the array programming language, in Python.

    >>> import griddle, numpy
    >>> griddle.eval("+´÷≠", numpy.array([2.0, 3.0, 7.0]))
    4
    >>> mean = griddle.eval("+´÷≠")
    >>> mean([1, 2, 4.5])
    2.5

Arrays of NumPy go to BQN where they lie, and those of BQN come back the same way, read-only. See spec/python.md.
"""
import threading as _threading

from . import _griddle
from ._griddle import Function, Interpreter, Modifier, Namespace, Value, __version__, commit, instruction_set, picture, shown
from .errors import Error, Exited, Frame, Interrupted, OutOfSteps, TimedOut

__all__ = [
    'Error', 'Exited', 'Frame', 'Function', 'Interpreter', 'Interrupted', 'Modifier', 'Namespace', 'OutOfSteps', 'TimedOut', 'Value',
    'commit', 'default', 'define', 'dumps', 'eval', 'from_dlpack', 'instruction_set', 'loads', 'picture', 'run', 'shown', 'value',
]

_default = None
_making = _threading.Lock()


def default():
    """The interpreter that the functions of this module use. It is made when it is first asked for."""
    global _default
    with _making:
        if _default is None:
            _default = Interpreter()
        return _default


def eval(source, *arguments, keep=False):
    """Evaluates a program, and with one or two arguments calls what it gives: eval("+´", x), eval("+", w, x).

    What a text gives is kept: the next call with the same text and arguments evaluates nothing anew. With `keep` the result stays a
    Value of BQN."""
    return (_default or default()).eval(source, *arguments, keep=keep)


def run(source, name='', *, keep=False):
    """Runs a line of the session: its names stay for the lines after it. Gives None where the line gives nothing."""
    return default().run(source, name, keep=keep)


def define(name, value):
    """Gives a name of the session a value, such as a function of Python."""
    default().define(name, value)


def value(object):
    """Makes a Value, which stays in BQN."""
    return default().value(object)


def from_dlpack(tensor):
    """Takes a tensor of another library where it lies, on the host or on the device; a Value."""
    return default().from_dlpack(tensor)


def dumps(object):
    """Makes bytes of anything that BQN has a value for, but functions with blocks."""
    return (object if isinstance(object, Value) else value(object)).dumps()


def loads(bytes, keep=False):
    """Makes anew what `dumps` made bytes of."""
    return default().loads(bytes, keep)


def load_ipython_extension(shell):
    """%load_ext griddle"""
    from .magic import BQNMagics
    shell.register_magics(BQNMagics)
