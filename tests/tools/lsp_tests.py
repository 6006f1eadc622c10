#!/usr/bin/env python3
"""Tests the language server:  lsp_tests.py [--bqn PATH] [PART …]

Runs the files of tests/lsp, each of which speaks to `bqn --lsp` as an editor does.
"""
import sys

from parts import Parts

PARTS = Parts('lsp', 'editor')
run = PARTS.run

if __name__ == '__main__':
    sys.exit(PARTS.main(__doc__))
