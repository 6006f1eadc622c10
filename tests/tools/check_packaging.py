#!/usr/bin/env python3
"""Checks what goes into packages beside programs:  check_packaging.py

The newest heading of CHANGELOG.md is the version that is built; the manual page and the completions know every option; the commit
that programs name is that of the sources.
"""
import os
import re
import subprocess

from report import run_alone

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# How each file spells an option: {} is its letter or its word.
SPELLINGS = {
    'repl/bqn.1': {'letter': r'^[.](BI?|BR) .*\\-{}\b', 'word': r'^[.](BI?|BR) .*\\-\\-{}\b', 'input': r'^[.]B \\-$', 'end': r'^[.]B \\-\\-$'},
    'repl/completions/bqn.bash': {'letter': r' -{}\b', 'word': r' --{}\b', 'input': r' - ', 'end': r' -- '},
    'repl/completions/_bqn': {'letter': r'''['*{{,]-{}\b''', 'word': r'''['*{{,]--{}\b''', 'input': r'[(][(]-\\:', 'end': r'^_arguments .*-S '},
    'repl/completions/bqn.fish': {'letter': r' -s {} ', 'word': r' -l {} ', 'input': r' -a - ', 'end': r" -a '--' "},
}


def text_of(name):
    with open(os.path.join(ROOT, name), encoding='utf8') as file:
        return file.read()


def options():
    """Lists the options that bqn --help describes, with those that it names beside them: `like -h`."""
    usage = text_of('repl/arguments.cc')
    lines = re.findall(r'^ *"  (-\S*) .*', usage, re.M)
    return lines + re.findall(r'like (-\w)\b', usage)


def kind_of(option):
    return {'-': 'input', '--': 'end'}.get(option) or ('word' if option.startswith('--') else 'letter')


def check_options(report):
    found = options()
    report.check({'-', '-e', '--help', '-v'} <= set(found), 'repl/arguments.cc describes options', repr(found))
    for name, spelling in SPELLINGS.items():
        text = text_of(name)
        for option in found:
            pattern = spelling[kind_of(option)].format(option.lstrip('-'))
            report.check(re.search(pattern, text, re.M) is not None, f'{name} knows {option}')


def check_changelog(report):
    version = re.search(r"^ *version: '([^']+)'", text_of('meson.build'), re.M).group(1)
    newest = re.search(r'^## (\S+)', text_of('CHANGELOG.md'), re.M).group(1)
    report.check(version == newest, 'CHANGELOG.md begins with the version of meson.build', f'{newest}, not {version}')


def check_commit(report):
    """The commit is that of the sources, not of a repository around them."""
    def commit_of(folder):
        done = subprocess.run(['sh', os.path.join(ROOT, 'runtime', 'api', 'commit', 'commit.sh'), folder], capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else 'unknown\n'

    found = commit_of(ROOT)
    report.check(re.fullmatch(r'([0-9a-f]{12}(-modified)?|unknown)\n', found) is not None, 'the sources have a commit, or none', found)
    found = commit_of(os.path.join(ROOT, 'runtime'))
    report.check(found == 'unknown\n', 'a folder of a repository has no commit', found)


def run(report):
    check_options(report)
    check_commit(report)
    check_changelog(report)


if __name__ == '__main__':
    run_alone(run)
