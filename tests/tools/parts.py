"""Runs the parts of a suite, which are the files of a folder of tests."""
import argparse
import importlib
import os
import sys
import traceback

from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Parts:
    """The files of tests/FOLDER, each with a function run(bqn, report); but `helper`, which the others import."""

    def __init__(self, folder, helper):
        self.folder = os.path.join(ROOT, 'tests', folder)
        self.names = sorted(name.removesuffix('.py') for name in os.listdir(self.folder) if name.endswith('.py') and name != helper + '.py')
        sys.path.append(self.folder)

    def run_part(self, part, bqn, report):
        try:
            importlib.import_module(part).run(os.path.abspath(bqn), report)
        except Exception:  # what dies fails its part, and the others still run
            report.fail(f'{os.path.relpath(self.folder, ROOT)}/{part}.py', traceback.format_exc())

    def run(self, bqn, report, parts=()):
        for part in parts or self.names:
            self.run_part(part, bqn, report)

    def main(self, description, run=None):
        """Runs the parts that the command line names, by `run` if it is given."""
        arguments = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
        arguments.add_argument('--bqn', default=os.path.join(ROOT, 'build', 'bqn'))
        arguments.add_argument('parts', nargs='*', metavar='PART', help=' '.join(self.names))
        options = arguments.parse_args()
        report = Report()
        (run or self.run)(options.bqn, report, options.parts)
        finish(report)
