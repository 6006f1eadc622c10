// Evaluates a function on Parts instead of values: what it is on all cells at once. So trains, combinators, choices and blocks
// made of these need no call for each.
#pragma once

#include <span>

#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "runtime/primitive.h"
#include "runtime/value/shape.h"

namespace griddle::primitives {

// What a part of the function is on every cell; the value is absent where there is no way.
struct Part {
  Value value;
  std::size_t frame = 0;  // axes of `value` that are the frame; 0 where all cells have the whole value
  bool atoms = false;     // a cell without axes is an atom and no unit
  std::size_t cell_rank() const { return rank_of(value) - frame; }
  bool is_constant() const { return frame == 0; }
  bool has_no_axes() const { return is_constant() || cell_rank() == 0; }
  bool has_atoms() const { return atoms && has_no_axes(); }
  bool is_atoms() const { return !is_constant() && cell_rank() == 0; }
  bool is_known() const { return !value.is_absent(); }
};

class Composition {
 public:
  Composition(Context& cx, std::span<const std::size_t> frame) : cx_(cx), frame_(frame) {}

  // What is composed of more parts than so many inside each other is left to calls.
  static constexpr int deepest = 16;

  // Finds what blocks in the function do. Gives false where it runs anything else than pure functions and blocks made of those.
  bool prepare(const Value& f, bool dyadic, int depth = deepest);
  // `w` is null where there is one argument.
  Part apply(const Value& f, const Part* w, const Part& x, int depth = deepest);
  void set_frame(std::span<const std::size_t> frame) { frame_ = Shape(frame); }

  // --- for what the table of primitives says of two parts
  Context& context() const { return cx_; }
  const Shape& frame() const { return frame_; }
  // Gives an array as a part; none where what follows has no ways for it.
  Part whole(Value value, bool atoms) const {
    if (!value.is_array() || value.array().length == 0 || !is_flat(value) || !has_plain_fill(value.array())) return {};
    return {std::move(value), frame_.size(), atoms};
  }
  // Gives what f has for all cells at once (cell_routes.h); absent where it has nothing.
  Value routed(const Value& f, const Part& w, const Part& x) const;

 private:
  // A block, and the train that it is equal to.
  struct Form {
    const Function* block = nullptr;
    bool dyadic = false;
    Value train;
  };
  const Value& form_of(const Value& f, bool dyadic) const;

  Part on_one(const PrimitiveFunctionEntry& p, const Value& f, const Part& x);
  Part on_two(const PrimitiveFunctionEntry& p, const Value& f, const Part& w, const Part& x);
  Part pervasive(const Value& f, const Part& w, const Part& x);
  Part derived(const Value& f, const Part& x, int depth);
  Part reduce(const Value& f, const Part& x);
  Part place_of_extreme(const Value& grade, const Part& x, int depth);
  Part on_inner_cells(const Value& f, std::size_t axes, const Part& x, int depth);
  Part choose(const Derived& d, const Part* w, const Part& x, int depth);

  static Part constant(const Value& v) { return {v, 0, v.is_atom()}; }

  Context& cx_;
  Shape frame_;
  static constexpr std::size_t most_forms = 8;
  Form forms_[most_forms];
  std::size_t form_count_ = 0;
};

// What primitives do to two parts where that is more than their ways for cells, for the column of the table that says so
// (runtime/primitive.h).
using OnParts = Part(Composition&, const Value& f, const Part& w, const Part& x);
OnParts pick_parts, select_parts, index_parts, pair_parts, match_parts, member_parts, join_parts, couple_parts;

}  // namespace griddle::primitives
