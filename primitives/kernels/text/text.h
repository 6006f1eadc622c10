// Text as bytes: looking for line ends and for what is not ASCII, checking, decoding and writing UTF-8.
//
// UTF-8 here means every code point up to U+10FFFF in its shortest form, surrogates included: a BQN string may hold them, and
// what was written must be readable.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

struct Utf8Size {
  std::size_t code_points;
  unsigned width;  // of the narrowest element that holds each of them: 1, 2 or 4 bytes
};

struct TextKernels {
  // Gives the number of leading bytes that are ASCII.
  std::size_t (*ascii_length)(const std::uint8_t* bytes, std::size_t n);
  // Gives the place of the first LF or CR; n where there is none.
  std::size_t (*line_length)(const std::uint8_t* bytes, std::size_t n);
  // Gives the number of leading bytes that are well-formed UTF-8; a code point that the end cuts short does not count.
  std::size_t (*utf8_length)(const std::uint8_t* bytes, std::size_t n);
  // Measures well-formed UTF-8.
  Utf8Size (*measure)(const std::uint8_t* bytes, std::size_t n);
  // Decode well-formed UTF-8 into elements that hold each code point; `out` has room for exactly the code points.
  void (*decode8)(std::uint8_t* out, const std::uint8_t* bytes, std::size_t n);
  void (*decode16)(std::uint16_t* out, const std::uint8_t* bytes, std::size_t n);
  void (*decode32)(std::uint32_t* out, const std::uint8_t* bytes, std::size_t n);
  // Give the number of bytes that code points take as UTF-8.
  std::size_t (*encoded_size8)(const std::uint8_t* text, std::size_t n);
  std::size_t (*encoded_size16)(const std::uint16_t* text, std::size_t n);
  std::size_t (*encoded_size32)(const std::uint32_t* text, std::size_t n);
  // Write code points as UTF-8 and give the number of bytes; `out` has room for exactly these.
  std::size_t (*encode8)(std::uint8_t* out, const std::uint8_t* text, std::size_t n);
  std::size_t (*encode16)(std::uint8_t* out, const std::uint16_t* text, std::size_t n);
  std::size_t (*encode32)(std::uint8_t* out, const std::uint32_t* text, std::size_t n);
};

const TextKernels& text();

}  // namespace griddle::kernels
