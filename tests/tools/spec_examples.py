#!/usr/bin/env python3
"""Runs the examples inside Markdown pages:  spec_examples.py [--bqn PATH] [FILE-OR-FOLDER …]

In a fenced block marked `bqn`, a line `▸ expr` is followed by what `bqn -p expr` prints (trailing blanks aside), or by
`! part of the message` where an error is expected. A `bqn` block without `▸` is a program that must run without error.
Without a place it takes spec and docs.
"""
import argparse
import glob
import os
import re
import sys

from batch import Evaluator
from report import Report, finish

# What is otherwise where arrays are forced onto a device: a NaN in a fold, which spec/differences.md leaves open there, a sum in
# another order, and the length of a trace, which others of its batch are in.
OTHERWISE_ON_A_DEVICE = {'⌊´1‿2∾(0÷0)∾3‿4', '⌊|1e9×(•math.Sum-+´)1e6⥊0.1', '≢•gpu.Trace 1'}

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Example:
    """A source and what it should show; no expectation means that it just has to run."""

    def __init__(self, place, source, shown=None):
        self.place, self.source, self.shown = place, source, shown

    def complaint(self, outcome):
        if outcome.kind in ('crashed', 'hung'):
            return f'{outcome.kind}: {outcome.message}'
        message = self.shown[2:].strip() if self.shown is not None and re.match(r'! |!$', self.shown) else None
        if message is not None:
            if outcome.kind != 'failed':
                return f'gave:\n{outcome.printed}wanted an error saying: {message}'
            return '' if message in outcome.message else f'error: {outcome.message}\nwanted one saying: {message}'
        if outcome.kind == 'failed':
            return f'unexpected error: {outcome.message}'
        if self.shown is not None and trim(outcome.printed) != self.shown:
            return f'gave:\n{trim(outcome.printed)}\nwanted:\n{self.shown}'
        return ''


def trim(text):
    return '\n'.join(line.rstrip() for line in text.split('\n')).strip('\n')


def read_examples(path):
    """Gives the examples of a page, each with the line where it starts."""
    examples, block, start = [], None, 0
    with open(path, encoding='utf8') as file:
        for number, line in enumerate(file, 1):
            if block is None and line.rstrip() == '```bqn':
                block, start = [], number + 1
            elif block is not None and line.startswith('```'):
                examples += split_block(os.path.relpath(path, ROOT), block, start)
                block = None
            elif block is not None:
                block.append(line.rstrip('\n'))
    return examples


def split_block(page, lines, start):
    starts = [i for i, line in enumerate(lines) if line.startswith('▸')]
    if not starts:
        return [Example(f'{page}:{start}', '\n'.join(lines))]
    examples = []
    for i, end in zip(starts, starts[1:] + [len(lines)]):
        examples.append(Example(f'{page}:{start + i}', lines[i][1:].strip(), trim('\n'.join(lines[i + 1:end]))))
    return examples


def run(executable, places, report, jobs=None, patience=20):
    paths = []
    for place in places:
        paths += glob.glob(os.path.join(place, '**', '*.md'), recursive=True) if os.path.isdir(place) else [place]
    examples = [example for path in sorted(paths) for example in read_examples(path)]
    if os.environ.get('GRIDDLE_DEVICE') == 'cuda':
        examples = [example for example in examples if example.source not in OTHERWISE_ON_A_DEVICE]
    for show in (True, False):
        chosen = [example for example in examples if (example.shown is not None) == show]
        outcomes = Evaluator(executable, show=show, jobs=jobs, patience=patience).evaluate([example.source for example in chosen])
        for example, outcome in zip(chosen, outcomes):
            complaint = example.complaint(outcome)
            report.check(not complaint, f'{example.place}: {example.source.splitlines()[0]}', complaint)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'bqn'))
    arguments.add_argument('--jobs', type=int)
    arguments.add_argument('places', nargs='*', default=[os.path.join(ROOT, 'spec'), os.path.join(ROOT, 'docs')])
    options = arguments.parse_args()
    report = Report()
    run(options.bqn, [os.path.abspath(place) for place in options.places], report, options.jobs)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
