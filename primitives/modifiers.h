// The code of every primitive modifier's derived function, as the table names it. `self` is a Derived.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// clang-format off
#define GRIDDLE_MODIFIERS(X) \
  X(constant) X(swap) X(each) X(table) X(cells) X(rank) X(depth_map) X(fold) X(insert) X(scan) X(undo) X(atop) X(over) \
  X(before) X(after) X(valences) X(choose) X(repeat) X(catch_error) X(under)
// clang-format on

#define GRIDDLE_DECLARE_MODIFIER(name)                         \
  Value name##_monad(Context&, const Function& self, Value x); \
  Value name##_dyad(Context&, const Function& self, Value w, Value x);
GRIDDLE_MODIFIERS(GRIDDLE_DECLARE_MODIFIER)
#undef GRIDDLE_DECLARE_MODIFIER

// Put fused code into a derived function when it is formed (fusion.cc).
void attach_fold(Context&, Derived&);
void attach_insert(Context&, Derived&);
void attach_scan(Context&, Derived&);
void attach_cells(Context&, Derived&);
void attach_each(Context&, Derived&);
// Notes that both operands are functions, and that there is a list of functions to choose from (combine.cc).
void attach_atop(Context&, Derived&);
void attach_choose(Context&, Derived&);
void attach_under(Context&, Derived&);
// Note a number that is bound to a scalar primitive (combine.cc).
void attach_before(Context&, Derived&);
void attach_after(Context&, Derived&);

}  // namespace griddle::primitives
