#!/usr/bin/env python3
"""Times the WebAssembly build beside others:  web.py [--rounds N] NAME=COMMAND …

Each command runs a BQN file: the build under node (tests/web/bqn), the native one, BQN in JavaScript (`node bqn.js` of mlochbaum/BQN).
They take turns. For each small program of cases/programs.txt, and some operations on long lists, prints the least microseconds of a
call, and how many times those of the first command the others take. --start times whole processes that compute 1+1 instead.
"""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))

# What every implementation can do, with a length for each, which no compiler knows.
LISTS = '''
case: sum of n integers
let: x←n⥊3‿1‿4‿1‿5‿9‿2‿6
time: +´x

case: sum of n doubles
let: x←n⥊0.5‿1.25‿3.75
time: +´x

case: n doubles plus n doubles
let: x←n⥊0.5‿1.25‿3.75
time: x+x

case: n integers times 3
let: x←n⥊3‿1‿4‿1‿5‿9‿2‿6
time: 3×x

case: compare n integers
let: x←n⥊3‿1‿4‿1‿5‿9‿2‿6
time: x<4

case: reverse n integers
let: x←n⥊3‿1‿4‿1‿5‿9‿2‿6
time: ⌽x

case: sort n integers
let: x←4093|7919×↕n
time: ∧x

case: grade n integers
let: x←4093|7919×↕n
time: ⍋x

case: select n of n
let: x←4093|7919×↕n ⋄ i←n|7919×↕n
time: i⊏x

case: replicate n by booleans
let: x←4093|7919×↕n ⋄ b←2|x
time: b/x

case: running sums of n
let: x←n⥊3‿1‿4‿1‿5
time: +`x

case: first places of n among 500
let: x←4093|7919×↕n ⋄ w←8×↕500
time: w⊐x

case: self-search of n
let: x←4093|7919×↕n
time: ⊐x

case: group n by 100 keys
let: x←100|7919×↕n
time: ⊔x

case: outer product of n
let: x←↕⌊√n
time: x×⌜x
'''


def cases_of(text):
    cases, case = [], None
    for line in text.splitlines():
        found = re.match(r'(case|let|time): (.*)', line)
        if not found:
            continue
        if found.group(1) == 'case':
            case = {'let': '@'}
            cases.append(case)
        case[found.group(1)] = found.group(2)
    return [c for c in cases if 'time' in c]


def all_cases():
    with open(os.path.join(FOLDER, 'cases', 'programs.txt'), encoding='utf8') as file:
        cases = cases_of(file.read())
    for n in ('1e3', '1e5'):
        for case in cases_of(LISTS):
            cases.append({'case': re.sub(r'\bn\b', n, case['case']), 'let': f'n←{n}+0×•MonoTime@ ⋄ {case["let"]}', 'time': case['time']})
    return cases


def program_of(cases):
    """Each case in a scope of its own; a case that an implementation does not know gives no number."""
    parts = []
    for case in cases:
        parts.append('''{𝕊:
  LET
  Once ← {𝕊 k: t←•MonoTime@ ⋄ {𝕊 i: r←TIME ⋄ i}⍟k 0 ⋄ (•MonoTime@)-t}
  Grow ← {𝕊 k: t←Once k ⋄ (t≥0.05)◶⟨{𝕊: Grow k×⌈2⌈0.06÷t⌈1e¯6},{𝕊: k‿t}⟩@}
  kt ← Grow 1
  •Out •Fmt 1e6×((1⊑kt)⌊⌊´Once¨3⥊⊑kt)÷⊑kt
}⎊{𝕊: •Out "none"} @
'''.replace('LET', case['let']).replace('TIME', case['time']))
    return ''.join(parts)


def run_once(command, cases):
    with tempfile.NamedTemporaryFile('w', suffix='.bqn', encoding='utf8') as file:
        file.write(program_of(cases))
        file.flush()
        done = subprocess.run([*command.split(), file.name], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    if len(lines) != len(cases):
        sys.exit(f'{command}: {len(lines)} of {len(cases)} answers\n{done.stdout[-1000:]}{done.stderr[-2000:]}')
    return [math.inf if line == 'none' else float(line.replace('¯', '-')) for line in lines]


def start_seconds(command):
    with tempfile.NamedTemporaryFile('w', suffix='.bqn', encoding='utf8') as file:
        file.write('1+1\n')
        file.flush()
        began = time.monotonic()
        subprocess.run([*command.split(), file.name], capture_output=True, check=True)
        return time.monotonic() - began


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--rounds', type=int, default=3)
    arguments.add_argument('--start', action='store_true')
    arguments.add_argument('commands', nargs='+', metavar='NAME=COMMAND')
    options = arguments.parse_args()
    commands = dict(command.split('=', 1) for command in options.commands)
    if options.start:
        for name, command in commands.items():
            print(f'{name}: {min(start_seconds(command) for _ in range(options.rounds)) * 1000:.0f} ms')
        return
    cases = all_cases()
    least = {name: [math.inf] * len(cases) for name in commands}
    for _ in range(options.rounds):
        for name, command in commands.items():
            least[name] = [min(pair) for pair in zip(least[name], run_once(command, cases))]
    first, *others = commands
    print(f'| case | {first}, µs | ' + ' | '.join(f'{name}, times that' for name in others) + ' |')
    print('| --- |' + ' ---: |' * len(commands))
    for i, case in enumerate(cases):
        base = least[first][i]
        ratios = ['–' if math.isinf(least[name][i]) else f'{least[name][i] / base:.2f}' for name in others]
        print(f'| {case["case"]} | {base:.3g} | ' + ' | '.join(ratios) + ' |')
    for name in others:
        logs = [math.log(least[name][i] / least[first][i]) for i in range(len(cases)) if not math.isinf(least[name][i]) and not math.isinf(least[first][i])]
        print(f'\n{name}: {math.exp(sum(logs) / len(logs)):.3g} times {first}, geometric mean of {len(logs)}')


if __name__ == '__main__':
    main()
