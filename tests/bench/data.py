#!/usr/bin/env python3
"""Measures •json and •csv beside Python's json and csv:  data.py [--bqn PATH] [--megabytes N] [--rounds N]

Processor time counts, of the best round, so that others who use the machine matter little. `first` is a process that reads a file once,
with getting its bytes and with the memory of its values, less one that reads nothing; `again` one that reads it several times, less one
that only gets its bytes as often. Python's is its first read as well. Where orjson, ujson, Polars, DuckDB or pandas are installed, a
line of each follows; with --node, those of the node modules @duckdb/node-api and nodejs-polars that lie in that folder, each with one
thread, less a process that only loads them. The numbers in the values are compared. The last line says what memory a process of the
interpreter used at most.
"""
import argparse
import csv
import importlib.util
import json
import os
import random
import resource
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Reads a file so many times; writes a sum that both sides must agree on.
READ = '{{𝕊: {read} path}}¨↕{times}'
SUM = 'Sum←{{0=•Type 𝕩?+´Sum¨⥊𝕩;1=•Type 𝕩?𝕩;0}} ⋄ •Out •Repr Sum {read} path'
TIMES = 4
# Programs of node that read a file whole as a table in memory, or nothing where the path is empty.
DUCKDB = """
const [path, kind] = process.argv.slice(1);
(async () => {
  const instance = await require('@duckdb/node-api').DuckDBInstance.create(':memory:', {threads: '1'});
  const reads = kind === 'csv' ? `read_csv('${path}', header=false)` : `read_json('${path}', maximum_object_size=2000000000)`;
  if (path) await (await instance.connect()).run(`create table t as select * from ${reads}`);
})();
"""
POLARS = """
const path = process.argv[1], polars = require('nodejs-polars');
if (path) polars.readCSV(path, {hasHeader: false});
"""
WORDS = 'anna bert carla dora emil'.split()
NODE_PROGRAMS = {'json': [('duckdb', DUCKDB)], 'csv': [('duckdb', DUCKDB), ('polars', POLARS)]}


def numbers(rng):
    return str(rng.randrange(10 ** rng.randrange(1, 8)))


def record(rng, i):
    return {'id': i, 'name': rng.choice(WORDS) + str(rng.randrange(10**5)), 'score': round(rng.random() * 100, 2),
            'active': rng.random() < 0.5, 'tags': ['red', 'green'], 'city': 'Zürich'}


def small_record(rng, i):
    return {'id': i, 'name': rng.choice(WORDS) + str(rng.randrange(10**5)), 'score': round(rng.random() * 100, 2),
            'active': rng.random() < 0.5, 'city': rng.choice(['Berlin', 'Paris', 'Rome'])}


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
    yield 'digits.json', filled(at('digits.json'), size, '[', lambda i: repr(rng.random() * 100), ', ', ']')
    yield 'members.json', filled(at('members.json'), size, '[', lambda i: json.dumps(small_record(rng, i)), ', ', ']')
    yield 'records.json', filled(at('records.json'), size, '[', lambda i: json.dumps(record(rng, i), ensure_ascii=False), ', ', ']')
    yield 'pretty.json', filled(at('pretty.json'), size, '[', lambda i: json.dumps(record(rng, i), indent=4), ',\n', ']')
    yield 'integers.csv', filled(at('integers.csv'), size, '', lambda i: ','.join(numbers(rng) for _ in range(8)), '\n', '\n')
    yield 'floats.csv', filled(at('floats.csv'), size, '', lambda i: ','.join(f'{rng.random() * 1000:.6f}' for _ in range(8)), '\n', '\n')
    yield 'digits.csv', filled(at('digits.csv'), size, '', lambda i: ','.join(repr(rng.random() * 100) for _ in range(4)), '\n', '\n')
    yield 'quoted.csv', filled(at('quoted.csv'), size, '', lambda i: f'"{rng.choice(WORDS)}{rng.randrange(10**5)}","x, y {i}","so ""it"" is",{rng.randrange(1000)}', '\n', '\n')
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


def others(kind):
    """Gives what reads such files faster than Python's own modules, where it is installed: (name, function of a path)."""
    for name, of, reads in [
            ('orjson', 'json', lambda library, path: library.loads(open(path, 'rb').read())),
            ('ujson', 'json', lambda library, path: library.loads(open(path, encoding='utf8').read())),
            ('polars', 'csv', lambda library, path: library.read_csv(path, has_header=False)),
            ('duckdb', 'csv', lambda library, path: library.sql(f"select * from read_csv('{path}', header=false)").fetchnumpy()),
            ('pandas', 'csv', lambda library, path: library.read_csv(path, header=None))]:
        if kind == of and importlib.util.find_spec(name):
            library = importlib.import_module(name)
            yield name, lambda path, library=library, reads=reads: reads(library, path)


def timed(command, **more):
    """Gives the processor time of a command, and what it writes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f'{command[-1]}: {done.stderr}')
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout


def bqn(executable, path, program, **more):
    """The same for a program that knows the path."""
    return timed([executable, '-e', 'path←⊑•args ⋄ ' + program.format(**more), path])


def node(modules, program, path, kind):
    """Gives the processor time of a program of node."""
    return timed(['node', '-e', program, path, kind], env=os.environ | {'NODE_PATH': modules, 'POLARS_MAX_THREADS': '1'})[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'quick', 'bqn'))
    parser.add_argument('--megabytes', type=int, default=20)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--node', metavar='FOLDER', help='node_modules with @duckdb/node-api and nodejs-polars')
    options = parser.parse_args()
    print(f'{"MB/s":20}{"first":>8}{"again":>8}{"Python":>8}{"first/Python":>14}')
    with tempfile.TemporaryDirectory() as folder:
        nothing = min(bqn(options.bqn, '', '1')[0] for _ in range(options.rounds))
        for name, path in files(folder, options.megabytes * 1_000_000):
            megabytes = os.path.getsize(path) / 1e6
            kind = name.rsplit('.', 1)[1]
            read = f'•{kind}.ParseFile'
            first = again = alone = theirs = float('inf')
            for _ in range(options.rounds):
                first = min(first, bqn(options.bqn, path, READ, read=read, times=1)[0] - nothing)
                again = min(again, bqn(options.bqn, path, READ, read=read, times=TIMES)[0] / TIMES)
                alone = min(alone, bqn(options.bqn, path, READ, read='•FBytes', times=TIMES)[0] / TIMES)
                start = time.process_time()
                value = python_reads(path)
                theirs = min(theirs, time.process_time() - start)
            wanted = sum_of(value if kind == 'json' else [[number_or_text(f) for f in row] for row in value])
            got = float(bqn(options.bqn, path, SUM, read=read)[1].replace('¯', '-'))
            if abs(got - wanted) > 1e-9 * abs(wanted):
                raise SystemExit(f'{name}: the numbers are others ({got}, {wanted})')
            del value
            print(f'{name:20}{megabytes / first:8.0f}{megabytes / (again - alone):8.0f}{megabytes / theirs:8.0f}{theirs / first:14.1f}', flush=True)
            for library, reads in others(kind):
                spent = float('inf')
                for _ in range(options.rounds):
                    start = time.process_time()
                    reads(path)
                    spent = min(spent, time.process_time() - start)
                print(f'{"  " + library:20}{megabytes / spent:24.0f}', flush=True)
            for library, program in NODE_PROGRAMS[kind] if options.node else []:
                loading = min(node(options.node, program, '', kind) for _ in range(options.rounds))
                spent = min(node(options.node, program, path, kind) for _ in range(options.rounds)) - loading
                print(f'{"  " + library + " (node)":20}{megabytes / spent:24.0f}', flush=True)
    print(f'most memory: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000:.0f} MB')


if __name__ == '__main__':
    main()
