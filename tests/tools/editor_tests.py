#!/usr/bin/env python3
"""Tests what editors need for BQN, repl/editors:  editor_tests.py [--bqn PATH] [PART …]

Runs the files of tests/editors; what needs an editor that is not installed says so and is left out.
"""
import argparse
import importlib
import os
import sys
import traceback

from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARTS = ['textmate', 'vim', 'emacs', 'vscode']
sys.path.append(os.path.join(ROOT, 'tests', 'editors'))


def run(bqn, report, parts=()):
    for part in parts or PARTS:
        try:
            importlib.import_module(part).run(os.path.abspath(bqn), report)
        except Exception:  # an editor that dies fails its part, and the others still run
            report.fail(f'tests/editors/{part}.py', traceback.format_exc())


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
