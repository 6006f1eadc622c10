#!/usr/bin/env python3
"""Checks that each tuned constant has a sweep, and each sweep a constant:  check_tuning.py"""
import collections
import os
import re

from report import run_alone

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = 'primitives/common/tuning.cc'
SWEEPS = 'tests/bench/cases/sweeps.txt'


def names_in(path, pattern):
    with open(os.path.join(ROOT, path), encoding='utf8') as file:
        return collections.Counter(re.findall(pattern, file.read(), re.MULTILINE))


def run(report):
    tuned, swept = names_in(TABLE, r'^ *TUNED\((\w+),'), names_in(SWEEPS, r'^constant: (\w+)$')
    report.check(bool(tuned), f'{TABLE} has rows')
    for name in sorted(tuned | swept):
        report.check(tuned[name] == 1, f'{name}, which {SWEEPS} sweeps, is a row of {TABLE}')
        report.check(swept[name] == 1, f'{name}, a row of {TABLE}, has one sweep in {SWEEPS}')


if __name__ == '__main__':
    run_alone(run)
