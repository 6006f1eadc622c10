// Types of the C language as •FFI spells them, and how they lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/value/element_type.h"

namespace griddle {

struct ForeignType;
using ForeignTypeRef = std::shared_ptr<const ForeignType>;

struct ForeignType {
  enum class Kind : std::uint8_t {
    integer,  // signed
    natural,  // unsigned
    real,
    bqn_value,  // a
    pointer,
    array,
    structure,
  };
  Kind kind;
  std::size_t size = 0;  // in bytes
  std::size_t alignment = 1;
  ForeignTypeRef element;  // of a pointer (null: untyped) or an array
  std::size_t count = 0;   // elements of an array
  std::vector<ForeignTypeRef> fields;
  std::vector<std::size_t> offsets;  // of the fields
  // Numbers and untyped pointers: whether the bits are taken for a list of elements of another type, as in i32:c8. A pointer to
  // such a type, or an array of it, is one list of these elements.
  bool converted = false;
  ElementType as = ElementType::bit;
  std::string text;  // as it was spelled

  // Tells whether values of type a lie in the memory of one, pointers aside.
  bool holds_values() const;
  bool is_number() const { return kind <= Kind::real; }
  // Tells whether a value cannot be read as it is a pointer to a list, whose length nobody knows.
  bool is_list_pointer() const { return kind == Kind::pointer && !converted && element && element->converted; }
  std::size_t bits() const { return size * 8; }
  // Gives how many elements of the other type stand for n of this, where the bits are converted.
  std::size_t parts(std::size_t n = 1) const { return n * bits() / bits_of(as); }
};

// What an argument's type says besides.
struct ForeignArgument {
  enum class Passing : std::uint8_t { value, changed, fresh };
  ForeignTypeRef type;  // of a changed or fresh one: what it points to
  Passing passing = Passing::value;
  bool returned = false;  // its contents become part of the result
  bool from_left = false;
  bool whole = false;  // takes all of 𝕨 or 𝕩
  std::string text;    // of the type
};

struct ForeignTypeError {
  std::string message;
};

// Throw ForeignTypeError.
ForeignTypeRef parse_foreign_type(std::string_view);
ForeignArgument parse_foreign_argument(std::string_view);

// Tells whether a pointer to one may stand where a pointer to the other is expected; null stands for no type, which goes with
// any.
bool are_compatible(const ForeignType*, const ForeignType*);

}  // namespace griddle
