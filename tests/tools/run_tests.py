#!/usr/bin/env python3
"""Runs the stages of ./test on a finished build:  run_tests.py --build FOLDER [--quick | --with-sanitized] [STAGE …]"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor

import attack_tests
import check_folders
import check_format
import check_glyphs
import check_includes
import check_packaging
import check_sizes
import check_tests
import check_tuning
import check_types
import conformance
import device_tests
import editor_files
import editor_tests
import embedding_tests
import fault_tests
import install_tests
import launcher_tests
import lsp_tests
import memory_tests
import newcomer
import python_tests
import session_tests
import spec_examples
import web_tests
from batch import processes
from report import Report, Stage, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(ROOT, 'tests', *folder) for folder in (['bench'], ['fuzz'], ['tools', 'differential'])]
import differential  # noqa: E402
import four_times  # noqa: E402
import fuzz  # noqa: E402
import long_runs  # noqa: E402

SLOW_STAGES = ['growth', 'memory', 'faults', 'attacks', 'fuzz', 'differential', 'install', 'launcher', 'web']


class Build:
    """A finished build, and what its kind means for the time that tests may take."""

    def __init__(self, folder):
        self.folder = folder
        self.bqn = os.path.join(folder, 'bqn')
        self.instrumented = os.path.basename(folder) in ('sanitize', 'verify')
        self.patience = 240 if self.instrumented else 60
        # Sanitizers and drivers of devices reserve address space without end.
        self.limit_memory = not self.instrumented and os.environ.get('GRIDDLE_DEVICE') != 'cuda'

    def tree(self, report):
        check_glyphs.run(report)
        check_includes.run(report)
        check_folders.run(report)
        check_format.run(report)
        check_packaging.run(report)
        check_sizes.run(report)
        check_tests.run(report)
        check_tuning.run(report)
        check_types.run(report)
        editor_files.run(report)

    def unit(self, report, cases=''):
        run_doctest(os.path.join(self.folder, 'tests', 'unit', 'unit_tests'), report, cases)

    def kernels(self, report, cases=''):
        run_doctest(os.path.join(self.folder, 'tests', 'kernels', 'kernel_tests'), report, cases)

    def conformance(self, report):
        conformance.run(self.bqn, places('tests/conformance', 'tests/programs', 'examples'), report, patience=self.patience)

    def embedding(self, report):
        embedding_tests.run(self.folder, report, patience=self.patience)

    def abi(self, report):
        """A host that calls the C interface at random: the same rounds each time, but for those with an interrupt."""
        program = os.path.join(self.folder, 'tests', 'fuzz', 'abi_fuzz')
        command = [program, '--seed', '1', '--rounds', '300' if self.instrumented else '1000']
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=self.patience)
            report.check(done.returncode == 0, 'tests/fuzz/abi_fuzz', f'exit status {done.returncode}\n{done.stdout}{done.stderr[-8000:]}')
        except subprocess.TimeoutExpired:
            report.fail('tests/fuzz/abi_fuzz', f'still running after {self.patience} s')

    def corpora(self, report):
        """Inputs that are kept for the targets of libFuzzer, each of which a target gets without it."""
        for corpus in sorted(glob.glob(os.path.join(ROOT, 'tests', 'fuzz', 'targets', 'corpus', '*.txt'))):
            name = os.path.basename(corpus).removesuffix('.txt')
            try:
                done = subprocess.run([os.path.join(self.folder, 'tests', 'fuzz', 'targets', name), corpus], stdin=subprocess.DEVNULL, capture_output=True,
                                      text=True, errors='replace', timeout=self.patience)
                report.check(done.returncode == 0, f'tests/fuzz/targets/{name}', f'exit status {done.returncode}\n{done.stdout}{done.stderr[-8000:]}')
            except subprocess.TimeoutExpired as late:
                report.fail(f'tests/fuzz/targets/{name}', f'still running after {self.patience} s\n{(late.stderr or b"")[-200:]}')

    def spec(self, report):
        spec_examples.run(self.bqn, places('spec', 'docs', 'README.md', 'examples'), report, patience=self.patience)

    def language_by(self, ways, report):
        os.environ['GRIDDLE_WAYS'] = ways
        failed = report.failed
        for stage in (self.conformance, self.spec, self.differential):
            stage(report)
        del os.environ['GRIDDLE_WAYS']
        if report.failed > failed:
            print(f'     {report.failed - failed} of these with GRIDDLE_WAYS={ways}')

    def general(self, report):
        """What programs mean, without fast paths: the general functions must be right alone."""
        self.language_by('general', report)

    def native(self, report):
        """What programs mean where every block is machine code before it runs, on processors for which there is some."""
        self.language_by('native', report)

    def checked(self, report):
        """What programs mean, where each fast path of each call is compared with the general function; each one serves somewhere."""
        with tempfile.TemporaryDirectory() as folder:
            taken = os.path.join(folder, 'taken')
            os.environ.update(GRIDDLE_WAYS='checked', GRIDDLE_WAYS_TAKEN=taken)
            failed, patience = report.failed, self.patience
            # A process that is given up, on a busy machine, does not say which fast paths served.
            self.patience *= 5
            for stage in (self.conformance, self.spec, self.differential):
                stage(report)
            self.patience = patience
            del os.environ['GRIDDLE_WAYS'], os.environ['GRIDDLE_WAYS_TAKEN']
            if report.failed > failed:
                print(f'     {report.failed - failed} of these with GRIDDLE_WAYS=checked')
            counts = {}
            with open(taken, encoding='utf8') as lines:
                for line in lines:
                    way, count = line.rstrip('\n').split('\t')
                    counts[way] = counts.get(way, 0) + int(count)
        for way, count in counts.items():
            report.check(count > 0, f'fast path {way}', 'no program of the tests takes it')

    def targets(self, report):
        """What programs mean, on each instruction set below the one that this processor runs by itself."""
        version = subprocess.run([self.bqn, '--version'], capture_output=True, text=True).stdout
        compiled, best = re.search('instruction sets: (.*); this processor runs (.*)', version).groups()
        names = compiled.split()
        asked = os.environ.get('GRIDDLE_TARGET')
        for name in names[:names.index(best)]:
            failed = report.failed
            os.environ['GRIDDLE_TARGET'] = name
            for stage in (self.conformance, self.spec, self.differential):
                stage(report)
            if report.failed > failed:
                print(f'     {report.failed - failed} of these with GRIDDLE_TARGET={name}')
        os.environ.pop('GRIDDLE_TARGET', None)
        if asked is not None:
            os.environ['GRIDDLE_TARGET'] = asked

    def session(self, report):
        session_tests.run(self.bqn, report)

    def lsp(self, report):
        lsp_tests.run(self.bqn, report)

    def editors(self, report):
        editor_tests.run(self.bqn, report)

    def gpu(self, report):
        device_tests.run(self.bqn, os.path.join(self.folder, 'tests', 'gpu', 'host_plugin.so'), report, patience=self.patience)

    def growth(self, report):
        """Programs four times as large take about four times the instructions, whatever their keys."""
        four_times.run(self.bqn, report, every=5)

    def attacks(self, report):
        attack_tests.run(self.folder, report, every=5)

    def memory(self, report):
        memory_tests.run(self.folder, report)

    def faults(self, report):
        """What surrounds a program is attacked: files, signals, clocks, limits."""
        fault_tests.run(self.folder, report)

    def python(self, report):
        python_tests.run(self.folder, report)

    def fuzz(self, report):
        fuzz.run(self.bqn, report, programs=2000 if not self.instrumented else 400, patience=self.patience,
                 limit_memory=self.limit_memory)
        if not self.instrumented:
            long_runs.run(self.bqn, report, plugin=os.path.join(self.folder, 'tests', 'gpu', 'host_plugin.so'))
            # Its processes have little address space, which sanitizers need.
            for ways in ('general', 'native'):
                differential.agree(self.bqn, report, {'GRIDDLE_WAYS': ways}, count=1000)

    def differential(self, report):
        differential.replay(self.bqn, report)

    def install(self, report):
        install_tests.run(self.folder, report)

    def launcher(self, report):
        launcher_tests.run(self.bqn, report)

    def newcomer(self, report):
        """What the first pages tell somebody to type, on a new Debian, where ./bqn installs and builds."""
        newcomer.check_machine(report)

    def web(self, report):
        """The WebAssembly build, where ./build.sh web has made it: the language under node, and the page in Chromium."""
        web_tests.run(report)


# Few enough that the longest cases go beside others; a process takes some milliseconds to start.
CASES_AT_ONCE = 20
STAGES = ['tree', 'unit', 'kernels', 'conformance', 'embedding', 'spec', 'general', 'native', 'checked', 'targets', 'session', 'lsp', 'editors', 'gpu', 'python', 'abi', 'corpora', 'growth', 'memory', 'faults', 'attacks', 'fuzz', 'differential', 'install', 'launcher', 'web', 'newcomer']


# These go beside the others, in this order: first what mostly waits, for terminals, clocks and processes that come to nothing, then
# what runs one process at a time.
STAGES_ASIDE = ['session', 'lsp', 'editors', 'memory', 'faults', 'attacks', 'newcomer', 'python', 'abi', 'install', 'gpu']


class StagesAside:
    """Runs stages, one after the other, in a process beside the stages of this one; what each says is shown at once when it ends."""

    def __init__(self, folder, stages, report):
        self.report = report
        command = [sys.executable, os.path.abspath(__file__), '--build', folder, *stages]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors='replace') if stages else None
        self.reader = threading.Thread(target=self.show)

    def __enter__(self):
        self.reader.start()

    def show(self):
        lines = []
        for line in self.process.stdout if self.process else ():
            lines.append(line)
            if re.match(r'\S+: \d+ passed, \d+ failed \(', line):
                print(''.join(lines), end='', flush=True)
                lines = []
        self.rest = ''.join(lines)

    def __exit__(self, kind, error, trace):
        self.reader.join()
        if not self.process:
            return
        counts = re.fullmatch(r'(\d+) passed, (\d+) failed\n', self.rest)
        if self.report.check(self.process.wait() in (0, 1) and counts, 'stages beside the others', self.rest):
            self.report.passed += int(counts.group(1)) - 1
            self.report.failed += int(counts.group(2))


def places(*names):
    return [os.path.join(ROOT, name) for name in names]


def run_doctest(program, report, cases):
    """Runs a doctest program, or its cases with something in their names, some at a time in each of several processes, and counts them."""
    chosen = [program, '--no-colors'] + [f'-tc=*{cases}*'] * bool(cases)

    def run(*options):
        done = subprocess.run(chosen + list(options), stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace')
        return done.returncode, done.stdout, done.stderr

    status, output, errors = run('--count')
    found = re.search(r'filters: (\d+)', output)
    if not found:
        report.fail(os.path.basename(program), f'exit status {status}\n{output[-3000:]}{errors[-3000:]}')
        return
    total = int(found.group(1))
    with ThreadPoolExecutor(processes()) as pool:
        outcomes = pool.map(lambda first: run(f'--first={first}', f'--last={min(first + CASES_AT_ONCE - 1, total)}'),
                            range(1, total + 1, CASES_AT_ONCE))
        failed = sum(failed_cases(os.path.basename(program), *outcome, report) for outcome in outcomes)
    report.passed += total - failed


def failed_cases(name, status, output, errors, report):
    """Reports what a doctest program says, and gives how many cases failed; those that it left out count as passed."""
    counts = re.search(r'test cases:\s*\d+\s*\|\s*\d+ passed\s*\|\s*(\d+) failed', output)
    failed = counts and (int(counts.group(1)) or int(status != 0))
    if not counts:
        report.fail(name, f'exit status {status}\n{output[-3000:]}{errors[-3000:]}')
    elif failed:
        report.fail(name, (output + errors)[-8000:])
        report.failed += failed - 1
    return failed if counts else 1


def run_stage(build, stage, name, report):
    stage, _, cases = stage.partition(':')
    with Stage(name, report):
        try:
            getattr(build, stage)(report, *[cases] * bool(cases))
        except Exception:  # a fault of a runner fails its stage, and the others still run
            report.fail(name, traceback.format_exc())


def run_sanitized(compiling, report):
    """Runs on the sanitized build, once it is made, what no other stage does with sanitizers."""
    with Stage('the sanitized build', report):
        report.check(compiling.wait() == 0, './build.sh sanitize --tests')
    sanitized = Build(os.path.join(ROOT, 'build', 'sanitize'))
    for stage in ('unit', 'kernels', 'conformance', 'embedding', 'abi', 'corpora', 'spec', 'fuzz'):
        run_stage(sanitized, stage, f'{stage}, sanitized', report)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--build', default=os.path.join(ROOT, 'build', 'full'))
    arguments.add_argument('--quick', action='store_true')
    arguments.add_argument('--with-sanitized', action='store_true')
    arguments.add_argument('stages', nargs='*', metavar='STAGE', help=' '.join(STAGES))
    options = arguments.parse_args()
    unknown = {stage for stage in options.stages if not re.fullmatch('|'.join(STAGES) + '|(unit|kernels):.+', stage)}
    if unknown:
        arguments.error(f'no such stage: {" ".join(sorted(unknown))}')
    build = Build(os.path.abspath(options.build))
    skipped = SLOW_STAGES if options.quick else ['growth', 'memory', 'faults', 'attacks', 'python', 'install', 'launcher', 'web'] if build.instrumented else []
    # A new machine takes a build more, which --ci alone has time for.
    skipped = skipped + ['newcomer'] * (not options.with_sanitized)
    chosen = options.stages or [stage for stage in STAGES if stage not in skipped]
    report = Report()
    # Compiling takes all cores: the sanitized build is made while the first stages run.
    compiling = options.with_sanitized and subprocess.Popen([os.path.join(ROOT, 'build.sh'), 'sanitize', '--tests'])
    # Where a device is shared, each process waits for the others.
    aside = [stage for stage in STAGES_ASIDE if stage in chosen] if not options.stages and processes() > 1 else []
    with StagesAside(options.build, aside, report):
        for stage in chosen:
            if stage not in aside:
                run_stage(build, stage, stage, report)
        if compiling:
            run_sanitized(compiling, report)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
