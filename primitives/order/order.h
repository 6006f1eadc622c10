// The total order of values: numbers before characters, arrays by their elements and then their shapes.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Orders values on behalf of the primitive `name`, which errors mention: meeting an operation fails unless decided earlier.
// NaN comes after ∞ and is as large as itself. Results are negative, 0 or positive.
class Ordering {
 public:
  Ordering(Context& cx, const char* name) : cx_(cx), name_(name) {}
  int compare(const Value&, const Value&) const;
  // Compares two runs of elements of two arrays, as cells of the same shape compare.
  int compare_runs(const Array& a, std::size_t start_a, const Array& b, std::size_t start_b, std::size_t count) const;
  // Compares two runs as arrays of the given shapes.
  int compare_cells(const Array& a, std::size_t start_a, std::span<const std::size_t> shape_a, const Array& b,
                    std::size_t start_b, std::span<const std::size_t> shape_b) const;

 private:
  int compare_atoms(const Value&, const Value&) const;
  Context& cx_;
  const char* name_;
};

}  // namespace griddle::primitives
