// Recognises functions that work atom by atom, so that modifiers may hand them whole arrays.
#pragma once

#include <string>

#include "runtime/primitive.h"

namespace griddle::primitives {

// Tells whether a primitive puts its one argument in order, or gives places in order.
inline bool puts_in_order(const Value& f) {
  const PrimitiveFunctionEntry* const p = primitive_entry(f);
  return p != nullptr && p->one.orders != Orders::no;
}

// Gives k if f is a constant function: data, or k˙.
inline const Value* constant_of(const Value& f) {
  if (f.is_modifier()) return nullptr;
  if (!f.is_function()) return &f;
  return applies_by(f) == Applies::never ? &static_cast<const Derived&>(f.function()).f : nullptr;
}

// Says what a function is, for messages: its glyph, or that of the modifier that made it.
std::string function_text(Context&, const Value& f);

// Tells whether `f x` is the same as f on each atom of 𝕩, for every array 𝕩: a pervasive primitive, or pervasive
// primitives combined by trains and combinators with constant atoms.
bool is_pervasive(const Value& f);
// Tells whether `w f x` is the same as f on each pair of atoms under leading-axis agreement.
bool is_pervasive_dyad(const Value& f);

// Repeats each cell: the result has shape frame ∾ extra ∾ cell, where the frame is the first `frame_rank` axes of `v`.
// Where what the result meets is on a device, it is made there.
Value broadcast_cells(Context&, const Value& v, std::size_t frame_rank, std::span<const std::size_t> extra,
                      const Value& meets = Value());

}  // namespace griddle::primitives
