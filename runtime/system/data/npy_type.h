// Types of elements as NumPy's files name them: `<i4` and the like.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/value/element_type.h"
#include "runtime/value/shape.h"

namespace griddle {

struct NpyType {
  enum class Kind : std::uint8_t { boolean, integer, natural, real, bytes, text };
  Kind kind;
  std::size_t size;  // in bytes, of one element
  bool is_swapped;   // whether it is stored in the order of bytes that this machine does not have

  // Gives the storage form whose elements lie in memory just as these do in a file; nothing where none does.
  std::optional<ElementType> same_as() const;
  bool is_text() const { return kind == Kind::bytes || kind == Kind::text; }
};

// Reads the name of a type, such as `<f8`, `|b1` or `>U5`. Gives nothing for one that has no numbers or strings in it.
std::optional<NpyType> npy_type(std::string_view name);

// Gives the number that 16 bits are in the format of IEEE 754.
double half_precision(std::uint16_t bits);

}  // namespace griddle
