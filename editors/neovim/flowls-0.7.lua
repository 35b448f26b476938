-- Neovim 0.7 to 0.10: source this file, or require it from init.lua.
local function start(event)
  local here = vim.api.nvim_buf_get_name(event.buf)
  local root = vim.fs and vim.fs.find({ 'flowlint.toml', 'pyproject.toml', 'package.json', '.git' }, { path = here, upward = true })[1]
  local config = {
    name = 'flowls',
    cmd = { 'flowls', '--stdio' },
    root_dir = root and vim.fn.fnamemodify(root, ':h') or vim.fn.fnamemodify(here, ':h'),
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = event.buf })
    return
  end
  for _, client in ipairs(vim.lsp.get_active_clients()) do
    if client.name == 'flowls' and client.config.root_dir == config.root_dir then
      vim.lsp.buf_attach_client(event.buf, client.id)
      return
    end
  end
  vim.lsp.buf_attach_client(event.buf, vim.lsp.start_client(config))
end

local filetypes = {
  'python',
  'json',
  'yaml',
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
}
vim.api.nvim_create_autocmd('FileType', { pattern = filetypes, callback = start })
