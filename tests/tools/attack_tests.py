#!/usr/bin/env python3
"""Runs programs that want more than a host gives, and looks that each one stays within its limits:  attack_tests.py BUILD [PART …]

The programs are the lines of tests/fuzz/attacks.txt, those with PART in them where some is given; tests/fuzz/attack_host.cc runs each
on three stacks. BUILD has tests/fuzz/attack_host: ninja -C BUILD tests/fuzz/attack_host
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.join(ROOT, 'tests', 'fuzz', 'attacks.txt')
AT_ONCE = 2
A_TIME = 20  # programs to a host, so that none is left with the long ones
MEMORY = 256 * 1024  # KiB, the limit of the host
SPARE_MEMORY = 16 * 1024
OUTPUT = 1 << 20
# Milliseconds of processor time. Each call of the interface has a second; what is a little more is named, what is far more fails.
NAMED, FAILS = 1100, 3000
SLOWEST = 10
FIELDS = ['number', 'stack', 'end', 'last', 'ending', 'passed', 'time', 'peak', 'written', 'steps', 'message']


class Attack:
    """What came of one program on one stack."""

    def __init__(self, line, programs):
        field = dict(zip(FIELDS, line.split('\t')))
        self.program, self.stack = programs[int(field['number'])], field['stack']
        self.end, self.last, self.ending, self.message = field['end'], field['last'], field['ending'], field['message']
        self.peak, self.written = int(field['peak']), int(field['written'])
        steps = [step.split(' ') for step in field['steps'].split(', ') if step]
        self.steps = [(name, int(time), int(peak)) for name, time, peak in steps]
        self.slowest = max((time, name) for name, time, _ in self.steps) if self.steps else (int(field['time']), 'start')

    def faults(self, empty):
        """Says what is wrong, given the peak of a program that does nothing."""
        if self.end != 'well':
            yield f'ended with {self.end} in the step "{self.last}"'
        elif self.last != 'done':
            yield f'the interpreter does not go on after it: {self.message}'
        if self.slowest[0] > FAILS:
            yield f'the step "{self.slowest[1]}" took {self.slowest[0]} ms of processor time'
        most = MEMORY + SPARE_MEMORY + empty
        if self.peak > most:
            step = next((name for name, _, peak in self.steps if peak > most), self.last)
            yield f'{self.peak // 1024} MiB at the peak, first above {most // 1024} in the step "{step}"'
        if self.written > OUTPUT:
            yield f'{self.written} bytes written'


def run_programs(host, programs):
    """Gives an Attack for each program and stack."""
    text = ''.join(program + '\n' for program in programs)
    done = subprocess.run([host], input=text, capture_output=True, text=True, encoding='utf8', errors='replace')
    return [Attack(line, programs) for line in done.stdout.split('\n') if line]


def read_programs(parts):
    with open(PROGRAMS, encoding='utf8') as file:
        lines = [line.rstrip('\n') for line in file if line.strip() and not line.startswith('#')]
    return [line for line in lines if not parts or any(part in line for part in parts)]


def judge(program, attacks, empty, report):
    """Counts a program, which passes where it does on all stacks; what is the same on several is said once."""
    said = {}
    for attack in attacks:
        for fault in attack.faults(empty[attack.stack]):
            said.setdefault(fault, []).append(attack.stack)
    if len(attacks) != len(empty):
        said['the host ended before'] = []
    report.check(not said, program, '\n'.join(': '.join([', '.join(stacks), fault]) for fault, stacks in said.items()))


def run(build, report, parts=(), every=1):
    """Runs the programs, or one of so many."""
    host = os.path.join(build, 'tests', 'fuzz', 'attack_host')
    programs = read_programs(parts)[::every]
    empty = {attack.stack: attack.peak for attack in run_programs(host, ['0'])}
    if not report.check(empty, 'the host of attacks runs', host):
        return
    groups = [programs[i:i + A_TIME] for i in range(0, len(programs), A_TIME)]
    attacks = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for group, found in zip(groups, pool.map(lambda group: run_programs(host, group), groups)):
            for program in group:
                judge(program, [attack for attack in found if attack.program == program], empty, report)
            attacks += found
    slow = sorted(attacks, key=lambda attack: attack.slowest, reverse=True)
    print(f'{sum(attack.slowest[0] > NAMED for attack in slow)} of {len(slow)} runs took above {NAMED} ms in a step; the slowest:')
    for attack in slow[:SLOWEST]:
        print(f'{attack.slowest[0]:6} ms {attack.slowest[1]:9} {attack.stack:16} {attack.program}')


def main():
    report = Report()
    build = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, 'build', 'quick')
    run(os.path.abspath(build), report, sys.argv[2:])
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
