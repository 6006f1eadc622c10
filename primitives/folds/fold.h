// What others need of ´, and ˝ and ` with it.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Gives the identity of f as an element, or the absent value.
Value identity_of(Context&, const Value& f);

// --- what ´ and ` share

// Calls from which on taking a function apart takes less time than it saves.
inline constexpr std::size_t worth_steps = 4;

// Gives the train that a block is equal to, if there is one and enough calls are to come; else the function itself.
Value without_block(Context&, const Value& f, std::size_t calls);
// Gives what = or ≠ says of any character and any number; the absent value for other functions.
Value difference_in_kind(const Value& f);

// --- what others need of ´

// Folds a list of at least one number by the kernel that the function of a glyph has for its type. The device is not asked. The
// absent value where there is no such kernel.
Value fold_by_kernel(Glyph, const Value& x);

Value fold_by_kernel(const Derived& self, const Value& x);  // of a function that has kernels

// Lets a function of one of the three modifiers be computed from one end, where its operand gives one of its arguments back, as ⊣
// and ⊢ do. False where it is another (ends.cc).
bool attach_end(Derived&, Glyph modifier);
// Lets a fold that reads digits be called directly: `w + factor × x`, as 10⊸×⊸+˜´ and +⟜(2⊸×)´ do, with a small factor
// (digits.cc).
void attach_digits(Derived&);

// Lets `f⟜g` be computed without what g gives, where f folds that.
void attach_fold_after(Derived&);

}  // namespace griddle::primitives
