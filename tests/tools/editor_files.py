#!/usr/bin/env python3
"""Makes what repl/editors has of tables of the sources, or checks that it is what they say:  editor_files.py [--write]

Which glyphs there are comes from primitives/table.cc, and which key types a glyph from repl/glyph_keys.cc.
"""
import json
import os
import re
import sys

from check_glyphs import ROOT, keys_of_glyphs, text_of
from report import run_alone

FOLDER = 'repl/editors'
UPPER, LOWER = 'A-ZÀ-ÖØ-Þ', 'a-zà-öø-þ'
# What goes on in names and numbers; a point does before a digit.
WORD = '0-9_¯∞π𝕣' + UPPER + LOWER
OTHERS = {
    'function': '𝕎𝕏𝕊𝔽𝔾',
    'special': '𝕨𝕩𝕤𝕗𝕘𝕣',
    'nothing': '·',
    'operator': '←↩⇐()[]{}⟨⟩‿⋄,.;:?',
}
MADE = 'Made by tests/tools/editor_files.py from the tables of the sources: do not edit.'


def classes():
    """Gives the glyphs of each class."""
    table = text_of('primitives/table.cc')
    found = {'function': ''.join(re.findall(r"FunctionGlyph\{U'(.)'", table)) + OTHERS['function'],
             'modifier1': ''.join(re.findall(r"\{U'(.)', \"[^\"]+\", 1,", table)),
             'modifier2': ''.join(re.findall(r"\{U'(.)', \"[^\"]+\", 2,", table))}
    assert len(found['function']) == 49 and len(found['modifier1']) == 9 and len(found['modifier2']) == 11, found
    return {**found, **{name: OTHERS[name] for name in ('special', 'nothing', 'operator')}}


def bracketed(glyphs):
    """Gives a class of characters as every kind of regular expressions here reads it."""
    first = ']' if ']' in glyphs else ''
    last = ('^' if '^' in glyphs else '') + ('-' if '-' in glyphs else '')
    return '[' + first + ''.join(c for c in glyphs if c not in ']^-') + last + ']'


def word_rules(point, ahead, start=''):
    """Gives (class, pattern) of numbers and names, the first that fits counts. `point`: how a point is written, `ahead`: what says
    that no word goes on, `start`: that one begins, where rules are tried one after the other on the whole text."""
    rest = rf'(?:[{WORD}]|{point}[0-9])*'
    end = ahead % f'[{WORD}]'
    return [('number', rf'(?:{start}[0-9¯π∞]|{point}[0-9]){rest}'),
            ('modifier2', rf'•?{start}_{rest}_{end}'), ('modifier1', rf'•?{start}_{rest}'),
            ('function', rf'•?{start}[{UPPER}]{rest}'), ('special', rf'{start}𝕣{end}'), ('subject', rf'•?{start}[{LOWER}]{rest}')]


def textmate():
    scopes = {'number': 'constant.numeric.bqn', 'modifier2': 'keyword.operator.modifier2.bqn', 'modifier1': 'keyword.operator.modifier1.bqn',
              'function': 'entity.name.function.bqn', 'subject': 'variable.other.bqn', 'special': 'variable.language.bqn',
              'nothing': 'constant.language.bqn', 'operator': 'punctuation.bqn'}
    patterns = [{'name': 'comment.line.number-sign.bqn', 'match': '#.*$'},
                {'name': 'string.quoted.double.bqn', 'begin': '"', 'end': '"(?!")', 'patterns': [{'name': 'constant.character.escape.bqn', 'match': '""'}]},
                {'name': 'string.quoted.single.bqn', 'match': "'.'"}, {'name': 'string.quoted.other.bqn', 'match': '@'}]
    patterns += [{'name': scopes[kind], 'match': pattern} for kind, pattern in word_rules(r'\.', '(?!%s)')]
    patterns += [{'name': scopes[kind], 'match': '[' + re.sub(r'([\[\]\\^-])', r'\\\1', glyphs) + ']'} for kind, glyphs in classes().items()]
    return json.dumps({'comment': MADE, 'name': 'BQN', 'scopeName': 'source.bqn', 'fileTypes': ['bqn'], 'patterns': patterns}, ensure_ascii=False, indent=2) + '\n'


def vim_pattern(pattern):
    """Writes a pattern as Vim does: groups as \\%( \\), and alternatives with \\|."""
    return pattern.replace('(?:', r'\%(').replace('|', r'\|').replace(')', r'\)').replace('?', r'\=').replace('/', r'\/')


def vim_syntax():
    groups = {'number': 'Number', 'modifier2': 'Special', 'modifier1': 'Operator', 'function': 'Function', 'subject': 'Identifier',
              'special': 'Keyword', 'nothing': 'Constant', 'operator': 'Delimiter', 'comment': 'Comment', 'string': 'String'}
    lines = [f'" {MADE}', '" Colours of BQN sources, by role.', "if exists('b:current_syntax')", '  finish', 'endif', 'syntax case match', 'syntax sync minlines=100']
    lines += [f"syntax match bqn{kind.capitalize()} /{bracketed(glyphs).replace('/', chr(92) + '/')}/" for kind, glyphs in classes().items()]
    # Of rules that fit at one place the last one counts.
    lines += [f'syntax match bqn{kind.capitalize()} /{vim_pattern(pattern)}/' for kind, pattern in reversed(word_rules(r'\.', r'%s\@!'))]
    lines += ['syntax match bqnString /@/', "syntax match bqnString /'.'/", 'syntax region bqnString start=/"/ skip=/""/ end=/"/', 'syntax match bqnComment /#.*$/ contains=@Spell']
    lines += [f'highlight default link bqn{kind.capitalize()} {group}' for kind, group in groups.items()]
    return '\n'.join(lines + ["let b:current_syntax = 'bqn'"]) + '\n'


def vim_keymap():
    lines = [f'" {MADE}', '" Glyphs by a backslash and a key: set keymap=bqn', "let b:keymap_name = 'BQN'", 'loadkeymap', r'\\ \\'.replace('\\\\', '<Bslash><Bslash>', 1).replace('\\\\', '<Bslash>')]
    names = {' ': '<Space>', '|': '<Bar>', '<': '<lt>', '\\': '<Bslash>', '"': '"'}
    lines += [f'<Bslash>{names.get(key, key)} {glyph}' for glyph, key in sorted(keys_of_glyphs().items(), key=lambda item: item[1])]
    return '\n'.join(lines) + '\n'


def lisp_text(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


def emacs_glyphs():
    def pattern(text):
        return lisp_text(text.replace('(?:', r'\(?:').replace('|', r'\|').replace(')', r'\)'))
    signs = ''.join(c for glyphs in classes().values() for c in glyphs if ord(c) > 127 and c not in '𝕣⟨⟩') + '•'
    lines = [';;; bqn-glyphs.el --- Glyphs of BQN  -*- lexical-binding: t; coding: utf-8 -*-', f';; {MADE}', '', ';;; Code:', '',
             f'(defconst bqn-glyph-word-characters {lisp_text("_¯∞π𝕣")} "Characters that are no letters or digits, and go on in names.")', '',
             f'(defconst bqn-glyph-signs {lisp_text(signs)} "Characters that never are part of a name.")', '',
             '(defconst bqn-glyph-rules', "  '("]
    rules = [(kind, pattern(text)) for kind, text in word_rules(r'\.', r'\_>%.0s', r'\_<')] + [(kind, lisp_text(bracketed(glyphs))) for kind, glyphs in classes().items()]
    lines += [f'    ({text} . bqn-{kind}-face)' for kind, text in rules]
    lines += ['    )', '  "What is coloured how; the first rule that fits counts.")', '', '(defconst bqn-glyph-keys', "  '("]
    lines += [f'    ({lisp_text(key)} . ?{chr(92) if glyph in chr(92) else ""}{glyph})' for glyph, key in sorted(keys_of_glyphs().items(), key=lambda item: item[1])]
    lines += ['    )', '  "Which key types which glyph after a backslash.")', '', "(provide 'bqn-glyphs)", ';;; bqn-glyphs.el ends here']
    return '\n'.join(lines) + '\n'


def keys_json():
    return json.dumps({key: glyph for glyph, key in sorted(keys_of_glyphs().items(), key=lambda item: item[1])}, ensure_ascii=False, indent=1) + '\n'


FILES = {'vscode/syntaxes/bqn.tmLanguage.json': textmate, 'vscode/glyph_keys.json': keys_json, 'vim/syntax/bqn.vim': vim_syntax, 'vim/keymap/bqn.vim': vim_keymap,
         'emacs/bqn-glyphs.el': emacs_glyphs}


def run(report):
    for name, make in FILES.items():
        path = os.path.join(ROOT, FOLDER, name)
        known = text_of(f'{FOLDER}/{name}') if os.path.exists(path) else ''
        report.check(known == make(), f'{FOLDER}/{name} is what the tables say', 'run tests/tools/editor_files.py --write')


if __name__ == '__main__':
    if sys.argv[1:] == ['--write']:
        for written, maker in FILES.items():
            with open(os.path.join(ROOT, FOLDER, written), 'w', encoding='utf8') as file:
                file.write(maker())
    else:
        run_alone(run)
