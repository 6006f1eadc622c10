#!/usr/bin/env python3
"""Checks the house's order:  check_folders.py

Every folder has a README of a screen or two; nothing lies about at the top.
"""
import os
import re
import shutil
import subprocess

from report import run_alone

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOPS = ['runtime', 'primitives', 'gpu', 'repl', 'spec', 'docs', 'tests', 'examples']
TOP_FILES = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE', 'README.md', 'bqn', 'build.sh', 'meson.build', 'meson_options.txt', 'pyproject.toml', 'release', 'test']
README_LINES = 110


def folders():
    for top in TOPS:
        for folder, inner, names in os.walk(os.path.join(ROOT, top)):
            inner[:] = sorted(name for name in inner if not name.startswith(('.', '__')))
            yield folder, sorted(names)


def lines_of(path):
    with open(path, encoding='utf8', errors='replace') as file:
        return sum(1 for _ in file)


def run(report):
    # Folders that only sort files of one kind are described by the README above them.
    described_above = ('tests/conformance/', 'tests/kernels/', 'tests/unit/', 'tests/programs/', 'examples/', 'spec/', 'tests/bench/', 'runtime/python/', 'repl/editors/')
    for folder, names in folders():
        name = os.path.relpath(folder, ROOT)
        if names and not name.startswith(described_above):
            report.check('README.md' in names, f'{name} has a README')
        for file in names:
            path = os.path.join(folder, file)
            if file == 'README.md' and not name.startswith('spec'):
                report.check(lines_of(path) <= README_LINES, f'{name}/{file} fits a screen or two', f'{lines_of(path)} lines')
    check_top(report)
    check_spec(report)
    check_docs(report)


def check_top(report):
    """What is kept at the top is known. Without git, or where the sources are no repository, nothing tells what is kept."""
    if not shutil.which('git') or not os.path.exists(os.path.join(ROOT, '.git')):
        print('no repository here: what lies at the top is not checked')
        return
    kept = subprocess.run(['git', '-C', ROOT, 'ls-tree', '--name-only', 'HEAD'], capture_output=True, text=True)
    for name in kept.stdout.split():
        report.check(name.startswith('.') or name in TOPS + TOP_FILES, f'{name} belongs at the top')


def check_spec(report):
    """Each page stands in the index, and each page that the table of primitives names is there."""
    with open(os.path.join(ROOT, 'spec', 'README.md'), encoding='utf8') as file:
        index = file.read()
    for folder, _, names in os.walk(os.path.join(ROOT, 'spec')):
        for name in sorted(names):
            page = os.path.relpath(os.path.join(folder, name), os.path.join(ROOT, 'spec'))
            if name.endswith('.md') and name != 'README.md':
                report.check(page in index, f'spec/README.md names {page}')
    for page in re.findall(r'\]\(([^)]+[.]md)\)', index):
        report.check(os.path.exists(os.path.join(ROOT, 'spec', page)), f'spec/{page}, named in spec/README.md')
    with open(os.path.join(ROOT, 'primitives', 'table.cc'), encoding='utf8') as file:
        for page in re.findall(r'_page = "([^"]+)"', file.read()):
            report.check(os.path.exists(os.path.join(ROOT, 'spec', page + '.md')), f'spec/{page}.md, named in the table of primitives')


def check_docs(report):
    """Each guide stands in the index of docs."""
    with open(os.path.join(ROOT, 'docs', 'README.md'), encoding='utf8') as file:
        index = file.read()
    for name in sorted(os.listdir(os.path.join(ROOT, 'docs'))):
        if name.endswith('.md') and name != 'README.md':
            report.check(f']({name})' in index, f'docs/README.md names {name}')


if __name__ == '__main__':
    run_alone(run)
