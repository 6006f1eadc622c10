#!/usr/bin/env python3
"""Compares random expressions with another BQN:

  differential.py --peer PATH [--bqn PATH] [--count N] [--seed N]    compare, shrink and show what differs
  differential.py --peer PATH --record FILE [--count N] [--seed N]   write expressions and the peer's answers
  differential.py --replay FILE [--bqn PATH]                         compare with such a file
"""
import argparse
import os
import random
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [HERE, os.path.join(ROOT, 'tests', 'tools')]
from batch import Evaluator  # noqa: E402
from expressions import Generator, smaller  # noqa: E402
from report import Report, finish  # noqa: E402

ERROR = 'ERROR'
NUMBER = re.compile(r'¯?(?:∞|\d+(?:\.\d+)?(?:e¯?\d+)?)')
# Units in the last place that powers, roots and logarithms may be off: C libraries differ.
TOLERANCE = 4e-16
MEMORY = 4 << 30
CHUNK = 20000


class Side:
    """One executable, asked for the •Repr of expressions."""

    def __init__(self, executable, jobs, patience=20, batch_size=1000):
        self.evaluator = Evaluator(executable, show=True, jobs=jobs, batch_size=batch_size, patience=patience, address_space=MEMORY)

    def answers(self, expressions):
        # What has no •Repr, such as a block, is compared as it is shown.
        sources = [f'{{•Repr 𝕩}}⎊{{"shown "∾•Fmt 𝕩}}{text}' for text in expressions]
        return [outcome.printed.rstrip('\n') if outcome.kind == 'returned' else ERROR if outcome.kind == 'failed' else outcome.kind.upper()
                for outcome in self.evaluator.evaluate(sources)]


def number(text):
    text = text.replace('¯', '-')
    return float(text.replace('∞', 'inf'))


def verdict(ours, theirs):
    """Says 'same', 'rounding' or 'different'."""
    if ours == theirs:
        return 'same'
    if NUMBER.sub('N', ours) != NUMBER.sub('N', theirs):
        return 'different'
    for mine, other in zip(map(number, NUMBER.findall(ours)), map(number, NUMBER.findall(theirs))):
        if mine != other and not abs(mine - other) <= TOLERANCE * max(abs(mine), abs(other)):
            return 'different'
    return 'rounding'


def pattern_of(expression):
    """Forgets numbers, letters and blanks, so that one fault is shown once."""
    return re.sub(r'N(‿N)*|"[^"]*"|\s', lambda found: found.group(0)[:1].strip(), NUMBER.sub('N', expression))


class Explained:
    """Reads the differences that stay, as patterns of a shrunk expression."""

    def __init__(self, path):
        self.patterns = []
        with open(path, encoding='utf8') as file:
            for line in file:
                if line.strip() and not line.startswith('#'):
                    pattern, reason = line.rstrip('\n').split('\t')
                    self.patterns.append((re.compile(pattern), reason))

    def reason(self, expression):
        return next((reason for pattern, reason in self.patterns if pattern.search(expression)), None)


def abnormal(side, expression):
    return side.answers([expression])[0] in ('CRASHED', 'HUNG')


def shrink(tree, differ):
    """Simplifies a tree as long as the two sides still differ; `differ` judges many expressions at once."""
    for _ in range(40):
        candidates = sorted((node for node in smaller(tree) if node.size() < tree.size() or len(node.text()) < len(tree.text())),
                            key=lambda node: len(node.text()))[:150]
        if not candidates:
            break
        found = next((node for node, bad in zip(candidates, differ([node.text() for node in candidates])) if bad), None)
        if found is None:
            break
        tree = found
    return tree


def compare(ours, peer, count, seed, most, explained, report):
    generator = Generator(random.Random(seed))
    start, done, rounding, errors, shown, known = time.monotonic(), 0, 0, 0, set(), {}

    def differ(texts):
        return [verdict(mine, other) == 'different' for mine, other in zip(ours.answers(texts), peer.answers(texts))]

    while done < count:
        trees = [generator.expression() for _ in range(min(CHUNK, count - done))]
        texts = [tree.text() for tree in trees]
        mine, others = ours.answers(texts), peer.answers(texts)
        for tree, answer, other in zip(trees, mine, others):
            judged = verdict(answer, other)
            rounding += judged == 'rounding'
            errors += other == ERROR
            if judged != 'different':
                report.passed += 1
            elif 'HUNG' in (answer, other):
                # Says nothing about meaning: one side is slower, and shrinking would wait for it again and again.
                known['too long for one side'] = known.get('too long for one side', 0) + 1
                report.passed += 1
            elif report.failed >= most:
                report.failed += 1
            else:
                small = shrink(tree, differ).text()
                # A crash or a fault in one expression may spoil others of its batch; alone, they count.
                unsteady = not differ([small])[0]
                fell = not unsteady and abnormal(peer, small) and not abnormal(ours, small)
                reason = 'gone when asked alone' if unsteady else 'the peer crashed or hung' if fell else explained.reason(small)
                if reason:
                    known[reason] = known.get(reason, 0) + 1
                    report.passed += 1
                elif pattern_of(small) in shown:
                    report.failed += 1
                else:
                    shown.add(pattern_of(small))
                    report.fail(small, f'here:  {ours.answers([small])[0]}\npeer:  {peer.answers([small])[0]}\nfrom:  {tree.text()}')
        done += len(trees)
        print(f'{done} expressions in {time.monotonic() - start:.0f} s: {errors} end in an error, {rounding} differ in rounding, '
              f'{sum(known.values())} explained, {report.failed} different', file=sys.stderr)
    for reason, times in known.items():
        print(f'explained {times} times: {reason}')


def record(peer, count, seed, path):
    generator = Generator(random.Random(seed))
    texts = [generator.expression().text() for _ in range(count)]
    with open(path, 'w', encoding='utf8') as file:
        for text, answer in zip(texts, peer.answers(texts)):
            if not any(c in text + answer for c in '\t\n') and len(text + answer) < 300 and answer not in ('CRASHED', 'HUNG'):
                file.write(f'{text}\t{answer}\n')


def replay(executable, report, path=os.path.join(HERE, 'recorded.tsv'), jobs=None):
    """Compares with recorded answers."""
    with open(path, encoding='utf8') as file:
        pairs = [line.rstrip('\n').split('\t') for line in file]
    explained = Explained(os.path.join(HERE, 'explained.tsv'))
    for (text, wanted), answer in zip(pairs, Side(executable, jobs).answers([text for text, _ in pairs])):
        good = verdict(answer, wanted) != 'different' or explained.reason(text)
        report.check(good, text, f'here:      {answer}\nrecorded:  {wanted}')


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'bqn'))
    arguments.add_argument('--peer')
    arguments.add_argument('--count', type=int, default=20000)
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--most', type=int, default=25, help='differences to shrink and show')
    arguments.add_argument('--jobs', type=int)
    arguments.add_argument('--record', metavar='FILE')
    arguments.add_argument('--replay', metavar='FILE')
    options = arguments.parse_args()
    report = Report()
    if options.replay:
        replay(options.bqn, report, options.replay, options.jobs)
    elif not options.peer:
        arguments.error('--peer or --replay, please')
    elif options.record:
        record(Side(options.peer, options.jobs), options.count, options.seed, options.record)
        return 0
    else:
        explained = Explained(os.path.join(HERE, 'explained.tsv'))
        compare(Side(options.bqn, options.jobs), Side(options.peer, options.jobs), options.count, options.seed, options.most, explained,
                report)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
