"""What programs see of a terminal and the environment: its size, standard error, variables."""
import os
import subprocess
import tempfile

from terminal import Screen


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        screen = Screen(bqn, folder, columns=90, rows=20)
        screen.wait_for('   ')
        screen.type('•term.Size@\r')
        report.check(screen.shows('⟨ 20 90 ⟩'), 'a program sees the size of the terminal', '\n'.join(screen.rows()))
        screen.resize(70, 30)
        screen.type('•term.Size@\r')
        report.check(screen.shows('⟨ 30 70 ⟩'), 'a program sees that the terminal was resized', '\n'.join(screen.rows()))
        screen.type('\x04')
        screen.end()
    done = subprocess.run([bqn, '-e', '•term.Size@ ⋄ •term.Err "π" ⋄ •Show •term.Size@ ⋄ •Out •env.Get "GRIDDLE_TEST"'], capture_output=True,
                          env={**os.environ, 'GRIDDLE_TEST': 'é'})
    report.check(done.stdout == '⟨ 0 0 ⟩\né\n'.encode(), 'what is no terminal has no size, and variables are text', done)
    report.check(done.stderr == 'π\n'.encode(), 'standard error takes text', done)
    done = subprocess.run([bqn, '--safe', '-e', '•env.Get "HOME"'], capture_output=True, text=True)
    report.check(done.returncode == 1 and '•env.Get: This is not permitted in safe mode' in done.stderr, 'no variables in safe mode', done)
