// Arrays of 0 and 1 in every storage form.
#pragma once

#include <random>

#include "runtime/value/array.h"

namespace griddle::testing {

inline constexpr ElementType all_types[] = {ElementType::bit, ElementType::i8,  ElementType::i16,
                                            ElementType::i32, ElementType::f64, ElementType::c8,
                                            ElementType::c16, ElementType::c32, ElementType::boxed};

// Makes a list of 0 and 1 (or characters of those codes) in the given storage form.
inline Ref<Array> zeros_and_ones(Heap& heap, ElementType t, std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  Ref<Array> a = make_list(heap, t, n);
  for (std::size_t i = 0; i < n; i++) {
    unsigned v = random() & 1;
    store(*a, i, is_character(t) ? Value::character(v) : Value(static_cast<double>(v)));
  }
  return a;
}

}  // namespace griddle::testing
