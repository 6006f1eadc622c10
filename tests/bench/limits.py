#!/usr/bin/env python3
"""Prints which share of what binds it each plain primitive reaches:  limits.py [--size N] [--peer PATH] [--bqn PATH] [NAME …]

What binds is told with each case: bytes, at the rate at which memory of that size moves; steps of so many cycles; divisions, square
roots, or additions of doubles one onto the other. `ceilings` measures all of these in the same run: ninja -C build/current tests/bench/ceilings
Cycles are counted from the AVX2 kernels.
"""
import argparse
import os
import subprocess
import sys

import compare

MIXED = '(1000|↕n)×1009|↕n'  # integers in no order
NUMBERS = {
    'i8': (f'50|{MIXED}', 1),
    'i16': (f'15000|{MIXED}', 2),
    'i32': (f'1000000|{MIXED}', 4),
    'f64': (f'0.25+(1000|{MIXED})÷1000', 8),
}


def cases():
    """Gives name, variables, expression, what binds, and how much of that an element takes."""
    for kind, (x, width) in NUMBERS.items():
        two = f'x←{x} ⋄ y←⌽x'
        yield f'x+y {kind}', two, 'x+y', 'add', 3 * width
        yield f'x⌊y {kind}', two, 'x⌊y', 'add', 3 * width
        yield f'x-3 {kind}', two, 'x-3', 'copy', 2 * width
        yield f'x<y {kind}', two, 'x<y', 'read', 2 * width + 1 / 8
        yield f'x=y {kind}', two, 'x=y', 'read', 2 * width + 1 / 8
        yield f'x<25 {kind}', two, 'x<25', 'read', width + 1 / 8
        if kind != 'f64':
            yield f'+´x {kind}', two, '+´x', 'read', width
        yield f'⌊´x {kind}', two, '⌊´x', 'read', width
        yield f'⌈`x {kind}', two, '⌈`x', 'copy', 2 * width
        yield f'+´x=y {kind}', two, '+´x=y', 'read', 2 * width
        yield f'+´x<25 {kind}', two, '+´x<25', 'read', width
        if width < 4:
            yield f'+´x×y {kind}', two, '+´x×y', 'read', 2 * width
    # Eight steps on vectors for four elements, four a cycle.
    yield '+´x f64 above 0', 'x←(•MakeRand 1).Range⟜0 n', '+´x', 'read or cycles', (8, 8 / 4 / 4)
    yield '+´x f64 about 0', 'x←¯0.5+(•MakeRand 1).Range⟜0 n', '+´x', 'ordered', 1
    yield '+`x f64', 'x←¯0.5+(•MakeRand 1).Range⟜0 n', '+`x', 'ordered', 1
    # 21 instructions on 16 elements, four a cycle.
    yield '+`x i16', f'x←100-˜200|{MIXED}', '+`x', 'cycles', 21 / 16 / 4
    yield 'x÷y f64', 'x←1+↕n ⋄ y←⌽x', 'x÷y', 'add or division', (24, 1)
    yield '√x f64', 'x←0.5+↕n', '√x', 'copy or root', (16, 1)
    bits = 'x←0=3|⌊(↕n)×1.618 ⋄ y←⌽x'
    yield 'x∧y bits', bits, 'x∧y', 'add', 3 / 8
    yield 'x≠y bits', bits, 'x≠y', 'add', 3 / 8
    yield '¬x bits', bits, '¬x', 'copy', 2 / 8
    # 83 instructions on 48 words, six a cycle; 16 on four words, four a cycle.
    yield '+´x bits', bits, '+´x', 'cycles', 83 / 48 / 6 / 64
    yield '≠`x bits', bits, '≠`x', 'cycles', 16 / 4 / 4 / 64
    yield "x='c' c8", 'x←n⥊"abcdef"', "x='c'", 'read', 1 + 1 / 8
    yield "+´x='c' c8", 'x←n⥊"abcdef"', "+´x='c'", 'read', 1


class Limits:
    def __init__(self, program, footprints):
        arguments = [str(self.measured(f)) for f in sorted(footprints)]
        self.speeds = {}
        done = subprocess.run([program] + arguments, capture_output=True, text=True, check=True)
        for what, footprint, speed in (line.split('\t') for line in done.stdout.split('\n') if line):
            self.speeds[what, int(footprint)] = float(speed)

    @staticmethod
    def measured(footprint):
        """Gives the footprint whose speed is taken: what is shorter is in the first-level cache all the same."""
        return max(16384, round(footprint))

    def nanoseconds(self, size, what, amount):
        if ' or ' in what:
            return max((self.nanoseconds(size, w, a) for w, a in zip(what.split(' or '), amount)), key=lambda limit: limit[0])
        if what in ('read', 'copy', 'add'):
            moved = size * amount
            speed = self.speeds[what, self.measured(moved)]
            return moved / speed, f'{moved / 1000:.3g} kB, {what}: {speed:.0f} GB/s'
        rate = self.speeds['cycle' if what == 'cycles' else what, 0]
        return size * amount / rate, f'{what}: {amount:.4g} an element, {rate:.3g} a ns'


LONGEST_SHORT, FEWEST = 10000, 8  # elements


def program_of(name, let, time, size):
    return compare.Case('limits', {'case': name, 'let': let, 'time': time, 'check': f'({time})≡{time}'}, str(size))


def footprints_of(size, what, amount):
    parts = zip(what.split(' or '), amount) if ' or ' in what else [(what, amount)]
    return {size * a for w, a in parts if w in ('read', 'copy', 'add')}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bqn', default=os.path.join(compare.ROOT, 'build', 'bqn'))
    arguments.add_argument('--peer')
    arguments.add_argument('--size', type=int, default=100000)
    arguments.add_argument('--rounds', type=int, default=3)
    arguments.add_argument('--ceilings', default=os.path.join(compare.ROOT, 'build', 'current', 'tests', 'bench', 'ceilings'))
    arguments.add_argument('names', nargs='*', metavar='NAME')
    options = arguments.parse_args()
    if not os.path.exists(options.ceilings):
        sys.exit('build what measures the limits: ninja -C build/current tests/bench/ceilings')
    chosen = [case for case in cases() if not options.names or any(case[0].startswith(name) for name in options.names)]
    footprints = set().union(*(footprints_of(options.size, case[3], case[4]) for case in chosen))
    programs = [program_of(*case[:3], options.size) for case in chosen]
    calls = [program_of(*case[:3], FEWEST) for case in chosen] if options.size <= LONGEST_SHORT else []
    best = {}
    limits = []
    for _ in range(options.rounds):
        limits.append(Limits(options.ceilings, footprints))
        for side, executable in [('ours', options.bqn)] + ([('peer', options.peer)] if options.peer else []):
            for name, taken in compare.run_cases(os.path.abspath(executable), programs + calls, 600).items():
                best[side, name] = min(taken, best.get((side, name), taken))
    print('| case | what binds | limit µs | taken µs | share |' + (' peer µs | peer share |' if options.peer else ''))
    print('| --- | --- | --- | --- | --- |' + (' --- | --- |' if options.peer else ''))
    for i, ((name, _, _, what, amount), program) in enumerate(zip(chosen, programs)):
        limit, why = min(l.nanoseconds(options.size, what, amount) for l in limits)
        if calls:
            call = best.get(('ours', calls[i].name), 0)
            limit, why = limit + call, f'{why}; call: {call:.0f} ns'
        row = [name, why, f'{limit / 1000:.3g}']
        for side in ['ours'] + ['peer'] * bool(options.peer):
            taken = best.get((side, program.name))
            row += [f'{taken / 1000:.3g}', f'{100 * limit / taken:.0f} %'] if taken else ['failed', '']
        print('| ' + ' | '.join(row) + ' |')


if __name__ == '__main__':
    main()
