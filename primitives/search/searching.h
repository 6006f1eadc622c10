// What the functions of search ask of their arguments.
#pragma once

#include <span>

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Fails where a value, which `which` names, has no cells or too many to be numbered.
void need_cells(Context&, const char* name, const char* which, const Value&);
// Fails where the principal value has no cells, or the rank of the other one is less than that of these cells.
void check_cell_ranks(Context&, const char* name, const char* principal_name, const Value& principal, const char* other_name,
                      const Value& other);

inline std::span<const std::size_t> frame_of(const Value& principal, const Value& other) {
  return shape_of(other).first(rank_of(other) + 1 - rank_of(principal));
}

inline bool is_list_of_bits(const Value& v) {
  return v.is_array() && v.array().is_list() && v.array().type() == ElementType::bit;
}

// Gives the first place of a value among atoms of one type, or how many there are.
std::size_t first_equal(const Array& list, const Value& wanted);

}  // namespace griddle::primitives
