// ´: the elements of a list folded together, from the last to the first.
#include "primitives/folds/fold.h"

#include <algorithm>
#include <cmath>

#include "primitives/arithmetic/cached_lists.h"
#include "primitives/common/by_door.h"
#include "primitives/common/element_caller.h"
#include "primitives/common/element_reader.h"
#include "primitives/common/elements.h"
#include "primitives/common/mapping.h"
#include "primitives/common/number_lanes.h"
#include "primitives/folds/number_ways.h"
#include "primitives/folds/operand_ways.h"
#include "primitives/folds/results.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/elementwise/real.h"
#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/modifiers.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "runtime/vm/number_steps.h"

namespace griddle::primitives {

// --- the general way

Value identity_of(Context& cx, const Value& f) {
  if (const PrimitiveFunctionEntry* p = primitive_entry(f)) return p->has_identity ? Value(p->identity) : Value();
  if (applies_by(f) != Applies::to_pairs) return Value();
  cx.check_stack();
  Value inner = identity_of(cx, operand(f.function()));
  return inner.is_absent() ? inner : enclose(cx.heap, std::move(inner));
}

Value without_block(Context& cx, const Value& f, std::size_t calls) {
  constexpr std::size_t worth_a_train = 32;
  if (f.function().kind != ObjectKind::block_function || calls < worth_a_train) return f;
  Value train = composed_by_block(cx, f, true);
  return train.is_absent() ? f : train;
}

namespace {

// Tells whether f is ∾˜, which joins from the right.
bool is_swapped_join(const Value& f) { return combinator_by(f) == Combinator::swap && is_join(operand(f.function())); }

// Tells whether joining the elements one by one gives a list, so that it can be done in one go.
bool joins_to_list(const Array& a) {
  if (a.type() != ElementType::boxed) return true;
  bool any_list = false;
  for (const Value& v : a.boxes()) {
    if (rank_of(v) > 1) return false;
    any_list |= rank_of(v) == 1;
  }
  return any_list;
}

// Folds numbers as long as arithmetic alone gives the results; gives the number of elements left.
std::size_t fold_numbers(Context& cx, const Function& f, const ElementReader& elements, std::size_t count, Value& result) {
  double so_far = result.number();
  const auto go_on = [&](auto function) {
    for (; count != 0; count--) {
      cx.check_interrupt();
      const double next = function(elements[count - 1].number(), so_far);
      if (next != next) break;
      so_far = next;
    }
  };
  if (count < worth_steps)
    go_on([&](double w, double x) { return arithmetic(f, w, x); });
  else if (NumberSteps steps(f); steps.usable()) {
    if (const double factor = steps.added_factor(); factor == factor)
      go_on([&](double w, double x) { return w + factor * x; });
    else
      go_on(steps);
  }
  result = Value(so_far);
  return count;
}

// Folds from the right. `result` is the value to start from; elements [0, count) follow.
Value fold_elements(Context& cx, const Value& f, Value x, std::size_t count, Value result) {
  ElementReader elements = ElementReader(x).take_if_unseen(x);
  if (result.is_number() && is_number(x.array().type()) && f.is_function()) {
    const Value computing = without_block(cx, f, count);
    count = fold_numbers(cx, computing.function(), elements, count, result);
  }
  ElementCaller caller(cx, f);
  for (std::size_t i = count; i-- > 0;) {
    cx.check_interrupt();
    result = caller(elements[i], std::move(result));
  }
  return result;
}

void check_list(Context& cx, const Value& x) {
  if (rank_of(x) != 1) fail(cx, "Fold: 𝕩 must be a list (got " + kind_text(x) + ")");
}

}  // namespace

Value fold_monad(Context& cx, const Function& self, Value x) {
  const ComputingHere here(cx, "Fold");
  check_list(cx, x);
  const Value& f = operand(self);
  const Array& a = x.array();
  if (a.length == 0) {
    Value identity = identity_of(cx, f);
    if (identity.is_absent()) fail(cx, "Fold: 𝔽 has no known identity for an empty 𝕩 (𝔽: " + function_text(cx, f) + ")");
    return identity;
  }
  if (a.length == 1) return element(a, 0);
  if (const ScalarOp end = side_passed_by(f); end != ScalarOp::none) return element(a, end == ScalarOp::left ? 0 : a.length - 1);
  if (is_join(f) && joins_to_list(a)) return join_one_by_one(cx, std::move(x));
  if (is_swapped_join(f) && joins_to_list(a)) {
    return join_one_by_one(cx, reverse(cx, std::move(x)));
  }
  if (a.length == 2) {
    const ElementReader pair = ElementReader(x).take_if_unseen(x);
    if (const Value* left = pair.kept(0)) return call(cx, f, *left, *pair.kept(1));
    Value left = pair[0];
    return call(cx, f, std::move(left), pair[1]);
  }
  if (Value result = call_with_primitive(cx, self, Value(), x); !result.is_absent()) return result;
  std::size_t last = a.length - 1;
  Value start = ElementReader(x)[last];
  return fold_elements(cx, f, std::move(x), last, std::move(start));
}

Value fold_dyad(Context& cx, const Function& self, Value w, Value x) {
  const ComputingHere here(cx, "Fold");
  check_list(cx, x);
  const Value& f = operand(self);
  const Array& a = x.array();
  if (a.length == 0) return w;
  if (const ScalarOp end = side_passed_by(f); end != ScalarOp::none) return end == ScalarOp::left ? element(a, 0) : w;
  if (is_join(f) && a.length > 1 && rank_of(w) <= 1 && joins_to_list(a)) {
    return join_to(cx, join_one_by_one(cx, std::move(x)), std::move(w));
  }
  if (is_swapped_join(f) && a.length > 1 && rank_of(w) <= 1 && joins_to_list(a)) {
    return join_to(cx, std::move(w), join_one_by_one(cx, reverse(cx, std::move(x))));
  }
  if (w.is_number())
    if (Value result = call_with_primitive(cx, self, w, x); !result.is_absent()) return result;
  std::size_t length = a.length;
  return fold_elements(cx, f, std::move(x), length, std::move(w));
}

// --- ways for numbers

namespace {

// Kernels by type of elements; null where there is none.
struct FoldKernels {
  kernels::Fold by_type[element_type_count] = {};
  std::size_t most = ~std::size_t{0};  // elements that are no doubles
};

double difference(const void* x, std::size_t n) {
  const double* doubles = static_cast<const double*>(x);
  return kernels::difference_from_right(doubles, n - 1, doubles[n - 1]);
}

// Gives the kernels of one operand.
FoldKernels kernels_for(OperandEntry operand) {
  const kernels::BoolFoldKernels& bits = kernels::bool_fold();
  const kernels::ReduceKernels& reduce = kernels::reduce();
  const auto with_lanes = [&](const kernels::Fold* lane) -> FoldKernels {
    return {{function_of_bits(bits, operand), lane[kernels::lane_i8], lane[kernels::lane_i16], lane[kernels::lane_i32],
             lane[kernels::lane_f64]}};
  };
  switch (operand.scalar) {
    case ScalarOp::add:
      return {{bits.sum, reduce.fold_sum[0], reduce.fold_sum[1], reduce.fold_sum[2], kernels::ordered_sum().fold}, most_summed};
    case ScalarOp::subtract: return {{bits.difference, nullptr, nullptr, nullptr, difference}};
    case ScalarOp::divide: return {};
    case ScalarOp::multiply:
    case ScalarOp::logic_and: return with_lanes(kernels::product_fold);
    case ScalarOp::logic_or: return with_lanes(kernels::or_fold);
    case ScalarOp::minimum: return with_lanes(reduce.fold_minimum);
    case ScalarOp::maximum: return with_lanes(reduce.fold_maximum);
    default: return {{function_of_bits(bits, operand)}};
  }
}
const FoldKernels& kernels_of(OperandEntry operand) {
  // Those of the processor that runs, so that they are known only now.
  static const auto table = for_each_operand(kernels_for);
  return table[place_of(operand)];
}

Value by_kernel(const FoldKernels& folds, const Array& a) {
  const kernels::Fold fold = folds.by_type[static_cast<int>(a.type())];
  if (fold == nullptr || (a.length - 1 >= folds.most && a.type() != ElementType::f64)) return Value();
  return fold(a.data, a.length);
}

// Sums integers onto one. Every partial sum within a block is exact while the sum before it is small.
Value sum_onto(Context& cx, OperandEntry operand, double sum, const Value& x) {
  const Array& a = x.array();
  if (a.type() == ElementType::bit) return sum + kernels::bool_fold().sum(a.data, a.length);
  constexpr std::size_t block = std::size_t{1} << 20;
  for (std::size_t end = a.length; end > 0;) {
    const std::size_t count = std::min(end, block);
    if (std::fabs(sum) > exact_limit / 2) return fold_onto(cx, operand, x, end, sum);
    end -= count;
    sum += static_cast<double>(kernels::reduce().sum[lane_above_bits(a.type())](a.data + end * width_of(a.type()), count));
    cx.check_interrupt();
  }
  return sum;
}
Value sum_many(Context& cx, OperandEntry operand, const Value& x, TableSize) { return sum_onto(cx, operand, 0, x); }

// Folds what a list holds from its end. What arithmetic on lists inside others did last serves here, too.
Value fold_boxes(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  if (uses_device(cx) || cx.observer != nullptr || cx.inner_lists == nullptr) return Value();
  cx.check_stack();
  RecentDyad& site = *cx.inner_lists;
  const Value* const boxes = x.array().boxes().data();
  Value result = boxes[size.rows - 1];
  for (std::size_t i = size.rows - 1; i-- > 0;) {
    cx.check_interrupt();
    Value next;
    if (site.entry == &operand) next = Value::from_bits(site.compute(cx, boxes[i].bits(), result.bits(), site));
    result = next.is_absent() ? Value::from_bits(call_dyad(cx, operand, boxes[i].bits(), result.leak(), {&site, given_x}))
                              : std::move(next);
  }
  return result;
}
struct Fold {
  static constexpr OperandWay ways[] = {
      // A kernel that is there for a type comes first: see `run`.
      {"sums of many integers", by_sum, of_bits | of_integers, by<sum_many>},
      {"one by one", by_difference | by_quotient | by_comparison, of_all, by<fold_in_order>},
      {"arrays one by one", folded, of_boxes, by<fold_boxes>},
  };
  static constexpr auto ask = Device::Reduction::fold;
  static constexpr auto general = fold_monad;
  static bool takes(const Array& a, TableSize& size) {
    size = {a.length, 1};
    return a.rank() == 1 && a.length != 0;
  }
  static std::uint64_t run(Context& cx, const Derived& self, const Value& x, TableSize size, RecentMonad* site) {
    const Array& a = x.array();
    const FoldKernels& folds = *static_cast<const FoldKernels*>(self.kernels);
    Value result = by_kernel(folds, a);
    if (result.is_absent()) return run_ways(cx, ways_of(self), x, size);
    if (site != nullptr) remember_fold(*site, self, folds.by_type[static_cast<int>(a.type())], folds.most, a);
    return result.bits();
  }
};

bool is_exact_integer(double d) {
  return std::fabs(d) <= exact_limit / 2 && d == static_cast<double>(static_cast<std::int64_t>(d));
}

// Folds numbers onto a number.
Value fold_numbers_onto(Context& cx, const Derived& self, const Value& w, const Value& x) {
  OperandEntry operand = *ways_of(self).operand;
  const Array& a = x.array();
  const bool bits = a.type() == ElementType::bit;
  const double onto = w.number();
  switch (operand.scalar) {
    case ScalarOp::add:
      if (a.type() != ElementType::f64 && is_exact_integer(onto)) return sum_onto(cx, operand, onto, x);
      break;
    case ScalarOp::multiply:
    case ScalarOp::logic_and:
      if (bits) return onto * fold_by_kernel(self, x).number();
      if (is_integer(a.type())) return kernels::integer_product_from_right[lane_above_bits(a.type())](a.data, a.length, onto);
      break;
    case ScalarOp::minimum:
    case ScalarOp::maximum: {
      Value folded = fold_by_kernel(self, x);
      // A NaN at the end gives way to 𝕨, but hides the numbers before it.
      if (folded.number() != folded.number()) return fold_dyad(cx, self, w, x);
      return call(cx, self.f, std::move(folded), w);
    }
    default:
      // Booleans are folded onto the last one: in any order where that is the same.
      if (!bits || !(onto == 0 || onto == 1) || operand.scalar == ScalarOp::divide) break;
      if (is_any(operand.scalar, ScalarOp::logic_or, ScalarOp::equal, ScalarOp::not_equal))
        return call(cx, self.f, fold_by_kernel(self, x), w);
      return fold_by_kernel(self, join_to(cx, x, w));
  }
  return fold_onto(cx, operand, x, a.length, onto);
}
// Folds numbers on a device onto a number, where the order does not matter.
Value folded_there(Context& cx, const Derived& self, const Value& w, const Value& x) {
  OperandEntry operand = *ways_of(self).operand;
  if (((by_sum | by_product | by_extreme) >> place_of(operand) & 1) == 0) return Value();
  const bool ordered = cx.device->strict || x.array().type() != ElementType::f64;
  if (operand.scalar == ScalarOp::add && ordered && !is_exact_integer(w.number())) return Value();
  Value folded = cx.device->reduce(cx, Device::Reduction::fold, operand.name, x);
  const bool is_some = folded.is_number() && folded.number() == folded.number();
  return is_some ? call(cx, self.f, std::move(folded), w) : Value();
}
Value fold_dyad_with_ways(Context& cx, const Function& self, Value w, Value x) {
  if (w.is_number() && rank_of(x) == 1 && x.array().length != 0 && !stays_here(cx, x)) [[unlikely]]
    if (Value there = folded_there(cx, static_cast<const Derived&>(self), w, x); !there.is_absent()) return there;
  const ComputingHere here(cx, "Fold");
  if (w.is_number() && rank_of(x) == 1 && x.array().length != 0 && is_number(x.array().type()))
    return fold_numbers_onto(cx, static_cast<const Derived&>(self), w, x);
  return fold_dyad(cx, self, std::move(w), std::move(x));
}

}  // namespace

Value fold_by_kernel(OperandEntry operand, const Value& x) { return by_kernel(kernels_of(operand), x.array()); }
Value fold_by_kernel(const Derived& self, const Value& x) {
  return by_kernel(*static_cast<const FoldKernels*>(self.kernels), x.array());
}

void attach_fold(Context&, Derived& d) {
  if (!attach_ways<Fold>(d, d.f)) return attach_digits(d);
  d.kernels = &kernels_of(*ways_of(d).operand);
  d.dyad = fold_dyad_with_ways;
}

// --- +´⟜↕

namespace {

// Gives the sum onto a number of all below a natural one, where that and all sums on the way are exact; else the absent value.
Value sum_below(const Value& w, const Value& x) {
  constexpr double most = 134217728, exact = 9007199254740992;
  if (!w.is_number() || !x.is_number()) return Value();
  const double n = x.number(), start = w.number();
  if (!(n >= 0 && n <= most && n == std::floor(n))) return Value();
  const double sum = n * (n - 1) / 2;
  if (!(std::fabs(start) <= exact - sum && start == std::floor(start))) return Value();
  return start + sum;
}
Value sum_onto_range(Context& cx, const Function& self, Value x) {
  if (Value sum = sum_below(x, x); !sum.is_absent()) return sum;
  return after_monad(cx, self, std::move(x));
}
Value sum_onto_range(Context& cx, const Function& self, Value w, Value x) {
  if (Value sum = sum_below(w, x); !sum.is_absent()) return sum;
  return after_dyad(cx, self, std::move(w), std::move(x));
}
// Tells whether the operands are +´ and ↕.
bool sums_range(const Derived& d) {
  return reduces_by(d.f) == Reduces::folds && computed_by(operand(d.f.function())) == ScalarOp::add &&
         primitive_entry(d.g) == &entry_by<windows>();
}

}  // namespace

void attach_fold_after(Derived& d) {
  if (!sums_range(d)) return;
  d.monad = sum_onto_range;
  d.dyad = sum_onto_range;
}

}  // namespace griddle::primitives
