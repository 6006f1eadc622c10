#!/usr/bin/env python3
"""Checks that C++ sources are formatted:  check_format.py [--fix]

Versions of clang-format disagree, so only Debian 12's, 14, is asked; without it nothing is checked.
"""
import os
import shutil
import subprocess
import sys

from check_includes import source_files
from report import run_alone

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def formatted_files():
    # A list of one-line entries keeps its columns.
    return [path for path in source_files() if not path.endswith('.inc')]


def run(report):
    tool = shutil.which('clang-format')
    if not tool or ' 14.' not in subprocess.run([tool, '--version'], capture_output=True, text=True).stdout:
        print('no clang-format 14 here: formatting not checked')
        return
    done = subprocess.run([tool, '--dry-run', '-Werror'] + formatted_files(), cwd=ROOT, capture_output=True, text=True)
    report.check(done.returncode == 0, 'sources are formatted (tests/tools/check_format.py --fix)',
                 '\n'.join(line for line in done.stderr.split('\n') if 'error:' in line)[:2000])


def main():
    if '--fix' in sys.argv[1:]:
        sys.exit(subprocess.run(['clang-format', '-i'] + formatted_files(), cwd=ROOT).returncode)
    run_alone(run)


if __name__ == '__main__':
    sys.exit(main())
