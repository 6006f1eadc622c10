// Inverses of the structural primitives, as the table names them. Each fails where 𝕩 is no result of the primitive.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

using UndoneMonad = Value(Context&, Value x);
using UndoneDyad = Value(Context&, Value w, Value x);

UndoneMonad undo_enclose, undo_range, undo_prefixes, undo_suffixes, undo_solo, undo_couple_half, undo_enlist, undo_pair_half,
    undo_join_half;
UndoneDyad undo_couple, undo_couple_swapped, undo_pair, undo_pair_swapped, undo_join_to, undo_join_to_swapped;

// In group.cc, rotate.cc, transpose.cc and replicate.cc, next to what they share code with.
UndoneMonad undo_transpose, undo_indices, undo_group_indices;
UndoneDyad undo_rotate, undo_reorder_axes, undo_replicate, undo_group;

}  // namespace griddle::primitives
