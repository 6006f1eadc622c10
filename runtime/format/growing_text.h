// Text grows in the heap, which limits it. This lets an interrupt end it, and refuses at once what cannot fit.
#pragma once

#include <cstddef>

#include "runtime/value/context.h"
#include "runtime/value/element_type.h"

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

  // Is told how many bytes more there will be at least. Throws where that is too much.
  void wants(std::size_t bytes) { cx_.heap.check_limit(bytes); }

 private:
  void look(std::size_t bytes) {
    constexpr std::size_t step = std::size_t{64} << 10;
    cx_.check_interrupt();
    next_ = bytes + step;
  }
  Context& cx_;
  std::size_t next_ = 0;
};

}  // namespace griddle
