#!/usr/bin/env python3
"""Checks that each source file has a test file named after it:  check_tests.py

runtime/vm/loop.cc is tested by tests/unit/vm/loop.cc, repl/keys.cc by tests/unit/repl/keys.cc, primitives/order/sort.cc by
tests/unit/order/sort.cc. A test file may also be named after a header. What Python sees is tested in Python: runtime/python/options.cc
by tests/python/options.py.
"""
import os

from report import run_alone

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNIT = os.path.join('tests', 'unit')
PYTHON = 'runtime/python'
# Where the sources lie, and where in tests/unit their tests do.
ROOMS = ['arithmetic', 'common', 'expressions', 'folds', 'inverse', 'mapping', 'order', 'search', 'structure']
TESTED = {'runtime': '', 'repl': 'repl', 'gpu': 'gpu', **{'primitives/' + room: room for room in ROOMS}}
# What has no test of its own, and why.
UNTESTED = {
    'repl/main.cc': 'runs in a process of its own: launcher_tests.py and session_tests.py',
    'repl/web/binding.cc': 'runs in browsers and under node: web_tests.py',
}
# Tests that are named after no single file.
OTHERS = {'main.cc', 'targets.cc', 'vector_registers.cc'}


def files_below(folder):
    """Gives the paths of the sources below a folder, from there."""
    for place, _, names in os.walk(os.path.join(ROOT, folder)):
        for name in sorted(names):
            if name.endswith(('.cc', '.h')):
                yield os.path.relpath(os.path.join(place, name), os.path.join(ROOT, folder))


def run(report):
    known = set()
    for folder, below in TESTED.items():
        for path in files_below(folder):
            test = os.path.join(below, path)
            if (folder + '/' + path).startswith(PYTHON + '/'):
                continue
            known.add(test.removesuffix('.h').removesuffix('.cc') + '.cc')
            if path.endswith('.cc') and folder + '/' + path not in UNTESTED:
                report.check(os.path.exists(os.path.join(ROOT, UNIT, test)), f'{folder}/{path} has a test', f'{UNIT}/{test} is missing')
    for path in files_below(PYTHON):
        if path.endswith('.cc'):
            test = os.path.join('tests', 'python', path.removesuffix('.cc') + '.py')
            report.check(os.path.exists(os.path.join(ROOT, test)), f'{PYTHON}/{path} has a test', f'{test} is missing')
    for path in files_below(UNIT):
        report.check(path in known or path in OTHERS, f'{UNIT}/{path} is named after what it tests')
    for path in UNTESTED:
        report.check(os.path.exists(os.path.join(ROOT, path)), f'{path}, which has no test')


if __name__ == '__main__':
    run_alone(run)
