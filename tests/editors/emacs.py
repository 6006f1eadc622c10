"""Emacs: colours, keys for glyphs, a session, and the files without warnings. Skipped where it is not installed."""
import os
import shutil
import subprocess
import tempfile

from classes import ROOT, Tokenizer, differences, sample

FOLDER = os.path.join(ROOT, 'repl', 'editors', 'emacs')
CLASSES = {'font-lock-comment-face': 'comment', 'font-lock-comment-delimiter-face': 'comment', 'font-lock-string-face': 'string', 'font-lock-doc-face': 'string'}
SCRIPT = r'''
(setq coding-system-for-read 'utf-8 coding-system-for-write 'utf-8)
(require 'bqn-mode)
(find-file (getenv "SAMPLE"))
(let ((mode major-mode) (text nil))
  (font-lock-ensure)
  (let ((at (point-min)) faces)
    (while (< at (point-max))
      (let ((face (get-text-property at 'face)))
        (push (format "%s" (or (if (consp face) (car face) face) "none")) faces))
      (setq at (1+ at)))
    (setq text (mapconcat #'identity (nreverse faces) " ")))
  (with-temp-file (getenv "RESULT")
    (insert text "\n" (symbol-name mode) "\n"
            (with-temp-buffer (bqn-mode) (quail-input-string-to-events "x") (format "%s" current-input-method)) "\n"
            (mapconcat (lambda (keys) (format "%s" (quail-lookup-glyph keys))) '("\\q" "\\d" "\\\\") " ") "\n")))
'''.replace('(quail-input-string-to-events "x") ', '').replace(
    '(quail-lookup-glyph keys)', '(let ((quail-current-package (assoc "bqn" quail-package-alist))) (char-to-string (car (quail-map-definition (quail-lookup-key keys)))))'.replace(
        '(car (quail-map-definition (quail-lookup-key keys)))', '(let ((d (car (quail-lookup-key keys)))) (if (consp d) (aref (cdr d) 0) d))'))
SESSION = r'''
(require 'bqn-mode)
(setq bqn-program (getenv "BQN_UNDER_TEST"))
(run-bqn)
(with-temp-buffer
  (insert "+´⌽↕10")
  (bqn-send (point-min) (point-max)))
(let ((tries 0))
  (while (and (< tries 600) (not (with-current-buffer "*bqn*" (save-excursion (goto-char (point-min)) (search-forward "45" nil t)))))
    (accept-process-output (get-buffer-process "*bqn*") 0.1)
    (setq tries (1+ tries))))
(princ (with-current-buffer "*bqn*" (buffer-string)))
'''


def run(bqn, report):
    if not shutil.which('emacs'):
        print('Emacs is not installed: its files are not tested')
        return
    tokenizer = Tokenizer(bqn)
    text, expected = sample(tokenizer)
    tokenizer.close()
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name) for name in ('sample.bqn', 'result', 'script.el', 'session.el')}
        for name, contents in (('sample.bqn', text), ('script.el', SCRIPT), ('session.el', SESSION)):
            with open(paths[name], 'w', encoding='utf8', newline='') as file:
                file.write(contents)
        environment = {**os.environ, 'SAMPLE': paths['sample.bqn'], 'RESULT': paths['result'], 'HOME': folder, 'LC_ALL': 'C.UTF-8', 'BQN_UNDER_TEST': bqn}

        def emacs(*arguments):
            return subprocess.run(['emacs', '--batch', '-Q', '-L', folder, '-L', FOLDER, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, timeout=300)
        done = emacs('-l', paths['script.el'])
        if not report.check(os.path.exists(paths['result']), 'Emacs runs its script', done.stdout + done.stderr):
            return
        with open(paths['result'], encoding='utf8') as file:
            faces, mode, method, glyphs = file.read().split('\n')[:4]
        given = [CLASSES.get(face) or (face.removeprefix('bqn-').removesuffix('-face') if face != 'none' else None) for face in faces.split(' ')]
        found = differences(text, expected, given)
        report.check(not found, f'Emacs colours {len(text)} characters as the tokenizer reads them', f'{len(found)}\n' + '\n'.join(found[:8]))
        report.check((mode, method, glyphs) == ('bqn-mode', 'bqn', '⌽ ↕ \\'), 'Emacs knows the mode, and types glyphs', (mode, method, glyphs))
        done = emacs('-l', paths['session.el'])
        report.check('45' in done.stdout, 'Emacs has a session', done.stdout + done.stderr)
        for name in ('bqn-glyphs.el', 'bqn-mode.el'):
            shutil.copy(os.path.join(FOLDER, name), folder)
            done = emacs('--eval', '(setq byte-compile-error-on-warn t)', '-f', 'batch-byte-compile', os.path.join(folder, name))
            report.check(done.returncode == 0, f'{name} compiles without warnings', done.stdout + done.stderr)
