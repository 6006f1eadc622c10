#!/usr/bin/env python3
"""Checks that each folder includes only what it may know:  check_includes.py

RULES is the whole truth; a folder that is not in it is an error.
"""
import os
import re

from report import run_alone

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUNTIME = ['runtime/value/', 'runtime/source/', 'runtime/bytecode/', 'runtime/vm/', 'runtime/format/', 'runtime/system/',
           'runtime/api/', 'runtime/files.h', 'runtime/primitive.h']
KERNEL_HEADERS = 'primitives/kernels/[^/]*(?<!-inl).h'

# Folder (the longest that fits counts) → the project's headers that its files may include, as path prefixes; `~` marks a pattern.
RULES = {
    'runtime': ['runtime/value/', 'runtime/files.h', 'runtime/primitive.h'],
    'runtime/value': ['runtime/value/'],
    'runtime/source': ['runtime/source/', 'runtime/value/', 'runtime/vm/error.h', 'runtime/primitive.h'],
    'runtime/bytecode': ['runtime/bytecode/', 'runtime/source/', 'runtime/value/', 'runtime/vm/call.h', 'runtime/vm/error.h',
                         'runtime/primitive.h'],
    'runtime/vm': ['runtime/vm/', 'runtime/bytecode/', 'runtime/source/', 'runtime/value/', 'runtime/format/number.h',
                   'runtime/primitive.h'],
    'runtime/format': ['runtime/format/', 'runtime/value/', 'runtime/primitive.h'],
    'runtime/system': ['runtime/system/', 'runtime/value/', 'runtime/source/', 'runtime/bytecode/', 'runtime/vm/',
                       'runtime/format/', 'runtime/files.h', 'runtime/primitive.h', 'primitives/dispatch.h', 'primitives/order.h',
                       '~' + KERNEL_HEADERS],
    'runtime/api': RUNTIME + ['gpu/loader.h', 'gpu/offload.h', 'primitives/kernels/processor.h'],
    'primitives': ['primitives/functions.h', 'primitives/modifiers.h', '~primitives/[^/]*[.]h', 'runtime/value/',
                   'runtime/primitive.h', 'runtime/vm/attempt.h', 'runtime/vm/call.h', 'runtime/vm/block_undo.h', 'runtime/vm/error.h',
                   'runtime/vm/number_steps.h', '~' + KERNEL_HEADERS],
    'primitives/kernels': ['primitives/kernels/', 'runtime/value/element_type.h'],
    'gpu': ['gpu/', 'runtime/value/', 'runtime/files.h', 'runtime/vm/error.h', 'runtime/primitive.h'],
    'gpu/cuda': ['gpu/cuda/', 'gpu/plugin_abi.h'],
    'repl': ['repl/', 'runtime/api/', 'runtime/files.h'],
    'examples': ['runtime/api/'],
    'tests/conformance': ['runtime/api/'],
    'tests/bench': ['runtime/api/'],
    'tests/bench/gpu': ['gpu/'],
    'tests/support': ['tests/support/', 'runtime/', 'primitives/'],
    'tests/unit': ['tests/support/', 'runtime/', 'primitives/', 'repl/'],
    'tests/kernels': ['tests/support/', 'primitives/kernels/', 'runtime/value/element_type.h'],
    'tests/fuzz': ['tests/support/', 'runtime/api/', 'primitives/kernels/'],
    'tests/gpu': ['tests/gpu/', 'tests/support/', 'gpu/', 'runtime/', 'primitives/'],
}
LIBRARIES = {'ffi.h': ['runtime/system'], 'hwy/': ['primitives/kernels', 'tests/kernels', 'tests/support'], 'doctest/': ['tests'],
             'cuda': ['gpu/cuda', 'tests/gpu', 'tests/bench/gpu'],
             'cub/': ['gpu/cuda', 'tests/bench/gpu']}
SOURCE = re.compile(r'[.](cc|h|cu|cuh|inc)$')
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def permits(rules, header):
    return any(re.fullmatch(rule[1:], header) if rule.startswith('~') else header.startswith(rule) for rule in rules)


def rules_for(folder):
    while folder and folder not in RULES:
        folder = os.path.dirname(folder)
    return RULES.get(folder)


def complaints(path):
    """Names each include of a file that breaks a rule."""
    folder = os.path.dirname(path)
    rules = rules_for(folder)
    if rules is None:
        yield f'{path}: folder without rule'
        return
    with open(os.path.join(ROOT, path), encoding='utf8') as file:
        for number, line in enumerate(file, 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            header = found.group(2)
            # Highway's own habit is to quote its headers.
            quoted = found.group(1) == '"' and not header.startswith('hwy/')
            if quoted and header != os.path.basename(header) and not os.path.exists(os.path.join(ROOT, header)):
                yield f'{path}:{number}: no such header from the root: {header}'
            elif quoted and '/' not in header:
                yield f'{path}:{number}: write the path from the root: {header}'
            elif quoted and not permits(rules, header):
                yield f'{path}:{number}: {folder} may not know {header}'
            elif not quoted:
                for library, folders in LIBRARIES.items():
                    if header.startswith(library) and not any(folder == f or folder.startswith(f + '/') for f in folders):
                        yield f'{path}:{number}: {folder} may not use {header}'


def source_files():
    for top in sorted({rule.split('/')[0] for rule in RULES}):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                if SOURCE.search(name):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def run(report):
    for path in source_files():
        broken = list(complaints(path))
        report.check(not broken, f'includes of {path}', '\n'.join(broken))


if __name__ == '__main__':
    run_alone(run)
