// Cells as unsigned integers: two cells match exactly where their keys are equal. What searches and groupings work on.
#pragma once

#include <cstdint>

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Keys of 8, 16, 32 or 64 bits; they lie in `memory`, which may be the array itself. Signed numbers keep their bits.
struct CellKeys {
  Value memory;
  const std::uint8_t* data = nullptr;
  unsigned width = 0;
  std::size_t count = 0;
  // Bounds of all keys where they are known and close to each other, as for class numbers; `range` is 0 otherwise.
  std::size_t range = 0;

  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data);
  }
};

// Gives the keys of the major cells of an array of rank 1 or more.
CellKeys keys_of_cells(Context&, const Value& x);

// Keys of the major cells of a principal array and of the cells of the same rank of another value. The principal's keys come
// first; a cell of the other one that matches none may have any key that none of the principal's cells has.
struct KeyPair {
  CellKeys principal;
  CellKeys other;
  bool never_match = false;  // no keys then: types, or the shapes of the cells, differ
};
KeyPair keys_of_both(Context&, const Value& principal, const Value& other);

// Make bytes of keys that are longer than that and lie close together, as those of a list of small integers in a wide type may.
void shorten(Context&, CellKeys&);
void shorten(Context&, KeyPair&);

}  // namespace griddle::primitives
