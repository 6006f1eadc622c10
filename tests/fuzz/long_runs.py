#!/usr/bin/env python3
"""Runs the same work again and again, and looks at the memory of the process:  long_runs.py [--bqn PATH] [--plugin PATH] [--rounds N]
[--hours H] [name …]

Each program does its round many times. It stops at marks, where its memory is read: after half of all rounds it has what it needs,
and from there on it may not grow by more than one part in a hundred, or so little that no round can have left an object. With --hours all rounds are done by turns, in any order, in one
process, for so long. --plugin names a device's plug-in, on which one more program computes.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from batch import processes  # noqa: E402
from report import Report, finish  # noqa: E402

# Each is a function of the number of the round, and how many rounds in a thousand it does: what takes long does fewer.
ROUNDS = {
    'namespaces': ('{n⇐𝕩 ⋄ list⇐↕5 ⋄ F⇐{n+𝕩+≠list}}', 1000),
    'namespaces that refer to themselves': ('{me⇐@ ⋄ n⇐𝕩 ⋄ Get⇐{𝕊: me} ⋄ me↩⟨Get⟩ ⋄ ≠me}', 1000),
    'closures': ('{a←𝕩 ⋄ _f←{b←𝕗 ⋄ {a+b+𝕩}} ⋄ (3 _f)4}', 1000),
    'closures that hold each other': ('{a←⟨𝕩⟩ ⋄ F←{G𝕩} ⋄ G←{F𝕩} ⋄ a∾↩⟨F,G⟩ ⋄ ≠a}', 1000),
    'hash maps': ('{m←"abc"‿𝕩•HashMap 1‿2 ⋄ 7 m.Set 𝕩+1 ⋄ m.Delete "abc" ⋄ m.Count@}', 500),
    'a hash map that changes': ('{𝕩 map.Set 100|𝕩 ⋄ map.Delete⍟(map.Has) 50|𝕩+37}', 500),
    'caught errors': ('{!"message "∾•Fmt 𝕩}⎊{𝕊: ≠•CurrentError@}', 200),
    'errors from deep inside': ('{𝕩=0 ? !"deep" ; 1+𝕊 𝕩-1}⎊0∘{𝕊: 30}', 50),
    'text that is run': ('{•BQN "{𝕩+"∾(•Repr 𝕩)∾"}3"}', 50),
    'text that does not compile': ('{•BQN⎊0 "1+("∾•Repr 𝕩}', 50),
    'evaluators': ('{𝕊 i: e←•ReBQN{repl⇐"loose"} ⋄ E "a←"∾•Repr i ⋄ E "a"}', 20),
    'imports': ('{(⋈𝕩) •Import module}', 20),
    'files': ('{file •file.Chars •Repr 𝕩 ⋄ •file.Chars file}', 10),
    'text': ('{•ParseFloat ∾⟜".5" •Fmt 𝕩}', 500),
    'lists that grow': ('{𝕊 i: r←⟨⟩ ⋄ {r∾↩𝕩+i}¨↕20 ⋄ ≠r}', 50),
    'arrays of any size': ('{+´(7919|𝕩×𝕩)↑⌽∧(3000|𝕩)⥊≍˘↕100}', 20),
    'long arrays of any size': ('{+´∧(100000|𝕩×7919)↑↕1000×1+100|𝕩}', 1),
    'trees': ('{𝕊 i: {𝕩=0 ? ⟨i⟩ ; ⟨𝕊𝕩-1,𝕊𝕩-1⟩}4}', 20),
    'groups and sorts': ('{≠∾(7|⌽t)⊔∧t←10|𝕩+↕100}', 50),
    'rand': ('{r←•MakeRand 𝕩 ⋄ 10 r.Range 5}', 200),
}
ON_DEVICE = {'arrays on a device': ('{+´(1000+1000|𝕩)↑⌽(2×𝕩)+↕5000}', 5)}

PREPARED = ('folder←⊑•args ⋄ module←folder∾"/module.bqn" ⋄ file←folder∾"/file.txt" ⋄ map←⟨⟩•HashMap⟨⟩\n'
            'Many←{f 𝕊 n: i←0 ⋄ {𝕊: F i ⋄ i+↩1}•_while_{𝕊: i<n}@}\n'
            'Mark←{𝕊: •Out "mark" ⋄ •GetLine@}\n')
MARKS = 8
SLACK = 128 << 10  # bytes


def memory_of(process):
    """Give the bytes that a process has for itself."""
    with open(f'/proc/{process.pid}/smaps_rollup', encoding='ascii') as lines:
        return sum(int(line.split()[1]) << 10 for line in lines if line.startswith('Anonymous:'))


class Work:
    """A program that stops at marks."""

    def __init__(self, bqn, text, plugin):
        self.folder = tempfile.TemporaryDirectory()
        with open(os.path.join(self.folder.name, 'module.bqn'), 'w', encoding='utf8') as module:
            module.write('n⇐⊑•args ⋄ F⇐{𝕩+n}\n')
        program = os.path.join(self.folder.name, 'program.bqn')
        with open(program, 'w', encoding='utf8') as file:
            file.write(PREPARED + text)
        environment = dict(os.environ, GRIDDLE_DEVICE='cuda' if plugin else 'cpu', **({'GRIDDLE_CUDA_PLUGIN': plugin} if plugin else {}))
        self.process = subprocess.Popen([bqn, program, self.folder.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()

    def marks(self):
        """Give the bytes at each mark, as the program comes to it."""
        while self.process.stdout.readline() == 'mark\n':
            yield memory_of(self.process)
            self.process.stdin.write('\n')
            self.process.stdin.flush()

    def ending(self):
        _, errors = self.process.communicate()
        return self.process.returncode, errors


def check(report, name, sizes, code, errors):
    shown = ' '.join(f'{size >> 10}' for size in sizes)
    report.check(code == 0 and len(sizes) == MARKS, f'long runs: {name} ends', f'status {code} after {len(sizes)} marks\n{errors}')
    if len(sizes) == MARKS:
        report.check(max(sizes) <= max(max(sizes[:MARKS // 2]) * 1.01, max(sizes[:MARKS // 2]) + SLACK), f'long runs: {name} takes no more memory', f'KiB at the marks: {shown}')


def run(bqn, report, rounds=300000, plugin=None, names=()):
    programs = [(name, each, None) for name, each in ROUNDS.items()]
    programs += [(name, each, plugin) for name, each in ON_DEVICE.items() if plugin]

    def sizes_of(program):
        name, (function, share), device = program
        count = max(1, rounds * share // 1000 // MARKS)
        with Work(bqn, f'F←{function}\n{{𝕊: f Many {count} ⋄ Mark@}}¨↕{MARKS}\n', device) as work:
            return name, list(work.marks()), *work.ending()

    with ThreadPoolExecutor(processes()) as pool:
        for outcome in pool.map(sizes_of, [program for program in programs if not names or any(part in program[0] for part in names)]):
            check(report, *outcome)


def run_mixed(bqn, report, hours):
    """All rounds by turns; memory is looked at after each thousand turns, and may have grown by a hundredth since the first tenth."""
    functions = ','.join(f'{{{share}>•rand.Range 1000 ? {function} 𝕩 ; @}}' for function, share in ROUNDS.values())
    text = f'all←⟨{functions}⟩\n' + 'Any←{(•rand.Range≠all)◶all 𝕩}\n{𝕊: any Many 100000 ⋄ Mark@}•_while_{𝕊:1}@\n'
    end, sizes = time.monotonic() + hours * 3600, []
    with Work(bqn, text, None) as work:
        for size in work.marks():
            sizes.append(size)
            if time.monotonic() > end:
                break
        tenth = sizes[:len(sizes) // 10 + 1]
        report.check(time.monotonic() > end, 'long runs: mixed work goes on', f'it ended after {len(sizes)} marks')
    report.check(max(sizes) <= max(tenth) * 1.01, 'long runs: mixed work takes no more memory',
                 'KiB at the marks: ' + ' '.join(f'{size >> 10}' for size in sizes))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    arguments.add_argument('--bqn', default='build/current/bqn')
    arguments.add_argument('--plugin', help='of a device, such as build/quick/tests/gpu/host_plugin.so')
    arguments.add_argument('--rounds', type=float, default=1e7)
    arguments.add_argument('--hours', type=float, help='mixed work for so long')
    arguments.add_argument('name', nargs='*', help='parts of the names of programs')
    options = arguments.parse_args()
    report, bqn = Report(), os.path.abspath(options.bqn)
    if options.hours:
        run_mixed(bqn, report, options.hours)
    else:
        run(bqn, report, int(options.rounds), options.plugin and os.path.abspath(options.plugin), options.name)
    finish(report)


if __name__ == '__main__':
    main()
