"""Evaluates many BQN sources in few processes, and finds the one that brings a process down."""
import os
import re
import resource
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

# Marks in the output of a batch: control characters that no test prints.
BEGIN, RETURNED, FAILED = '\x01', '\x02', '\x03'

PRELUDE = '''RunOne←{𝕊 source: •Out ⥊@+1 ⋄ •BQN source ⋄ •Out ⥊@+2}⎊{𝕊 source: •Out(@+3)∾•Fmt •CurrentError source}
ShowOne←{𝕊 source: •Out ⥊@+1 ⋄ •Out •Fmt •BQN source ⋄ •Out ⥊@+2}⎊{𝕊 source: •Out(@+3)∾•Fmt •CurrentError source}
'''


def processes():
    """How many processes run at once. Those that share a device get it in turn, for two milliseconds each, and whoever waits for a
    result waits for his turn: there one is best."""
    return int(os.environ.get('GRIDDLE_TEST_PROCESSES', 0)) or os.cpu_count() or 1


@dataclass
class Outcome:
    kind: str  # 'returned', 'failed' (a BQN error), 'crashed' or 'hung'
    printed: str = ''
    message: str = ''  # the error's message, or what a crash left on stderr


def quote(text):
    return '"' + text.replace('"', '""') + '"'


def unquote(shown):
    """Undoes what •Fmt does to a string, so that a message reads as written."""
    if len(shown) > 1 and shown.startswith('"') and shown.endswith('"'):
        return shown[1:-1].replace('""', '"')
    return shown


class Evaluator:
    """Runs sources through one executable; `show` prints each value, as `bqn -p` does. `settings` are variables of its environment."""

    def __init__(self, executable, show=False, batch_size=200, jobs=None, patience=20, address_space=None, settings=None):
        self.executable = os.path.abspath(executable)
        self.call = 'ShowOne ' if show else 'RunOne '
        self.batch_size = batch_size
        self.jobs = jobs or processes()
        self.patience = patience
        # Drivers of devices reserve address space without end.
        self.address_space = None if os.environ.get('GRIDDLE_DEVICE') == 'cuda' else address_space
        self.environment = {**os.environ, **(settings or {})}

    def evaluate(self, sources):
        """Gives one Outcome for each source, in order."""
        size = max(1, min(self.batch_size, -(-len(sources) // self.jobs)))
        batches = [sources[i:i + size] for i in range(0, len(sources), size)]
        with ThreadPoolExecutor(self.jobs) as pool:
            return [outcome for outcomes in pool.map(self._batch, batches) for outcome in outcomes]

    def _batch(self, sources):
        if not sources:
            return []
        output, stderr, status = self._run(PRELUDE + ''.join(self.call + quote(s) + '\n' for s in sources),
                                           self.patience + len(sources) * self.patience / 100)
        outcomes = parse_outcomes(output)[:len(sources)]
        if len(outcomes) == len(sources):
            # A fault while the process ends, or a remark of a sanitizer, belongs to the batch as a whole.
            if status != 0 or sanitizer_spoke(stderr):
                return self._blame(sources, outcomes, stderr, status)
            return outcomes
        rest = sources[len(outcomes):]
        if len(rest) == 1:
            return outcomes + [stopped(stderr, status)]
        middle = 1 if outcomes else len(rest) // 2
        return outcomes + self._batch(rest[:middle]) + self._batch(rest[middle:])

    def _blame(self, sources, outcomes, stderr, status):
        if len(sources) == 1:
            return [stopped(stderr, status)]
        middle = len(sources) // 2
        return self._batch(sources[:middle]) + self._batch(sources[middle:])

    def _limit(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.address_space:
            resource.setrlimit(resource.RLIMIT_AS, (self.address_space, self.address_space))

    def _run(self, program, patience):
        with tempfile.NamedTemporaryFile('w', suffix='.bqn', encoding='utf8', newline='') as file:
            file.write(program)
            file.flush()
            try:
                done = subprocess.run([self.executable, file.name], stdin=subprocess.DEVNULL, capture_output=True,
                                      timeout=patience, preexec_fn=self._limit, env=self.environment)
                return decode(done.stdout), decode(done.stderr), done.returncode
            except subprocess.TimeoutExpired as late:
                return decode(late.stdout or b''), decode(late.stderr or b''), None


def decode(data):
    return data.decode('utf8', 'replace')


def sanitizer_spoke(stderr):
    """Tells a finding of a sanitizer from its remarks, such as that it does not know so large a stack."""
    return bool(re.search(r'ERROR: \w+Sanitizer|runtime error:', stderr))


def stopped(stderr, status):
    if status is None:
        return Outcome('hung', message='no answer in time')
    return Outcome('crashed', message=f'exit status {status}: {stderr.strip()[:3000]}')


def parse_outcomes(output):
    """Reads the marks of a batch; an unfinished last part is left out."""
    outcomes = []
    for part in output.split(BEGIN + '\n')[1:]:
        returned = re.search(f'{RETURNED}\n$', part)
        failed = re.search(f'{FAILED}(.*)\n$', part, re.S)
        if returned:
            outcomes.append(Outcome('returned', printed=part[:returned.start()]))
        elif failed:
            outcomes.append(Outcome('failed', printed=part[:failed.start()], message=unquote(failed.group(1))))
        else:
            break
    return outcomes
