#!/usr/bin/env python3
"""Lets libFuzzer make up inputs for the targets:  nightly.py [--seconds N] [--jobs N] [TARGET …]
                                                 nightly.py --pack TARGET FILE …

Builds the targets with clang, AddressSanitizer and UndefinedBehaviorSanitizer in build/fuzz, and runs each for ten minutes, from its corpus
and what earlier runs found. An input that a target falls over is kept in build/fuzz/findings; then the exit status is 1. --pack
adds inputs to the corpus of a target, from which ./test replays them.

TARGET `programs` is none of libFuzzer: random programs, half of the time whole ones, on every instruction set of build/full that this processor
has, and without fast paths. All must give the same.
"""
import argparse
import glob
import hashlib
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, 'tests', 'tools'), os.path.join(ROOT, 'tests', 'tools', 'differential')]
import differential  # noqa: E402
import fuzz  # noqa: E402
import random_programs  # noqa: E402
from report import Report, finish  # noqa: E402

BUILD = os.path.join(ROOT, 'build', 'fuzz')
CORPORA = os.path.join(HERE, 'targets', 'corpus')
TARGETS = sorted(os.path.basename(path).removesuffix('.txt') for path in glob.glob(os.path.join(CORPORA, '*.txt')))
# Whose inputs are programs: they begin with those of the repository, too, and are put together from tokens.
OF_PROGRAMS = ['compile', 'run', 'session']
# Checks that would take most of the time are left out, as in ./build.sh sanitize.
SETTINGS = ['-Dtargets=native', '-Dcuda=disabled', '-Dpython=disabled', '-Dfuzzers=true', '--buildtype=debugoptimized', '-Doptimization=1', '-Ddebug=false',
            '-Db_sanitize=address,undefined', '-Db_lundef=false',
            '-Dcpp_args=-g1 -fno-sanitize-recover=undefined -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr,function']


def build():
    """Gives whether all targets could be built."""
    if not os.path.exists(os.path.join(BUILD, 'build.ninja')):
        environment = {**os.environ, 'CXX': os.environ.get('FUZZ_CXX', 'clang++')}
        if subprocess.run(['meson', 'setup', *SETTINGS, BUILD, ROOT], env=environment).returncode:
            return False
    return subprocess.run(['ninja', '-C', BUILD, 'fuzz_targets', 'tests/gpu/host_plugin.so']).returncode == 0


def unescaped(line):
    """Gives the bytes that a line of a corpus stands for, as targets/replay.cc reads it."""
    return re.sub(rb'\\(x[0-9A-Fa-f]{2}|.)', lambda found: bytes.fromhex(found[1][1:].decode()) if len(found[1]) > 1 else
                  b'\n' if found[1] == b'n' else found[1], line)


def escaped(data):
    """Gives the line of a corpus for some bytes."""
    line = ''
    for character in data.decode('utf8', 'surrogateescape'):
        if character in '\\\n':
            line += {'\\': '\\\\', '\n': '\\n'}[character]
        elif character.isprintable():
            line += character
        else:
            line += ''.join(f'\\x{byte:02X}' for byte in character.encode('utf8', 'surrogateescape'))
    return line


def read_corpus(target):
    with open(os.path.join(CORPORA, target + '.txt'), 'rb') as file:
        return file.read().split(b'\n')[:-1]


def unpack(target, folder):
    """Puts what the corpus of a target holds into files, one for each input."""
    os.makedirs(folder, exist_ok=True)
    inputs = [unescaped(line) for line in read_corpus(target)]
    if target in OF_PROGRAMS:
        inputs += [program.encode() for program in fuzz.known_programs()]
    for data in inputs:
        with open(os.path.join(folder, hashlib.sha1(data).hexdigest()), 'wb') as file:
            file.write(data)


def pack(target, paths):
    lines = read_corpus(target)
    for path in paths:
        with open(path, 'rb') as file:
            line = escaped(file.read()).encode()
        if line not in lines:
            lines.append(line)
    with open(os.path.join(CORPORA, target + '.txt'), 'wb') as file:
        file.write(b''.join(line + b'\n' for line in lines))


def write_dictionary(path):
    tokens = sorted({token for token in random_programs.TOKENS if token.strip()})
    with open(path, 'w', encoding='utf8') as file:
        for token in tokens:
            file.write('"' + ''.join(f'\\x{byte:02X}' for byte in token.encode()) + '"\n')


def hunt(target, seconds, seed):
    """Runs a target. Gives the inputs that it fell over, and the end of what it wrote."""
    folder, findings = os.path.join(BUILD, 'corpus', target), os.path.join(BUILD, 'findings')
    unpack(target, folder)
    os.makedirs(findings, exist_ok=True)
    dictionary = os.path.join(BUILD, 'tokens')
    write_dictionary(dictionary)
    known = set(os.listdir(findings))
    command = [os.path.join(BUILD, 'tests', 'fuzz', 'targets', target), f'-max_total_time={seconds}', f'-seed={seed}', '-timeout=30', '-rss_limit_mb=3000',
               '-malloc_limit_mb=2000', '-max_len=4096', '-print_final_stats=1', f'-artifact_prefix={findings}/{target}-']
    if target in OF_PROGRAMS + ['evaluator']:
        command.append('-dict=' + dictionary)
    log = os.path.join(BUILD, target + '.log')
    with open(log, 'w') as out:
        status = subprocess.run(command + [folder], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT).returncode
    with open(log, errors='replace') as file:
        told = file.read()
    # What was only slow is told, but no finding: the machine may be busy.
    found = sorted(name for name in set(os.listdir(findings)) - known if not name.startswith(f'{target}-slow-unit') and name.startswith(target + '-'))
    runs = re.search(r'number_of_executed_units: (\d+)', told)
    return status, found, int(runs[1]) if runs else 0, told[-6000:]


def compare_programs(executable, seconds, seed, report):
    """Runs programs on each instruction set below the best one, and by general functions alone, as long as there is time."""
    version = subprocess.run([executable, '--version'], capture_output=True, text=True).stdout
    compiled, best = re.search('instruction sets: (.*); this processor runs (.*)', version).groups()
    names = compiled.split()
    settings = [{'GRIDDLE_WAYS': 'general'}] + [{'GRIDDLE_TARGET': name} for name in names[:names.index(best)]]
    seed = seed or int.from_bytes(os.urandom(3), 'little')
    end, rounds = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        for each in settings:
            for programs in (True, False):
                differential.agree(executable, report, each, count=500, seed=seed, programs=programs)
        seed, rounds = seed + 1, rounds + 1
    print(f'programs: {1000 * rounds} each with ' + ', '.join(f'{name}={value}' for each in settings for name, value in each.items()), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--seconds', type=int, default=600)
    arguments.add_argument('--seed', type=int, default=0, help='0: another one each time')
    arguments.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'full', 'bqn'), help='what runs `programs`')
    arguments.add_argument('--pack', action='store_true')
    arguments.add_argument('names', nargs='*', metavar='TARGET', help=' '.join(TARGETS + ['programs']))
    options = arguments.parse_args()
    if options.pack:
        return pack(options.names[0], options.names[1:])
    unknown = set(options.names) - {*TARGETS, 'programs'}
    if unknown:
        arguments.error('no such target: ' + ' '.join(sorted(unknown)))
    report = Report()
    chosen = [name for name in options.names or TARGETS if name != 'programs']
    if chosen and not build():
        return 1
    with ThreadPoolExecutor(options.jobs) as pool:
        for target, (status, found, runs, told) in zip(chosen, pool.map(lambda name: hunt(name, options.seconds, options.seed), chosen)):
            if report.check(status == 0, target, f'exit status {status}; {" ".join(found)} in {BUILD}/findings\n{told}'):
                print(f'{target}: {runs} inputs, none of which it fell over', flush=True)
    if not options.names or 'programs' in options.names:
        if report.check(os.path.exists(options.bqn), options.bqn, 'not built: ./build.sh full'):
            compare_programs(options.bqn, options.seconds, options.seed, report)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
