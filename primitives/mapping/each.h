// ¨ with a primitive, or a fold, where no element needs a call of the machine. All give the absent value where the function, or
// some element, is not made for this. Arrays have at least one element.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// --- what is read off the elements, or put together from them (nested_each.cc)

// Gives f¨ 𝕩.
Value read_each(Context&, const Value& f, const Value& x);
// Gives 𝕨 f¨ 𝕩, for arguments whose shapes agree.
Value read_each(Context&, const Value& f, const Value& w, const Value& x);
// Pairs the elements of two flat arrays of the same shape: 𝕨 ⋈¨ 𝕩.
Value pair_each(Context&, const Value& w, const Value& x);

// --- groups that are on a device (group_folds.cc)

// Gives f¨ of groups, where f folds them, or is a train of folds that works on atoms otherwise; absent where the device declines.
Value fold_groups_there(Context&, const Value& f, const Value& groups);

}  // namespace griddle::primitives
