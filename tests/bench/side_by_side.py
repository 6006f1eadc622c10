#!/usr/bin/env python3
"""Times one program of cases on several executables at once:  side_by_side.py PROGRAM --exe OURS --exe PEER … [--slices] [PREFIX …]

PROGRAM prints `name<TAB>nanoseconds per element<TAB>elements` for each case, whose name begins with a family and a slash, and takes
`max=1e5` and prefixes of names. All run at once on one core, so that what disturbs one disturbs the others, and the least of each is
kept. With --slices the program is made to measure by the least of 60 slices of .3 ms, where it says 20 ms and the least of five.
Prints the ratio of each other to the first one, by families and sizes, and the cases where the last one is faster. --keep FILE
merges what was measured into a file, of which --show prints the same again.
"""
import argparse
import collections
import math
import os
import subprocess
import sys
import tempfile

FAMILIES = 'arith bool char chain fold scan transpose replicate indices select group sort search struct idiom'.split()
SHORTER = [('(t≥0.02)◶', '(t≥0.00025)◶'), ('50⌊0.026÷t', '50⌊0.0003÷t'),
           ('((t≥0.1)+t≥0.7)⊑⟨5⥊k,3⥊k,⟨k⟩⟩', '((t≥0.002)+t≥0.02)⊑⟨60⥊k,15⥊k,5⥊k⟩')]


def sliced(source):
    for long, short in SHORTER:
        if source.count(long) != 1:
            sys.exit(f'side_by_side.py: the program does not have {long} once')
        source = source.replace(long, short)
    return source


def read_lines(text, best, column, columns):
    """Takes the least of what a program has printed, or of what a file keeps."""
    for line in text.splitlines():
        fields = line.split('\t')
        try:
            times = [float(field.replace('¯', '-')) for field in (fields[1:2] if column is not None else fields[2:])]
        except ValueError:
            continue
        if len(fields) < 3 or not times:
            continue
        of_case = best.setdefault((fields[0], fields[2] if column is not None else fields[1]), [math.inf] * columns)
        for k, time in enumerate(times, column or 0):
            of_case[k] = min(of_case[k], time)


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def measure(args, program, best):
    cpu = str(max(os.sched_getaffinity(0)))
    for prefix in args.prefix or [f'{family}/' for family in FAMILIES]:
        runs = [subprocess.Popen(['taskset', '-c', cpu, exe, program, f'max={args.max}', prefix], stdout=subprocess.PIPE, text=True)
                for exe in args.exe]
        for column, run in enumerate(runs):
            read_lines(run.communicate()[0], best, column, len(args.exe))
            if run.returncode:
                print(f'{args.exe[column]} {prefix}: exit status {run.returncode}', file=sys.stderr)


def show(best, low):
    families, faster = collections.defaultdict(list), []
    for (name, size), times in best.items():
        if all(0 < time < math.inf for time in times):
            ratios = [time / times[0] for time in times[1:]]
            families[name.split('/')[0]].append((size, ratios))
            families['all'].append((size, ratios))
            if ratios[-1] < low:
                faster.append(f'{ratios[-1]:.2f} {name} {size}: ' + ' '.join(f'{time:.4g}' for time in times))
    for family, cases in sorted(families.items(), key=lambda item: item[0] == 'all'):
        columns = zip(*(ratios for _, ratios in cases))
        sizes = {size for size, _ in cases} & {'1000', '100000', '10000000'}
        print(f'{family:10}', ' '.join(f'{mean(column):.2f}' for column in columns), f'of {len(cases)},',
              f'below {low}: {sum(ratios[-1] < low for _, ratios in cases)};',
              ' '.join(f'{size}: {mean([r[-1] for s, r in cases if s == size]):.2f}' for size in sorted(sizes, key=int)))
    print('\n'.join(sorted(faster)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('--exe', action='append', default=[], required=True)
    parser.add_argument('--max', default='1e5')
    parser.add_argument('--rounds', type=int, default=1)
    parser.add_argument('--low', type=float, default=.95)
    parser.add_argument('--slices', action='store_true')
    parser.add_argument('--show', action='store_true')
    parser.add_argument('--keep')
    parser.add_argument('prefix', nargs='*')
    args = parser.parse_intermixed_args()
    best = {}
    if args.keep and os.path.exists(args.keep):
        with open(args.keep, encoding='utf8') as file:
            read_lines(file.read(), best, None, len(args.exe))
    with tempfile.TemporaryDirectory() as folder, open(args.program, encoding='utf8') as file:
        program = os.path.join(folder, 'program.bqn')
        source = file.read()
        with open(program, 'w', encoding='utf8') as copy:
            copy.write(sliced(source) if args.slices else source)
        for _ in range(0 if args.show else args.rounds):
            measure(args, program, best)
            if args.keep:
                with open(args.keep, 'w', encoding='utf8') as kept:
                    kept.writelines('\t'.join([*case, *map(str, times)]) + '\n' for case, times in best.items())
    show(best, args.low)


if __name__ == '__main__':
    main()
