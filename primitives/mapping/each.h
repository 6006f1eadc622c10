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

// What primitives do so, for the columns of the table that say so (runtime/primitive.h).
using OnEach = Value(Context&, const Array& boxes);
OnEach lengths_of_each, ranks_of_each, depths_of_each, firsts_of_each;
// Pairs are of atoms.
using OnEachPair = Value(Context&, const Value& w, const Value& x);
OnEachPair pick_each, match_each, unlike_each, pair_each, pair_each_any;
// Tells whether f makes pairs, as pair_each and pair_each_any do, of two arrays of atoms.
bool pairs_atoms(const Value& f, const Value& w, const Value& x);
// The same for all pairs of two such arrays; the shape is the one that the table has.
Value pair_table(Context&, const Value& w, const Value& x, std::span<const std::size_t> shape);

// --- functions of several parts (each_in_steps.cc)

// Gives f¨ x where the part of f that meets the elements needs no calls.
Value read_through(Context&, const Value& f, const Value& x);
// The same for pure functions of which the first calls, and what takes its results does not; f may be what a block is equal to.
Value read_in_steps(Context&, const Value& f, const Value& x, bool is_block = false);
// The same for a block that is equal to such a function. Where that fails, the block itself has to tell.
Value read_by_block(Context&, const Value& f, const Value& x);

// --- groups that are on a device (group_folds.cc)

// Gives f¨ of groups, where f folds them, or is a train of folds that works on atoms otherwise; absent where the device declines.
Value fold_groups_there(Context&, const Value& f, const Value& groups);

}  // namespace griddle::primitives
