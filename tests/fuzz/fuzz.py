#!/usr/bin/env python3
"""Feeds senseless, deep, endless and huge programs:  fuzz.py [--bqn PATH] [--seed N] [--programs N] [--only PART]

Every one must end by itself with exit status 0, or with 1 and an error on standard error.
"""
import argparse
import glob
import os
import random
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'tools'))
import extremes  # noqa: E402
import held  # noqa: E402
import random_programs  # noqa: E402
import spec_examples  # noqa: E402
from batch import Evaluator, processes, sanitizer_spoke  # noqa: E402
from report import Report, finish  # noqa: E402

MEMORY = 3 << 29


class Runner:
    """Runs one program in one process, in bounded memory and time.

    Sanitizers and drivers of devices reserve address space without end, so there bqn itself is told how much memory it may use."""

    def __init__(self, executable, patience, limit_memory):
        self.executable, self.patience, self.limit_memory = os.path.abspath(executable), patience, limit_memory
        self.command = [self.executable] + ([] if limit_memory else ['-M', str(MEMORY >> 20)])

    def _limit(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.limit_memory:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def complaint(self, program):
        data = program if isinstance(program, bytes) else program.encode('utf8', 'replace')
        with tempfile.NamedTemporaryFile(suffix='.bqn') as file:
            file.write(data)
            file.flush()
            try:
                done = subprocess.run(self.command + [file.name], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, timeout=self.patience, preexec_fn=self._limit)
            except subprocess.TimeoutExpired:
                return f'still running after {self.patience} s'
        stderr = done.stderr.decode('utf8', 'replace').strip()
        if done.returncode not in (0, 1) or sanitizer_spoke(stderr):
            return f'exit status {done.returncode}: {stderr[:3000]}'
        if done.returncode == 1 and not stderr:
            return 'exit status 1 without a message'
        return ''


def check_each(runner, named, report, jobs):
    named = list(named)
    with ThreadPoolExecutor(jobs) as pool:
        for (name, program), complaint in zip(named, pool.map(lambda item: runner.complaint(item[1]), named)):
            shown = program if len(program) < 200 else program[:200] + (b'...' if isinstance(program, bytes) else '…')
            report.check(not complaint, f'fuzz: {name}', f'{complaint}\nprogram: {shown!r}')


def check_batch(runner, name, programs, report, jobs):
    """Runs many harmless programs a process; one faulty program is one failure."""
    evaluator = Evaluator(runner.executable, show=True, jobs=jobs, patience=runner.patience,
                          address_space=MEMORY if runner.limit_memory else None)
    good = True
    for program, outcome in zip(programs, evaluator.evaluate(programs)):
        if outcome.kind in ('crashed', 'hung') or (outcome.kind == 'failed' and not outcome.message):
            good = False
            report.fail(f'fuzz: {name}', f'{outcome.kind}: {outcome.message}\nprogram: {program!r}')
    if good:
        report.passed += 1


def known_programs():
    """The programs of the repository, to be mutated."""
    programs = []
    for path in sorted(glob.glob(os.path.join(ROOT, 'tests', 'conformance', '**', '*.bqn'), recursive=True)):
        with open(path, encoding='utf8') as file:
            programs.append(file.read())
    for path in sorted(glob.glob(os.path.join(ROOT, 'spec', '**', '*.md'), recursive=True)):
        programs += [example.source for example in spec_examples.read_examples(path)]
    return [program for program in programs if len(program) < 2000 and random_programs.harmless(program)] or ['1+2×↕3']


def run(executable, report, programs=2000, seed=1, patience=20, limit_memory=True, only='', jobs=None):
    jobs = jobs or processes()
    limit_memory = limit_memory and os.environ.get('GRIDDLE_DEVICE') != 'cuda'
    runner = Runner(executable, patience, limit_memory)
    chance = random.Random(seed)
    parts = {
        'text': lambda: check_each(runner, [(f'deep {name}', text) for name, text in extremes.nested_texts(extremes.DEEP)], report, jobs),
        'value': lambda: check_each(runner, extremes.deep_values(extremes.DEEP), report, jobs),
        'endless': lambda: check_each(runner, [(f'endless {name}', text) for name, text in extremes.ENDLESS.items()], report, jobs),
        # One at a time: together they could take all memory there is.
        'huge': lambda: check_each(runner, [(f'huge {name}', text) for name, text in extremes.HUGE.items()], report, 1),
        'bytes': lambda: check_each(runner, [(f'random bytes {i}, seed {seed}', random_programs.random_bytes(chance))
                                             for i in range(programs // 20)], report, jobs),
        'characters': lambda: check_batch(runner, f'random characters, seed {seed}',
                                          [random_programs.random_text(chance) for _ in range(programs)], report, jobs),
        'tokens': lambda: check_batch(runner, f'random tokens, seed {seed}',
                                      [random_programs.random_tokens(chance) for _ in range(programs)], report, jobs),
        'held': lambda: held.check(Evaluator(executable, show=True, jobs=jobs, patience=patience,
                                             address_space=MEMORY if limit_memory else None), report,
                                   held.Sequences(random.Random(seed)), programs, seed),
        'mutated': lambda: check_batch(runner, f'mutated programs, seed {seed}', mutations(chance, programs), report, jobs),
    }
    for name, part in parts.items():
        if only in ('', name):
            part()


def mutations(chance, count):
    known = known_programs()
    candidates = (random_programs.mutated(chance, known) for _ in range(count * 2))
    return [program for program in candidates if random_programs.harmless(program)][:count]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'bqn'))
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--programs', type=int, default=2000)
    arguments.add_argument('--patience', type=float, default=20)
    arguments.add_argument('--only', default='', help='text value endless huge bytes characters tokens held mutated')
    arguments.add_argument('--jobs', type=int)
    options = arguments.parse_args()
    report = Report()
    run(options.bqn, report, options.programs, options.seed, options.patience, only=options.only, jobs=options.jobs)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
