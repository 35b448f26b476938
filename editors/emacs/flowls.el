;;; flowls.el --- flowlint in Emacs, by eglot  -*- lexical-binding: t -*-

;; Load this file from your init file. With other servers for Python in use, bind `flowls-start' or
;; call it with M-x in buffers that hold flows: eglot runs one server for a buffer.

;;; Code:

(require 'eglot)

(add-to-list 'eglot-server-programs '((python-mode json-mode yaml-mode) . ("flowls" "--stdio")))

(defun flowls-start ()
  "Let flowls look at this buffer and its project."
  (interactive)
  (let ((eglot-server-programs '((python-mode . ("flowls" "--stdio"))
                                 (json-mode . ("flowls" "--stdio"))
                                 (yaml-mode . ("flowls" "--stdio")))))
    (apply #'eglot (eglot--guess-contact))))

(provide 'flowls)
;;; flowls.el ends here
