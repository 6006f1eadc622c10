#!/usr/bin/env python3
"""Times calls of BQN from Python beside NumPy's sum:  PYTHONPATH=build/full/runtime/python tests/bench/python_calls.py [ELEMENTS …]"""
import sys
import timeit

import numpy as np

import griddle

ROUNDS = 7


def least(call, elements):
    count = max(3, min(20_000, 2 * 10**8 // max(elements, 1000)))
    return min(timeit.timeit(call, number=count) / count for _ in range(ROUNDS)) * 1e6


def main():
    total = griddle.eval('+´')
    for elements in [int(float(word)) for word in sys.argv[1:]] or [3, 1000, 10**6, 10**8]:
        array = np.random.rand(elements)
        value = griddle.value(array)
        times = {
            'eval("+´", a)': least(lambda: griddle.eval('+´', array), elements), 'function': least(lambda: total(array), elements),
            'function of a Value': least(lambda: total(value), elements), 'a.sum()': least(array.sum, elements),
        }
        print(f'{elements:>10} doubles, microseconds: ' + ', '.join(f'{name} {time:.2f}' for name, time in times.items()))


if __name__ == '__main__':
    main()
