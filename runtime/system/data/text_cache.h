// Strings that come again and again, made once: names of members, and what few different texts a column holds.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>

#include "runtime/value/array.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

// Makes a list of characters of ASCII text.
inline Value ascii_string(Heap& heap, std::string_view text) {
  if (text.empty()) return to_value(make_list(heap, ElementType::c8, 0));
  Array* const a = make_plain_list(heap, ElementType::c8, text.size());
  std::memcpy(a->data.here(), text.data(), text.size());
  return Value(a);
}

class TextCache {
 public:
  explicit TextCache(Heap& heap) : heap_(heap), entries_(heap) {}

  // Gives ASCII text as a string, perhaps one that it gave before.
  Value string(std::string_view text) {
    if (text.size() > longest || text.empty()) return ascii_string(heap_, text);
    if (entries_.empty()) entries_.resize(size);
    Value& entry = entries_[place_of(text)];
    if (entry.is_array() && entry.array().length == text.size() &&
        std::memcmp(entry.array().data.here(), text.data(), text.size()) == 0)
      return entry;
    return entry = ascii_string(heap_, text);
  }

 private:
  static constexpr std::size_t longest = 32, size = 1024;
  static std::size_t place_of(std::string_view text) {
    // Both ends of up to eight bytes, and the length, tell most names apart.
    constexpr std::size_t word_bytes = 8;
    constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;
    std::uint64_t first = 0, last = 0;
    if (text.size() >= word_bytes) {
      std::memcpy(&first, text.data(), word_bytes);
      std::memcpy(&last, text.data() + text.size() - word_bytes, word_bytes);
    } else {
      for (const char c : text) first = first << 8 | static_cast<unsigned char>(c);
    }
    constexpr unsigned unused_bits = 64 - 10;
    static_assert(size == std::size_t{1} << (64 - unused_bits));
    return ((first ^ last * 31) + text.size()) * multiplier >> unused_bits;
  }
  Heap& heap_;
  HeapVector<Value> entries_;
};

}  // namespace griddle
