;;; flowls.el --- flowlint in Emacs, by eglot  -*- lexical-binding: t -*-

;; Load this file from your init file. With other servers for Python or TypeScript in use, bind
;; `flowls-start' or call it with M-x in buffers that hold flows: eglot runs one server for a buffer.

;;; Code:

(require 'eglot)

(defvar flowls-modes
  '(python-mode python-ts-mode json-mode yaml-mode
    js-mode js-ts-mode typescript-mode typescript-ts-base-mode)
  "The modes of buffers that may hold flows.")

(add-to-list 'eglot-server-programs (cons flowls-modes '("flowls" "--stdio")))

(defun flowls-start ()
  "Let flowls look at this buffer and its project."
  (interactive)
  (let ((eglot-server-programs
         (mapcar (lambda (mode) (cons mode '("flowls" "--stdio"))) flowls-modes)))
    (apply #'eglot (eglot--guess-contact))))

(provide 'flowls)
;;; flowls.el ends here
