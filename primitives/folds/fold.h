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

// --- what others need of ´

// Folds a list of at least one number by the kernel that a primitive has for its type. The device is not asked. The
// absent value where there is no such kernel.
Value fold_by_kernel(const PrimitiveFunctionEntry& operand, const Value& x);

Value fold_by_kernel(const Derived& self, const Value& x);  // of a function that has kernels

// Lets a fold that reads digits be called directly: `w + factor × x`, as 10⊸×⊸+˜´ and +⟜(2⊸×)´ do, with a small factor
// (digits.cc).
void attach_digits(Derived&);

// Lets `f⟜g` be computed without what g gives, where f folds that.
void attach_fold_after(Derived&);

// --- rows and matrices (row_fold.cc, matrix_product.cc)

// Folds each of `rows` rows of several numbers, column onto column, with a function or that function with its arguments swapped.
// Gives the absent value for other arrays.
Value fold_columns(Context&, const DyadRule&, bool swapped, const Value& x, std::size_t rows);
// Tells whether that takes less time than a kernel for rows.
constexpr bool are_folded_by_columns(std::size_t rows, std::size_t columns) {
  constexpr std::size_t few = 8, many_rows = 32;
  return columns <= few && rows >= many_rows;
}

// Lets ´˘ or ˝˘ be called on tables of numbers.
void attach_row_fold(Derived&, const Value& operand);

// Gives `cell f x` for each cell of 𝕨, of which the last axis is one, where f is +˝∘× and both are numbers; the absent value for
// anything else.
Value matrix_product(Context&, const Value& f, const Value& w, const Value& x);

}  // namespace griddle::primitives
