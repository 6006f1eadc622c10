-- Starts the language server for a buffer of Neovim; one server serves all of them.
local bqn = {}

function bqn.attach(command)
  local options = { name = 'bqn', cmd = command, root_dir = vim.fn.getcwd() }
  if vim.lsp.start then
    vim.lsp.start(options)
  else
    -- Versions before 0.8 have no function that finds a server that runs.
    if not bqn.client or vim.lsp.client_is_stopped(bqn.client) then bqn.client = vim.lsp.start_client(options) end
    vim.lsp.buf_attach_client(0, bqn.client)
  end
  vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
end

return bqn
