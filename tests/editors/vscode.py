"""The extension for VS Code, on node, with something in place of VS Code. Skipped where node is not installed."""
import json
import os
import shutil
import subprocess

from classes import ROOT

FOLDER = os.path.join(ROOT, 'repl', 'editors', 'vscode')


def files(report):
    """What VS Code reads is JSON, and names files that are there."""
    with open(os.path.join(FOLDER, 'package.json'), encoding='utf8') as file:
        package = json.load(file)
    with open(os.path.join(FOLDER, 'language-configuration.json'), encoding='utf8') as file:
        json.load(file)
    parts = package['contributes']
    for name in (package['main'], parts['languages'][0]['configuration'], parts['grammars'][0]['path']):
        report.check(os.path.exists(os.path.join(FOLDER, name)), f'repl/editors/vscode has {name}')
    report.check('dependencies' not in package, 'the extension needs no other packages')


def run(bqn, report):
    files(report)
    if not shutil.which('node'):
        print('node is not installed: the extension for VS Code is not run')
        return
    script = os.path.join(ROOT, 'tests', 'editors', 'vscode.js')
    done = subprocess.run(['node', script, os.path.join(FOLDER, 'extension.js'), bqn], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if not report.check(done.returncode == 0 and done.stdout, 'the extension runs', done.stdout + done.stderr):
        return
    found = json.loads(done.stdout)
    report.check(len(found['errors']) == 1 and 'missing ‿' in found['errors'][0]['message'] and found['errors'][0]['severity'] == 0, 'errors are shown', found['errors'])
    report.check(found['mended'] == [], 'and taken back', found['mended'])
    report.check('Conjugate, Add' in found['hover'], 'help is shown', found['hover'])
    report.check(['Mean', 2] in found['completion'], 'names are proposed', found['completion'])
    report.check(found['definition'] == {'line': 0, 'character': 0} and found['references'] == 2 and found['highlights'] == [2, 1], 'names lead to definitions', found)
    report.check(found['prepared'] == 'Mean' and found['renamed'] == ['Average', 'Average'] and 'letter' in found['refused'], 'names are renamed, or not', found)
    report.check(found['formatted'] == [] and found['symbols'] == [['Mean', 11], ['x', 12]] and found['colours'] == 0, 'symbols and colours', found)
    report.check([text for _, text in found['typed']] == ['⌽'] and found['typed'][0][0] == {'start': {'line': 2, 'character': 0}, 'end': {'line': 2, 'character': 2}}
                 and found['typedOnce'] == 1, 'glyphs are typed', found['typed'])
    report.check(found['typedBracket'] == [[{'start': {'line': 0, 'character': 0}, 'end': {'line': 0, 'character': 3}}, '←']],
                 'also those behind brackets, which the editor closes', found['typedBracket'])
    report.check(found['warnings'] == [], 'the server ends in order', found['warnings'])
    broken = subprocess.run(['node', '-e', f"const {{ Client }} = require({os.path.join(FOLDER, 'client.js')!r});"
                             "const c = new Client(['/nonexistent/bqn'], () => {}, (why) => console.log('ended ' + why)); c.ask('x', {}).catch(() => console.log('refused'));"],
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    report.check('ended' in broken.stdout and 'refused' in broken.stdout and broken.returncode == 0, 'a server that is not there is told', broken.stdout + broken.stderr)
