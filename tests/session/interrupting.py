"""Ctrl-C ends whatever runs, says where that was, and leaves the session usable.

    tests/session/interrupting.py --bqn build/quick/bqn     # prints how long each one goes on after the key
"""
import os
import sys
import tempfile
import time

if __name__ == '__main__':
    sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'tools'))
from terminal import Terminal

KNOWN = ['x←•rand.Range⟜0 5e6;', 'i←5e6 •rand.Range 1e3;', 'm←1500‿1500⥊x;', 't←1e7⥊"some text ";', 'long←1⊸↓∾(⟨@+10⟩∾•Repr)¨5e4⥊⟨1‿2⟩;',
         'boxes←1e6⥊⟨"ab",1‿2,"c"⟩;', 'Fib←{𝕩<2?𝕩;(𝕊𝕩-1)+𝕊𝕩-2};']
# Each runs for ten seconds and more, most of them by doing again and again what takes long.
AGAIN = ['∧x', '∨x', '⍋x', '⍒x', 'x⊐x', 'x∊⌽x', '⍷x', '⊒x', '∊x', '⊔i', '(∧x)⍋x', '∧⌾(⌽)x', '•Fmt x', '•Repr x', '•BQN long', '•Fmt boxes', '•Hash x',
         'm+˝∘×⎉1‿∞ m', '⍉m', '∧˘m', '+`x', '+´˘m', '{𝕨+𝕩}´x', '{𝕨+𝕩}`x', '{𝕩+1}¨x', '(1e3↑x)+⌜1e3↑x', '{𝕨-𝕩}⌜˜2e3↑x', '∾boxes', '⌽¨boxes', '⊐boxes',
         '"text"⍷t', '(i=3)/x', 'x⋆1.5', '≡⟜⌽boxes', '5e6•rand.Deal 5e6', 'i⊏x', '2‿2↕m', '•HashMap˜x']
ONCE = ['Fib 50', '{𝕩+1}⍟1e10 0', '•Delay 100', '•GetLine@', '•term.CharB@', '•SH "sleep"‿"100"', '•SH "sh"‿"-c"‿"trap \'\' TERM INT; sleep 100"',
        '{𝕊:1}•_while_{𝕊:1}0', '•Show x', '{𝕊:•Out t}¨↕1e3', '{𝕊𝕩}⎊{𝕊:•Delay 100}0', '•BQN "•BQN ""•Delay 100"""', '⟨•Delay 100⟩', '{𝕊:•Delay 100}⎊0 @']


def start(bqn, folder):
    terminal = Terminal(bqn, folder, TERM='dumb')
    for line in KNOWN:
        terminal.type(line + '\n')
    terminal.type('"know"∾"n"\n')
    terminal.wait_for('"known"')
    return terminal


def interrupt(terminal, body):
    """Starts a body, and interrupts it. Gives the seconds until the prompt, and what is told; None where it does not end."""
    terminal.type(f'•Out "g"∾"o!" ⋄ {body}\n')
    if terminal.wait_for('go!\n') is None:
        return None
    terminal.draw_for(0.3)
    begin = time.monotonic()
    terminal.type('\x03')
    told = terminal.wait_for('Interrupted\n')
    if told is None:
        return None
    waited = time.monotonic() - begin
    terminal.type('"us"∾"able"\n')
    told = terminal.wait_for('"usable"')
    return None if told is None else (waited, told)


def says_where(told):
    """Whether a line of the session follows, and marks below it."""
    return '\nat •Out ' in '\n' + told and '^' in told


def bodies():
    return [f'{{𝕊:{body}⋄1}}•_while_{{𝕊:1}}0' for body in AGAIN] + ONCE


def run(bqn, report):
    with tempfile.TemporaryDirectory() as folder:
        terminal = start(bqn, folder)
        for body in bodies():
            result = interrupt(terminal, body)
            if not report.check(result is not None, f'session: an interrupt ends {body}', terminal.seen[-500:]):
                terminal.kill()
                terminal = start(bqn, folder)
                continue
            report.check(says_where(result[1]), f'session: an interrupt says where {body} was', result[1][-500:])
        terminal.type('\x04')
        report.check(terminal.end() == 0, 'session: after all interrupts it ends as usual')


def main():
    bqn = os.path.abspath(sys.argv[sys.argv.index('--bqn') + 1])
    with tempfile.TemporaryDirectory() as folder:
        terminal = start(bqn, folder)
        waits = []
        for body in bodies():
            result = interrupt(terminal, body)
            if result is None:
                print('   does not end  ', body, terminal.seen[-300:])
                terminal.kill()
                terminal = start(bqn, folder)
                continue
            waits.append(result[0])
            print(f'{1000 * result[0]:9.1f} ms  {body}' + ('' if says_where(result[1]) else '   without a place: ' + repr(result[1][-120:])), flush=True)
        waits.sort()
        print(f'{len(waits)} ended: median {1000 * waits[len(waits) // 2]:.1f} ms, longest {1000 * waits[-1]:.1f} ms')


if __name__ == '__main__':
    main()
