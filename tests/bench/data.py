#!/usr/bin/env python3
"""Measures •json and •csv beside Python's json and csv:  data.py [--bqn PATH] [--megabytes N] [--rounds N]

Each file is read in turn by both, and the least time of the rounds counts; that of reading the bytes alone is told as well. The
values are compared. The last line says what the interpreter's process used at most.
"""
import argparse
import csv
import json
import os
import random
import resource
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Reads a file so many times, and writes the least time, the time for its bytes, and a sum that both sides must agree on.
PROGRAM = '''
path‿rounds‿kind←•args
Time←{𝕊f: s←•MonoTime@ ⋄ F path ⋄ (•MonoTime@)-s}
Least←{𝕊f: ⌊´{𝕊: Time f}¨↕•ParseFloat rounds}
read←(kind≡"json")⊑•csv.parseFile‿•json.parseFile
•Out •Repr ⟨Least read, Least •file.bytes⟩
Sum←{0=•Type 𝕩?+´Sum¨⥊𝕩;1=•Type 𝕩?𝕩;0}
•Out •Repr Sum Read path
'''
WORDS = 'anna bert carla dora emil'.split()


def numbers(rng):
    return str(rng.randrange(10 ** rng.randrange(1, 8)))


def record(rng, i):
    return {'id': i, 'name': rng.choice(WORDS) + str(rng.randrange(10**5)), 'score': round(rng.random() * 100, 2),
            'active': rng.random() < 0.5, 'tags': ['red', 'green'], 'city': 'Zürich'}


def filled(path, size, before, line, between, after):
    """Writes lines until the file has about this size."""
    with open(path, 'w', encoding='utf8') as file:
        written = file.write(before)
        i = 0
        while written < size:
            written += file.write((between if i else '') + line(i))
            i += 1
        file.write(after)
    return path


def files(folder, size):
    """Makes the files; gives (name, path)."""
    rng = random.Random(1)
    at = lambda name: os.path.join(folder, name)
    yield 'integers.json', filled(at('integers.json'), size, '[', lambda i: numbers(rng), ', ', ']')
    yield 'floats.json', filled(at('floats.json'), size, '[', lambda i: json.dumps([rng.random() * 100 for _ in range(3)]), ', ', ']')
    yield 'records.json', filled(at('records.json'), size, '[', lambda i: json.dumps(record(rng, i), ensure_ascii=False), ', ', ']')
    yield 'pretty.json', filled(at('pretty.json'), size, '[', lambda i: json.dumps(record(rng, i), indent=4), ',\n', ']')
    yield 'integers.csv', filled(at('integers.csv'), size, '', lambda i: ','.join(numbers(rng) for _ in range(8)), '\n', '\n')
    yield 'floats.csv', filled(at('floats.csv'), size, '', lambda i: ','.join(f'{rng.random() * 1000:.6f}' for _ in range(8)), '\n', '\n')
    yield 'mixed.csv', filled(at('mixed.csv'), size, '', lambda i: f'{i},{rng.choice(WORDS)}{rng.randrange(10**5)},"x, y",{rng.random():.3f}', '\n', '\n')


def sum_of(value):
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, dict):
        return sum(map(sum_of, value.values()))
    return sum(map(sum_of, value)) if isinstance(value, list) else 0


def number_or_text(field):
    try:
        return float(field)
    except ValueError:
        return field


def python_reads(path):
    with open(path, encoding='utf8', newline='') as file:
        return json.load(file) if path.endswith('.json') else list(csv.reader(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'quick', 'bqn'))
    parser.add_argument('--megabytes', type=int, default=20)
    parser.add_argument('--rounds', type=int, default=5)
    options = parser.parse_args()
    print(f'{"MB/s":20}{"bqn":>10}{"bytes":>10}{"Python":>10}{"times":>10}')
    with tempfile.TemporaryDirectory() as folder:
        for name, path in files(folder, options.megabytes * 1_000_000):
            megabytes = os.path.getsize(path) / 1e6
            kind = name.rsplit('.', 1)[1]
            done = subprocess.run([options.bqn, '-e', PROGRAM, path, str(options.rounds), kind], capture_output=True, text=True)
            if done.returncode != 0:
                raise SystemExit(f'{name}: {done.stderr}')
            times, total = done.stdout.splitlines()
            ours, reading = (float(t) for t in times.replace('¯', '-').split('‿'))
            theirs = None
            for _ in range(2):
                start = time.perf_counter()
                value = python_reads(path)
                theirs = min(theirs or 1e9, time.perf_counter() - start)
            wanted = sum_of(value if kind == 'json' else [[number_or_text(f) for f in row] for row in value])
            got = float(total.replace('¯', '-'))
            if abs(got - wanted) > 1e-9 * abs(wanted):
                raise SystemExit(f'{name}: the numbers are others ({got}, {wanted})')
            del value
            print(f'{name:20}{megabytes / ours:10.0f}{megabytes / reading:10.0f}{megabytes / theirs:10.0f}{theirs / ours:10.1f}', flush=True)
    print(f'most memory: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000:.0f} MB')


if __name__ == '__main__':
    main()
