// Strings and their bytes.
#include <algorithm>
#include <string>

#include "runtime/value/array.h"
#include "runtime/value/utf8.h"

namespace griddle {

Value make_string(Heap& heap, std::u32string_view text) {
  char32_t widest = 0;
  for (char32_t c : text) widest |= c;
  ElementType t = widest < 0x100 ? ElementType::c8 : widest < 0x10000 ? ElementType::c16 : ElementType::c32;
  Ref<Array> a = make_list(heap, t, text.size());
  if (t == ElementType::c8)
    std::copy(text.begin(), text.end(), a->as<std::uint8_t>());
  else if (t == ElementType::c16)
    std::copy(text.begin(), text.end(), a->as<std::uint16_t>());
  else
    std::copy(text.begin(), text.end(), a->as<char32_t>());
  return to_value(std::move(a));
}

namespace {

// Calls f with each code point, U+FFFD for what is not well formed.
template <class F>
void each_code_point(std::string_view utf8, F f) {
  for (std::size_t i = 0; i < utf8.size();) {
    unsigned char c = static_cast<unsigned char>(utf8[i++]);
    if (c < 0x80) {
      f(char32_t{c});
      continue;
    }
    int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC2 ? 1 : -1;
    char32_t code = more == 3 ? c & 7u : more == 2 ? c & 15u : c & 31u;
    bool good = more > 0 && c <= 0xF4;
    std::size_t j = i;
    for (int k = 0; good && k < more; k++, j++) {
      if (j < utf8.size() && (static_cast<unsigned char>(utf8[j]) & 0xC0) == 0x80)
        code = code << 6 | (static_cast<unsigned char>(utf8[j]) & 0x3Fu);
      else
        good = false;
    }
    if (good && ((more == 2 && code < 0x800) || (more == 3 && code < 0x10000) || code > 0x10FFFF)) good = false;
    f(good ? code : char32_t{0xFFFD});
    if (good) i = j;
  }
}

template <class T>
void decode_into(T* to, std::string_view utf8) {
  each_code_point(utf8, [&](char32_t c) { *to++ = static_cast<T>(c); });
}

}  // namespace

Value make_string(Heap& heap, std::string_view utf8) {
  bool ascii = true;
  for (char c : utf8) ascii &= static_cast<signed char>(c) >= 0;
  if (ascii) {
    Ref<Array> a = make_list(heap, ElementType::c8, utf8.size());
    if (!utf8.empty()) std::memcpy(a->data, utf8.data(), utf8.size());
    return to_value(std::move(a));
  }
  constexpr std::size_t short_text = 256;
  if (utf8.size() <= short_text) {
    char32_t text[short_text];
    char32_t* end = text;
    each_code_point(utf8, [&](char32_t c) { *end++ = c; });
    return make_string(heap, std::u32string_view(text, static_cast<std::size_t>(end - text)));
  }
  std::size_t count = 0;
  char32_t bits = 0;
  each_code_point(utf8, [&](char32_t c) {
    count++;
    bits |= c;
  });
  Ref<Array> a = make_list(heap, bits < 0x100 ? ElementType::c8 : bits < 0x10000 ? ElementType::c16 : ElementType::c32, count);
  if (a->type() == ElementType::c8)
    decode_into(a->as<std::uint8_t>(), utf8);
  else if (a->type() == ElementType::c16)
    decode_into(a->as<std::uint16_t>(), utf8);
  else
    decode_into(a->as<char32_t>(), utf8);
  return to_value(std::move(a));
}

namespace {

// Calls f with each of the first characters.
template <class F>
void each_character(const Array& a, std::size_t length, F f) {
  const auto of = [&](const auto* characters) {
    for (std::size_t i = 0; i < length; i++) f(char32_t{characters[i]});
  };
  switch (a.type()) {
    case ElementType::c8: return of(a.as<std::uint8_t>());
    case ElementType::c16: return of(a.as<std::uint16_t>());
    case ElementType::c32: return of(a.as<char32_t>());
    default:
      for (std::size_t i = 0; i < length; i++) f(a.boxes()[i].character());
  }
}

}  // namespace

std::size_t utf8_bytes(const Array& a, std::size_t most) {
  std::size_t bytes = 0;
  each_character(a, std::min(a.length, most), [&](char32_t c) { bytes += 1u + (c >= 0x80) + (c >= 0x800) + (c >= 0x10000); });
  return bytes;
}

void write_utf8(char* out, const Array& a, std::size_t most) {
  each_character(a, std::min(a.length, most), [&](char32_t c) { out = write_utf8(out, c); });
}

std::string to_utf8(const Array& a, std::size_t most) {
  std::string text;
  append_utf8(text, a, most);
  return text;
}

bool is_text(const Array& a) {
  if (is_character(a.type())) return true;
  if (a.length == 0) return a.fill_kind() == FillKind::space;
  if (a.type() != ElementType::boxed) return false;
  return std::all_of(a.boxes().begin(), a.boxes().end(), [](const Value& v) { return v.is_character(); });
}

}  // namespace griddle
