#!/usr/bin/env python3
"""Tests the WebAssembly build:  web_tests.py [--screenshot FILE] [node | page]

Under node it runs the language's tests and the examples of pages; in a headless Chromium, what people do with the page, and the
language's tests again. `./build.sh web` makes what is tested.
"""
import argparse
import glob
import json
import os
import re
import shutil
import sys

import conformance
import spec_examples
from batch import Outcome
from report import Report, finish

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEB = os.path.join(ROOT, 'tests', 'web')
BUILD = os.path.join(ROOT, 'build', 'web')
sys.path.append(WEB)
from browser import Browser, FolderServer, find_chromium  # noqa: E402

# What a browser does not have: other programs, foreign libraries, threads, PCRE2. Each line is a part of the path of a test.
with open(os.path.join(WEB, 'absent.txt'), encoding='utf8') as lines:
    ABSENT = [line.rstrip('\n') for line in lines if line.strip() and not line.startswith('#')]


def is_absent(name):
    return any(part in name for part in ABSENT)


class Selected(Report):
    """Leaves out the tests of what a browser does not have, and counts them."""

    def __init__(self, report):
        self.report, self.left_out = report, 0

    def check(self, passed, name, complaint=''):
        if is_absent(name):
            self.left_out += 1
        else:
            self.report.check(passed, name, complaint)


def run_node(report, build=BUILD):
    os.environ['GRIDDLE_WEB_BUILD'] = os.path.join(build, 'repl', 'web')
    bqn = os.path.join(WEB, 'bqn')
    selected = Selected(report)
    conformance.run(bqn, [os.path.join(ROOT, 'tests', 'conformance'), os.path.join(ROOT, 'tests', 'programs')], selected, patience=240)
    spec_examples.run(bqn, [os.path.join(ROOT, 'spec'), os.path.join(ROOT, 'docs')], selected, patience=240)
    print(f'     {selected.left_out} tests of what a browser does not have are left out (tests/web/absent.txt)')


# --- the page

ENDLESS = '{𝕊:1}•_while_{𝕊:1}0'


def write(page, text):
    """Replaces the program, as a person does."""
    page.click('#source')
    page.press('a', modifiers=2)
    page.insert(text)


def run_program(page, text):
    """Runs a program and gives what the page shows."""
    write(page, text)
    page.press('Enter', modifiers=2)
    page.wait("!document.getElementById('run').disabled && document.getElementById('output').childElementCount > 0")
    return page.value("document.getElementById('output').textContent")


def opened(browser, address, height=760):
    page = browser.page(address, height=height)
    if not page.wait("document.getElementById('state')?.textContent == 'Ready'"):
        raise RuntimeError(f"the page says: {page.value('document.body?.innerText')}")
    return page


def check_running(page, report):
    shown = run_program(page, '•Show 2×↕3\n+´↕10')
    report.check(shown == '⟨ 0 2 4 ⟩\n45\n', 'web: a program runs', shown)
    shown = run_program(page, '2+\n1‿2+1‿2‿3')
    report.check('Error' in shown and '^' in shown, 'web: an error is shown with a caret', shown)
    shown = run_program(page, 'F←{𝕊¨⋈𝕩}\nF⎊{𝕊: •Out •CurrentError@ ⋄ 7} 1')
    report.check('Stack overflow' in shown and shown.endswith('7\n'), 'web: too deep a recursion is an error that programs catch', shown)
    page.value("document.getElementById('input').value = 'first\\nsecond\\n'")
    shown = run_program(page, '•Out •GetLine@ ⋄ •Out •GetLine@ ⋄ •GetLine@')
    report.check(shown == 'first\nsecond\n@\n', 'web: a program reads the input', shown)
    shown = run_program(page, '•Exit 3')
    report.check('Exit status 3' in shown, 'web: a program ends itself', shown)


def check_editing(page, report):
    write(page, 'Twice←{2×𝕩}')
    coloured = page.wait("document.querySelector('#colours .function')?.textContent == 'Twice' && document.querySelector('#colours .number')?.textContent == '2'")
    report.check(coloured, 'web: tokens have colours', page.value("document.getElementById('colours').innerHTML"))
    write(page, '')
    for key in ['\\', 'd']:
        page.press(key)
    typed = page.value("document.getElementById('source').value")
    report.check(typed == '↕', 'web: a backslash and a key type a glyph', typed)
    write(page, '1+')
    report.check(page.wait("document.getElementById('problems').textContent.startsWith('line 1: ')"), 'web: errors are told while one types')
    write(page, '')
    page.click('#glyphs button')
    glyph = page.value("document.querySelector('#glyphs button').textContent")
    report.check(page.value("document.getElementById('source').value") == glyph, 'web: the bar types its glyphs')


def check_hover(page, report):
    write(page, '⌽3‿1‿4')
    page.wait("document.querySelector('#colours .function')?.textContent == '⌽'")
    page.point_at('#colours .function')
    shown = page.wait("!document.getElementById('help').hidden && document.getElementById('help').textContent.includes('Reverse')")
    report.check(shown, 'web: help is shown for what the pointer is at', page.value("document.getElementById('help').textContent"))


def check_sharing(browser, page, report):
    text = '# shared: ⟨ü⟩\n⌽"olleh"'
    write(page, text)
    page.click('#share')
    page.wait("location.hash.startsWith('#code=')")
    other = opened(browser, page.value('location.href'))
    restored = other.value("document.getElementById('source').value")
    report.check(restored == text, 'web: an address restores the program', restored)
    other.close()


def check_plots(page, report):
    for name, text in (('an image', '•plot.Line ×˜↕11'), ('SVG', '{as⇐"svg"}•plot.Line ×˜↕11')):
        run_program(page, '1')
        write(page, text)
        page.press('Enter', modifiers=2)
        drawn = page.wait("document.querySelector('#output img')?.naturalWidth > 100")
        report.check(drawn, f'web: a plot is drawn as {name}', page.value("document.getElementById('output').innerHTML.slice(0, 500)"))


def check_stopping(page, report):
    write(page, f'•Out "begun"\n{ENDLESS}')
    page.press('Enter', modifiers=2)
    begun = page.wait("document.getElementById('output').textContent.includes('begun')")
    report.check(begun, 'web: output comes while a program runs')
    page.click('#stop')
    stopped = page.wait("document.getElementById('output').textContent.includes('Stopped')")
    report.check(stopped, 'web: an endless program is stopped', page.value("document.getElementById('output').textContent"))
    shown = run_program(page, '1+1')
    report.check(shown == '2\n', 'web: programs run after one was stopped', shown)


# Each goes deep in another way, and has to end where the interpreter says so: the browser's own stack must not end before.
DEEP = ['{𝕊 𝕩+1}0', '{𝕊¨⋈𝕩}1', '{1+𝕊´𝕩∾⟨0,1⟩}⟨2⟩', '{𝕊⌜⋈𝕩}1', '{𝕊˘⋈𝕩}1', '{𝕊⌾⊢𝕩}1', '1+⋈⍟100000 1', '•Fmt ⋈⍟100000 1', '•BQN (20000⥊"(")∾"1"∾20000⥊")"',
        '•BQN {"{"∾𝕩∾"}"}⍟3000 "1"', '•Repr ⋈⍟100000 1']


def check_depth(page, report):
    for program in DEEP:
        error = page.value(f"runner.ask('evaluate', {json.dumps(program)}, '')").get('error', '')
        report.check(error.startswith('Error: ') and '(program):' in error, f'web: an error ends {program}', error[:300])


def check_examples(page, report):
    for name in page.value('Object.keys(griddleExamples)'):
        result = page.value(f"runner.ask('evaluate', griddleExamples[{json.dumps(name)}], 'a line\\nanother\\n')")
        report.check('error' not in result and 'stopped' not in result, f'web: the example “{name}” runs', json.dumps(result))


def check_conformance(page, report):
    """The tests of the language that need no process of their own, in the page's interpreter."""
    cases = [case for case in conformance.find_cases([os.path.join(ROOT, 'tests', 'conformance')]) if not case.alone]
    selected = Selected(report)
    page.value('''globalThis.tested = new InterpreterWorker((text, isError) => { if (!isError) tested.text += text; });
        globalThis.test = async (source) => {
          tested.text = '';
          const result = await tested.ask('evaluate', source, '');
          return { ...result, text: tested.text };
        }; 0''')
    for case in cases:
        if is_absent(case.name):
            selected.left_out += 1
            continue
        result = page.value(f'test({json.dumps(case.source)})')
        message = result.get('error', result.get('stopped', '')).removeprefix('Error: ')
        outcome = Outcome('failed' if message else 'returned', result['text'], message)
        complaint = case.complaint(outcome)
        selected.check(not complaint, f'web: {case.name}', complaint)


def run_page(report, build=BUILD, screenshot=None):
    executable = find_chromium()
    if executable is None:
        print('     skipped: no chromium')
        return
    folder = os.path.join(build, 'page')
    with Browser(executable) as browser, FolderServer(folder) as server:
        page = opened(browser, server.address)
        check_running(page, report)
        check_editing(page, report)
        check_hover(page, report)
        check_sharing(browser, page, report)
        check_plots(page, report)
        check_stopping(page, report)
        check_depth(page, report)
        check_examples(page, report)
        local = opened(browser, f'file://{folder}/index.html')
        shown = run_program(local, '+´↕10')
        report.check(shown == '45\n', 'web: the page works as a file', shown)
        local.close()
        check_conformance(page, report)
        if screenshot:
            take_screenshot(browser, server.address, screenshot)


def take_screenshot(browser, address, path):
    page = opened(browser, address, height=600)
    write(page, '# Three waves\nx ← 0.05×↕200\nWave ← {•math.Sin 𝕩×x}\n•Show +´÷1+↕10\no ← {title⇐"Waves"}\no •plot.Line Wave¨1‿2‿3')
    page.press('Enter', modifiers=2)
    page.wait("document.querySelector('#output img')?.naturalWidth > 100")
    page.wait("document.querySelectorAll('#colours .function').length > 3")
    page.point_at('#colours .macro')
    page.wait("!document.getElementById('help').hidden")
    page.value("document.getElementById('source').scrollLeft = 0")
    with open(path, 'wb') as file:
        file.write(page.picture())


def run(report, build=BUILD, parts=('node', 'page'), screenshot=None):
    if shutil.which('emcc') is None:
        print('     skipped: no emscripten')
        return
    if not os.path.exists(os.path.join(build, 'page', 'griddle.wasm')):
        print('     skipped: ./build.sh web has not been run')
        return
    if 'node' in parts:
        run_node(report, build)
    if 'page' in parts:
        run_page(report, build, screenshot)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--build', default=BUILD)
    arguments.add_argument('--screenshot', help='a PNG file of the page, for docs/browser.md')
    arguments.add_argument('parts', nargs='*', default=['node', 'page'])
    options = arguments.parse_args()
    report = Report()
    run(report, os.path.abspath(options.build), options.parts, options.screenshot)
    finish(report)


if __name__ == '__main__':
    sys.exit(main())
