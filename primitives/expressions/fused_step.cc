// Follows plans of one operation for short lists, without all that several operations need: buffers, blocks, wider kernels.
#include "primitives/expressions/fused_plan.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/moves/move.h"

namespace griddle::primitives {

namespace {

using Operation = FusedPlan::Operation;

struct Sources {
  const Array* list = nullptr;
  const std::uint8_t* starts[FusedExpression::most_sources];

  // Takes plain lists of one length, and atoms, as the plan was made for; false for others.
  [[gnu::always_inline]] bool take(const FusedExpression& e, const FusedPlan& plan, const Value* const* variables) {
    for (std::size_t i = 0, count = e.variables; i < count; i++) {
      const Value& v = *variables[i];
      if (!plan.is_for(i, v)) return false;
      if (!v.is_array()) continue;
      const Array& a = v.array();
      if (list == nullptr)
        list = &a;
      else if (a.length != list->length)
        return false;
      starts[i] = a.data;
    }
    return list != nullptr;
  }
  const std::uint8_t* of(const FusedPlan::Elements& e) const { return starts[e.place]; }
};

Value sum_step(const Operation& o, const Sources& sources, bool mean) {
  const std::size_t n = sources.list->length;
  const double sum =
      static_cast<double>(o.sum(o.atom_left ? o.atom : sources.of(o.w), o.atom_right ? o.atom : sources.of(o.x), n));
  return mean ? Value(sum / static_cast<double>(n)) : Value(sum);
}

// Keeps some elements of the list, or their places, in memory for all of them, if that is not much more than they need.
Value keep_step(Context& cx, const Operation& o, const Sources& sources) {
  constexpr std::size_t spare = 64, most_unused = 4;
  const PlainList& plain = plain_lists[static_cast<int>(o.out.type)];
  const std::size_t n = sources.list->length, width = std::size_t{1} << plain.log2_bits >> 3;
  Array* const result = make_list_of(cx.heap, plain, n + spare / width);
  const std::size_t count = o.keep(result->data.here(), sources.of(o.w), o.atom, n);
  result->length = count;
  if (count * most_unused >= n) return Value(result);
  Array* const few = make_list_of(cx.heap, plain, count);
  kernels::copy_bytes(few->data.here(), result->data.here(), count * width);
  release(result);
  return Value(few);
}

void compute_step(const Operation& o, std::uint8_t* to, const Sources& sources, const std::uint8_t* table) {
  const std::size_t n = sources.list->length;
  if (o.kind == Operation::Kind::pair)
    o.pair(to, sources.of(o.w), o.atom_right ? o.atom : sources.of(o.x), o.atom_third ? o.other : sources.of(o.third), n);
  else if (o.kind == Operation::Kind::map)
    o.map(to, sources.of(o.w), table, n);
  else
    o.truth(to, sources.of(o.w), sources.of(o.x), sources.of(o.third), table[0], n);
}

Value fold_bits(const std::uint64_t* bits, std::size_t n, FusedExpression::Sink sink) {
  using Sink = FusedExpression::Sink;
  if (sink == Sink::all) return kernels::first_zero(bits, n) == n ? 1 : 0;
  if (sink == Sink::any) return kernels::first_one(bits, n) != n ? 1 : 0;
  const double sum = static_cast<double>(kernels::bool_fold().count(bits, n, 0));
  return sink == Sink::mean ? Value(sum / static_cast<double>(n)) : Value(sum);
}

}  // namespace

Value FusedPlan::follow_step(Context& cx, const FusedExpression& e, const Value* const* variables) {
  Sources sources;
  if (!sources.take(e, *this, variables) || e.is_too_short(*sources.list)) return Value();
  const std::size_t n = sources.list->length;
  if (n > block_ || !takes_one_more()) return Value();
  const Operation& o = operations_.front();
  if (o.kind == Operation::Kind::keep) return keep_step(cx, o, sources);
  if (sums_at_once_) return sum_step(o, sources, e.sink == FusedExpression::Sink::mean);
  if (e.sink != FusedExpression::Sink::elements) {
    alignas(64) std::uint8_t bits[block_bytes];
    compute_step(o, bits, sources, table_);
    return fold_bits(reinterpret_cast<const std::uint64_t*>(bits), n, e.sink);
  }
  Array* const result = make_list_of(cx.heap, plain_lists[static_cast<int>(result_.type)], n);
  compute_step(o, result->data.here(), sources, table_);
  return Value(result);
}

}  // namespace griddle::primitives
