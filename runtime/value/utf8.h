// UTF-8, one code point at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle {

// Appends a code point. A surrogate, which a BQN string may hold, is written in three bytes like its neighbours.
template <class Text>
void append_utf8(Text& out, char32_t c) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
    return;
  }
  char bytes[4];
  std::size_t count = 0;
  if (c < 0x800) {
    bytes[count++] = static_cast<char>(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      bytes[count++] = static_cast<char>(0xE0 | c >> 12);
    } else {
      bytes[count++] = static_cast<char>(0xF0 | c >> 18);
      bytes[count++] = static_cast<char>(0x80 | (c >> 12 & 0x3F));
    }
    bytes[count++] = static_cast<char>(0x80 | (c >> 6 & 0x3F));
  }
  bytes[count++] = static_cast<char>(0x80 | (c & 0x3F));
  out.append(bytes, count);
}

// Tells whether a byte continues a code point that an earlier byte began.
inline bool continues_utf8(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace griddle
