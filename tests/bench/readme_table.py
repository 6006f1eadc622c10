#!/usr/bin/env python3
"""Makes the rows for this machine of the table in README.md:  readme_table.py --peer PATH [--bqn PATH] [--rounds N]

Griddle, another BQN and NumPy (or Python, where the row is no work for NumPy) run the same work by turns; the least times count. Each
side computes a number from its result, and these must agree.
"""
import argparse
import json
import os
import re
import sys
import tempfile
import time

import compare
import numpy as np

# What, the expression as README.md shows it, what both need, the same for NumPy, and a number of the result in each.
ROWS = [
    ('sum of 10,000,000 doubles', '+´x', 'x←(↕1e7)÷4', 'x = np.arange(1e7) / 4', 'x.sum()', '⊢', 'float(r)'),
    ('running sum of them', '+`x', 'x←(↕1e7)÷4', 'x = np.arange(1e7) / 4', 'np.cumsum(x)', '¯1⊸⊑', 'float(r[-1])'),
    ('sort 1,000,000 integers', '∧x', 'x←1e9|48271×1e6|7919×↕1e6', 'x = (48271 * (7919 * np.arange(10**6) % 10**6) % 10**9).astype(np.int32)', 'np.sort(x)', '5e5⊸⊑', 'int(r[500000])'),
    ('transpose 2,000 × 2,000 doubles', '⍉x', 'x←2000‿2000⥊(↕4e6)÷4', 'x = (np.arange(4e6) / 4).reshape(2000, 2000)', 'np.ascontiguousarray(x.T)', '1‿0⊸⊑', 'float(r[1, 0])'),
    ('which of 1,000,000 are among 10,000', 'x∊w', 'x←1e6|48271×↕1e6⋄w←100×↕1e4', 'x = (48271 * np.arange(10**6) % 10**6).astype(np.int32); w = (100 * np.arange(10**4)).astype(np.int32)', 'np.isin(x, w)', '+´', 'int(r.sum())'),
    ('group 1,000,000 by 1,000 keys', 'k⊔x', 'k←1000|48271×↕1e6⋄x←(↕1e6)÷4', 'k = (48271 * np.arange(10**6) % 1000).astype(np.int32); x = np.arange(1e6) / 4', 'np.split(x[np.argsort(k, kind="stable")], np.cumsum(np.bincount(k))[:-1])', '{1⊑7⊑𝕩}', 'float(r[7][1])'),
    ('Fibonacci 24, by recursion', 'Fib 24', 'Fib←{𝕩<2?𝕩;(𝕊𝕩-1)+𝕊𝕩-2}', 'def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)', 'fib(24)', '⊢', 'r'),
    ('JSON of 100,000 records', '•json.Parse t', None, None, 'json.loads(t)', '≠', 'len(r)'),
]
RECORDS = [{'id': i, 'name': f'anna{i * 7919 % 100000}', 'score': i % 1000 / 8, 'active': i % 3 == 0, 'city': ['Berlin', 'Paris'][i % 2]} for i in range(100000)]


class Row:
    """A case as compare.py runs it."""

    def __init__(self, number, text_path):
        self.what, self.shown, data, python_data, self.python, check, python_check = ROWS[number]
        self.size, self.name = '1', str(number)
        self.is_ours_alone = data is None
        if self.is_ours_alone:
            data, python_data = f't←•FChars "{text_path}"', f't = open({text_path!r}, encoding="utf8").read()'
        self.names = {'np': np, 'json': json}
        exec(python_data, self.names)
        wanted = eval(python_check, {'r': eval(self.python, self.names)})
        # What a block gives is no constant, so that nothing is computed before the clock runs.
        data = re.sub('([xwkt])←', r'\1←{𝕩}', data)
        self.source = f'{data} ⋄ ! {wanted!r}={check} {self.shown} ⋄ {{𝕊: {self.shown}}}'

    def python_nanoseconds(self):
        code = compile(self.python, 'row', 'eval')
        best = float('inf')
        end = time.perf_counter() + 0.3
        while time.perf_counter() < end:
            start = time.perf_counter()
            eval(code, self.names)
            best = min(best, time.perf_counter() - start)
        return 1e9 * best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bqn', default=os.path.join(compare.ROOT, 'build', 'bqn'))
    parser.add_argument('--peer', required=True)
    parser.add_argument('--rounds', type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'records.json')
        with open(path, 'w', encoding='utf8') as file:
            json.dump(RECORDS, file)
        rows = [Row(number, path) for number in range(len(ROWS))]
        best = {(row.name, side): float('inf') for row in rows for side in ('ours', 'peer', 'python')}
        for _ in range(options.rounds):
            for row in rows:
                for side, executable in (('ours', options.bqn), ('peer', options.peer)):
                    if side == 'peer' and row.is_ours_alone:
                        continue
                    for value in compare.run_cases(os.path.abspath(executable), [row], 120).values():
                        best[row.name, side] = min(best[row.name, side], value)
                best[row.name, 'python'] = min(best[row.name, 'python'], row.python_nanoseconds())
    for row in rows:
        if best[row.name, 'ours'] == float('inf'):
            sys.exit(f'{row.shown}: failed')
        figures = [compare.spell(best[row.name, side], 'ns') if best[row.name, side] < float('inf') else '' for side in ('ours', 'peer', 'python')]
        mark = '``' if '`' in row.shown else '`'
        print(f'| {row.what}, {mark}{row.shown}{mark}' + ('' if 'np.' in row.python or 'x.' in row.python else ' (Python)') + ' | ' + ' | '.join(figures) + ' |')


if __name__ == '__main__':
    main()
