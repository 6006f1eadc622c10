#!/usr/bin/env python3
"""Tells which lines tests have run:  coverage.py BUILD [--missing] [FOLDER …]

BUILD is a build with -Db_coverage=true and -Dcpp_args=-DGRIDDLE_TAKES_PROFILE whose tests have run. Prints how many lines of each
folder, by default those of runtime and primitives, have run, and the files with most that have not; with --missing their numbers.
Lines that are compiled more than once, such as those of templates, have run where one of them has.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
AT_ONCE = 16  # counts that one gcov reads


def counted(build, files):
    """Gives the file, line and count of each line of some object files."""
    done = subprocess.run(['gcov', '--json-format', '--stdout', *files], cwd=build, capture_output=True, text=True, check=True)
    lines = []
    for document in done.stdout.splitlines():
        for file in json.loads(document)['files']:
            path = os.path.relpath(os.path.normpath(os.path.join(build, file['file'])), ROOT)
            if not path.startswith('..'):
                lines += [(path, line['line_number'], line['count']) for line in file['lines']]
    return lines


def coverage(build):
    """Gives for each source the count of each of its lines that is code."""
    counts = [os.path.join(folder, name) for folder, _, names in os.walk(build) for name in names if name.endswith('.gcda')]
    parts = [counts[i:i + AT_ONCE] for i in range(0, len(counts), AT_ONCE)]
    lines = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda part: counted(build, part), parts):
            for path, number, count in found:
                lines[path][number] = max(count, lines[path].get(number, 0))
    return lines


def ranges(numbers):
    """Writes numbers in order, neighbours as from–to."""
    runs = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ' '.join(str(first) if first == last else f'{first}–{last}' for first, last in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--missing', action='store_true')
    parser.add_argument('build')
    parser.add_argument('folders', nargs='*', default=['runtime', 'primitives'])
    options = parser.parse_args()
    lines = coverage(os.path.abspath(options.build))
    missed = {}
    totals = collections.defaultdict(lambda: [0, 0])
    for path, counts in lines.items():
        if not any(path.startswith(folder + '/') for folder in options.folders):
            continue
        missed[path] = sorted(number for number, count in counts.items() if count == 0)
        parts = path.split('/')
        for folder in {parts[0], '/'.join(parts[:2])} - {path}:
            totals[folder][0] += len(counts) - len(missed[path])
            totals[folder][1] += len(counts)
    for folder, (run, all_of_them) in sorted(totals.items()):
        print(f'{100 * run / all_of_them:6.2f} %  {run:6} of {all_of_them:6}  {folder}')
    for path, numbers in sorted(missed.items(), key=lambda item: -len(item[1])):
        if numbers:
            print(f'{len(numbers):5} of {len(lines[path]):5} not run  {path}{": " + ranges(numbers) if options.missing else ""}')


if __name__ == '__main__':
    main()
