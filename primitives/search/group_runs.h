// Groups whose cells lie together, as words do in a text.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Groups a list of plain elements of whole bytes by the first `cells` numbers of a list of integers, where those of each group
// stand side by side and the groups in order; what is dropped may stand between. `empty` is the group of none. Gives the absent
// value for anything else.
Value group_runs(Context&, const Array& numbers, std::size_t cells, std::size_t groups, const Value& list, const Value& empty);

// Gives the group of no cells. `fill` is that of their elements.
Value empty_group(Context&, const Array& cells, const Value& fill);

// Gives w⊔x for lists of a few plain elements whose numbers are in order; absent for any others.
Value group_in_order(Context&, const Value& w, const Value& x);

}  // namespace griddle::primitives
