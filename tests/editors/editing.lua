-- Opens FLOW in Neovim with our settings, expects a finding, applies its fix, and expects it gone.
local function main()
  local is_new = vim.fn.has('nvim-0.11') == 1
  if is_new then
    vim.lsp.config('flowls', dofile(vim.env.SETTINGS .. '/flowls.lua'))
    vim.cmd('filetype on')
    vim.lsp.enable('flowls')
  else
    vim.cmd('filetype on')
    dofile(vim.env.SETTINGS .. '/flowls-0.7.lua')
  end
  vim.cmd('edit ' .. vim.env.FLOW)
  local function found()
    return vim.tbl_filter(function(d) return d.code == 'FL105' end, vim.diagnostic.get(0))
  end
  assert(vim.wait(15000, function() return #found() == 1 end, 10), 'no diagnostics')
  local d = found()[1]
  local line = vim.api.nvim_buf_get_lines(0, d.lnum, d.lnum + 1, true)[1]
  assert(line:sub(d.col + 1, d.end_col) == '"publihs"', 'at the wrong place: ' .. line:sub(d.col + 1, d.end_col))
  local place = { line = d.lnum, character = d.col }
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = place, ['end'] = place },
    context = { diagnostics = {}, only = { 'quickfix' } },
  }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 10000)
  local action
  for id, answer in pairs(answers) do
    for _, one in ipairs(answer.result or {}) do
      if one.title:find('publish') then action = { id = id, it = one } end
    end
  end
  assert(action, 'no action')
  local client = vim.lsp.get_client_by_id(action.id)
  local it = action.it
  if not it.edit then
    it = vim.lsp.buf_request_sync(0, 'codeAction/resolve', it, 10000)[action.id].result
  end
  vim.lsp.util.apply_workspace_edit(it.edit, client.offset_encoding)
  assert(vim.wait(15000, function() return #found() == 0 end, 10), 'the finding stays')
  print('OK')
end

local ok, fault = xpcall(main, debug.traceback)
if not ok then
  io.stderr:write('FAIL: ' .. fault .. '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
