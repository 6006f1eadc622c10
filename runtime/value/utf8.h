// UTF-8, one code point at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle {

// Writes a code point, at most 4 bytes, and gives where it ends. A surrogate, which a BQN string may hold, is written in three
// bytes like its neighbours.
inline char* write_utf8(char* to, char32_t c) {
  if (c < 0x80) {
    *to++ = static_cast<char>(c);
    return to;
  }
  if (c < 0x800) {
    *to++ = static_cast<char>(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      *to++ = static_cast<char>(0xE0 | c >> 12);
    } else {
      *to++ = static_cast<char>(0xF0 | c >> 18);
      *to++ = static_cast<char>(0x80 | (c >> 12 & 0x3F));
    }
    *to++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
  }
  *to++ = static_cast<char>(0x80 | (c & 0x3F));
  return to;
}

template <class Text>
void append_utf8(Text& out, char32_t c) {
  char bytes[4];
  out.append(bytes, static_cast<std::size_t>(write_utf8(bytes, c) - bytes));
}

// Tells whether a byte continues a code point that an earlier byte began.
inline bool continues_utf8(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace griddle
