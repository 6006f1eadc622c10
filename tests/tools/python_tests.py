#!/usr/bin/env python3
"""Runs the tests of the Python package, on the Python that it was built for:  python_tests.py BUILD"""
import glob
import os
import re
import subprocess
import sys

from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ASK = 'import numpy, sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))'


def python_for(package):
    """Gives the Python that has NumPy and loads the extension; None where there is none."""
    for python in 'python3', '/usr/bin/python3':
        try:
            done = subprocess.run([python, '-c', ASK], capture_output=True, text=True)
        except OSError:
            continue
        if done.returncode == 0 and os.path.exists(os.path.join(package, '_griddle' + done.stdout.strip())):
            return python
    return None


def run(build, report, patience=300):
    folder = os.path.join(os.path.abspath(build), 'runtime', 'python')
    python = python_for(os.path.join(folder, 'griddle'))
    if not report.check(python, 'the Python package is built, for a Python with NumPy', folder):
        return
    environment = {**os.environ, 'PYTHONPATH': folder, 'PYTHONDONTWRITEBYTECODE': '1'}
    for path in sorted(glob.glob(os.path.join(ROOT, 'tests', 'python', '*.py'))):
        done = subprocess.run([python, '-X', 'faulthandler', path, '-v'], capture_output=True, text=True, errors='replace', env=environment,
                              timeout=patience)
        name = os.path.relpath(path, ROOT)
        tests = re.findall(r'^(test_\w+) .*?\.\.\. (\w+)', done.stderr, re.M)
        skipped = set(re.findall(r"\.\.\. skipped '(.*)'", done.stderr))
        for reason in sorted(skipped):
            print(f'{name}: {reason}: some of it is not tested')
        for test, verdict in tests:
            if verdict == 'skipped':
                continue
            report.check(verdict == 'ok', f'{name}: {test}', verdict)
        report.check(done.returncode == 0 and tests, f'{name} runs to its end', f'{done.returncode}\n{done.stdout}{done.stderr}'[-4000:])


def main():
    report = Report()
    run(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, 'build', 'quick'), report)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
