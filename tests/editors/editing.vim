" Opens $FLOW in Vim with our settings for ALE, expects a finding, applies its fix, and expects it gone.
set nocompatible hidden nomore
let g:ale_linters_explicit = 1
let g:ale_linters = {'python': ['flowls']}
let g:ale_lint_on_enter = 0
let g:ale_lint_delay = 20
packadd! ale
filetype plugin on
let s:said = []

function! s:found() abort
  return filter(copy(ale#engine#GetLoclist(bufnr(''))), {_, v -> get(v, 'code', '') ==# 'FL105'})
endfunction

function! s:wait(what, IsSo) abort
  let l:begun = reltime()
  while reltimefloat(reltime(l:begun)) < 15
    if a:IsSo()
      return
    endif
    sleep 20m
  endwhile
  throw 'no ' . a:what
endfunction

function! s:apply(data, items) abort
  for [l:kind, l:action] in a:items
    if l:action.title =~# 'publish'
      call ale#codefix#ApplyLSPCodeAction(a:data, l:action)
      return
    endif
  endfor
  call add(s:said, 'no action')
endfunction

function! s:main() abort
  execute 'source' $SETTINGS . '/flowls.vim'
  execute 'edit' $FLOW
  set filetype=python
  call ale#Queue(0, 'lint_file')
  call s:wait('diagnostics', {-> len(s:found()) == 1})
  let l:one = s:found()[0]
  call add(s:said, getline(l:one.lnum)[l:one.col - 1 : l:one.end_col - 1])
  call cursor(l:one.lnum, l:one.col)
  call ale#codefix#Execute(0, function('s:apply'))
  call s:wait('end of it', {-> getline(l:one.lnum) !~# 'publihs'})
  call ale#Queue(0, 'lint_file')
  call s:wait('end of it', {-> empty(s:found())})
  call add(s:said, 'OK')
endfunction

function! s:run() abort
  try
    call s:main()
  catch
    call add(s:said, v:exception . ' ' . v:throwpoint)
  endtry
  call writefile(s:said, $SAID)
  qall!
endfunction

autocmd VimEnter * call s:run()
