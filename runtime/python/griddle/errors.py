"""What can go wrong in BQN, as exceptions."""
from typing import NamedTuple


class Frame(NamedTuple):
    """Where an active call stands."""
    source: str  # name of the source, or a path
    line: int  # from 1 on
    column: int  # characters before it in its line
    length: int
    line_text: str


class Error(Exception):
    """A BQN program failed: `message`, `report` as the executable prints it, `frames` with the innermost call first, and `value`,
    the message as BQN gave it."""

    value = None

    def __init__(self, message='', report='', frames=()):
        super().__init__(message)
        self.message = message
        self.report = report
        self.frames = list(frames)

    def __reduce__(self):
        return type(self), (self.message, self.report, self.frames)


class Interrupted(Error):
    """interrupt() or stop() ended an evaluation."""


class TimedOut(Error):
    """The time of an evaluation is up."""


class OutOfSteps(Error):
    """The steps of an interpreter are used up."""


class Exited(Error):
    """The program called •Exit; `code` is what it gave."""

    code = 0
