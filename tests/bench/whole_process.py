"""What is measured from outside a process: start to exit, compiling large sources, peak memory."""
import os
import subprocess
import sys
import tempfile

MEGABYTE = 1_000_000
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'programs')


def repeated(make, size=MEGABYTE):
    """Joins lines make(0), make(1), … to about `size` bytes of UTF-8."""
    lines, total, i = [], 0, 0
    while total < size:
        line = make(i)
        lines.append(line)
        total += len(line.encode()) + 1
        i += 1
    return '\n'.join(lines) + '\n'


def in_function(text):
    """A source that is compiled and never run."""
    return '{𝕊:\n' + text + '0}\n'


def cases():
    """Gives (name, measure, program); the measure is 'time', 'work' (time on processors) or 'memory'."""
    yield 'start to exit', 'time', '0\n'
    yield 'compile 1 MB of statements', 'time', in_function(repeated(lambda i: f'a{i}b ← {i} + 3 × ⌽ "text" ∾ ↕ {i % 9}'))
    yield 'compile 1 MB of functions', 'time', repeated(lambda i: f'F{i}a ← {{ 𝕩 < {i} ? 𝕩 ; 𝕨 + (⌽ ∾ ⊢) 𝕩 - {i} }}')
    yield 'compile 1 MB of lists', 'time', in_function(repeated(lambda i: '⟨' + ','.join(str(i * k % 1000) for k in range(100)) + '⟩'))
    yield 'compile one list of 50,000 numbers', 'time', in_function('a ← ' + '‿'.join(str(i % 1000) for i in range(50_000)) + '\n')
    yield 'compile one list of a million numbers', 'time', in_function('a ← ⟨' + ','.join(str(i % 1000) for i in range(1_000_000)) + '⟩\n')
    for name in sorted(os.listdir(PROGRAMS)):
        if name.endswith('.bqn'):
            with open(os.path.join(PROGRAMS, name), encoding='utf8') as file:
                yield f'program {name[:-4]}', 'work', file.read()
    yield 'memory of nothing', 'memory', '0\n'
    yield 'memory of ↕1e8', 'memory', 'a ← ↕1e8\n+´a\n'
    yield 'memory of a million strings', 'memory', 'a ← {𝕊i: "x"∾•Fmt i}¨↕1e6\n≠a\n'
    yield 'memory of a million closures', 'memory', 'a ← {𝕊i: {𝕩+i}}¨↕1e6\n≠a\n'


# Runs in a small process of its own: a child's peak memory includes what its parent had when it was started.
MEASURE = '''
import os, sys, time
null = os.open(os.devnull, os.O_RDWR)
start = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)])
_, status, usage = os.wait4(child, 0)
print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, status)
'''


def measure(executable, program):
    """Runs a program and gives {measure: seconds or bytes of peak memory}, or None where it fails."""
    with tempfile.NamedTemporaryFile('w', suffix='.bqn', encoding='utf8') as file:
        file.write(program)
        file.flush()
        done = subprocess.run([sys.executable, '-ISc', MEASURE, executable, file.name], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=True)
    seconds, work, peak, status = done.stdout.split()
    return None if int(status) else {'time': float(seconds), 'work': float(work), 'memory': int(peak)}
