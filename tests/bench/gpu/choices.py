"""Tells what a program gains or loses by the choice between host and device:  choices.py BQN [ROUNDS [NAME …]]

Times ordinary programs, the lines below and the files in programs/, as whole processes on the CPU, as the cost model decides, and
with everything forced onto the device; least of the rounds, in ms. The last column is auto over the better of the two, less what
starting without work takes. All three must print the same.
"""
import glob
import os
import subprocess
import sys
import time

PROGRAMS = {
    'nothing': '1',
    'sum of a range, 1e6': '+´↕1e6',
    'chain and sum, 1e7': '+´7|1+2×↕1e7',
    'chain and sum, 1e8': '+´7|1+2×↕1e8',
    'three sums, 1e8': '{𝕊: +´7|𝕩+2×↕1e8}¨↕3',
    'filter and scan, 1e7': 'x←1009|7919×↕1e7 ⋄ ¯1⊑+`(x>500)/x',
    'filter and scan, 1e8': 'x←1009|7919×↕1e8 ⋄ ¯1⊑+`(x>500)/x',
    'sort of 32 bits, 1e6': '⊑∧1e6 •rand.Range 1e9',
    'sort of 32 bits, 1e7': '⊑∧1e7 •rand.Range 1e9',
    'grade of doubles, 1e6': '⊑⍋1e6 •rand.Uniform 0‿1',
    'histogram, 1e7': '⌈´/⁼1e7 •rand.Range 1000',
    'group sums, 1e7': 'k←1e7 •rand.Range 1000 ⋄ ⌈´+´¨k⊔↕1e7',
    'member, 1e6 in 1e6': '+´(1e6 •rand.Range 1e9)∊1e6 •rand.Range 1e9',
    'mean and spread, 1e7': 'x←1e7 •rand.Range 1e6 ⋄ m←(+´÷≠)x ⋄ √(+´÷≠)×˜x-m',
    'outer table, 3000': '+´⥊(↕3000)×⌜↕3000',
    'text, 1e7': '+´\' \'=1e7⥊"some words of text"',
    'powers of a matrix, 300': 'm←2|+⌜˜↕300 ⋄ +´⥊+˝∘×⎉1‿∞˜m',
}


FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs')
FILES = {os.path.basename(path): path for path in sorted(glob.glob(os.path.join(FOLDER, '*.bqn')))}


def seconds(bqn, program, device):
    env = {**os.environ, 'GRIDDLE_DEVICE': device}
    start = time.perf_counter()
    command = [bqn, program] if program.endswith('.bqn') else [bqn, '-p', program]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    took = time.perf_counter() - start
    return took, done.stdout.strip() if done.returncode == 0 else done.stderr.strip()


def main():
    bqn, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print('| program | cpu | auto | cuda | auto : better |\n|---|---|---|---|---|')
    start = None
    for name, program in {**PROGRAMS, **FILES}.items():
        if start is not None and len(sys.argv) > 3 and name not in sys.argv[3:]:
            continue
        times = {}
        answers = {}
        for device in ('cpu', 'auto', 'cuda'):
            runs = [seconds(bqn, program, device) for _ in range(rounds)]
            times[device] = min(took for took, _ in runs) * 1e3
            answers[device] = runs[0][1]
        start = start or min(times['cpu'], times['auto'])
        beyond = (times['auto'] - start + 1) / (min(times['cpu'], times['cuda']) - start + 1)
        wrong = '' if len(set(answers.values())) == 1 or '•rand' in program else f' WRONG {answers}'
        print(f"| {name} | {times['cpu']:.1f} | {times['auto']:.1f} | {times['cuda']:.1f} | {beyond:.2f}{wrong} |", flush=True)


main()
