"""Vim and Neovim: colours, what belongs to the type of file, and keys for glyphs. Skipped where neither is installed."""
import os
import re
import shutil
import subprocess
import tempfile

from classes import ROOT, Tokenizer, differences, sample

FOLDER = os.path.join(ROOT, 'repl', 'editors', 'vim')
COLOURS = '''
let lines = []
for l in range(1, line('$'))
  let columns = []
  let c = 1
  for char in split(getline(l), '\\zs')
    call add(columns, char =~# '\\s' ? '' : synIDattr(synID(l, c, 1), 'name'))
    let c += strlen(char)
  endfor
  call add(lines, join(columns, ' '))
endfor
call writefile(lines, $RESULT)
'''
TYPING = '''
call feedkeys("Go\\\\q3 \\\\d\\\\\\\\\\<Esc>", 'tx')
call writefile([getline('$'), &filetype, &commentstring, &keymap], $RESULT)
'''

ATTACHED = '''
lua vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20)
call writefile([luaeval('(vim.diagnostic.get(0)[1] or { message = "none" }).message')], $RESULT)
'''


def start(editor, folder, source, script, server=()):
    """Runs a script in an editor that has a source open; gives what the script writes."""
    result, path = os.path.join(folder, 'result'), os.path.join(folder, 'script.vim')
    with open(path, 'w', encoding='utf8') as file:
        file.write(script + 'qall!\n')
    environment = {**os.environ, 'RESULT': result, 'HOME': folder, 'LC_ALL': 'C.UTF-8', 'XDG_STATE_HOME': folder}
    command = [editor, '-u', 'NONE', '-i', 'NONE', '-N', '-n', '--cmd', 'set encoding=utf-8', '--cmd', f'set runtimepath^={FOLDER}', '--cmd', f'let g:bqn_command = {list(server)}',
               '--cmd', 'filetype plugin on', '--cmd', 'syntax on', source, '-c', f'source {path}']
    command[1:1] = ['--headless'] if 'nvim' in editor else ['-T', 'dumb', '--not-a-term']
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=300)
    if not os.path.exists(result):
        return None, done.stdout.decode(errors='replace') + done.stderr.decode(errors='replace')
    with open(result, encoding='utf8') as file:
        text = file.read()
    os.remove(result)
    return text, ''


def run(bqn, report):
    # A vim without expressions, as some small ones are, cannot tell.
    editors = [name for name in ('vim', 'nvim') if shutil.which(name) and (name == 'nvim' or '+eval' in subprocess.run([name, '--version'], capture_output=True, text=True).stdout)]
    if not editors:
        print('neither Vim nor Neovim is installed: their files are not tested')
        return
    tokenizer = Tokenizer(bqn)
    text, expected = sample(tokenizer, every=4)
    tokenizer.close()
    for editor in editors:
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, 'sample.bqn')
            with open(source, 'w', encoding='utf8', newline='') as file:
                file.write(text + '\n\n')
            told, trouble = start(editor, folder, source, COLOURS)
            if not report.check(told is not None, f'{editor} tells colours', trouble):
                continue
            given = []
            for line, groups in zip(text.split('\n'), told.split('\n')):
                names = [name.removeprefix('bqn').lower() or None for name in groups.split(' ')] if line else []
                given += names[:len(line)] + [None] * (len(line) - len(names)) + [None]
            found = differences(text, expected, given)
            report.check(not found, f'{editor} colours {len(text)} characters as the tokenizer reads them', f'{len(found)}\n' + '\n'.join(found[:8]))
            if editor == 'nvim':
                mistaken = os.path.join(folder, 'mistaken.bqn')
                with open(mistaken, 'w', encoding='utf8') as file:
                    file.write('1 2\n')
                told, trouble = start(editor, folder, mistaken, ATTACHED, [bqn, '--lsp'])
                report.check(told and 'missing ‿' in told, 'Neovim starts the server by itself', f'{told}\n{trouble}')
            told, trouble = start(editor, folder, source, TYPING)
            report.check(told and told.split('\n')[:4] == ['⌽3 ↕\\', 'bqn', '# %s', 'bqn'], f'{editor} types glyphs', f'{told}\n{trouble}')
    report.check(re.search(r"filetype bqn", open(os.path.join(FOLDER, 'ftdetect', 'bqn.vim'), encoding='utf8').read()), 'the type of file is found by its name')
