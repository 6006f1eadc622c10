#!/usr/bin/env python3
"""Tests the session on a terminal:  session_tests.py [--bqn PATH] [PART …]

Runs the files of tests/session, each of which types into a pseudo-terminal, and looks at what a person would see. They run side
by side: each has terminals, folders and sessions of its own, and waits most of its time for what a person would wait for, too.
"""
import contextlib
import io
import multiprocessing
import os
import pty
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed

from batch import processes
from parts import Parts
from report import Report

PARTS = Parts('session', 'terminal')
LONGEST = 'interrupting'


def run_part(bqn, part):
    """Gives what a part counted, and the text that it would have printed."""
    report, printed = Report(), io.StringIO()
    with contextlib.redirect_stdout(printed):
        PARTS.run_part(part, bqn, report)
    return report, printed.getvalue()


def run(bqn, report, parts=()):
    try:
        for file in pty.openpty():
            os.close(file)
    except OSError as problem:
        print(f'no pseudo-terminals here ({problem}): the session is not tested')
        return
    # What takes longest begins first.
    tasks = sorted(parts or PARTS.names, key=lambda part: part != LONGEST)
    with ProcessPoolExecutor(max(2, processes()), multiprocessing.get_context('fork')) as pool:
        for done in as_completed([pool.submit(run_part, bqn, part) for part in tasks]):
            counted, printed = done.result()
            print(printed, end='', flush=True)
            report.add(counted)


if __name__ == '__main__':
    sys.exit(PARTS.main(__doc__, run))
