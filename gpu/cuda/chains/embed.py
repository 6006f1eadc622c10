"""Writes a header that holds the text of other headers, for kernels that are made at run time:  embed.py OUTPUT HEADER …"""
import sys


def kept(line):
    return not line.startswith(('#include', '#pragma once'))


def main():
    text = ''
    for path in sys.argv[2:]:
        with open(path, encoding='utf8') as file:
            text += ''.join(filter(kept, file))
    pieces = [text[i:i + 8000] for i in range(0, len(text), 8000)]  # compilers need not take longer literals
    with open(sys.argv[1], 'w', encoding='utf8') as file:
        file.write('inline constexpr char kernel_text[] =\n' + '\n'.join(f'R"griddle({piece})griddle"' for piece in pieces) + ';\n')


main()
