"""The grammar for VS Code and others: a small reader of TextMate grammars gives each character the class that the tokenizer does."""
import json
import os
import re

from classes import EDGES, ROOT, Tokenizer, differences, programs

GRAMMAR = os.path.join(ROOT, 'repl', 'editors', 'vscode', 'syntaxes', 'bqn.tmLanguage.json')
# The beginnings of scopes, by classes.
SCOPES = {'comment': 'comment', 'string': 'string', 'constant.numeric': 'number', 'constant.language': 'nothing', 'constant.character.escape': 'string',
          'keyword.operator.modifier1': 'modifier1', 'keyword.operator.modifier2': 'modifier2', 'entity.name.function': 'function',
          'variable.other': 'subject', 'variable.language': 'special', 'punctuation': 'operator'}


def class_of(scope):
    return next(kind for start, kind in SCOPES.items() if scope.startswith(start))


class Grammar:
    """Reads texts line by line, as TextMate does: at each place the rule that fits first, and of several the first one."""

    def __init__(self, rules):
        self.rules = [(re.compile(rule.get('match') or rule['begin']), rule.get('end') and re.compile(rule['end']),
                       Grammar(rule['patterns']) if 'patterns' in rule else None, class_of(rule['name'])) for rule in rules]

    def next_rule(self, line, at):
        found = [(match.start(), order, match, rule) for order, rule in enumerate(self.rules) if (match := rule[0].search(line, at))]
        return min(found, key=lambda item: item[:2])[2:] if found else None

    def classes(self, text):
        found, open_rule = [], None
        for line in text.split('\n'):
            kinds, at = [None] * (len(line) + 1), 0
            while at <= len(line):
                if open_rule:
                    at, open_rule = self.within(open_rule, line, at, kinds)
                    continue
                chosen = self.next_rule(line, at)
                if not chosen:
                    break
                match, rule = chosen
                kinds[match.start():match.end()] = [rule[3]] * (match.end() - match.start())
                open_rule = rule if rule[1] else None
                at = max(match.end(), at + (match.end() == match.start()))
            found += kinds
        return found[:len(text)]

    def within(self, rule, line, at, kinds):
        """Goes on in a rule that has an end; gives the place behind it, and the rule where it is still open."""
        end, inner = rule[1].search(line, at), rule[2].next_rule(line, at) if rule[2] else None
        if inner and (not end or inner[0].start() < end.start()):
            stop = inner[0].end()
        elif end:
            kinds[at:end.end()] = [rule[3]] * (end.end() - at)
            return end.end(), None
        else:
            stop = len(line) + 1
        kinds[at:stop] = [rule[3]] * (stop - at)
        return stop, rule


def run(bqn, report):
    with open(GRAMMAR, encoding='utf8') as file:
        grammar = Grammar(json.load(file)['patterns'])
    tokenizer = Tokenizer(bqn)
    read = characters = 0
    for name, text in [('the edges', EDGES), *programs()]:
        expected = tokenizer.classes(text)
        # Such a grammar sees one line at a time: a line break between quotes is beyond it.
        if expected is None or "'\n'" in text:
            continue
        read, characters = read + 1, characters + len(text)
        found = differences(text, expected, grammar.classes(text))
        report.check(not found, f'the TextMate grammar reads {name} as the tokenizer does', '\n'.join(found[:5]))
    tokenizer.close()
    report.check(read > 600 and characters > 100_000, 'many programs are read', f'{read} programs, {characters} characters')
