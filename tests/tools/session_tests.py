#!/usr/bin/env python3
"""Tests the session on a terminal:  session_tests.py [--bqn PATH] [PART …]

Runs the files of tests/session, each of which types into a pseudo-terminal, and looks at what a person would see.
"""
import argparse
import importlib
import os
import pty
import sys

from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, 'tests', 'session')
PARTS = sorted(name.removesuffix('.py') for name in os.listdir(FOLDER) if name.endswith('.py') and name != 'terminal.py')
sys.path.append(FOLDER)


def run(bqn, report, parts=()):
    try:
        for file in pty.openpty():
            os.close(file)
    except OSError as problem:
        print(f'no pseudo-terminals here ({problem}): the session is not tested')
        return
    for part in parts or PARTS:
        importlib.import_module(part).run(os.path.abspath(bqn), report)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'bqn'))
    arguments.add_argument('parts', nargs='*', metavar='PART', help=' '.join(PARTS))
    options = arguments.parse_args()
    report = Report()
    run(options.bqn, report, options.parts)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
