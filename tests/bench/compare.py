#!/usr/bin/env python3
"""Times the cases on this build and on another BQN, in turn:  compare.py [--peer PATH] [--bqn PATH] [--chips] [NAME …]

A NAME is the start of family/case. Prints times, ratios (above 1: we are faster), the geometric mean a family, and the worst ten.
With --chips this build takes a turn on each instruction set that it has and this processor knows; what is slower on a better one
than on a lesser one is told, too.
"""
import argparse
import contextlib
import glob
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

import whole_process

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

HARNESS = '''Case←{𝕊 name‿source: •Out name∾(@+9)∾{𝕊: Measure •BQN source}⎊{𝕊: "failed: "∾•Fmt •CurrentError@}@}
Measure←{F←𝕏
  Go←{𝕊 k: t←•MonoTime@ ⋄ {F@ ⋄ 𝕩}⍟k 0 ⋄ t-˜•MonoTime@}
  Enough←{𝕊 k: t←Go k ⋄ (t≥0.01)◶⟨{𝕊:Enough k×2⌈⌈0.012÷t⌈1e¯7},{𝕊:k‿t}⟩@}
  k‿t←Enough 1
  t⌊↩⌊´Go¨((t≥0.1)+t≥0.5)⊑⟨4⥊k,2⥊k,⟨k⟩⟩
  •Fmt 1e9×t÷k
}
'''


class Case:
    def __init__(self, family, fields, size):
        self.family, self.size = family, size
        self.name = f'{family}/{fields["case"]}' + (f' {size}' if size != '1' else '')
        # What a block gives is no constant, so that nothing is computed before the clock runs.
        statements = [f'n←{{𝕩}}{size}'] + ([fields['let']] if 'let' in fields else [])
        # Bytes that each element must move: read + written.
        self.moves = [float(n) for n in fields['moves'].split('+')] if 'moves' in fields else None
        self.source = ' ⋄ '.join(statements + [f'! {fields["check"]}', f'{{𝕊: {fields["time"]}}}'])


def read_family(path, largest):
    """Reads a file of cases: lines `key: text`, cases apart by blank lines; `sizes:` holds for those after it."""
    family, sizes, cases = os.path.basename(path).removesuffix('.txt'), ['1'], []
    with open(path, encoding='utf8') as file:
        for block in re.split(r'\n\s*\n', file.read().strip()):
            fields = dict(line.split(': ', 1) for line in block.split('\n'))
            sizes = fields.get('sizes', ' '.join(sizes)).split()
            if 'case' in fields:
                cases += [Case(family, fields, size) for size in sizes if float(size) <= largest]
    return cases


class Ceilings:
    """What memory can do at best, from the lines of `ceilings`: (what, footprint) → GB/s."""

    def __init__(self, program):
        lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split('\n')
        self.speeds = {}
        for what, footprint, speed in (line.split('\t') for line in lines if line):
            self.speeds.setdefault(what, []).append((float(footprint), float(speed)))

    def nanoseconds(self, case):
        """Gives the least time in which the bytes of a case can move, or None where it does not say."""
        if not case.moves:
            return None
        read, written = case.moves
        what = 'read' if not written else 'write' if not read else 'add' if read > 1.5 * written else 'copy'
        moved = float(case.size) * (read + written)
        speed = min(self.speeds[what], key=lambda entry: abs(math.log(entry[0] / max(moved, 1))))[1]
        return moved / speed


def quote(text):
    return '"' + text.replace('"', '""') + '"'


def instruction_sets(executable):
    """Gives the names of those that a build has and this processor knows, the least first."""
    version = subprocess.run([executable, '--version'], capture_output=True, text=True, check=True).stdout
    compiled, best = re.search('instruction sets: (.*); this processor runs (.*)', version).groups()
    return compiled.split()[:compiled.split().index(best) + 1]


class Side:
    """A program that is timed: this build, perhaps on a lesser instruction set, or the peer."""

    def __init__(self, name, executable, target=None):
        self.name, self.executable, self.target = name, os.path.abspath(executable), target

    @contextlib.contextmanager
    def chosen(self):
        """Has the processes that are started meanwhile use the instruction set."""
        before = os.environ.pop('GRIDDLE_TARGET', None)
        # Without a target of its own, the one that the caller asked for holds.
        if wanted := self.target or before:
            os.environ['GRIDDLE_TARGET'] = wanted
        try:
            yield self.executable
        finally:
            os.environ.pop('GRIDDLE_TARGET', None)
            if before is not None:
                os.environ['GRIDDLE_TARGET'] = before


def run_cases(executable, cases, patience):
    """Runs cases in one process; gives nanoseconds a call, by name."""
    program = HARNESS + ''.join(f'Case ⟨{quote(case.name)},{quote(case.source)}⟩\n' for case in cases)
    with tempfile.NamedTemporaryFile('w', suffix='.bqn', encoding='utf8') as file:
        file.write(program)
        file.flush()
        try:
            done = subprocess.run([executable, file.name], stdin=subprocess.DEVNULL, capture_output=True, timeout=patience)
            output, errors = done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            output, errors = late.stdout or b'', b'not finished in time'
    results = {}
    for line in output.decode('utf8', 'replace').split('\n'):
        name, tab, figure = line.partition('\t')
        if tab and figure.startswith('failed'):
            print(f'{name} {figure}', file=sys.stderr)
        elif tab:
            results[name] = float(figure.replace('¯', '-'))
    if errors:
        print(f'{os.path.basename(executable)}: {errors.decode("utf8", "replace").strip()[:400]}', file=sys.stderr)
    return results


class Figures:
    """Collects the figures of each case for each side; the last one may be the peer, and the others are ours."""

    def __init__(self, sides, has_peer):
        self.sides, self.ours = sides, sides[:-1] if has_peer else sides
        self.peer = sides[-1] if has_peer else None
        self.units, self.values = {}, {}

    def add(self, name, side, value, unit='ns'):
        self.units[name] = unit
        self.values.setdefault(name, {}).setdefault(side, []).append(value)

    def ratio(self, name, side, other=None):
        """Gives how many times as long the other side takes, which is the peer as a rule."""
        values, other = self.values[name], other or self.peer
        return min(values[other]) / min(values[side]) if side in values and other in values else None

    def line(self, name, limit=None):
        parts = [f'{name:55}']
        for side in self.sides:
            values = self.values[name].get(side)
            parts.append(f'{spell(min(values), self.units[name]):>9} {spell(statistics.median(values), self.units[name]):>9}' if values else
                         f'{"failed":>19}')
        parts += [f'{ratio:7.2f}×' for side in self.ours if (ratio := self.ratio(name, side))]
        best = self.ours[-1]
        if limit and best in self.values[name]:
            parts.append(f'{100 * limit / min(self.values[name][best]):4.0f} % of the limit')
        return '  '.join(parts)


def spell(value, unit):
    steps = [('ns', 1), ('µs', 1e3), ('ms', 1e6), ('s', 1e9)] if unit == 'ns' else [('kB', 1e3), ('MB', 1e6), ('GB', 1e9)]
    name, factor = next(((name, factor) for name, factor in reversed(steps) if value >= factor), steps[0])
    return f'{value / factor:.3g} {name}'


def mean_of(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else math.nan


def print_summary(figures):
    """Prints what the peer takes over what each of our sides takes; without a peer, what the least of these sides takes."""
    other = figures.peer or figures.ours[0]
    sides = [side for side in figures.ours if side != other]
    if not sides:
        return
    families = {}
    for name in figures.values:
        families.setdefault(name.split('/')[0], []).append(name)
    several = len(sides) > 1 or not figures.peer
    print(f'\ngeometric mean of ratios{" to " + other if several else ""}' + ''.join(f'  {side:>8}' for side in sides if several))
    for family, names in list(families.items()) + [('all', list(figures.values))]:
        columns = [[ratio for name in names if (ratio := figures.ratio(name, side, other))] for side in sides]
        if any(columns):
            print(f'  {family:20} ' + '  '.join(f'{mean_of(ratios):6.2f}×' for ratios in columns) + f'  of {max(map(len, columns))}')
    for side in sides:
        ratios = sorted((ratio, name) for name in figures.values if (ratio := figures.ratio(name, side, other)))
        print(f'worst ten{" of " + side if several else ""}')
        for ratio, name in ratios[:10]:
            print(f'  {ratio:6.2f}×  {name}')
    print_losses(figures)


def print_losses(figures):
    """Prints which cases take longer on an instruction set than on the one before it."""
    for lesser, better in zip(figures.ours, figures.ours[1:]):
        losses = sorted((ratio, name) for name in figures.values if (ratio := figures.ratio(name, better, lesser)) and ratio < 0.95)
        print(f'slower on {better} than on {lesser}: {len(losses)}')
        for ratio, name in losses[:10]:
            print(f'  {ratio:6.2f}×  {name}')


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'bqn'))
    arguments.add_argument('--peer')
    arguments.add_argument('--chips', action='store_true', help='on each instruction set that this processor knows, in turn')
    arguments.add_argument('--rounds', type=int, default=3)
    arguments.add_argument('--max', type=float, default=1e5, help='largest size (1e5)')
    arguments.add_argument('--patience', type=float, default=300)
    arguments.add_argument('--ceilings', default=os.path.join(ROOT, 'build', 'current', 'tests', 'bench', 'ceilings'),
                           help='program that measures the limits; figures are then also printed as shares of them')
    arguments.add_argument('names', nargs='*', metavar='NAME')
    options = arguments.parse_args()
    for executable, is_ours in [(options.bqn, True)] + [(options.peer, False)] * (options.peer is not None):
        if not os.access(executable, os.X_OK):
            sys.exit(f'{executable}: cannot be run' + (' (it is built by `./bqn` or `ninja -C build/current`)' if is_ours else ''))
    sides = [Side(name, options.bqn, name) for name in instruction_sets(options.bqn)] if options.chips else [Side('ours', options.bqn)]
    sides += [Side('peer', options.peer)] if options.peer else []
    ceilings = Ceilings(options.ceilings) if os.path.exists(options.ceilings) else None
    if not ceilings:
        print('shares of what memory can do are printed once `ninja -C build/current tests/bench/ceilings` has been run', file=sys.stderr)
    figures, missing = Figures([side.name for side in sides], options.peer is not None), 0

    def picked(name):
        return not options.names or any(name.startswith(start) for start in options.names)

    print(f'{"case":55}' + ''.join(f'  {side.name + ": min":>9} {"median":>9}' for side in sides) +
          '   ratio' * (options.peer is not None))
    families = [[case for case in read_family(path, options.max) if picked(case.name)]
                for path in sorted(glob.glob(os.path.join(HERE, 'cases', '*.txt')))
                if os.path.basename(path) not in ('long.txt', 'short.txt', 'sweeps.txt')]  # which are others'
    for cases in filter(None, families):
        for turn in range(options.rounds):
            for side in sides if turn % 2 == 0 else reversed(sides):
                with side.chosen() as executable:
                    for name, value in run_cases(executable, cases, options.patience).items():
                        figures.add(name, side.name, value)
        for case in cases:
            missing += not all(ours in figures.values.setdefault(case.name, {}) for ours in figures.ours)
            print(figures.line(case.name, ceilings and ceilings.nanoseconds(case)), flush=True)
    for name, measure, program in whole_process.cases():
        name = f'process/{name}'
        if picked(name):
            for turn in range(options.rounds * (10 if len(program) < 10 else 1)):
                for side in sides:
                    with side.chosen() as executable:
                        taken = whole_process.measure(executable, program)
                    if taken and measure == 'memory':
                        figures.add(name, side.name, taken[measure], 'bytes')
                    elif taken:
                        figures.add(name, side.name, taken[measure] * 1e9)
            missing += not all(ours in figures.values.setdefault(name, {}) for ours in figures.ours)
            print(figures.line(name), flush=True)
    print_summary(figures)
    if missing:
        print(f'{missing} cases failed here')
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main())
