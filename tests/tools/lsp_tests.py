#!/usr/bin/env python3
"""Tests the language server:  lsp_tests.py [--bqn PATH] [PART …]

Runs the files of tests/lsp, each of which speaks to `bqn --lsp` as an editor does.
"""
import argparse
import importlib
import os
import sys
import traceback

from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, 'tests', 'lsp')
PARTS = sorted(name.removesuffix('.py') for name in os.listdir(FOLDER) if name.endswith('.py') and name != 'editor.py')
sys.path.append(FOLDER)


def run(bqn, report, parts=()):
    for part in parts or PARTS:
        try:
            importlib.import_module(part).run(os.path.abspath(bqn), report)
        except Exception:  # a server that dies fails its part, and the others still run
            report.fail(f'tests/lsp/{part}.py', traceback.format_exc())


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
