#!/usr/bin/env python3
"""Checks that nothing outgrows one reading:  check_sizes.py [--all]

A file holds one subject, a function one step, a macro one line that is repeated, a folder what a reader can survey. --all prints the
longest of each instead, to see what comes next.
"""
import ast
import os
import re
import sys

from report import run_alone

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOPS = ['runtime', 'primitives', 'gpu', 'repl', 'tests', 'examples']
FILE_LINES = 500
FUNCTION_LINES = 100
MACRO_LINES = 20
FOLDER_FILES = 40
CODE = re.compile(r'[.](cc|h|cu|cuh|inc)$')
SOURCE = re.compile(r'[.](cc|h|cu|cuh|inc|py|sh|bqn)$')
# One claim a file, sorted by subject already: the number of files is the number of claims.
MANY_FILES = ('tests/conformance/',)
# The interpreter's loop is one function, so that its state stays in registers and each instruction can jump to the next.
LONG_FUNCTIONS = {'runtime/vm/loop.cc'}

# What separates code from text: comments, raw strings, strings, characters (not the quotes in 1'000'000).
TEXTS = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\'', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)
MACRO = re.compile(r'^[ \t]*#[ \t]*define[ \t]+(\w+)(?:[^\n]*\\\n)*[^\n]*', re.M)
BEFORE_HEADER = re.compile(r'^(?:\s|\w+:(?!:)|(?:template|requires)\b[^\n]*\n)+')
OPENS_SCOPE = re.compile(r'^(?:inline |static )*(?:namespace|extern|struct|class|union)\b[^=(]*$', re.S)


def blanked(match):
    """Gives spaces for a piece of text, so that lines keep their numbers."""
    return re.sub(r'[^\n]', ' ', match.group())


def macros(text):
    """Gives (name, lines) of each macro."""
    for found in MACRO.finditer(text):
        yield found.group(1), found.group().count('\n') + 1


def functions(text):
    """Gives (name, lines) of each function of a C++ source: what has a body outside other bodies, lambdas that have a name included."""
    code = DIRECTIVE.sub(blanked, TEXTS.sub(blanked, text))
    start = position = depth = 0  # depth counts the braces of a body; scopes that hold functions are none
    began = None
    for mark in re.finditer(r'[{};]', code):
        position = mark.start()
        if depth:
            depth += {'{': 1, '}': -1}.get(mark.group(), 0)
            if depth == 0:
                if '(' in began[0]:
                    yield name_of(began[0]), code.count('\n', began[1], position) + 1
                start = position + 1
            continue
        if mark.group() == '{':
            header = BEFORE_HEADER.sub('', code[start:position])
            if not OPENS_SCOPE.match(re.sub(r'\balignas\s*\([^()]*\)', '', header)):
                depth = 1
                began = (header, position - len(header))
        start = position + 1


def name_of(header):
    """Gives the name of a function, from what stands before its body."""
    names = [name for name in re.findall(r'(operator\s*\S+?|[\w:~]+)\s*\(', header) if name not in ('decltype', 'alignas', '__launch_bounds__')]
    return names[0] if names else header.strip()


def python_functions(text):
    """Gives (name, lines) of each function of a Python source."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.end_lineno - node.lineno + 1


def folders():
    for top in TOPS:
        for folder, inner, names in os.walk(os.path.join(ROOT, top)):
            inner[:] = sorted(name for name in inner if not name.startswith(('.', '__')))
            yield os.path.relpath(folder, ROOT), sorted(name for name in names if not name.startswith('.'))


def sizes():
    """Gives (kind, where, size, limit) of all that is measured."""
    for folder, names in folders():
        if not (folder + '/').startswith(MANY_FILES):
            yield 'folder', folder, len(names), FOLDER_FILES
        for name in names:
            path = folder + '/' + name
            if not SOURCE.search(name):
                continue
            with open(os.path.join(ROOT, path), encoding='utf8') as file:
                text = file.read()
            yield 'file', path, text.count('\n'), FILE_LINES
            found = functions(text) if CODE.search(name) else python_functions(text) if name.endswith('.py') else ()
            for function, lines in found:
                if path not in LONG_FUNCTIONS:
                    yield 'function', f'{path}: {function}', lines, FUNCTION_LINES
            for macro, lines in macros(text) if CODE.search(name) else ():
                yield 'macro', f'{path}: {macro}', lines, MACRO_LINES


def run(report):
    for kind, where, size, limit in sizes():
        if size > limit:
            report.fail(f'size of {kind} {where}', f'{size} {"files" if kind == "folder" else "lines"}, more than {limit}')
        elif kind in ('file', 'folder'):
            report.passed += 1


def print_longest():
    found = sorted(sizes(), key=lambda entry: -entry[2] / entry[3])
    for kind in ('folder', 'file', 'function', 'macro'):
        for _, where, size, limit in [entry for entry in found if entry[0] == kind][:int(sys.argv[2]) if len(sys.argv) > 2 else 20]:
            print(f'{size:5} of {limit:3}  {kind:9} {where}')


if __name__ == '__main__':
    if sys.argv[1:2] == ['--all']:
        print_longest()
    else:
        run_alone(run)
