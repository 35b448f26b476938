" flowlint in Vim, by ALE: source this file from your vimrc, after ALE. What ALE knows of TypeScript
" and JavaScript it does with their React forms, too.

function! FlowlsRoot(buffer) abort
  for l:name in ['flowlint.toml', 'pyproject.toml', 'package.json']
    let l:found = ale#path#FindNearestFile(a:buffer, l:name)
    if !empty(l:found)
      return fnamemodify(l:found, ':p:h')
    endif
  endfor
  let l:found = ale#path#FindNearestDirectory(a:buffer, '.git')
  return empty(l:found) ? expand('#' . a:buffer . ':p:h') : fnamemodify(l:found, ':p:h:h')
endfunction

for s:language in ['python', 'json', 'yaml', 'typescript', 'javascript']
  call ale#linter#Define(s:language, {
    \ 'name': 'flowls',
    \ 'lsp': 'stdio',
    \ 'executable': get(g:, 'flowls_executable', 'flowls'),
    \ 'command': '%e --stdio',
    \ 'project_root': function('FlowlsRoot'),
    \})
endfor
