// Folds of windows that need not be made: +´˘k↕x, ⌈´˘k↕x, (+´÷≠)˘k↕x and others, in time that hardly depends on k.
#include <algorithm>

#include "primitives/common/index_list.h"
#include "primitives/common/number_lanes.h"
#include "primitives/folds/part_folds.h"
#include "primitives/folds/results.h"
#include "primitives/functions.h"
#include "primitives/kernels/folds/window_fold.h"
#include "primitives/kernels/shared/bounds.h"

namespace griddle::primitives {

namespace {

// Gives the type that holds sums of so many elements of a list, on the way as well; boxed where doubles may not.
ElementType type_of_sums(const Array& a, std::size_t size) {
  const bool bits = a.type() == ElementType::bit;
  const kernels::Bounds bounds = bits ? kernels::Bounds{0, 1} : kernels::bounds_of(a.type(), a.data, a.length);
  const double most = static_cast<double>(std::max(-bounds.low, bounds.high)) * static_cast<double>(size);
  if (most > exact_limit) return ElementType::boxed;
  return most > 2147483647 ? ElementType::f64 : index_type(static_cast<std::size_t>(most));
}

Value sums(Context& cx, const Value& x, std::size_t size) {
  const Array& a = x.array();
  const std::size_t results = a.length - size + 1;
  const kernels::WindowFoldKernels& kernels = kernels::window_fold();
  if (a.type() == ElementType::f64) {
    Ref<Array> made = make_plain_list(cx.heap, ElementType::f64, results);
    kernels.sum_in_order(made->data, a.data, a.length, size);
    return to_value(std::move(made));
  }
  const ElementType type = type_of_sums(a, size);
  if (type == ElementType::boxed) return Value();
  const Value wide = type == a.type() ? x : converted(cx.heap, a, type);
  Ref<Array> made = make_plain_list(cx.heap, type, results);
  kernels.sum[lane_above_bits(type)](made->data, wide.array().data, a.length, size);
  return type == ElementType::f64 ? narrowed_integers(cx, to_value(std::move(made))) : to_value(std::move(made));
}

Value extremes(Context& cx, bool greatest, const Array& a, std::size_t size) {
  const kernels::WindowFoldKernels& kernels = kernels::window_fold();
  if (a.type() == ElementType::f64 && kernels.has_nan(a.as<double>(), a.length)) return Value();
  const Ref<Array> memory = make_plain_list(cx.heap, a.type(), kernels.room(size));
  Ref<Array> made = make_plain_list(cx.heap, a.type(), a.length - size + 1);
  (greatest ? kernels.maximum : kernels.minimum)[lane_above_bits(a.type())](made->data, a.data, a.length, size, memory->data);
  return to_value(std::move(made));
}

Value extremes_of_bits(Context& cx, bool greatest, const Array& a, std::size_t size) {
  const std::size_t results = a.length - size + 1;
  const kernels::WindowFoldKernels& kernels = kernels::window_fold();
  const Ref<Array> all = make_list(cx.heap, ElementType::bit, a.length);
  (greatest ? kernels.any_bits : kernels.all_bits)(all->as<std::uint64_t>(), a.as<std::uint64_t>(), a.length, size);
  Ref<Array> made = make_list(cx.heap, ElementType::bit, results);
  copy_elements(*made, 0, *all, 0, results);
  return to_value(std::move(made));
}

}  // namespace

Value fold_windows(Context& cx, const Value& f, bool turned, const Value& w, const Value& x) {
  std::int64_t size;
  if (!w.to_integer(size) || !is_flat_list(x) || concerns_device(cx, x)) return Value();
  const Array& a = x.array();
  if (size < 1 || static_cast<std::size_t>(size) > a.length || !is_number(a.type())) return Value();
  const Value& operand = static_cast<const Derived&>(f.function()).f;
  const PartFold fold = turned ? part_fold_by(f) : part_fold(cx, operand);
  const bool bits = is_bits(x);
  const std::size_t length = static_cast<std::size_t>(size);
  switch (fold.by) {
    case ScalarOp::add: {
      Value all = sums(cx, x, length);
      return fold.kind == PartFold::Kind::mean && !all.is_absent() ? divide(cx, std::move(all), Value(static_cast<double>(size)))
                                                                   : all;
    }
    case ScalarOp::minimum:
    case ScalarOp::maximum:
      if (!bits) return extremes(cx, fold.by == ScalarOp::maximum, a, length);
      [[fallthrough]];
    case ScalarOp::logic_and:
    case ScalarOp::logic_or:
      return bits ? extremes_of_bits(cx, is_any(fold.by, ScalarOp::maximum, ScalarOp::logic_or), a, length) : Value();
    default: return Value();
  }
}

}  // namespace griddle::primitives
