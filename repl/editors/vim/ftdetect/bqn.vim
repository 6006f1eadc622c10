autocmd BufRead,BufNewFile *.bqn setfiletype bqn
autocmd BufRead,BufNewFile * if getline(1) =~# '^#!.*\<bqn\>' | setfiletype bqn | endif
