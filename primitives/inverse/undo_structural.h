// Inverses of the structural primitives, as the table names them. Each fails where 𝕩 is no result of the primitive.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

Value undo_enclose(Context&, Value x);
Value undo_range(Context&, Value x);
Value undo_prefixes(Context&, Value x);
Value undo_suffixes(Context&, Value x);

Value undo_solo(Context&, Value x);
Value undo_couple(Context&, Value w, Value x);
Value undo_couple_half(Context&, Value x);
Value undo_couple_swapped(Context&, Value w, Value x);
Value undo_enlist(Context&, Value x);
Value undo_pair(Context&, Value w, Value x);
Value undo_pair_half(Context&, Value x);
Value undo_pair_swapped(Context&, Value w, Value x);
Value undo_join_to(Context&, Value w, Value x);
Value undo_join_half(Context&, Value x);
Value undo_join_to_swapped(Context&, Value w, Value x);

// In group.cc, rotate.cc, transpose.cc and replicate.cc, next to what they share code with.
Value undo_rotate(Context&, Value w, Value x);
Value undo_transpose(Context&, Value x);
Value undo_reorder_axes(Context&, Value w, Value x);
Value undo_indices(Context&, Value x);
Value undo_replicate(Context&, Value w, Value x);
Value undo_group_indices(Context&, Value x);
Value undo_group(Context&, Value w, Value x);

}  // namespace griddle::primitives
