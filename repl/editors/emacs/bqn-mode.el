;;; bqn-mode.el --- Editing BQN  -*- lexical-binding: t; coding: utf-8 -*-

;; Package-Requires: ((emacs "27.1"))
;; Version: 0.3.0

;;; Commentary:

;; Colours by role, glyphs by a backslash and a key (input method `bqn'), a session in a buffer (`run-bqn'), and the language server
;; by eglot.  In an init file:
;;
;;   (add-to-list 'load-path "/path/to/repl/editors/emacs")
;;   (require 'bqn-mode)

;;; Code:

(require 'bqn-glyphs)
(require 'comint)
(require 'quail)

(defgroup bqn nil "Editing BQN." :group 'languages)

(defcustom bqn-program "bqn" "The executable that sessions and the language server run." :type 'string)

(defface bqn-number-face '((t :inherit font-lock-constant-face)) "Numbers.")
(defface bqn-subject-face '((t :inherit font-lock-variable-name-face)) "Names of values.")
(defface bqn-function-face '((t :inherit font-lock-function-name-face)) "Functions.")
(defface bqn-modifier1-face '((t :inherit font-lock-type-face)) "1-modifiers.")
(defface bqn-modifier2-face '((t :inherit font-lock-keyword-face)) "2-modifiers.")
(defface bqn-special-face '((t :inherit font-lock-builtin-face)) "What a block gets, such as 𝕩.")
(defface bqn-nothing-face '((t :inherit font-lock-warning-face)) "Nothing.")
(defface bqn-operator-face '((t :inherit font-lock-comment-delimiter-face)) "Brackets, arrows and separators.")

(defvar bqn-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (dolist (c '(?\\ ?' ?+ ?- ?* ?/ ?< ?> ?= ?| ?& ?% ?! ?@ ?` ?. ?, ?: ?\; ??)) (modify-syntax-entry c "." table))
    (mapc (lambda (c) (modify-syntax-entry c "." table)) bqn-glyph-signs)
    (mapc (lambda (c) (modify-syntax-entry c "_" table)) bqn-glyph-word-characters)
    (modify-syntax-entry ?⟨ "(⟩" table)
    (modify-syntax-entry ?⟩ ")⟨" table)
    table)
  "What characters are in BQN.")

;; A character literal may hold a quote or a number sign.
(defconst bqn--propertize
  (syntax-propertize-rules
   ("\\('\\)[^\n]\\('\\)"
    (1 (ignore (unless (nth 8 (save-excursion (syntax-ppss (match-beginning 0))))
                 (put-text-property (1+ (match-beginning 0)) (1- (match-end 0)) 'syntax-table '(1))
                 (put-text-property (match-beginning 0) (match-end 0) 'bqn-literal t)))))))

(defun bqn--literal (limit)
  "Find the next character literal before LIMIT."
  (let ((at (text-property-any (point) limit 'bqn-literal t)))
    (when at
      (goto-char (+ at 3))
      (set-match-data (list at (+ at 3)))
      t)))

(defvar bqn-font-lock-keywords
  `((bqn--literal 0 font-lock-string-face t)
    ("@" . font-lock-string-face)
    ,@(mapcar (lambda (rule) `(,(car rule) 0 ',(cdr rule))) bqn-glyph-rules))
  "How BQN is coloured.")

(quail-define-package "bqn" "UTF-8" "⌽" t "Glyphs of BQN by a backslash and a key." nil t nil nil nil nil nil nil nil nil t)
(dolist (rule bqn-glyph-keys) (quail-defrule (concat "\\" (car rule)) (cdr rule) "bqn"))
(quail-defrule "\\\\" ?\\ "bqn")

;;;###autoload
(define-derived-mode bqn-mode prog-mode "BQN"
  "Edit BQN."
  (setq-local comment-start "# " comment-start-skip "#+ *" comment-end ""
              case-fold-search nil
              syntax-propertize-function bqn--propertize
              font-lock-defaults '(bqn-font-lock-keywords nil nil))
  (activate-input-method "bqn"))

(define-key bqn-mode-map (kbd "C-c C-z") #'run-bqn)
(define-key bqn-mode-map (kbd "C-c C-c") #'bqn-send)

(define-derived-mode bqn-session-mode comint-mode "BQN session"
  "A session of BQN."
  :syntax-table bqn-mode-syntax-table
  (setq-local comint-prompt-regexp "^   " comint-process-echoes nil)
  (activate-input-method "bqn"))

;;;###autoload
(defun run-bqn ()
  "Start a session of BQN, or go to the one that runs."
  (interactive)
  (let ((buffer (get-buffer-create "*bqn*")))
    (unless (comint-check-proc buffer)
      (with-environment-variables (("TERM" "dumb"))
        (make-comint-in-buffer "bqn" buffer bqn-program nil "-s"))
      (with-current-buffer buffer (bqn-session-mode)))
    (pop-to-buffer buffer)))

(defun bqn-send (start end)
  "Run what lies between START and END in the session.
That is the region, or else the line."
  (interactive (if (use-region-p) (list (region-beginning) (region-end))
                 (list (line-beginning-position) (line-end-position))))
  (let ((text (buffer-substring-no-properties start end)))
    (save-selected-window (run-bqn))
    (comint-send-string (get-buffer-process "*bqn*") (concat text "\n"))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.bqn\\'" . bqn-mode))
;;;###autoload
(add-to-list 'interpreter-mode-alist '("bqn" . bqn-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `(bqn-mode . (,bqn-program "--lsp"))))

(provide 'bqn-mode)
;;; bqn-mode.el ends here
