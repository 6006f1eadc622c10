#!/usr/bin/env python3
"""Tests the session on a terminal:  session_tests.py [--bqn PATH] [--jobs N] [PART …]

Runs the files of tests/session, each of which types into a pseudo-terminal, and looks at what a person would see. They run side
by side: each has terminals, folders and sessions of its own, and waits most of its time for what a person would wait for, too.
"""
import argparse
import contextlib
import importlib
import io
import multiprocessing
import os
import pty
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed

from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, 'tests', 'session')
PARTS = sorted(name.removesuffix('.py') for name in os.listdir(FOLDER) if name.endswith('.py') and name != 'terminal.py')
sys.path.append(FOLDER)
LONGEST = 'interrupting'


def run_part(bqn, part):
    """Gives what a part counted, and the text that it would have printed."""
    report, printed = Report(), io.StringIO()
    with contextlib.redirect_stdout(printed):
        importlib.import_module(part).run(bqn, report)
    return report, printed.getvalue()


def run(bqn, report, parts=(), jobs=None):
    try:
        for file in pty.openpty():
            os.close(file)
    except OSError as problem:
        print(f'no pseudo-terminals here ({problem}): the session is not tested')
        return
    # What takes longest begins first.
    tasks = sorted(parts or PARTS, key=lambda part: part != LONGEST)
    with ProcessPoolExecutor(jobs or max(2, os.cpu_count() or 1), multiprocessing.get_context('fork')) as pool:
        for done in as_completed([pool.submit(run_part, os.path.abspath(bqn), part) for part in tasks]):
            counted, printed = done.result()
            print(printed, end='', flush=True)
            report.add(counted)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'bqn'))
    arguments.add_argument('--jobs', type=int, help='parts that run at the same time')
    arguments.add_argument('parts', nargs='*', metavar='PART', help=' '.join(PARTS))
    options = arguments.parse_args()
    report = Report()
    run(options.bqn, report, options.parts, options.jobs)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
