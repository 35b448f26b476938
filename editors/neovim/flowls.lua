-- Neovim 0.11 and later: put this file into ~/.config/nvim/lsp/ and call vim.lsp.enable('flowls').
return {
  cmd = { 'flowls', '--stdio' },
  filetypes = {
    'python',
    'json',
    'yaml',
    'typescript',
    'typescriptreact',
    'javascript',
    'javascriptreact',
  },
  root_markers = { 'flowlint.toml', 'pyproject.toml', 'package.json', '.git' },
  settings = {
    flowlint = {
      -- 'workspace' tells of files that are not open, too.
      diagnosticMode = 'openFilesOnly',
    },
  },
}
