#!/usr/bin/env python3
"""Attacks what surrounds a program:  fault_tests.py BUILD [--long] [--interrupts N] [--seed N] [PART …]

Full disks, closed and broken pipes, files that vanish or become shorter, signals, kill -9, clocks that jump, small limits, and system
calls that fail. Whatever happens the executable ends by itself, with status 0, or with status 1 and a message; what an interrupt
leaves of a session's variables is whole. The parts: files, streams, surroundings, clock, interrupts, killed, calls. --long has each
system call of each program fail, in turn, and goes through 10,000 interrupts. BUILD has tests/fuzz/libdisturbed.so: ninja -C BUILD
tests/fuzz/libdisturbed.so
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'session'))
import fault_calls
import fault_files
import fault_interrupts
import fault_killed
import fault_surroundings
from report import Report, finish

PATIENCE = 60


class Faults:
    """What the parts share: an executable, a folder of their own, and a judge."""

    def __init__(self, build, report, interrupts, long, seed):
        self.bqn = os.path.join(build, 'bqn')
        self.library = os.path.join(build, 'tests', 'fuzz', 'libdisturbed.so')
        self.plugin = os.path.join(build, 'tests', 'gpu', 'host_plugin.so')
        self.report, self.interrupts, self.long = report, interrupts, long
        self.random = random.Random(seed)
        self.left_out = 0
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.environment = {**os.environ, 'HOME': self.folder, 'XDG_STATE_HOME': self.folder, 'XDG_CACHE_HOME': self.folder, 'GRIDDLE_DEVICE': 'cpu'}

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, contents):
        with open(self.path(name), 'wb') as file:
            file.write(contents if isinstance(contents, bytes) else contents.encode())
        return self.path(name)

    def run(self, program, arguments=(), before=(), variables=None, **more):
        """Runs a program, FOLDER in it being the tests' own."""
        more = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **more}
        return subprocess.run([*before, self.bqn, *arguments, *(['-e', program.replace('FOLDER', self.folder)] if program is not None else [])],
                              env={**self.environment, **(variables or {})}, text=True, errors='replace', timeout=PATIENCE, **more)

    def disturbed(self, program, variables, **more):
        return self.run(program, variables={'LD_PRELOAD': self.library, **variables}, **more)

    def expect(self, name, done, status, output=None, error=None):
        """Looks at how a program ended, and at a part of what it wrote."""
        good = (done.returncode == status and (output is None or output == done.stdout) and
                (error is None or (error in done.stderr if error else not done.stderr)))
        self.report.check(good, f'faults: {name}', f'exit status {done.returncode}\n{(done.stdout or "")[-1000:]}\n{(done.stderr or "")[-1000:]}')

    def leave_out(self, what, why):
        """Says what cannot be tested here."""
        self.left_out += 1
        print(f'     not run: {what} ({why})', flush=True)


PARTS = {
    'files': fault_files.check_files,
    'streams': fault_files.check_streams,
    'surroundings': fault_surroundings.check_surroundings,
    'clock': fault_surroundings.check_clock,
    'interrupts': fault_interrupts.check,
    'killed': fault_killed.check,
    'calls': fault_calls.check,
}


def run(build, report, interrupts=400, long=False, seed=1, parts=()):
    faults = Faults(build, report, interrupts, long, seed)
    for name, check in PARTS.items():
        if not parts or name in parts:
            check(faults)
    if faults.left_out:
        print(f'     {faults.left_out} of the faults not run')


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('build', metavar='BUILD')
    arguments.add_argument('parts', nargs='*', metavar='PART')
    arguments.add_argument('--long', action='store_true')
    arguments.add_argument('--interrupts', type=int)
    arguments.add_argument('--seed', type=int, default=1)
    options = arguments.parse_intermixed_args()
    if unknown := set(options.parts) - set(PARTS):
        arguments.error(f'no such part: {" ".join(sorted(unknown))}')
    report = Report()
    interrupts = options.interrupts or (10000 if options.long else 400)
    run(os.path.abspath(options.build), report, interrupts, options.long, options.seed, options.parts)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
