" What holds while a BQN source is edited: comments, glyphs by a backslash and a key, and in Neovim the language server.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=#\ %s comments=:# formatoptions-=t fileencoding=utf-8
" Glyphs are typed by a backslash and a key; Ctrl-^ turns that off and on.
setlocal keymap=bqn iminsert=1 imsearch=-1
let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< keymap< iminsert< imsearch<'

" Another executable than the bqn of the path: let g:bqn_command = ['/opt/bqn', '--lsp']. Let it be [] for none.
let s:command = get(g:, 'bqn_command', ['bqn', '--lsp'])
if has('nvim') && !empty(s:command) && executable(s:command[0])
  call luaeval('require("bqn").attach(_A)', s:command)
endif
