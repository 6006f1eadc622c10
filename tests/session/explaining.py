"""Commands that look at names and code: what each part of it gives, where its time goes, what names there are."""
import os
import re
import subprocess
import tempfile

from terminal import Screen, expecting

# Where there is a device and it is forced, values that are there are named, not shown, and other lines take the time.
ON_HOST = {'GRIDDLE_DEVICE': 'cpu'}


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'slow.bqn'), 'w', encoding='utf8') as file:
            file.write('Slow ← {sorted←∧⌽𝕩 ⋄ +´sorted÷3}\nquick ← 5\nx ← 1e6 •rand.Range 0\n{𝕊:Slow x}¨↕20\n•Out "over"\n')
        check_screen(Screen(bqn, folder, columns=100, rows=60, **ON_HOST), report)
        check_profile(bqn, folder, report)
        check_device(bqn, folder, report)


def check_screen(screen, report):
    expect = expecting(screen, report)
    expect('a name is made', 'v←3‿1‿2', '⟨ 3 1 2 ⟩')
    expect('a line is explained with what its parts give', ')explain 2×⌽v+1', 'call, subject → ⟨ 6 4 8 ⟩', '⌽ (Reverse) on list of i8')
    expect('a failing line is explained as far as it came', ')explain 1+⌽"ab"-1‿2‿3', 'Error: ')
    expect('a line is traced', ')trace G←{a←⌽𝕩 ⋄ ∧a} ⋄ 2×G v+4', '  G ⟨ 7 5 6 ⟩', '    ⌽ → ⟨ 6 5 7 ⟩', '× → ⟨ 10 12 14 ⟩')
    expect('instructions are shown', ')bytecode 2+•rand.Range 5', 'add_constant')
    expect('a device, or that there is none, is shown', ')gpu', 'There is no device')
    screen.type('alpha←2‿2⥊↕4 ⋄ Beta←{𝕩+alpha} ⋄ gamma←1e6⥊0.5;\r')
    expect('names are listed', ')vars', 'alpha  2‿2 array of i8', 'Beta   function', 'Beta←{𝕩+alpha}', '8.0 MB')
    screen.type('"cle"∾"ar";\r')
    expect('memory is shown by names', ')mem', 'in use', '8.0 MB  gamma')
    screen.type('\x04')
    report.check(screen.end() == 0, 'session: it ends after explanations')


def check_profile(bqn, folder, report):
    """The line that takes the time is first, in a session and for a file."""
    done = subprocess.run([bqn, '--profile', 'slow.bqn'], cwd=folder, env={**os.environ, **ON_HOST}, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if 'slow.bqn:' in line]
    report.check(done.stdout == 'over\n' and done.returncode == 0, 'profile: a file runs as without it', done)
    report.check(lines and 'slow.bqn:1' in lines[0] and 'Slow ← {sorted←∧⌽𝕩 ⋄ +´sorted÷3}' in lines[0], 'profile: the line that takes the time is first', done.stderr)
    report.check(re.search(r'%\s+monad ∧', done.stderr) is not None, 'profile: the instruction that takes the time is named', done.stderr)
    report.check(re.search(r'monad ∧, served by [^:]*: 20 calls, (160|80|20).* MB read, .* MB written', done.stderr) is not None, 'profile: what served an instruction, and the bytes that it moved, are told', done.stderr)
    report.check(re.search(r'\d+ calls of primitives on arrays: .* read, .* written', done.stderr) is not None, 'profile: the bytes of all calls are told', done.stderr)
    report.check('slow.bqn:2' not in done.stderr, 'profile: a line that takes none is not there', done.stderr)
    session = subprocess.run([bqn, '-s'], cwd=folder, input=')profile slow.bqn\nquick\n)profile ∧⌽↕2e6\n', capture_output=True, text=True, check=False)
    report.check('slow.bqn:1' in session.stdout and '\n5\n' in session.stdout, 'session: a file is profiled, and its names stay', session)
    report.check(session.stdout.count(' samples\n') == 2, 'session: code is profiled', session)


def check_device(bqn, folder, report):
    """What ran on a device is told by line; the device here is the host."""
    plugin = os.path.join(os.path.dirname(os.path.abspath(bqn)), 'tests', 'gpu', 'host_plugin.so')
    if not os.path.exists(plugin):
        return
    with open(os.path.join(folder, 'there.bqn'), 'w', encoding='utf8') as file:
        file.write('x←•gpu.Put 1009|7919×↕100000\ny←+´1+x\nz←{𝕨-2×𝕩}´x\n•Out "over"\n')
    there = {**os.environ, 'GRIDDLE_DEVICE': 'cuda', 'GRIDDLE_CUDA_PLUGIN': plugin}
    done = subprocess.run([bqn, '--profile', 'there.bqn'], cwd=folder, env=there, capture_output=True, text=True, check=False)
    report.check(re.search(r'\n +1 +[0-9.]+ .s +Fold, there.bqn:2  y←', done.stderr) is not None, 'profile: what a device did is told by line', done.stderr)
    report.check(re.search(r' 200.0 kB  Fold, there.bqn:3  .*; host alone\n', done.stderr) is not None, 'profile: what came back is told, with the line and why', done.stderr)
    session = subprocess.run([bqn, '-s'], cwd=folder, env=there, input=')load there.bqn\n)gpu\n', capture_output=True, text=True, check=False)
    report.check('Fold, there.bqn:2' in session.stdout and 'host alone' in session.stdout, 'session: )gpu tells what ran where', session.stdout)
    report.check('Nothing ran on a device\n' in subprocess.run([bqn, '--profile', '-e', '1+1'], capture_output=True, text=True, check=False).stderr,
                 'profile: it is said that nothing ran on a device')
