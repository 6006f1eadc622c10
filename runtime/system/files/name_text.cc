#include "runtime/system/files/name_text.h"

#include <algorithm>

#include "runtime/source/text.h"

namespace griddle {

namespace {

constexpr char32_t first_surrogate = 0xD800, last_surrogate = 0xDFFF, byte_base = 0xDC00;

}  // namespace

Value name_string(Heap& heap, std::string_view bytes) {
  if (std::ranges::all_of(bytes, [](char c) { return static_cast<signed char>(c) >= 0; })) return make_string(heap, bytes);
  std::u32string text;
  for (const char *at = bytes.data(), *const end = at + bytes.size(); at != end;) {
    const char* after = at;
    const char32_t c = decode_utf8(after, end);
    if (c == invalid_code_point || (c >= first_surrogate && c <= last_surrogate)) {
      text += byte_base + static_cast<unsigned char>(*at++);
    } else {
      text += c;
      at = after;
    }
  }
  return make_string(heap, text);
}

std::string name_bytes(std::string_view utf8) {
  std::string bytes;
  for (const char *at = utf8.data(), *const end = at + utf8.size(); at != end;) {
    const char* const start = at;
    const char32_t c = decode_utf8(at, end);
    if (c == invalid_code_point) at = start + 1;
    if (c >= byte_base + 0x80 && c <= byte_base + 0xFF)
      bytes += static_cast<char>(c - byte_base);
    else
      bytes.append(start, at);
  }
  return bytes;
}

}  // namespace griddle
