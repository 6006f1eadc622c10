"""Collects what passed and what failed, and prints it the way every runner here does."""
import signal
import sys
import time

# What a shell starts in the background has interrupts ignored, as would have all that tests start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Report:
    """Counts results; a failure is printed at once, so that a long run shows it early."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, good, name, detail=''):
        if good:
            self.passed += 1
        else:
            self.fail(name, detail)
        return good

    def fail(self, name, detail=''):
        self.failed += 1
        print(f'FAIL {name}')
        for line in str(detail).rstrip('\n').split('\n'):
            print(f'     {line}')
        sys.stdout.flush()

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed

    def last_line(self):
        return f'{self.passed} passed, {self.failed} failed'


def finish(report):
    """Prints the last line of a runner and ends it."""
    print(report.last_line())
    sys.exit(1 if report.failed else 0)


def run_alone(run):
    """Runs the checks of one file and ends."""
    report = Report()
    run(report)
    finish(report)


class Stage:
    """Announces a stage of a longer run, and its time and counts when it ends."""

    def __init__(self, name, report):
        self.name, self.report = name, report

    def __enter__(self):
        self.start, self.before = time.monotonic(), (self.report.passed, self.report.failed)
        return self.report

    def __exit__(self, kind, error, trace):
        if kind is None:
            passed, failed = self.report.passed - self.before[0], self.report.failed - self.before[1]
            print(f'{self.name}: {passed} passed, {failed} failed ({time.monotonic() - self.start:.1f} s)', flush=True)
