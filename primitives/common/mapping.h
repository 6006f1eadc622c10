// What the mapping modifiers share.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Gives 𝔽 of a derived function.
const Value& operand(const Function& self);

// Calls a pure function on fills (`w` absent: one argument), to learn what its results look like. Gives the absent value where
// the function is not pure or fails, or where x is absent.
Value call_on_fills(Context&, const Value& f, Value w, Value x);

// Calls a block of plain arithmetic on whole arrays instead of on their elements, where they are long, flat and of one shape. `w`
// is absent for one argument. Gives the absent value for all else, and where that fails: then the block itself is called.
Value call_elementwise(Context&, const Value& f, const Value& w, const Value& x);
// The same for the modifier of `self` where its operand is a block equal to a primitive: {𝕨+𝕩}´ is +´.
Value call_with_primitive(Context&, const Function& self, const Value& w, const Value& x);

// f¨x and w f¨x.
// Without `results_needed`, any value is given where there is no quicker way than to call f on one element after the other.
Value map_each(Context&, const Value& f, Value x, bool results_needed = true);
Value map_each(Context&, const Value& f, Value w, Value x, bool results_needed = true);

// The numbers that ⎉ and ⚇ take on their right: integers or infinities.
struct Levels {
  double one, left, right;
};
// Reads them from 𝔾, calling it with the arguments if it is a function. `w` is absent for one argument. An array of numbers may
// have any rank up to `highest_rank`.
Levels levels_of(Context&, const char* name, unsigned highest_rank, const Value& g, const Value& w, const Value& x);

// Gives the number of leading axes that are the frame of cells of rank k, or, for a negative k, that are so many.
std::size_t frame_rank(double k, const Value& v);

// Makes the result of mapping no elements at all; `sample` is one that they have as their fill.
Value empty_map_result(Context&, std::span<const std::size_t> shape, const Value& sample);

}  // namespace griddle::primitives
