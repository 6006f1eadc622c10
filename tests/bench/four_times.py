#!/usr/bin/env python3
"""Runs programs of one size, and of four times that:  four_times.py [--bqn PATH] [--jobs N] [part of a name …]

Fails where the larger takes more than seven times the instructions. The programs search and sort what is hard for tables and for
sorting, are long or nested sources, and make long or nested values. Among the keys are such as would collide in tables whose
multipliers everybody knows.
"""
import argparse
import concurrent.futures
import struct
import sys

import growth

LIMIT = 7
SIZES = [4000, 16000]
WORD = 1 << 64
GOLDEN, SECOND, PLACE = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x243F6A8885A308D3

SEARCHES = ['⊐x', '⊒x', '∊x', '⍷x', 'x⊐⌽x', 'x⊒⌽x', 'x∊⌽x', '⊔⊐x', 'm←(⍷<˘x)•HashMap↕≠⍷<˘x', 'm.Has¨<˘x']
SORTS = ['∧x', '∨x', '⍋x', '⍒x', '(∧x)⍋x', '∧⌽x', '⍋⌽x']


def inverse(odd, modulus=WORD):
    return pow(odd, -1, modulus)


def number(value):
    return repr(value).replace('-', '¯').replace('e+', 'e')


def listed(numbers):
    return '⟨' + ','.join(map(number, numbers)) + '⟩'


def doubles(words, n):
    """Gives the first n of words that are the bits of ordinary doubles."""
    found = []
    for word in words:
        if word >> 52 & 0x7FF in (0, 0x7FF):
            continue
        found.append(struct.unpack('<d', struct.pack('<Q', word))[0])
        if len(found) == n:
            return found
    raise ValueError('too few')


def text(codes):
    return '(@+' + '‿'.join(map(str, codes)) + ')'


def low_products():
    """Words whose product with GOLDEN is small, after their halves were mixed."""
    factor = inverse(GOLDEN)
    i = 0
    while True:
        i += 1
        word = i * factor % WORD
        yield word ^ word >> 32


def unmixed():
    """Words that a known scrambling makes to ones whose low bits are 0."""
    first, second = inverse(GOLDEN), inverse(SECOND)
    i = 0
    while True:
        i += 1
        word = i << 32
        word ^= word >> 32
        word = word * second % WORD
        word ^= word >> 29 ^ word >> 58
        word = word * first % WORD
        word ^= word >> 32
        yield word ^ PLACE


def short_products(n):
    factor = inverse(0x9E3779B1, 1 << 32)
    words = (i * factor % (1 << 32) for i in range(n))
    return [w - (1 << 32) if w >> 31 else w for w in words]


def exchanged_parts(n):
    """Texts of the same parts, each of which lets one of two known factors be 0, in different orders."""
    parts = 8
    texts = []
    for i in range(n):
        order = list(range(parts))
        for k in range(parts - 1):
            i, step = divmod(i, parts - k)
            order[k], order[k + step] = order[k + step], order[k]
        codes = []
        for place, part in enumerate(order):
            codes += [part + 1] * 8 + list(struct.pack('<Q', (place + 1) * GOLDEN % WORD))
        texts.append(text(codes))
    return '⟨' + ','.join(texts) + '⟩'


def against_middles(n):
    """Numbers whose middle of three is always nearly the least."""
    half = n // 2
    odd = [i + 1 if i % 2 == 0 else half + i for i in range(half)]
    return odd + [2 * (i + 1) for i in range(half)]


SEARCHED = {
    'random numbers': lambda n: f'{n}(•MakeRand 7).Range 1e9',
    'multiples of 2⋆20': lambda n: f'1048576×↕{n}',
    'multiples of 2⋆32': lambda n: f'4294967296×1+↕{n}',
    'multiples of 2⋆¯40': lambda n: f'(2⋆¯40)×1+↕{n}',
    'powers of two': lambda n: f'⥊(2⋆↕1000)×⌜1+↕{n // 1000}',
    'doubles with equal high bits': lambda n: f'1+(2⋆¯52)×↕{n}',
    'doubles with equal low bits': lambda n: f'(2⋆40)+(2⋆20)×↕{n}',
    'doubles with few bits at both ends': lambda n: f'⥊(2⋆↕{n // 500})×⌜1+(2⋆¯30)×↕500',
    'small products': lambda n: listed(doubles(low_products(), n)),
    'small products of 32 bits': lambda n: listed(short_products(n)),
    'unmixed numbers among characters': lambda n: listed(doubles(unmixed(), n)) + '∾"ab"',
    'unmixed numbers in boxes': lambda n: '{⟨𝕩,"a"⟩}¨' + listed(doubles(unmixed(), n)),
    'common prefixes': lambda n: f"(<100⥊'a')∾¨•Repr¨↕{n}",
    'common suffixes': lambda n: f"(•Repr¨↕{n})∾¨<100⥊'a'",
    'common ends': lambda n: f"{{(40⥊'a')∾(•Repr 𝕩)∾40⥊'b'}}¨1000000+↕{n}",
    'rows with one difference': lambda n: f'{n}‿40⥊1∾40⥊0',
    'exchanged parts': exchanged_parts,
    'one deep difference': lambda n: f'{{⟨1,⟨"ab",⟨⟨2,𝕩⟩,"c"⟩⟩,3⟩}}¨↕{n}',
    'functions that are built alike': lambda n: f'{{𝕩⊸+}}¨↕{n}',
    'trains that are built alike': lambda n: f'{{+-(𝕩˙)}}¨↕{n}',
    'blocks that are built alike': lambda n: f'{{𝕤⋄𝕩{{𝕗}}}}¨↕{n}',
    'few different': lambda n: f'3|↕{n}',
    'one number': lambda n: f'{n}⥊7.5',
}
SORTED = {
    'random numbers': lambda n: f'{n}(•MakeRand 7).Range 1e9',
    'organ pipe': lambda n: f'(↕{n // 2})∾⌽↕{n // 2}',
    'saw': lambda n: f'97|↕{n}',
    'teeth of roots': lambda n: f'(⌊√{n})|↕{n}',
    'descending saw': lambda n: f'97|⌽↕{n}',
    'all equal': lambda n: f'{n}⥊7.5',
    'two values': lambda n: f'1.5×2|⌊(↕{n})÷3',
    'few outliers': lambda n: f'1e9‿¯1e9∾{n}⥊0',
    'an outlier at the end': lambda n: f'(↕{n})∾1e15‿¯1e15',
    'nearly in order': lambda n: f'¯1⌽↕{n}',
    'against the middle of three': lambda n: listed(against_middles(n)),
    'powers of two': lambda n: f'⥊(2⋆↕1000)×⌜1+↕{n // 1000}',
    'equal high bits': lambda n: f'1+(2⋆¯52)×{n}(•MakeRand 7).Range {n}',
    'equal low bits': lambda n: f'(2⋆32)×{n}(•MakeRand 7).Range {n}',
    'common prefixes': lambda n: f"(<100⥊'a')∾¨•Repr¨{n}(•MakeRand 7).Range 1e9",
    'one deep difference': lambda n: f'{{⟨1,⟨"ab",⟨⟨2,𝕩⟩,"c"⟩⟩,3⟩}}¨{n}(•MakeRand 7).Range 1e9',
    'equal boxes': lambda n: f'{n}⥊⟨"abc"‿1⟩',
    'organ pipe of boxes': lambda n: f'{{⟨𝕩,"a"⟩}}¨(↕{n // 2})∾⌽↕{n // 2}',
    'against the middle of three, boxes': lambda n: '{⟨𝕩,"a"⟩}¨' + listed(against_middles(n)),
    'rows with common beginnings': lambda n: f'(20⥊0)⊸∾˘∘‿1⥊{n}(•MakeRand 7).Range 1e9',
}
# Programs of n parts.
SOURCES = {
    'nested blocks': lambda n: '{' * n + '1' + '}' * n,
    'nested functions': lambda n: 'F←' + '{𝕊:' * n + '1' + '}' * n,
    'nested scopes': lambda n: ''.join(f'F{i}←{{𝕊𝕩:a{i}←𝕩\n' for i in range(n)) + '1\n' + ''.join(f'}}\nF{i} 1\n' for i in reversed(range(n))),
    'nested scopes that read the first': lambda n: 'x←1⋄F←{𝕤⋄' + ''.join(f'G{i}←{{𝕤⋄' for i in range(n)) + 'x' + '}' * n + '}',
    'nested namespaces': lambda n: '{a⇐' * n + '1' + '}' * n,
    'nested lists': lambda n: '⟨' * n + '1' + '⟩' * n,
    'nested brackets': lambda n: '(' * n + '1' + ')' * n,
    'variables': lambda n: ''.join(f'a{i}←{i}\n' for i in range(4 * n)),
    'variables of a block': lambda n: '{' + ''.join(f'a{i}←{i}\n' for i in range(n)) + '}',
    'blocks': lambda n: ''.join(f'F{i}←{{𝕩+{i}}}\n' for i in range(n)),
    'blocks that are used before': lambda n: ''.join(f'F{i}←{{G{i} 𝕩}}\n' for i in range(n)) + ''.join(f'G{i}←{{𝕩}}\n' for i in range(n)),
    'modifiers': lambda n: ''.join(f'_a{i}←{{𝔽}}\n' for i in range(n)),
    'bodies with heads': lambda n: 'F←{' + ''.join(f'𝕊 {i}:{i};' for i in range(n)) + '𝕩}\nF 1\n',
    'bodies for two arguments': lambda n: 'F←{' + ''.join(f'{i}𝕊x:{i};' for i in range(n)) + '𝕩}\nF 1\n',
    'conditions': lambda n: 'F←{' + ''.join(f'𝕩={i}?{i};' for i in range(n)) + '𝕩}\nF 1\n',
    'fields': lambda n: 'n←{' + ''.join(f'f{i}⇐{i}\n' for i in range(n)) + '}\n' + ''.join(f'n.f{i}\n' for i in range(n)),
    'fields taken apart': lambda n: 'n←{' + ''.join(f'f{i}⇐{i}\n' for i in range(n)) + '}\n⟨' + ','.join(f'g{i}⇐f{i}' for i in range(n)) + '⟩←n',
    'long strand': lambda n: '‿'.join(map(str, range(4 * n))),
    'list of functions': lambda n: '⟨' + ','.join(f'{{𝕩+{i}}}' for i in range(n)) + '⟩',
    'long train': lambda n: 'F←(' + '-'.join('+' * n) + ')\nF 1',
    'long expression': lambda n: 'a←1\n' + '+'.join('a' * n),
    'constants': lambda n: '1+2×3-4\n' * n,
    'strings': lambda n: '"' + 'ab""' * (4 * n) + '"',
    'programs': lambda n: f'{{•BQN "a←"∾•Repr 𝕩}}¨↕{n}',
}
# Values that are nested n deep, or n long, and loops of n turns.
VALUES = {
    'deep list': lambda n: f'l←⟨⟩⋄{{𝕊𝕩:l↩⟨l⟩⋄@}}¨↕{n}\n≡l\nl≡⟨l⟩\n⍋⟨l,l⟩\n⊐10⥊⟨l⟩\n⍷10⥊⟨l⟩\n2↑⟨l⟩\n•Repr l\n⟨l⟩•HashMap⟨l⟩\n{{𝕩}}⚇0 l',
    'list that grows': lambda n: f'l←⟨⟩⋄{{𝕊𝕩:l∾↩𝕩⋄@}}¨↕{4 * n}',
    'list of boxes that grows': lambda n: f'l←⟨⟩⋄{{𝕊𝕩:l∾↩⟨𝕩‿"a"⟩⋄@}}¨↕{n}',
    'text that grows': lambda n: f'l←""⋄{{𝕊𝕩:l∾↩•Repr 𝕩⋄@}}¨↕{n}',
    'list that grows before': lambda n: f'l←⟨⟩⋄{{𝕊𝕩:l↩𝕩∾l⋄@}}¨↕{4 * n}',
    'list of boxes that grows before': lambda n: f'l←⟨⟩⋄{{𝕊𝕩:l↩(<𝕩‿"a")∾l⋄@}}¨↕{n}',
    'text that grows before': lambda n: f'l←""⋄{{𝕊𝕩:l↩"ab"∾l⋄@}}¨↕{4 * n}',
    'fold by a block': lambda n: f'{{𝕨∾𝕩}}´↕{4 * n}\n{{⟨𝕨⟩∾𝕩}}´↕{n}\n{{𝕩∾𝕨}}´↕{n}',
    'fold of boxes by a block': lambda n: f'{{𝕨∾𝕩}}´{n}⥊⟨"ab"⟩\n{{⟨𝕨⟩∾𝕩}}´{n}⥊⟨"ab"⟩\n⟨⟩{{𝕩∾<𝕨}}´{n}⥊⟨"ab"⟩',
    'fold of boxes': lambda n: f'∾´{n}⥊⟨"ab"⟩\n∾˜´{n}⥊⟨"ab"⟩\n(⊣∾⊢)´{n}⥊⟨"ab"⟩\n∾˝{n}⥊⟨"ab"⟩',
    'display of boxes': lambda n: f'•Fmt {n}⥊⟨"ab",1‿2⟩\n•Fmt <¨↕{n}\n•Fmt ⋈⌜˜↕⌈√{n}\n•Fmt {{⟨𝕩,"a"⟩}}¨↕{n}\n•Fmt {n}‿2⥊⟨"ab"⟩',
    'table of boxes': lambda n: f'x←(⌈√{n})⥊⟨"ab"⟩\n∾⌜˜x\n{{𝕨∾𝕩}}⌜˜x\n⋈⌜˜x\n≡⌜˜x',
    'map that grows': lambda n: f'm←⟨⟩•HashMap⟨⟩⋄{{𝕊𝕩:𝕩 m.Set •Repr 𝕩⋄@}}¨↕{n}⋄{{𝕊𝕩:m.Delete 𝕩⋄@}}¨↕{n}',
    'groups of boxes': lambda n: f'(3|↕{n})⊔⥊⟜"ab"¨3|↕{n}\n⊔3|↕{n}\n⊐⥊⟜"ab"¨3|↕{n}',
    'structural Under': lambda n: f'(1⊸+)⌾(5⊸⊑)↕{n}\n{{"a"}}⌾(3⊸⊑){n}⥊⟨"ab"⟩',
    'records': lambda n: f'l←{{𝕊v:{{a⇐v}}}}¨↕{n}\n{{𝕩.a}}¨l',
    'closures in a chain': lambda n: f'F←{{𝕩}}\n{{𝕊𝕩:g←f⋄F↩{{𝕊:g}}⋄@}}¨↕{n}',
}
CASES = {**{'search: ' + name: (keys, SEARCHES) for name, keys in SEARCHED.items()},
         **{'sort: ' + name: (keys, SORTS) for name, keys in SORTED.items()},
         **{'source: ' + name: (source, None) for name, source in SOURCES.items()},
         **{'value: ' + name: (source, None) for name, source in VALUES.items()}}


def measured(bqn, command, pattern, made, calls):
    """Gives the instructions of the calls without those of making the keys, or those of a program without those of starting."""
    before = '@' if calls is None else 'x←' + made
    program = made if calls is None else before + '\n' + '\n'.join(calls)
    return growth.count_program(bqn, command, pattern, program) - growth.count_program(bqn, command, pattern, before)


def measure(bqn, jobs=2, parts=(), every=1):
    """Gives the name of each case, with its instructions for both sizes or an error."""
    command, pattern = growth.counter()
    named = [name for name in CASES if not parts or any(part in name for part in parts)]
    chosen = {name: CASES[name] for name in named[::every]}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {name: [pool.submit(measured, bqn, command, pattern, make(n), calls) for n in SIZES]
                   for name, (make, calls) in chosen.items()}
        for name, counts in running.items():
            try:
                yield name, [count.result() for count in counts], None
            except RuntimeError as error:
                yield name, None, str(error)


def run(bqn, report, every):
    """The stage of ./test: one case of so many. Where nothing counts instructions, nothing is tested."""
    if reason := growth.why_not_counted(bqn):
        print(f'     not run: {reason}')
        return
    for name, counts, error in measure(bqn, every=every):
        report.check(error is None and counts[1] <= LIMIT * counts[0], name, error or f'{counts[1] / counts[0]:.2f} times as many instructions')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bqn', default=growth.BQN)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('parts', nargs='*', help='of the names of cases; default: all of them')
    options = parser.parse_args()
    failed = 0
    for name, counts, error in measure(options.bqn, options.jobs, options.parts):
        bad = error is not None or counts[1] > LIMIT * counts[0]
        failed += bad
        print('FAILED ' if bad else 'ok     ', name.ljust(50), error or f'{counts[1] / counts[0]:6.2f}   {counts[1] / SIZES[1]:10.0f} a key or part',
              flush=True)
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
