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

  CellKeys() = default;
  // Keys that were written to a list as wide as they are.
  CellKeys(Ref<Array> keys, unsigned key_width) : data(keys->data), width(key_width), count(keys->length) {
    memory = to_value(std::move(keys));
  }

  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data);
  }
};

// Calls f with the keys as a typed pointer.
template <class F>
decltype(auto) with_keys(const CellKeys& keys, F f) {
  switch (keys.width) {
    case 8: return f(keys.as<std::uint8_t>());
    case 16: return f(keys.as<std::uint16_t>());
    case 32: return f(keys.as<std::uint32_t>());
    default: return f(keys.as<std::uint64_t>());
  }
}

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

// Makes bytes of keys, and of others that are looked for among them, that are longer than that and lie close together, as those
// of a list of small integers in a wide type may.
void shorten(Context&, CellKeys&, CellKeys* others = nullptr);

}  // namespace griddle::primitives
