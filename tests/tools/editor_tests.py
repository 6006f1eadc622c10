#!/usr/bin/env python3
"""Tests what editors need for BQN, repl/editors:  editor_tests.py [--bqn PATH] [PART …]

Runs the files of tests/editors; what needs an editor that is not installed says so and is left out.
"""
import sys

from parts import Parts

PARTS = Parts('editors', 'classes')
run = PARTS.run

if __name__ == '__main__':
    sys.exit(PARTS.main(__doc__))
