// What the mapping modifiers share.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Gives 𝔽 of a derived function.
const Value& operand(const Function& self);

// Calls a pure function on fills (`w` absent: one argument), to learn what its results look like. Gives the absent value where
// the function is not pure or fails, or where x is absent.
Value call_on_fills(Context&, const Value& f, Value w, Value x);

// f¨x and w f¨x.
Value map_each(Context&, const Value& f, Value x);
Value map_each(Context&, const Value& f, Value w, Value x);

// The numbers that ⎉ and ⚇ take on their right: integers or infinities.
struct Levels {
  double one, left, right;
};
// Reads them from 𝔾, calling it with the arguments if it is a function. `w` is absent for one argument. An array of numbers may
// have any rank up to `highest_rank`.
Levels levels_of(Context&, const char* name, unsigned highest_rank, const Value& g, const Value& w, const Value& x);

}  // namespace griddle::primitives
