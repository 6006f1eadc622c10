#!/usr/bin/env python3
"""Count the instructions of short calls, and compare the counts with another run's.

    short.py [--general] BUILD_FOLDER > COUNTS
    short.py BEFORE AFTER

The first runs cases/short.txt at each length and type under callgrind; a count is the instructions of one evaluation, without the
loop around it. Counts repeat to a few instructions wherever the same build runs on the same chip, so a change of 3 % is a change.
The second prints what got dearer by more than 3 %, and the geometric mean of all ratios; it ends with 1 where anything got dearer.
"""
import math
import pathlib
import re
import subprocess
import sys
import tempfile

COPIES = 16 * 4  # evaluations in a count: short_calls.cc's copies and calls
LENGTHS = (0, 1, 2, 3, 4, 8, 16, 32, 64, 200)
NOISE = 3  # instructions that an evaluation's count may differ by chance
# What makes a list of n elements of each type; x from seed 1, w from seed 2.
MAKERS = {
    'bit': '2|⌊(seed×↕n)÷3',
    'i8': '¯50+101|(37×seed)×↕n',
    'i32': '¯50000+100003|(37019×seed)×↕n',
    'f64': '0.5+¯50+101|(37×seed)×↕n',
    'character': "'a'+26|(7×seed)×↕n",
    'box': '{𝕩+↕3}¨seed+↕n',
}
STORED = {'character': 'c8', 'box': 'any'}  # where that has another name than the type


def cases():
    """Give (name, definitions, expression, how x is stored) of every case."""
    groups = {}
    text = pathlib.Path(__file__).with_name('cases').joinpath('short.txt').read_text(encoding='utf-8')
    for line in text.splitlines():
        if not line or line.startswith('#'):
            continue
        expression, types = line.rsplit(': ', 1)
        if expression in ('all', 'numbers', 'plain'):
            groups[expression] = types.split()
            continue
        for kind in groups.get(types, types.split()):
            for length in LENGTHS:
                if needs(expression, 't') and length % 2:
                    continue
                if length == 0 and needs(expression, 'b', '⊑'):
                    continue
                yield f'{expression} {kind} {length}', definitions(kind, length), expression, STORED.get(kind, kind)


def needs(expression, *names):
    return any(name in expression for name in names)


def definitions(kind, length):
    """Give the text that defines the variables of short.txt's expressions."""
    first, second = (f'{length}↑{{n←{max(length, 1)}⋄seed←{seed}⋄{MAKERS[kind]}}}' for seed in (1, 2))
    parts = [f'x←{first}', f'w←{second}', f'f←2|↕{length}', f'g←⌽↕{length}']
    if length:
        parts.append('b←⊑x')
    if length % 2 == 0:
        parts.append(f't←2‿{length // 2}⥊x')
    return '⋄'.join(parts)


def instructions(path):
    """Give the instructions that a dump of callgrind counted."""
    return int(re.search(r'^(?:totals|summary): (\d+)', path.read_text(encoding='utf-8', errors='replace'), re.M).group(1))


def count(build, general):
    """Print the counts of all cases of a build."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        listed = list(cases())
        (folder / 'cases').write_text(''.join('\t'.join(case) + '\n' for case in listed), encoding='utf-8')
        program = pathlib.Path(build, 'tests', 'bench', 'short_calls').resolve()
        subprocess.run(['valgrind', '-q', '--tool=callgrind', '--collect-atstart=no', f'--callgrind-out-file={folder}/out',
                        program, *(['--general'] if general else []), 'cases'], cwd=folder, check=False, stdout=subprocess.DEVNULL)
        dumps = {}
        for path in folder.glob('out.*'):
            named = re.search(r'Client Request: (\w+)', path.read_text(encoding='utf-8', errors='replace'))
            if named:
                dumps[named.group(1)] = instructions(path)
        for number, (case, *_) in enumerate(listed):
            if str(number) in dumps:
                print(f'{case}\t{max(0, dumps[str(number)] - dumps["empty"]) // COPIES}')


def read(path):
    lines = pathlib.Path(path).read_text(encoding='utf-8').splitlines()
    return {name: int(value) for name, value in (line.split('\t') for line in lines)}


def compare(before_path, after_path):
    """Print which cases got dearer, and the mean of the ratios; give whether any did."""
    before, after = read(before_path), read(after_path)
    common = [name for name in before if name in after]
    dearer = [name for name in common if after[name] > max(before[name] * 1.03, before[name] + NOISE)]
    for name in dearer:
        print(f'{name}: {before[name]} → {after[name]}')
    mean = math.exp(sum(math.log((after[name] + 1) / (before[name] + 1)) for name in common) / max(1, len(common)))
    print(f'{len(common)} cases, {len(dearer)} dearer by more than 3 %, geometric mean {mean:.3f}')
    for name in before.keys() - after.keys():
        print(f'{name}: counted before only')
    return bool(dearer) or not common


def main():
    arguments = sys.argv[1:]
    general = '--general' in arguments
    arguments = [argument for argument in arguments if argument != '--general']
    if len(arguments) == 1:
        count(arguments[0], general)
        return 0
    if len(arguments) == 2:
        return int(compare(*arguments))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == '__main__':
    sys.exit(main())
