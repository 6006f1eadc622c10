#!/usr/bin/env python3
"""Checks that no two types have one name in one namespace:  check_types.py

Where two headers define types of one name, programs are wrong without a word from the compiler: the linker keeps one of two inline
functions of that name, such as destructors. Types of one file's own belong in an unnamed namespace.
"""
import os
import re
from collections import defaultdict

from report import run_alone

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOPS = ['runtime', 'primitives', 'gpu', 'repl']
OPENING = re.compile(r'namespace ([\w:]*) ?\{')
TYPE = re.compile(r'(?:template <.*> )?(?:struct|class|enum class|union)(?: \[\[[^\]]*\]\])?(?: alignas\(\w+\))? (\w+)(?: final)?(?: : [^;]*)? \{')


def types_of(text):
    """Gives (namespace, name) of each type that stands in a namespace with a name: such lines begin at the left."""
    open_now = []
    for line in text.splitlines():
        if found := OPENING.match(line):
            open_now.append(found.group(1))
        elif line.startswith('}  // namespace'):
            open_now.pop()
        elif (found := TYPE.match(line)) and '' not in open_now:
            yield '::'.join(open_now), found.group(1)


def run(report):
    places = defaultdict(set)
    for top in TOPS:
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in names:
                if name.endswith(('.h', '.cc', '.cu', '.cuh')):
                    path = os.path.join(folder, name)
                    with open(path, encoding='utf8') as file:
                        for key in types_of(file.read()):
                            places[key].add(os.path.relpath(path, ROOT))
    report.check(len(places) > 500, 'types are found in the sources', str(len(places)))
    twice = {key: files for key, files in places.items() if len(files) > 1}
    report.check(not twice, 'no two types have one name', '\n'.join(f'{"::".join(key)}: {", ".join(sorted(files))}' for key, files in sorted(twice.items())))


if __name__ == '__main__':
    run_alone(run)
