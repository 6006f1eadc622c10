#!/usr/bin/env python3
"""Counts the instructions of primitives while their arguments double in length:  growth.py [--bqn PATH] [--jobs N] [case …]

Fails where twice the elements take more than 2.6 times the instructions, less those of starting up and of making the arguments.
Instructions do not depend on what else the machine does. They come from `perf stat` where it can count them, else from valgrind.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

BQN = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'build', 'bqn')
LIMIT = 2.6
SIZES = [100000 << k for k in range(5)]
# Fewer instructions than this disappear among those of starting up.
NOISE = 150000

# What each variable is made of, in order; r makes random numbers.
DATA = {
    'i': 'n r.Range 1000000000', 'j': 'n r.Range 1000000000', 'k': 'n r.Range n', 's': 'n r.Range 100', 'b': 'n r.Range 2',
    'f': 'i÷7', 'g': '1+j÷3', 't': '@+97+n r.Range 26', 'w': '10‿∘⥊i', 'p': '⍋i', 'l': '<˘∘‿10⥊i', 'o': '∧i',
}
# Each expression takes its arguments from DATA.
CASES = """
+i|-i|×f|÷g|⋆÷g|√g|⌊f|⌈f|\\|f|¬b|∧i|∧f|∧s|∨i|∧t|∧b|∧l|<i|>l|≢w|=w|≠i|≡l|⊢i|≍i|⋈i|∾l|⥊w|↕n|»i|«b|⌽i|⌽b|⍉w|/b|/s
⍋i|⍋f|⍋s|⍋l|⍒i|⊏i|⊑i|⊐i|⊐s|⊐l|⊒i|⊒s|∊i|∊f|∊l|⍷i|⍷t|⍷l|⊔s|⊔k
i+j|f+g|b+b|i-j|i×j|f÷g|g⋆0.5|3√g|7\\|i|i⌊j|f⌈g|b∧b|b∨b|i<j|i≤j|i>j|i≥j|i≠j|i=j|t=t|i¬j|b¬b|i⊣j|i⊢j|i!1|i≡j|i≢j|i∾j|b∾i|i≍j|i⋈j
(2‿∘)⥊i|3↕i|(n÷2)↑i|(n÷2)↓b|i»j|0«b|7⌽i|7⌽b|1‿0⍉w|b/i|s/b|3/i|o⍋j|p⊏i|p⊏b|p⊏t|5⊑i|k⊑¨<i|i⊐j|s⊐s|l⊐l|i⊒j|i∊j|f∊g|"abc"⍷t|s⊔i|k⊔i|/⁼⌊i÷10000
+´i|+´f|⌈´i|∧´b|⊑⊸∾´⟨i,j⟩|+˝w|+`i|+`f|≠`b|⌈`i|-¨i|{𝕩+1}¨i|⋈¨i|i⋈¨j|+˝˘⍉w|⌽˘⍉w|<˘⍉w|{+´𝕩}˘⍉w|(n÷1000)↑¨<i|i+⌜↕4|{𝕨-𝕩}´i
0¨⌾(s⊸⊏)i|(1⊸+)⌾(b⊸/)i|9⌾(5⊸⊑)i|⌽⌾(1⊸↓)i|-⍟3 i|{𝕩+1}⍟n 0|+○-⟜1 i|i(5˙)j|i-˜j|-∘-i|i⊸+j|+⟜i j|-⊘+i|(2\\|⊑)◶-‿+i|-⎊0 i|{!𝕩}⎊0 i|(+-×)i|<⎉1 w|+⎉¯1 w|-⚇0 i|⌽⚇1 l|+`⁼i|7⊸+⁼i|(n÷2)⊸⌽⁼i|∾l|∾⟜0⍟3 i|(⋈s)⊔i|•Fmt i|•Repr s|•math.Sum f
"""


def counter():
    probe = subprocess.run(['perf', 'stat', '-x,', '-e', 'instructions:u', 'true'], capture_output=True, text=True) \
        if any(os.access(os.path.join(d, 'perf'), os.X_OK) for d in os.environ['PATH'].split(':')) else None
    if probe and re.search(r'^\d+,', probe.stderr, re.M):
        return ['perf', 'stat', '-x,', '-e', 'instructions:u'], r'^(\d+),'
    return ['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'], r'I +refs: +([\d,]+)'


def arguments_of(expression):
    """Gives the definitions that an expression needs."""
    needed = re.sub(r'"[^"]*"|•\w+(\.\w+)?', '', expression)
    for name in reversed(DATA):
        if re.search(rf'\b{name}\b', needed):
            needed += ' ' + DATA[name].replace('r.Range', '')
    return [f'{name}←{made}' for name, made in DATA.items() if re.search(rf'\b{name}\b', needed)]


def why_not_counted(bqn):
    """Tells why instructions of a build cannot be counted here; empty where they can."""
    command, _ = counter()
    if command[0] == 'perf':
        return ''
    if shutil.which('valgrind') is None:
        return 'neither perf nor valgrind counts instructions here'
    tried = subprocess.run(command + [bqn, '--version'], capture_output=True, text=True)
    if tried.returncode and 'Unrecognised instruction' in tried.stderr:
        return 'valgrind does not know the instructions of this build (AVX-512): a build for all processors, or with -Dtargets=AVX2, is counted'
    return ''


def count(bqn, command, pattern, n, expression, definitions):
    return count_program(bqn, command, pattern, '\n'.join([f'n←{n}', 'r←•MakeRand 7', *definitions, expression]))


def count_program(bqn, command, pattern, text):
    with tempfile.NamedTemporaryFile('w', suffix='.bqn') as program:
        program.write(text + '\n')
        program.flush()
        run = subprocess.run(command + [bqn, program.name], capture_output=True, text=True)
    found = re.findall(pattern, run.stderr, re.M)
    if run.returncode or not found:
        raise RuntimeError(f'{text[-100:]}: {run.stderr[-400:]}')
    return int(found[-1].replace(',', ''))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bqn', default=BQN)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('cases', nargs='*', help='expressions, after -- where one starts with a dash; default: all of the list')
    arguments = parser.parse_args()
    cases = arguments.cases or [c.strip().replace('\x00', '|') for c in re.split(r'[|\n]', CASES.replace('\\|', '\x00')) if c.strip()]
    command, pattern = counter()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        started = {}

        def measure(n, expression, definitions):
            key = (n, expression, *definitions)
            if key not in started:
                started[key] = pool.submit(count, arguments.bqn, command, pattern, n, expression, definitions)
            return started[key]

        running = [(c, [(measure(n, c, arguments_of(c)), measure(n, '@', arguments_of(c))) for n in SIZES]) for c in cases]
        for case, counts in running:
            try:
                own = [with_case.result() - without.result() for with_case, without in counts]
            except RuntimeError as error:
                print('FAILED ', error, flush=True)
                failed += 1
                continue
            ratios = [b / a for a, b in zip(own, own[1:]) if a > NOISE]
            bad = any(r > LIMIT for r in ratios)
            failed += bad
            print('FAILED ' if bad else 'ok     ', case.ljust(18), ' '.join(f'{r:.2f}' for r in ratios) or 'constant',
                  f'  {own[-1] / SIZES[-1]:.2f} an element', flush=True)
    print(f'{len(cases) - failed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
