#!/usr/bin/env python3
"""Compares random expressions, or with --programs whole programs, with another BQN:

  differential.py --peer PATH [--bqn PATH] [--count N] [--seed N]    compare, shrink and show what differs
  differential.py --setting NAME=VALUE …                             the same with this build, where a variable is set
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
from expressions import Generator  # noqa: E402
from programs import Programs  # noqa: E402
from tree import smaller  # noqa: E402
from report import Report, finish  # noqa: E402

ERROR = 'ERROR'
FALLEN = ('CRASHED', 'HUNG')
NUMBER = re.compile(r'¯?(?:∞|\d+(?:\.\d+)?(?:e¯?\d+)?)')
# Units in the last place that powers, roots and logarithms may be off: C libraries differ.
TOLERANCE = 4e-16
# Little, so that what is too large for either side fails soon on both.
MEMORY = 256 << 20
# What a program is shrunk to where a definition of it is at fault.
DEFINITION_ALONE = re.compile(r'\{𝕊:([a-e])←\{𝕊:(.*)\}⎊1‿2 @(?:⋄[a-e]←[a-e])?⋄⟨[a-e]⟩\}0')
CHUNK = 20000
# What has no •Repr, such as a block, is compared as it is shown.
WHOLE = '{•Repr 𝕩}⎊{"shown "∾•Fmt 𝕩}'
# Of long results the start, the length and a sum.
SHORTENED = '{400<≠𝕩?(200↑𝕩)∾" … "∾(•Repr≠𝕩)∾" "∾•Repr+´(𝕩-@)×1+97|↕≠𝕩;𝕩}∘(' + WHOLE + ')'


class Side:
    """One executable, asked for the •Repr of expressions."""

    def __init__(self, executable, jobs, patience=5, batch_size=1000, shortens=False, settings=None):
        self.asked = SHORTENED if shortens else WHOLE
        common = {'show': True, 'jobs': jobs, 'address_space': MEMORY, 'settings': settings}
        self.patient = Evaluator(executable, batch_size=1, patience=30, **{**common, 'address_space': 16 * MEMORY})
        self.evaluator = Evaluator(executable, batch_size=batch_size, patience=patience, **common)

    def answers(self, expressions):
        return self._ask(self.evaluator, expressions)

    def slow_answer(self, expression):
        """Asks for one with more patience, in a process of its own."""
        return self._ask(self.patient, [expression])[0]

    def _ask(self, evaluator, expressions):
        sources = [self.asked + text for text in expressions]
        return [outcome.printed.rstrip('\n') if outcome.kind == 'returned' else ERROR if outcome.kind == 'failed' else outcome.kind.upper()
                for outcome in evaluator.evaluate(sources)]


def number(text):
    text = text.replace('¯', '-')
    return float(text.replace('∞', 'inf'))


def verdict(ours, theirs):
    """Says 'same', 'rounding' or 'different'. That this build falls is never the same."""
    if ours in FALLEN:
        return 'different'
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
    """Reads the differences that stay: patterns of a shrunk expression and of the two answers to it."""

    def __init__(self, path):
        self.patterns = []
        with open(path, encoding='utf8') as file:
            for line in file:
                if line.strip() and not line.startswith('#'):
                    expression, answers, reason = line.rstrip('\n').split('\t')
                    self.patterns.append((re.compile(expression), re.compile(answers), reason))

    def reason(self, text, ours, theirs):
        if ours in FALLEN:
            return None
        # A program that is one expression, which gives 1‿2 where it fails: both as they would be without the rest.
        alone = DEFINITION_ALONE.fullmatch(text)
        if alone:
            text, (ours, theirs) = alone[2], (ERROR if side == '"⟨1‿2⟩"' else re.sub('^"⟨(.*)⟩"$', r'"\1"', side) for side in (ours, theirs))
        answers = f'{ours} ⇒ {theirs}'
        return next((reason for expression, answer, reason in self.patterns
                     if expression.search(text) and answer.search(answers)), None)


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


def maker(programs, seed, fails=False):
    """Gives what makes the trees of expressions, or of programs."""
    chance = random.Random(seed)
    return Programs(chance, fails).program if programs else Generator(chance).expression


def compare(ours, peer, count, make, most, explained, report, examples):
    start, done, rounding, errors, shown, known = time.monotonic(), 0, 0, 0, set(), {}

    def differ_as(fails):
        """Gives what tells the texts that differ, as one did: where one side alone had an error, it still has."""
        def differ(texts):
            return [verdict(mine, other) == 'different' and other not in FALLEN and (mine == ERROR, other == ERROR) == fails
                    for mine, other in zip(ours.answers(texts), peer.answers(texts))]
        return differ

    def count_known(reason, text):
        known.setdefault(reason, []).append(text)
        report.passed += 1

    while done < count:
        trees = [make() for _ in range(min(CHUNK, count - done))]
        texts = [tree.text() for tree in trees]
        mine, others = ours.answers(texts), peer.answers(texts)
        for tree, answer, other in zip(trees, mine, others):
            judged = verdict(answer, other)
            rounding += judged == 'rounding'
            errors += other == ERROR
            if judged != 'different':
                report.passed += 1
                continue
            if answer in FALLEN or other in FALLEN:
                # Shrinking would wait again and again. The peer alone may take as long as it likes.
                fell = (ours if answer in FALLEN else peer).slow_answer(tree.text())
                if answer not in FALLEN and fell in FALLEN:
                    count_known('the peer crashed or hung', tree.text())
                elif fell in FALLEN or answer == 'CRASHED' or verdict(fell if answer in FALLEN else answer,
                                                                      peer.slow_answer(tree.text())) == 'different':
                    report.fail(tree.text(), f'here:  {answer}, alone {fell}\npeer:  {other}')
                else:
                    count_known('only slow', tree.text())
            elif ERROR in (answer, other) and verdict(ours.slow_answer(tree.text()), peer.slow_answer(tree.text())) != 'different':
                count_known('little memory', tree.text())
            elif report.failed >= most:
                report.failed += 1
            else:
                small = shrink(tree, differ_as((answer == ERROR, other == ERROR))).text()
                here, there = ours.answers([small])[0], peer.answers([small])[0]
                # A crash or a fault in one expression may spoil others of its batch; alone, they count.
                reason = ('gone when asked alone' if verdict(here, there) != 'different' else 'the peer crashed or hung' if there in FALLEN and here not in FALLEN
                          else explained.reason(small, here, there))
                if reason:
                    count_known(reason, small)
                elif pattern_of(small) in shown:
                    report.failed += 1
                else:
                    shown.add(pattern_of(small))
                    report.fail(small, f'here:  {here[:200]}\npeer:  {there[:200]}\nfrom:  {tree.text()}')
        done += len(trees)
        print(f'{done} in {time.monotonic() - start:.0f} s: {errors} end in an error, {rounding} differ in rounding, '
              f'{sum(map(len, known.values()))} explained, {report.failed} different', file=sys.stderr)
    for reason, texts in known.items():
        print(f'explained {len(texts)} times: {reason}, as in  {"   ".join(sorted(set(texts), key=len)[:examples])}')


def agree(executable, report, settings, count=1000, seed=1, programs=True, jobs=None):
    """Compares this build with the same where variables are set. Both must give the same, errors included."""
    make = maker(programs, seed, fails=True)
    texts = [make().text() for _ in range(count)]
    here, there = (Side(executable, jobs, batch_size=250, shortens=programs, settings=each) for each in ({}, settings))
    for text, mine, other in zip(texts, here.answers(texts), there.answers(texts)):
        if ERROR in (mine, other) and mine != other:  # one side alone may have had too little memory
            mine, other = here.slow_answer(text), there.slow_answer(text)
        # What both take too long for says nothing. Exponentials have their own kernels on instruction sets without fused multiplication.
        rounded = re.search('[⋆√]|•math', text) and verdict(mine, other) == 'rounding'
        report.check(rounded or mine == other != 'CRASHED', text, f'as usual:  {mine}\n{settings}:  {other}')


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
        good = verdict(answer, wanted) != 'different' or explained.reason(text, answer, wanted)
        report.check(good, text, f'here:      {answer}\nrecorded:  {wanted}')


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'bqn'))
    arguments.add_argument('--peer')
    arguments.add_argument('--setting', metavar='NAME=VALUE', action='append', default=[], help='of the environment of the peer, which is this build then')
    arguments.add_argument('--programs', action='store_true', help='whole programs')
    arguments.add_argument('--count', type=int, default=20000)
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--most', type=int, default=25, help='differences to shrink and show')
    arguments.add_argument('--examples', type=int, default=3, help='to show of each explained difference')
    arguments.add_argument('--jobs', type=int)
    arguments.add_argument('--record', metavar='FILE')
    arguments.add_argument('--replay', metavar='FILE')
    options = arguments.parse_args()
    report = Report()
    if options.replay:
        replay(options.bqn, report, options.replay, options.jobs)
    elif not options.peer and not options.setting:
        arguments.error('--peer, --setting or --replay, please')
    elif options.record:
        record(Side(options.peer, options.jobs), options.count, options.seed, options.record)
        return 0
    else:
        explained = Explained(os.path.join(HERE, 'explained.tsv'))
        # Programs are longer, and fall more often.
        batch = 250 if options.programs else 1000
        settings = dict(setting.split('=', 1) for setting in options.setting)
        compare(Side(options.bqn, options.jobs, batch_size=batch, shortens=options.programs),
                Side(options.peer or options.bqn, options.jobs, batch_size=batch, shortens=options.programs, settings=settings), options.count,
                maker(options.programs, options.seed, fails=not options.peer), options.most, explained, report, options.examples)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
