#!/usr/bin/env python3
"""Writes the table of runtime/text_width.cc anew:  text_width.py > runtime/text_width_table.inc

The widths are Unicode's (UAX #11, and the general categories), in the version that this Python knows.
"""
import sys
import unicodedata

# Format characters that are seen: the soft hyphen, and marks that stand before numbers.
SEEN = {0xAD, *range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
# Vowels and final consonants of Korean syllables stand within the block of the first one.
JOINING = [range(0x1160, 0x1200), range(0xD7B0, 0xD800)]
# Blocks of pictures: what has no meaning yet will be wide.
PICTURES = [range(0x1F900, 0x1FA00), range(0x1FA70, 0x1FB00)]


def width(c):
    category = unicodedata.category(chr(c))
    if c not in SEEN and category in ('Mn', 'Me', 'Cf') or any(c in block for block in JOINING):
        return 0
    if unicodedata.east_asian_width(chr(c)) in 'WF' or category == 'Cn' and any(c in block for block in PICTURES):
        return 2
    return 1


def ranges(wanted):
    """Gives the first and the last of each run of characters that are so wide."""
    first = None
    for c in range(sys.maxunicode + 2):
        is_in = c <= sys.maxunicode and width(c) == wanted
        if is_in and first is None:
            first = c
        elif not is_in and first is not None:
            yield first, c - 1
            first = None


def main():
    print(f'// Made by tests/tools/text_width.py from Unicode {unicodedata.unidata_version}: do not change it by hand.')
    for name, wanted in [('standing_upon', 0), ('wide', 2)]:
        pairs = [f'{{0x{first:X}, 0x{last:X}}},' for first, last in ranges(wanted)]
        print(f'constexpr CharacterRange {name}[] = {{')
        for i in range(0, len(pairs), 6):
            print('    ' + ' '.join(pairs[i:i + 6]))
        print('};')


if __name__ == '__main__':
    main()
