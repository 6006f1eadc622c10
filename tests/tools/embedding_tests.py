#!/usr/bin/env python3
"""Runs the C++ examples of how to embed Griddle:  embedding_tests.py BUILD

Those in CUDA run where they were built and there is a device; without one they end with 77. Each prints its lines `// output:`. Lines `// input:` are its standard input. One with a line `// arguments:` runs again with these,
and prints the same. What pages of spec/embedding show as C++ stands in the example that they name.
"""
import glob
import os
import re
import subprocess
import sys

from report import Report, finish

NO_DEVICE = 77
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def marked(text, mark):
    """Gives what stands behind a mark in the comments at the start of a source, a line each."""
    return ''.join(line + '\n' for line in re.findall(f'^// {mark}: ?(.*)$', text, re.M))


def run_example(build, path, report, patience):
    name = os.path.relpath(path, ROOT)
    with open(path, encoding='utf8') as file:
        text = file.read()
    report.check(marked(text, 'output'), f'{name} says what it prints')
    runs = [[]] + [line.split() for line in marked(text, 'arguments').splitlines()]
    for arguments in runs:
        command = [os.path.join(build, os.path.splitext(name)[0]), *arguments]
        if name.endswith('.cu') and not os.path.exists(command[0]):
            continue
        done = subprocess.run(command, input=marked(text, 'input'), capture_output=True, text=True, encoding='utf8', timeout=patience)
        if name.endswith('.cu') and done.returncode == NO_DEVICE:
            continue
        report.check((done.returncode, done.stdout) == (0, marked(text, 'output')), ' '.join([name, *arguments]),
                     f'{done.returncode}\n{done.stdout}{done.stderr}')


def check_page(path, report):
    """Looks that each piece of C++ on a page stands in the example that the page names first, but for how far it is indented."""
    with open(path, encoding='utf8') as file:
        page = file.read()
    name = os.path.relpath(path, ROOT)
    example = re.search(r'`(examples/\S+[.]c[cu])`', page)
    if not report.check(example, f'{name} names its example'):
        return
    with open(os.path.join(ROOT, example.group(1)), encoding='utf8') as file:
        source = [line.strip() for line in file]
    for block in re.findall(r'^```cpp\n(.*?)^```', page, re.M | re.S):
        lines = [line.strip() for line in block.rstrip('\n').split('\n')]
        found = any(source[i:i + len(lines)] == lines for i in range(len(source)))
        report.check(found, f'{name}: "{lines[0]}" and what follows stand in {example.group(1)}')


def run(build, report, patience=60):
    for path in sorted(glob.glob(os.path.join(ROOT, 'examples', '**', '*.c[cu]'), recursive=True)):
        run_example(build, path, report, patience)
    for path in sorted(glob.glob(os.path.join(ROOT, 'spec', 'embedding', '*.md'))):
        check_page(path, report)


def main():
    report = Report()
    run(os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(ROOT, 'build', 'quick'), report)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
