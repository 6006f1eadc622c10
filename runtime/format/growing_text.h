// Text grows in the heap, which limits it. This lets an interrupt end it, and refuses at once what cannot fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "runtime/value/context.h"
#include "runtime/value/element_type.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

// Gives how many bytes so many plain elements take at least as text: a digit and a separator, or a character. Boxes tell
// themselves.
inline std::size_t least_text_bytes(ElementType type, std::size_t elements) {
  return type == ElementType::boxed ? 0 : elements * (is_character(type) ? 1 : 2);
}

class GrowingText {
 public:
  explicit GrowingText(Context& cx) : cx_(cx) {}
  // Is told how many bytes the text takes by now. Throws where no more is wanted.
  void takes(std::size_t bytes) {
    if (bytes >= next_) [[unlikely]]
      look(bytes);
  }

  // Is shown the text that grows, to which little is appended from one time to the next.
  void takes(HeapText& text) {
    if (text.size() < next_) [[likely]]
      return;
    look(text.size());
    if (text.size() >= long_text && text.capacity() - text.size() < 2 * step) make_room(text, step);
  }
  // Appends bytes that may be many.
  void append(HeapText& text, std::string_view bytes) {
    if (text.size() + bytes.size() >= long_text && text.capacity() - text.size() < bytes.size()) make_room(text, bytes.size());
    for (; bytes.size() > piece; bytes.remove_prefix(piece)) {
      cx_.check_interrupt();
      text += bytes.substr(0, piece);
    }
    text += bytes;
  }

  // Is told how many bytes more there will be at least. Throws where that is too much.
  void wants(std::size_t bytes) { cx_.heap.check_limit(bytes); }

 private:
  static constexpr std::size_t step = std::size_t{64} << 10, piece = std::size_t{1} << 20, long_text = std::size_t{16} << 20;
  void look(std::size_t bytes) {
    cx_.check_interrupt();
    next_ = bytes + step;
  }
  // Moves a long text to twice the memory, piece by piece.
  void make_room(HeapText& text, std::size_t more) {
    HeapText moved(cx_.heap);
    moved.reserve(std::max(2 * text.size(), text.size() + more));
    for (std::size_t at = 0; at < text.size(); at += piece) {
      cx_.check_interrupt();
      moved.append(text, at, piece);
    }
    text = std::move(moved);
  }
  Context& cx_;
  std::size_t next_ = 0;
};

}  // namespace griddle
