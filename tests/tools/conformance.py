#!/usr/bin/env python3
"""Runs .bqn test files:  conformance.py [--bqn PATH] [--each] [FILE-OR-FOLDER …]

The name of a file is its claim. See tests/README.md for the comment lines that say what is expected.
Folders default to tests/conformance. --each gives every file a process of its own.
"""
import argparse
import glob
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from batch import Evaluator, Outcome, decode, processes, sanitizer_spoke, stopped
from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DIRECTIVE = re.compile(r'^# (error|output|exit|args|stdin|stderr|alone|device)(?::(?: (.*))?)?$')


class Case:
    """One file: its source, and what its comment lines expect."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.relpath(path, ROOT)
        with open(path, encoding='utf8', newline='') as file:
            self.source = file.read()
        self.expected = {}
        for line in self.source.split('\n'):
            found = DIRECTIVE.match(line)
            if found:
                self.expected.setdefault(found.group(1), []).append(found.group(2) or '')
        self.alone = bool({'exit', 'args', 'stdin', 'stderr', 'alone', 'device'} & set(self.expected))

    def complaint(self, outcome):
        """Says what is wrong with an outcome, or nothing."""
        if outcome.kind in ('crashed', 'hung'):
            return f'{outcome.kind}: {outcome.message}'
        wanted = self.expected.get('error')
        if wanted is None and outcome.kind == 'failed':
            return f'unexpected error: {outcome.message}'
        if wanted is not None and outcome.kind != 'failed':
            return f'no error, but wanted one saying: {wanted[0]}'
        for part in wanted or []:
            if part not in outcome.message:
                return f'error: {outcome.message}\nwanted one saying: {part}'
        lines = self.expected.get('output', [])
        printed = ''.join(line + '\n' for line in lines)
        if outcome.printed != printed:
            return f'printed:\n{outcome.printed}wanted:\n{printed}'
        return ''

    def run_alone(self, executable, patience):
        """Runs the file as a user would; checks exit status and stderr too."""
        arguments = shlex.split(' '.join(self.expected.get('args', [])))
        given = ''.join(line + '\n' for line in self.expected.get('stdin', []))
        settings = {**os.environ, **{'GRIDDLE_DEVICE': d for d in self.expected.get('device', [])}}
        try:
            done = subprocess.run([executable, self.path] + arguments, input=given.encode(), capture_output=True, timeout=patience,
                                  env=settings)
        except subprocess.TimeoutExpired:
            return 'hung: no answer in time'
        stderr, status = decode(done.stderr), done.returncode
        wanted = int(self.expected['exit'][0]) if 'exit' in self.expected else int('error' in self.expected)
        if status < 0 or sanitizer_spoke(stderr):
            return self.complaint(stopped(stderr, status))
        if status != wanted:
            return f'exit status {status}, wanted {wanted}\n{stderr}'
        for part in self.expected.get('stderr', []):
            if part not in stderr:
                return f'stderr:\n{stderr}\nwanted in it: {part}'
        failed = 'error' in self.expected and status != 0
        message = stderr.removeprefix('Error: ') if failed else ''
        return self.complaint(Outcome('failed' if failed else 'returned', decode(done.stdout), message))


def find_cases(places):
    paths = []
    for place in places:
        paths += glob.glob(os.path.join(place, '**', '*.bqn'), recursive=True) if os.path.isdir(place) else [place]
    return [Case(path) for path in sorted(paths)]


def run(executable, places, report, each=False, jobs=None, patience=20):
    executable = os.path.abspath(executable)
    cases = find_cases(places)
    together = [case for case in cases if not (each or case.alone)]
    outcomes = Evaluator(executable, jobs=jobs, patience=patience).evaluate([case.source for case in together])
    for case, outcome in zip(together, outcomes):
        complaint = case.complaint(outcome)
        report.check(not complaint, case.name, complaint)
    alone = [case for case in cases if each or case.alone]
    with ThreadPoolExecutor(jobs or processes()) as pool:
        for case, complaint in zip(alone, pool.map(lambda case: case.run_alone(executable, patience), alone)):
            report.check(not complaint, case.name, complaint)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'bqn'))
    arguments.add_argument('--each', action='store_true')
    arguments.add_argument('--jobs', type=int)
    arguments.add_argument('places', nargs='*', default=[os.path.join(ROOT, 'tests', 'conformance')])
    options = arguments.parse_args()
    report = Report()
    run(options.bqn, [os.path.abspath(place) for place in options.places], report, options.each, options.jobs)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
