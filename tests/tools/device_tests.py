#!/usr/bin/env python3
"""Tests of what surrounds a device:  device_tests.py BQN PLUGIN

The same program must print the same lines on the CPU, with a plug-in whose device is the host, with that device often full, with no
plug-in where one is named, and, where there is one, on a real device. All of the language's tests run with everything forced onto
the plug-in's device, too.
"""
import os
import subprocess
import sys
import tempfile

import conformance
from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
AGREEMENT = os.path.join(ROOT, 'tests', 'gpu', 'agreement.bqn')
FORMS, NARROW, EQUAL, RANDOM, ROUTES, LARGE = (os.path.join(ROOT, 'tests', 'gpu', name)
                                               for name in ('forms.bqn', 'narrow.bqn', 'equal.bqn', 'random.bqn', 'routes.bqn', 'large.bqn'))
# Each checks itself, prints what it did and "done" at the end.
CHECKS = {'chain.bqn': 'a chain of functions never waits for the device', 'reals.bqn': 'functions of real numbers are computed on a device',
          'products.bqn': 'matrix products are computed on a device'}
STAYS = os.path.join(ROOT, 'tests', 'gpu', 'stays.bqn')
EXPRESSIONS = os.path.join(ROOT, 'tests', 'bench', 'gpu', 'expressions.bqn')
SIZES = ['1', '2', '63', '64', '65', '1000', '4097']
FORCED = {'GRIDDLE_DEVICE': 'cuda', 'GRIDDLE_OFFLOAD_FROM': '0'}


def output_of(bqn, program, arguments, settings, patience):
    done = subprocess.run([bqn, program, *arguments], env={**os.environ, **settings}, capture_output=True, timeout=patience,
                          text=True, encoding='utf8', errors='replace')
    return done.stdout + done.stderr + (f'exit status {done.returncode}\n' if done.returncode else '')


def difference(wanted, got):
    for a, b in zip(wanted.splitlines(), got.splitlines()):
        if a != b:
            return f'wanted {a[:300]}\ngot    {b[:300]}'
    return '' if len(wanted) == len(got) else f'{len(wanted)} and {len(got)} characters'


# What moves to the device by itself: a range with its sum, an order.
MOVES = 's←⟨+´↕5e5,+´⍋5e5⥊70000‿1‿2⟩ ⋄ i←•gpu.Info 0 ⋄ •Out •Fmt s∾0<⟨i.kernels,i.uploaded⟩'

# Little work, so often that the device is opened beside it and then has the rest.
OFTEN = 's←+´{𝕊: +´7|1+2×↕5e5}¨↕400 ⋄ i←•gpu.Info 0 ⋄ •Out •Fmt s‿(0<i.kernels)'

# Functions of large arrays, none of which would move by itself, so often that their arrays do.
AGAIN = 's←+´⥊{(0.5×1⌽𝕩)+0.5×𝕩}⍟150 ⌽1+2‿200000⥊↕400000 ⋄ i←•gpu.Info 0 ⋄ •Out •Fmt (7e10<s)‿(20<i.kernels)'

# Matrix products, so often that they would have saved what loading a library for them takes.
# The device is asked what it has done before they are summed: that moves too, once it is open.
PRODUCTS = 'a←400‿400⥊3‿1‿4‿1‿5‿9‿2‿6‿5 ⋄ s←{𝕊: a+˝∘×⎉1‿∞ a}¨↕NUMBER ⋄ i←•gpu.Info 0 ⋄ •Out •Fmt (1=≠⍷+´∘⥊¨s)‿(0<i.kernels)'


def check_costs(bqn, plugin, report, patience):
    """Decides by the costs that the cache holds; measures and keeps them where it holds none."""
    with tempfile.TemporaryDirectory() as cache:
        path = os.path.join(cache, 'griddle', 'device-costs')
        settings = {'GRIDDLE_CUDA_PLUGIN': plugin, 'GRIDDLE_DEVICE': 'auto', 'GRIDDLE_OFFLOAD_FROM': '', 'XDG_CACHE_HOME': cache}

        def outcome(line=None, program=MOVES):
            if line is not None:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'w', encoding='utf8') as file:
                    file.write(line)
            done = subprocess.run([bqn, '-e', program], env={**os.environ, **settings}, capture_output=True, timeout=patience, text=True,
                                  encoding='utf8')
            return (done.stdout + done.stderr).strip()

        def kept():
            with open(path, encoding='utf8') as file:
                return file.read()

        total = str(sum(range(500000)))
        sums = f'{total} {total}'
        report.check(outcome('0 0 0 0 0 The host, driver 0\n') == f'⟨ {sums} 1 1 ⟩', 'work moves where a device costs nothing', outcome())
        report.check(outcome('0 9 1 1 1 The host, driver 0\n') == f'⟨ {sums} 0 0 ⟩', 'nothing moves where it costs more', outcome())
        report.check(outcome('9 0 0 0 0 The host, driver 0\n') == f'⟨ {sums} 0 0 ⟩', 'no device is opened for little', outcome())
        often = 400 * sum((1 + 2 * i) % 7 for i in range(500000))
        report.check(outcome('0.001 0 0 0 0 The host, driver 0\n', OFTEN) == f'⟨ {often} 1 ⟩', 'a device is opened beside much work', outcome(program=OFTEN))
        report.check(outcome('9 0 0 0 0 The host, driver 0\n', OFTEN) == f'⟨ {often} 0 ⟩', 'no device is opened beside less', outcome(program=OFTEN))
        report.check(outcome('0.001 0 0 0 0 The host, driver 0\n', AGAIN) == '⟨ 1 1 ⟩', 'large arrays move once staying has cost much', outcome(program=AGAIN))
        report.check(outcome('9 0 0 0 0 The host, driver 0\n', AGAIN) == '⟨ 1 0 ⟩', 'they stay where it has cost little', outcome(program=AGAIN))
        for number, there in ('20', 0), ('90', 1):
            got = outcome('0 0 0 0 0 The host, driver 0\n', PRODUCTS.replace('NUMBER', number))
            report.check(got == f'⟨ 1 {there} ⟩', f'of {number} matrix products {"some" if there else "none"} move to a device', got)
        report.check(outcome('no costs\n').startswith(f'⟨ {sums} '), 'a spoilt file of costs is no error', outcome())
        report.check(kept().endswith(' The host, driver 0\n') and kept().count('\n') == 1, 'costs are measured once and kept', kept())
        before = kept().split(' ', 1)
        outcome()
        after = kept().split(' ', 1)
        # What opening takes is followed; the rest is measured once.
        report.check(after[1] == before[1], 'costs that are known are not measured again', kept())
        outcome('0.02 0 0 0 0 The host, driver 0\n', OFTEN)
        report.check(float(kept().split()[0]) < 0.016, 'a device that opens sooner than it once did is known to', kept())
        settings['XDG_CACHE_HOME'] = '/proc/nowhere'
        report.check(outcome().startswith(f'⟨ {sums} '), 'where costs cannot be kept they are measured', outcome())


def run(bqn, plugin, report, patience=60):
    # What runs beside a device that is the host takes a busy machine long.
    check_costs(bqn, plugin, report, 3 * patience)

    def outcome(settings, program=AGREEMENT):
        return output_of(bqn, program, SIZES, settings, patience)

    wanted = outcome({'GRIDDLE_DEVICE': 'cpu'})
    report.check(wanted.count('\n') > 100 * len(SIZES) and 'Error' not in wanted, 'the CPU computes tests/gpu/agreement.bqn', wanted[-500:])
    there = {**FORCED, 'GRIDDLE_CUDA_PLUGIN': plugin}
    for name, settings in {'on a device': there,
                           'on a device that is often full': {**there, 'GRIDDLE_TEST_FULL_EVERY': '5'},
                           'without a plug-in': {**FORCED, 'GRIDDLE_CUDA_PLUGIN': '/nowhere/libgriddle_cuda.so'},
                           'where the plug-in is no plug-in': {**FORCED, 'GRIDDLE_CUDA_PLUGIN': AGREEMENT},
                           'as this machine is': FORCED}.items():
        got = outcome(settings)
        report.check(got == wanted, f'arrays agree {name}', difference(wanted, got))
    for program, least in (FORMS, 800), (NARROW, 400), (EQUAL, 12), (RANDOM, 20), (LARGE, 50):
        name = os.path.relpath(program, ROOT)
        wanted = outcome({'GRIDDLE_DEVICE': 'cpu'}, program)
        report.check(wanted.count('\n') > least * len(SIZES) and 'Error' not in wanted, f'the CPU computes {name}', wanted[-500:])
        for full, settings in ('', {}), (' that is often full', {'GRIDDLE_TEST_FULL_EVERY': '7'}):
            got = outcome({**there, **settings}, program)
            report.check(got == wanted, f'{name} agrees on a device{full}', difference(wanted, got))
    for settings, line in ((there, 'The host through ' + os.path.basename(plugin)), ({**there, 'GRIDDLE_DEVICE': 'cpu'}, 'none wanted (GRIDDLE_DEVICE=cpu)'),
                           ({**there, 'GRIDDLE_CUDA_PLUGIN': AGREEMENT}, 'none found'),
                           ({**there, 'GRIDDLE_CUDA_PLUGIN': '/no/such/plugin.so'}, 'plug-in not installed')):
        got = output_of(bqn, '--version', [], settings, patience)
        report.check(got.endswith(f'\ndevice: {line}\n'), f'bqn --version says {line}', got)
    got = outcome({**there, 'GRIDDLE_TEST_POOR_DIGESTS': '1'}, FORMS)
    wanted = outcome({'GRIDDLE_DEVICE': 'cpu'}, FORMS)
    report.check(got == wanted, 'different cells with the same digest are told apart', difference(wanted, got))
    got = outcome(there, ROUTES)
    report.check(got == '', 'functions of arrays on a device are computed there', got[:2000])
    for name, stay in (('expressions.txt', '793 of 800'), ('programs.txt', '523 of 545')):
        got = output_of(bqn, EXPRESSIONS, [name], {**there, 'GRIDDLE_OFFLOAD_FROM': ''}, patience)
        report.check(got.endswith(f'\n{stay} stay\n'), f'of the lines of tests/bench/gpu/{name} {stay} stay on a device', got)
    for name, what in CHECKS.items():
        got = outcome(there, os.path.join(ROOT, 'tests', 'gpu', name))
        report.check(got.endswith('done\n'), what, got)
    got = outcome({**there, 'GRIDDLE_DEVICE': 'cuda!'}, STAYS)
    report.check(got.endswith('done\n'), 'with GRIDDLE_DEVICE=cuda! computing on the host with what is on the device fails', got)
    before = {key: os.environ.get(key) for key in there}
    os.environ.update(there)
    try:
        conformance.run(bqn, [os.path.join(ROOT, 'tests', 'conformance')], report, patience=patience)
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


def main():
    report = Report()
    run(*sys.argv[1:3], report)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
