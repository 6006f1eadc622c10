"""The client of Neovim, an editor that people use. Skipped where it is not installed."""
import json
import os
import shutil
import subprocess
import tempfile

LUA = r'''
local bqn, file, out = os.getenv('BQN_UNDER_TEST'), os.getenv('BQN_FILE'), os.getenv('BQN_RESULT')
local found = {}
vim.cmd('edit ' .. file)
local client = vim.lsp.start_client({ name = 'bqn', cmd = { bqn, '--lsp' }, root_dir = vim.fn.fnamemodify(file, ':h') })
vim.lsp.buf_attach_client(0, client)
local function wait_for(what) return vim.wait(20000, what, 20) end
found.attached = wait_for(function() local c = vim.lsp.get_client_by_id(client); return c ~= nil and c.initialized end)
local function errors() return vim.diagnostic.get(0) end
found.told = wait_for(function() return #errors() == 1 end)
found.message = found.told and errors()[1].message
found.place = found.told and { errors()[1].lnum, errors()[1].col }
local function ask(method, line, column, more)
  local parameters = vim.tbl_extend('force', { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = column } }, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 20000)
  local _, answer = next(answers or {})
  return answer and answer.result
end
found.hover = ask('textDocument/hover', 0, 5).contents.value
found.definition = ask('textDocument/definition', 1, 5).range.start
local edit = ask('textDocument/rename', 0, 1, { newName = 'average' })
vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
found.renamed = vim.api.nvim_buf_get_lines(0, 0, -1, false)
vim.api.nvim_buf_set_lines(0, 2, 3, false, { 'x←1' })
found.mended = wait_for(function() return #errors() == 0 end)
found.symbols = #ask('textDocument/documentSymbol', 0, 0)
vim.lsp.stop_client(client)
found.stopped = wait_for(function() return vim.lsp.client_is_stopped(client) end)
local file_out = io.open(out, 'w')
file_out:write(vim.json.encode(found))
file_out:close()
vim.cmd('qall!')
'''


def run(bqn, report):
    editor = shutil.which('nvim')
    if not editor:
        print('Neovim is not installed: its client is not tested')
        return
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name) for name in ('source.bqn', 'script.lua', 'result.json')}
        with open(paths['source.bqn'], 'w', encoding='utf8') as file:
            file.write('Mean←+´÷≠\n"𝕩"∾Mean 1‿2\nx←1 2\n')
        with open(paths['script.lua'], 'w', encoding='utf8') as file:
            file.write(LUA)
        environment = {**os.environ, 'BQN_UNDER_TEST': bqn, 'BQN_FILE': paths['source.bqn'], 'BQN_RESULT': paths['result.json'], 'HOME': folder,
                       'XDG_CONFIG_HOME': folder, 'XDG_DATA_HOME': folder, 'XDG_STATE_HOME': folder, 'XDG_CACHE_HOME': folder}
        done = subprocess.run([editor, '--headless', '-u', 'NONE', '-c', 'luafile ' + paths['script.lua']], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, cwd=folder, timeout=120)
        if not report.check(os.path.exists(paths['result.json']), 'Neovim runs its script', done.stdout + done.stderr):
            return
        with open(paths['result.json'], encoding='utf8') as file:
            found = json.load(file)
    report.check(found['attached'] and found['told'] and 'missing ‿' in found['message'] and found['place'] == [2, 4], 'Neovim shows an error', found)
    report.check('Conjugate, Add' in found['hover'], 'Neovim shows what stands at a place', found)
    report.check(found['definition'] == {'line': 0, 'character': 0}, 'Neovim goes to a definition', found)
    report.check(found['renamed'][:2] == ['Average←+´÷≠', '"𝕩"∾Average 1‿2'], 'Neovim renames', found)
    report.check(found['mended'] and found['symbols'] == 2 and found['stopped'], 'Neovim tells changes, and ends the server', found)

