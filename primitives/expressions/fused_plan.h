// How to compute an expression of pervasive primitives block by block: a kernel for each primitive, found by types as ever, and
// buffers for what lies between. A plan holds for sources of the same types, whatever their lengths and places.
#pragma once

#include <span>
#include <vector>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/number_lanes.h"
#include "primitives/kernels/elementwise/byte_map.h"
#include "primitives/kernels/elementwise/count.h"
#include "primitives/kernels/elementwise/keep_compared.h"
#include "primitives/kernels/elementwise/pairs.h"
#include "primitives/kernels/elementwise/truth_table.h"
#include "runtime/value/fused_expression.h"

namespace griddle::primitives {

// A source, as far as a plan depends on it: the type of an array, the atom itself, or the type of a range.
using SourceKind = std::uint64_t;
constexpr SourceKind kind_of_array(ElementType t) { return Value::absent_bits + 1 + static_cast<SourceKind>(t); }
constexpr SourceKind kind_of_range(ElementType t) { return Value::absent_bits + 64 + static_cast<SourceKind>(t); }
// Gives the type in which the elements of a range are made.
inline ElementType range_type(double length) {
  return length <= 32768 ? ElementType::i16 : length <= 2147483648 ? ElementType::i32 : ElementType::f64;
}

// Gives the lane that holds elements of a type, no bits and no boxes: characters are integers without a sign.
inline int lane_of_elements(ElementType t) {
  return is_character(t) ? static_cast<int>(log2_bits_of(t)) - 3 : lane_above_bits(t);
}

class FusedPlan final : public FusedExpression::Plan {
 public:
  static constexpr std::size_t block_bytes = 8192;       // a buffer
  static constexpr std::size_t most_kept_bytes = 16384;  // at once
  static constexpr int most_buffers = 8;
  // Elements of a block are at one of so many places: first those of the sources, then the buffers.
  static constexpr int first_buffer = static_cast<int>(FusedExpression::most_sources), most_places = first_buffer + most_buffers;

  // Elements of a block, at a place, or a single number or character.
  struct Elements {
    std::uint64_t atom;  // else the absent value
    ElementType type;
    std::int8_t place;

    static Elements of_atom(const Value& v) { return {v.bits(), element_type_of(v), 0}; }
    bool single() const { return atom != Value::absent_bits; }
    Value one() const { return Value::from_bits(atom); }
  };
  struct Operation {
    enum class Kind : std::uint8_t { dyad, monad, expand, choose, range, sum, pair, map, truth, keep } kind;
    bool atom_left, atom_right;  // a single operand lies in `atom`
    bool atom_third;             // of a pair: it lies in `other`
    std::int8_t node;            // whose result may not fit
    Elements w, x, third, out;   // `third` of a pair and of truth tables alone
    kernels::Dyad dyad;
    kernels::Count sum;  // of products, or of comparisons
    kernels::Pair pair;
    kernels::Monad monad;
    kernels::ByteMap map;       // of w, by the plan's table, as is:
    kernels::TruthTable truth;  // of w, x and third
    kernels::Keep keep;         // of w, compared with `atom`
    alignas(8) unsigned char atom[8];
    alignas(8) unsigned char other[8];  // of a choice by bits: `atom` for 0, this for 1
  };

  // Tells whether the plan was made, or tried to be made, for variables of these kinds.
  bool is_for(const SourceKind* variables) const {
    for (std::size_t i = 0; i < variable_count_; i++)
      if (kinds_[i] != variables[i]) return false;
    return true;
  }
  // Tells whether it was made for such a variable: an atom, or a plain list. Never for those of ranges.
  bool is_for(std::size_t i, const Value& v) const {
    return v.is_array() ? PlainList::described(v.array()) == lists_[i] : v.bits() == kinds_[i];
  }
  // Makes the plan for variables of these kinds. False where there is none.
  bool make(Context&, const FusedExpression&, const SourceKind* variables);
  // Tells whether its variables take so few values, and it is of so many operations, that a table of all results may do. Tried
  // once.
  bool may_become_table(const FusedExpression&) const;
  // Makes that table its only operation. False where there are results that no table holds.
  bool become_table(Context&, const FusedExpression&, const Value* const* variables);
  // Makes it with the next wider kernel for a node, and the narrowest for those after it.
  bool widen(Context&, const FusedExpression&, int node);

  // Tells whether it is one operation that gains for short lists, too.
  bool is_one_step() const { return is_one_step_; }

  // Tells that a plan was used so often that it is worth a table, or, of one with wider kernels than the narrowest, that those
  // should have a chance again.
  bool wears_off() { return --uses_left_ == 0; }
  // Counts a use, if that is not the one where it wears off.
  bool takes_one_more() { return uses_left_ > 1 && uses_left_-- != 0; }

  bool exists() const { return exists_; }
  std::span<const Operation> operations() const { return operations_; }
  const Elements& result() const { return result_; }
  std::size_t block() const { return block_; }                     // elements
  unsigned log2_widest_bits() const { return log2_widest_bits_; }  // of an element
  int buffers() const { return buffers_; }
  bool sums_at_once() const { return sums_at_once_; }  // the last operation does; its results are not made
  bool gains_early() const { return gains_early_; }    // from short arrays on
  const std::uint8_t* table() const { return table_; }

 private:
  struct Maker;

  // Finds the variables that are lists, if these are one of bytes or some of booleans.
  bool finds_variables(std::size_t (&lists)[kernels::most_truth_arguments], std::size_t& count) const;
  // Stores the table of a function of bytes, or its steps. False where this processor does neither faster.
  bool store_table(const Array& results);
  bool take_table(const Array& results, const std::size_t* lists, std::size_t count, FusedExpression::Sink sink);
  // Tells whether what becomes of the results of one operation is soon there for short lists.
  static bool one_step_does(FusedExpression::Sink sink, ElementType results) {
    using Sink = FusedExpression::Sink;
    const bool folds_bits = sink == Sink::sum || sink == Sink::mean || sink == Sink::all || sink == Sink::any;
    return sink == Sink::elements || (folds_bits && results == ElementType::bit);
  }

  SourceKind kinds_[FusedExpression::most_sources] = {};
  std::uint32_t lists_[FusedExpression::most_sources] = {};  // plain lists of these kinds (PlainList::described), else 0
  std::size_t variable_count_ = 0;
  std::vector<Operation> operations_;
  Elements result_{};
  std::size_t block_ = 0;
  unsigned log2_widest_bits_ = 0;
  int buffers_ = 0;
  bool sums_at_once_ = false, gains_early_ = false, exists_ = false, tried_table_ = false, is_one_step_ = false;
  std::uint8_t attempts_[FusedExpression::most_nodes] = {};
  unsigned uses_left_ = 0;
  alignas(64) std::uint8_t table_[512];
};

// Merges what it can: two functions of doubles, two comparisons that tell which elements lie in a range, and two functions that
// bring elements into one. `reads`: how often the results of each node are read. Tells whether there is such a range.
bool merge_neighbours(const FusedExpression&, std::vector<FusedPlan::Operation>&, const int* reads);

}  // namespace griddle::primitives
