// Dispatch of pervasive functions: classifies the arguments once by type and shape, walks nested arrays, runs kernels on flat
// ones, and goes on in a wider type from where a result did not fit.
#pragma once

#include "primitives/arithmetic/direct.h"
#include "primitives/common/plain.h"
#include "runtime/primitive.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

// Gives the bytes that elements take before one that begins with a byte.
inline std::size_t bytes_before(ElementType type, std::size_t place) { return place * bits_of(type) / 8; }

// How integers of one type compare with a number that this type does not hold.
struct ForeignNumber {
  bool is_one_result = false, result = false;  // all of them alike
  double instead = 0;                          // else as with this integer of the type
};
struct DyadRule {
  const char* name;
  griddle::Dyad self;
  // Computes for two atoms; fails with the reason where the function has no result for them.
  Value (*atoms)(Context&, const Value& w, const Value& x);
  // Gives the attempt-th way for elements of these types: 0 is the narrowest, each next one takes over where the one before did
  // not fit. False where there is none (left). Bits are only ever given to kernels as bits when both operands are.
  FindDyadStep step;
  // Gives the fill for fills that are zero or space.
  FillKind (*fill)(FillKind w, FillKind x);
  // Gives the kernels that read arguments as they are.
  const DirectDyads& (*direct)();
  // Computes on plain lists that stay; null where there is no such code.
  DyadDoor lists = nullptr;
  // The same for a list and an atom where all results are one. Null where there is no such code.
  std::uint64_t (*one_result)(Context&, const DyadRule&, const Value& w, const Value& x) = nullptr;
  // Says how integers of a type meet a number that this type does not hold. Null for functions that tell all numbers apart.
  ForeignNumber (*foreign)(ElementType, double number, bool number_left) = nullptr;
};
struct MonadRule {
  const char* name;
  griddle::Monad self;
  Value (*atom)(Context&, const Value& x);
  FindMonadStep step;
  // Computes on plain lists that stay; null where there is no such code.
  MonadDoor lists = nullptr;
  // Elements of types before this one are results themselves.
  ElementType changes_from = ElementType::bit;

  // Gives the step that reads elements of a type as they are; a null kernel where there is none.
  MonadStep direct(ElementType x) const {
    MonadStep first;
    return step(x, 0, first) && first.x == x ? first : MonadStep{x, x, nullptr};
  }
};

// The rules of the functions that work number by number, as the table of primitives lists them.
extern const MonadRule negate_rule, sign_rule, reciprocal_rule, square_root_rule, floor_rule, ceiling_rule, magnitude_rule;
extern const DyadRule add_rule, subtract_rule, multiply_rule, divide_rule, minimum_rule, maximum_rule, modulus_rule, and_rule,
    or_rule, span_rule, less_rule, less_equal_rule, equal_rule, greater_equal_rule, greater_rule, not_equal_rule;
// ¬𝕩 as a function of 1 and 𝕩.
extern const DyadRule complement_rule;

// Asks the device that has an argument of a function which no glyph names; 𝕨 is absent where the function takes one. Gives the
// absent value where the host is to compute.
Value real_on_device(Context&, const RealCall&, const Value& w, const Value& x);

// Apply a rule to any arguments, whose memory they may take.
Value pervade(Context&, const DyadRule&, Value& w, Value& x);
Value pervade(Context&, const MonadRule&, Value& x);

// Compute on arrays of boxes. The result has the shape of `shaped`, one of the arguments; each element of 𝕨 meets `cell_w`
// elements of 𝕩 one after the other, or the other way round. Its fill is still to be set.
Value pervade_nested(Context&, const DyadRule&, Value& w, Value& x, const Array& shaped, std::size_t cell_w, std::size_t cell_x);
Value pervade_nested(Context&, const MonadRule&, Value& x);
// Computes on the elements of short lists, some of which are lists, or of one such list and one element that meets them all,
// where memory of arguments is not worth taking. Gives the absent value for all else.
Value pervade_few(Context&, const DyadRule&, const Value& w, const Value& x);

// Computes where elements of one argument meet short cells of the other, with a kernel that reads both as they are: elements are
// repeated piece by piece. Gives the absent value where something else is needed.
Value on_short_cells(Context&, const DyadRule&, const Array& w, const Array& x);

// Makes the results of a function of bits from its two results, which are atoms.
Value choose_by_bits(Context&, const Array& bits, const Value& zero, const Value& one);
// The same of two elements of a type, as they lie in memory.
Value choose_by_bits(Context&, const Array& bits, ElementType, const void* zero, const void* one);
// Computes on bits and a number, where there are only two results. Gives the absent value for anything else.
Value bits_with_number(Context&, const DyadRule&, const Value& w, const Value& x);

// Computes on each element of 𝕨 with each of 𝕩, which are arrays of rank 1 or more. Gives the absent value where no row fits a
// kernel.
Value pervade_table(Context&, const DyadRule&, const Value& w, const Value& x);
// Tells whether arguments are two lists that lie in memory here and make so few results that no more is to be asked before.
bool are_few_pairs(const Value& w, const Value& x);

// Computes on each cell of one array with the other one, which has the shape of the cells, and elements that are there. Gives the
// absent value where no kernel reads both as they are.
Value pervade_rows(Context&, const DyadRule&, const Value& w, const Value& x);

// Computes ¬𝕩 of a list of numbers. Gives the bits of the result; those of the absent value where no kernel is for it.
std::uint64_t complement_of_numbers(Context&, std::uint64_t x);

// Says that the shapes do not agree; absent where they do.
Value disagreement(Context&, const char* name, const Value& w, const Value& x);
// Fails where neither shape begins the other.
void check_agreement(Context&, const char* name, const Value& w, const Value& x);

}  // namespace griddle::primitives
