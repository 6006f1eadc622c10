// Strings that come again and again, made once: names of members, and what few different texts a column holds.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>

#include "runtime/system/files/file_contents.h"
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

  // Gives text, which is UTF-8 or even ASCII, as a string, perhaps one that it gave before.
  Value string(std::string_view text, bool is_ascii) {
    return string_of(text, [&] { return made(text, is_ascii); });
  }
  // The same for texts of one kind: so many of them in a row are not expected to come again, and are not looked for but now and
  // then.
  Value string(std::string_view text, bool is_ascii, unsigned& new_ones) {
    constexpr unsigned most_new = 16, again_after = 256;
    if (new_ones++ % again_after >= most_new) return made(text, is_ascii);
    return string_of(
        text, [&] { return made(text, is_ascii); }, [&] { new_ones = 0; });
  }
  // Gives what `make` makes of a text, perhaps what it made of it before; then it calls `note_found` first.
  template <class Make, class Note>
  Value string_of(std::string_view text, Make make, Note note_found) {
    if (text.size() > longest || text.empty()) return make();
    if (entries_.empty()) entries_.resize(size);
    const Key key = key_of(text);
    Entry& entry = entries_[key.place];
    if (entry.first == key.first && entry.last == key.last && entry.bytes == text.size()) [[likely]] {
      note_found();
      return entry.text;
    }
    Value made_text = make();
    entry = {key.first, key.last, text.size(), made_text};
    return made_text;
  }
  template <class Make>
  Value string_of(std::string_view text, Make make) {
    return string_of(text, make, [] {});
  }
  // Both ends of up to eight bytes are all of such a text.
  static constexpr std::size_t longest = 2 * sizeof(std::uint64_t);

 private:
  static constexpr std::size_t word_bytes = sizeof(std::uint64_t);
  static constexpr std::size_t size = 512;
  struct Key {
    std::uint64_t first, last;
    std::size_t place;
  };
  struct Entry {
    std::uint64_t first = 0, last = 0;
    std::size_t bytes = 0;  // 0: the entry is empty
    Value text;
  };
  Value made(std::string_view text, bool is_ascii) { return is_ascii ? ascii_string(heap_, text) : checked_text(heap_, text); }
  template <class Word>
  static std::uint64_t word_at(const char* at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
  }
  static Key key_of(std::string_view text) {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    Key key;
    if (text.size() >= word_bytes) {
      key.first = word_at<std::uint64_t>(begin);
      key.last = word_at<std::uint64_t>(end - word_bytes);
    } else if (text.size() >= 4) {
      key.first = word_at<std::uint32_t>(begin);
      key.last = word_at<std::uint32_t>(end - 4);
    } else {
      // One to three bytes: the first, the middle one and the last.
      key.first = static_cast<unsigned char>(*begin) | std::uint64_t{static_cast<unsigned char>(begin[text.size() / 2])} << 8;
      key.last = static_cast<unsigned char>(end[-1]);
    }
    constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;
    constexpr unsigned unused_bits = 64 - 9;
    static_assert(size == std::size_t{1} << (64 - unused_bits));
    key.place = ((key.first ^ key.last * 31) + text.size()) * multiplier >> unused_bits;
    return key;
  }

  Heap& heap_;
  HeapVector<Entry> entries_;
};

}  // namespace griddle
