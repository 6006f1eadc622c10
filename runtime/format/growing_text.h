// Text grows outside of the heap: this lets the limit of memory hold for it, and an interrupt end it.
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
  // Is told how many bytes the text takes by now, with what belongs to it. Throws where that is too much, or no more wanted.
  void takes(std::size_t bytes) {
    if (bytes >= next_) [[unlikely]]
      look(bytes);
  }

 private:
  void look(std::size_t bytes) {
    constexpr std::size_t step = std::size_t{64} << 10;
    cx_.check_interrupt();
    // While a string moves to a larger memory, both are there.
    cx_.heap.check_limit(3 * bytes);
    next_ = bytes + step;
  }
  Context& cx_;
  std::size_t next_ = 0;
};

}  // namespace griddle
