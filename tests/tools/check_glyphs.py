#!/usr/bin/env python3
"""Checks the index of glyphs, docs/glyphs.md:  check_glyphs.py

It has a line for each glyph of the table of primitives, with the names that )help shows, the key that types it, and pages that are there.
"""
import os
import re

from report import run_alone

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = 'docs/glyphs.md'


def text_of(name):
    with open(os.path.join(ROOT, name), encoding='utf8') as file:
        return file.read()


def names_of_glyphs():
    """Reads the headings of spec/glyphs: `## ⍷ Deduplicate, Find`."""
    pages = ('numbers', 'arrays', 'modifiers')
    return {glyph: names.split(', ') for page in pages for glyph, names in re.findall(r'^## (\S) (.+)', text_of(f'spec/glyphs/{page}.md'), re.M)}


def keys_of_glyphs():
    """Reads the rows of keys and glyphs: {U"keys", U"glyphs", U"shifted keys", U"shifted glyphs"}."""
    found = {}
    for row in re.findall(r'^ *\{(U".*")\},', text_of('repl/glyph_keys.cc'), re.M):
        texts = [re.sub(r'\\(.)', r'\1', text) for text in re.findall(r'U"((?:\\.|[^"\\])*)"', row)]
        found.update((glyph, key) for keys, glyphs in (texts[:2], texts[2:]) for key, glyph in zip(keys, glyphs) if glyph != ' ')
    return found


def run(report):
    page = text_of(PAGE)
    lines = {found.group(1) or '`': found.group() for found in re.finditer(r'^\| (?:`` ` ``|`\\?(.)`).*', page, re.M)}
    primitives = set(re.findall(r"\{U'(.)', [\w\"]", text_of('primitives/table.cc')))
    names, keys = names_of_glyphs(), keys_of_glyphs()
    report.check(len(primitives) == 64 and set(names) == primitives, 'spec/glyphs has the glyphs of the table of primitives')
    for glyph in sorted(primitives):
        line = lines.get(glyph, '')
        report.check(line and all(name in line for name in names.get(glyph, [])), f'{PAGE} has {glyph} with the names of spec/glyphs', line)
    for glyph, key in keys.items():
        if glyph not in '↖↙→':  # have keys, but no meaning yet
            report.check(f'\\{key}' in page and any(glyph in line and f'\\{key}' in line for line in lines.values()), f'{PAGE} has the key of {glyph}')
    for link in set(re.findall(r'\]\(\.\./([^)]+)\)', page)):
        report.check(os.path.exists(os.path.join(ROOT, link)), f'{link}, named in {PAGE}')


if __name__ == '__main__':
    run_alone(run)
