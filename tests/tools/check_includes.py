#!/usr/bin/env python3
"""Checks that each folder includes only what it may know:  check_includes.py

RULES is the whole truth; a folder that is not in it is an error.
"""
import os
import re

from report import run_alone

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUNTIME = ['runtime/value/', 'runtime/source/', 'runtime/bytecode/', 'runtime/vm/', 'runtime/format/', 'runtime/system/',
           'runtime/api/', 'runtime/files.h', 'runtime/text_width.h', 'runtime/primitive.h']
KERNEL_HEADERS = 'primitives/kernels/[^/]*/[^/]*(?<!-inl).h'


def room(*others):
    """Gives what a room of primitives/ may include, besides its own headers: those of other rooms that are named."""
    return ['runtime/value/', 'runtime/primitive.h', 'runtime/vm/attempt.h', 'runtime/vm/call.h', 'runtime/vm/block_undo.h',
            'runtime/vm/error.h', 'runtime/vm/operand_error.h', 'runtime/vm/number_steps.h', 'runtime/vm/scalar.h', 'runtime/vm/wiring.h', '~' + KERNEL_HEADERS, 'primitives/functions.h', 'primitives/modifiers.h',
            'primitives/common/'] + ['primitives/' + name for name in others]


def kernel_room(*others):
    return ['runtime/value/element_type.h', 'runtime/value/checkpoint.h', 'primitives/kernels/shared/'] + ['primitives/kernels/' + name for name in others]



# Folder (the longest that fits counts) → the project's headers that its files may include, as path prefixes; `~` marks a pattern.
RULES = {
    'runtime': ['runtime/value/', 'runtime/standard_gaps.h', 'runtime/segment_memory.h', 'runtime/files.h', 'runtime/names.h', 'runtime/similar.h', 'runtime/mapped_file.h', 'runtime/text_width.h', 'runtime/text_width_table.inc', 'runtime/primitive.h'],
    'runtime/value': ['runtime/value/', 'runtime/names.h', 'runtime/segment_memory.h'],
    'runtime/source': ['runtime/source/', 'runtime/text_width.h', 'runtime/value/', 'runtime/vm/error.h', 'runtime/primitive.h', 'runtime/names.h', 'runtime/similar.h'],
    'runtime/bytecode': ['runtime/bytecode/', 'runtime/source/', 'runtime/value/', 'runtime/vm/call.h', 'runtime/vm/error.h',
                         'runtime/vm/wiring.h', 'runtime/primitive.h'],
    'runtime/vm': ['runtime/address_space.h', 'runtime/vm/', 'runtime/bytecode/', 'runtime/source/', 'runtime/value/', 'runtime/format/number.h',
                   'runtime/primitive.h'],
    'runtime/native': ['runtime/native/', 'runtime/vm/', 'runtime/bytecode/', 'runtime/value/'],
    'runtime/format': ['runtime/format/', 'runtime/text_width.h', 'runtime/value/', 'runtime/primitive.h'],
    'runtime/plot': ['runtime/plot/', 'runtime/value/', 'runtime/source/text.h'],
    'runtime/system': ['runtime/plot/', 'runtime/system/', 'runtime/value/', 'runtime/source/', 'runtime/bytecode/', 'runtime/vm/',
                       'runtime/format/', 'runtime/files.h', 'runtime/mapped_file.h', 'runtime/primitive.h', 'primitives/arithmetic/dispatch.h', 'primitives/order/order.h',
                       '~' + KERNEL_HEADERS],
    'runtime/api': RUNTIME + ['gpu/settings.h', 'primitives/kernels/shared/processor.h'],
    # Registration knows every room.
    'primitives': room('doors.h', 'arithmetic/', 'structure/', 'search/', 'mapping/', 'inverse/'),
    'primitives/common': room(),
    'primitives/arithmetic': room('arithmetic/', 'structure/match.h'),
    'primitives/expressions': room('expressions/', 'arithmetic/'),
    'primitives/structure': room('structure/', 'arithmetic/dispatch.h', 'inverse/undo.h'),
    'primitives/search': room('search/', 'structure/', 'arithmetic/dispatch.h', 'inverse/undo.h'),
    'primitives/order': room('order/', 'search/', 'arithmetic/dispatch.h'),
    'primitives/folds': room('folds/', 'arithmetic/', 'mapping/cell_routes.h'),
    'primitives/mapping': room('mapping/', 'arithmetic/dispatch.h', 'structure/', 'search/', 'order/', 'folds/', 'inverse/undo.h'),
    'primitives/inverse': room('inverse/', 'structure/', 'arithmetic/dispatch.h'),
    'primitives/kernels': [],
    'primitives/kernels/shared': kernel_room(),
    'primitives/kernels/elementwise': kernel_room('elementwise/', 'folds/from_right.h', 'folds/reduce.h'),
    'primitives/kernels/functions': kernel_room('functions/'),
    'primitives/kernels/folds': kernel_room('folds/', 'moves/transpose.h', 'functions/mathematics.h'),
    'primitives/kernels/booleans': kernel_room('booleans/'),
    'primitives/kernels/moves': kernel_room('moves/', 'booleans/', 'elementwise/compare.h'),
    'primitives/kernels/search': kernel_room('search/', 'booleans/bool_fold.h'),
    'primitives/kernels/sort': kernel_room('sort/', 'folds/scan.h', 'search/byte_counts.h'),
    'primitives/kernels/random': kernel_room('random/', 'functions/elementary-inl.h'),
    'primitives/kernels/text': kernel_room('text/'),
    'gpu': ['gpu/', 'runtime/value/', 'runtime/files.h', 'runtime/vm/error.h', 'runtime/vm/device_work.h', 'runtime/primitive.h'],
    'gpu/cuda': ['gpu/cuda/', 'gpu/plugin_abi.h'],
    'repl': ['repl/', 'runtime/api/', 'runtime/files.h', 'runtime/names.h', 'runtime/similar.h', 'runtime/text_width.h', 'runtime/mapped_file.h', 'runtime/address_space.h'],
    'runtime/python': ['runtime/python/', 'runtime/api/griddle.h', 'runtime/api/dlpack.h'],
    'examples': ['runtime/api/'],
    'tests/conformance': ['runtime/api/'],
    'tests/bench': ['runtime/api/', 'primitives/common/tuning.h'],
    'tests/bench/gpu': ['gpu/'],
    'tests/support': ['tests/support/', 'runtime/', 'primitives/', 'repl/'],
    'tests/unit': ['tests/support/', 'runtime/', 'primitives/', 'repl/', 'gpu/'],
    'tests/kernels': ['tests/support/', 'primitives/kernels/', 'runtime/value/element_type.h'],
    'tests/fuzz': ['tests/fuzz/', 'tests/support/', 'runtime/api/', 'primitives/kernels/'],
    'tests/fuzz/targets': ['tests/fuzz/targets/', 'tests/support/', 'runtime/', 'gpu/', 'repl/'],
    'tests/gpu': ['tests/gpu/', 'tests/support/', 'gpu/', 'runtime/', 'primitives/'],
}
LIBRARIES = {'ffi.h': ['runtime/system'], 'pcre2.h': ['runtime/system/patterns'], 'zlib.h': ['runtime/system/data'], 'xbyak/': ['runtime/native'], 'hwy/': ['primitives/kernels', 'tests/kernels', 'tests/support'], 'doctest/': ['tests'], 'pybind11/': ['runtime/python'],
             'cuda': ['gpu/cuda', 'tests/gpu', 'tests/bench/gpu', 'examples'],
             'cub/': ['gpu/cuda', 'tests/bench/gpu']}
# What is installed finds its neighbours by their names alone.
INSTALLED = ['runtime/api/griddle.h']
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
            elif quoted and '/' not in header and path not in INSTALLED:
                yield f'{path}:{number}: write the path from the root: {header}'
            elif quoted and '/' in header and not permits(rules, header):
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
