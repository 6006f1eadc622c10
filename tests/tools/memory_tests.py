#!/usr/bin/env python3
"""Runs programs for which memory runs out at every point in turn:  memory_tests.py BUILD [EVERY]

The programs are the lines of tests/fuzz/memory.txt. tests/fuzz/failing_memory.cc has one request for memory fail, or all from one on:
each in turn, or every EVERY-th. Then address space and data are limited, from less than the executable itself has. Whatever fails,
the program ends by itself, and with status 0 only if it did what it does with memory enough. So does tests/fuzz/memory_host, a host of
the library, which calls again what failed: where one request fails, it does all that it does.
ninja -C BUILD tests/fuzz/libfailing_memory.so tests/fuzz/memory_host builds what this needs.
"""
import os
import re
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.join(ROOT, 'tests', 'fuzz', 'memory.txt')
PATIENCE = 60
AT_ONCE = 2
LIMITS = [1, 2, 4, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 512]  # MiB
HOST = 'the host'  # in place of a program
ENOUGH = 64  # MiB of address space, with which every program here does what it does


class Memory:
    def __init__(self, folder, report):
        self.bqn = os.path.join(folder, 'bqn')
        self.host = os.path.join(folder, 'tests', 'fuzz', 'memory_host')
        self.library = os.path.join(folder, 'tests', 'fuzz', 'libfailing_memory.so')
        self.report = report
        self.files = tempfile.TemporaryDirectory()
        with open(os.path.join(self.files.name, 'imported.bqn'), 'w', encoding='utf8') as file:
            file.write('{a⇐1⋄b⇐2}\n')
        with open(PROGRAMS, encoding='utf8') as lines:
            self.programs = [line.rstrip('\n').replace('FOLDER', self.files.name) for line in lines] + [HOST]

    def run(self, program, variables=None, limit=None):
        environment = {**os.environ, **({'LD_PRELOAD': self.library, **variables} if variables is not None else {})}
        command = [self.host] if program == HOST else [self.bqn, '-e', program]
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors='replace', timeout=PATIENCE, preexec_fn=limit)

    def fault(self, done, expected):
        """Says what is wrong with the end of a program, if anything."""
        if done.returncode not in (0, 1):
            return f'exit status {done.returncode}\n{done.stderr[-2000:]}'
        # A fast path that finds no memory leaves the call to the general way, which an explanation tells.
        told, wanted = (re.sub(r': (fast path.*|general way)$', ': done', text, flags=re.M) for text in (done.stdout, expected))
        if done.returncode == 0 and told != wanted:
            pairs = zip(wanted.split('\n'), [*told.split('\n'), ''])
            return 'status 0, but instead of {}\nit wrote {}'.format(*next((pair for pair in pairs if pair[0] != pair[1]), ('', 'more')))
        if done.returncode == 1 and not done.stderr:
            return 'status 1 without a word'
        return None

    def started(self, done, space):
        """Tells whether the executable ran: it may be too large for the address space itself."""
        if done.returncode == 127 and 'error while loading shared libraries' in done.stderr:
            return False
        return done.returncode >= 0 or done.stderr or space > os.path.getsize(self.bqn)

    def failing(self, program, every):
        """Has each request of a program fail; gives the faults."""
        done = self.run(program, {'FAIL_COUNT': '1'})
        counts = re.search(r'allocations (\d+), mappings (\d+)\n$', done.stderr)
        if not counts:
            return [f'does not count: exit status {done.returncode}\n{done.stderr}']
        faults = []
        for variable, count in (('FAIL_MALLOC', int(counts.group(1))), ('FAIL_MMAP', int(counts.group(2)))):
            for place in range(0, count, every if count > every else 1):
                for more in ({}, {'FAIL_EVER': '1'}):
                    # The first is of the C++ library's own, with which it throws where there is no memory; the host needs it.
                    if program == HOST and place == 0 and more and variable == 'FAIL_MALLOC':
                        continue
                    failed = self.run(program, {variable: str(place), **more})
                    fault = self.fault(failed, done.stdout)
                    if not fault and program == HOST and not more and failed.returncode != 0:
                        fault = f'what failed once fails again: {failed.stderr}'
                    if fault:
                        faults.append(f'{variable}={place} {" ".join(more)}: {fault}')
        return faults

    def limited(self, program):
        """Limits address space, and data; gives the faults."""
        expected = self.run(program)
        faults = []
        for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            for mebibytes in LIMITS:
                bytes_ = mebibytes << 20
                try:
                    done = self.run(program, limit=lambda: resource.setrlimit(which, (bytes_, bytes_)))
                except (OSError, subprocess.SubprocessError):
                    continue  # the limit left no room to start any program
                if which == resource.RLIMIT_AS and not self.started(done, bytes_):
                    continue
                fault = self.fault(done, expected.stdout)
                if not fault and mebibytes >= ENOUGH and done.returncode != expected.returncode:
                    fault = f'exit status {done.returncode}\n{done.stderr}'
                if fault:
                    faults.append(f'{mebibytes} MiB of {"address space" if which == resource.RLIMIT_AS else "data"}: {fault}')
        return faults

    def check(self, every):
        def faults(program):
            try:
                return self.failing(program, every) + self.limited(program)
            except subprocess.TimeoutExpired:
                return [f'still running after {PATIENCE} s']
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for program, found in zip(self.programs, pool.map(faults, self.programs)):
                self.report.check(not found, f'memory: {program}', '\n'.join(found[:5]))


def run(folder, report, every=1):
    Memory(folder, report).check(every)


def main():
    report = Report()
    run(os.path.abspath(sys.argv[1]), report, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    finish(report)


if __name__ == '__main__':
    main()
