#include "primitives/folds/fold.h"

#include <algorithm>

#include "primitives/common/elements.h"
#include "primitives/common/pervasive.h"
#include "primitives/kernels/folds/matrix.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {

namespace {

// Tells whether a function is +˝∘×, or the same as a train.
bool sums_products(const Value& f) {
  const Wiring wiring = wiring_of(f, true);
  return wiring.is_sequence() && computed_by(*wiring.right.by) == ScalarOp::multiply &&
         reduces_by(*wiring.last) == Reduces::inserts &&
         computed_by(static_cast<const Derived&>(wiring.last->function()).f) == ScalarOp::add;
}

bool is_numeric_array(const Value& v) { return v.is_array() && v.array().rank() >= 1 && is_number(v.array().type()); }

}  // namespace

Value matrix_product(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (!is_numeric_array(w) || !is_numeric_array(x) || w.array().length == 0 || x.array().length == 0 || !sums_products(f))
    return Value();
  const Array &a = w.array(), &b = x.array();
  const std::size_t inner = b.cells(), columns = b.cell_length();
  if (a.shape().back() != inner || a.rank() + b.rank() > max_rank) return Value();
  const std::size_t rows = a.length / inner;
  Shape shape(a.shape().first(a.rank() - 1));
  shape.append(b.shape().subspan(1));
  checked_length(cx, "Rank", shape);
  if (moves_to_device(cx, w, x)) [[unlikely]]
    if (Value there = cx.device->multiply_matrices(cx, w, x, shape); !there.is_absent()) return there;
  const Value left = widened(cx.heap, w, ElementType::f64), right = widened(cx.heap, x, ElementType::f64);
  const kernels::MatrixKernels& kernels = kernels::matrix();
  Ref<Array> result = make_array(cx.heap, ElementType::f64, shape);
  Ref<Array> panel = make_list(cx.heap, ElementType::f64, inner * kernels.panel_columns);
  // Looks for interrupts between some million products.
  const std::size_t rows_at_once = std::max<std::size_t>(4, (std::size_t{1} << 20) / inner / 4 * 4);
  for (std::size_t c = 0; c < columns; c += kernels.panel_columns) {
    const std::size_t count = std::min(kernels.panel_columns, columns - c);
    kernels.pack(panel->as<double>(), right.array().as<double>() + c, columns, inner, count);
    for (std::size_t r = 0; r < rows; r += rows_at_once) {
      cx.check_interrupt();
      kernels.multiply(result->as<double>() + r * columns + c, columns, left.array().as<double>() + r * inner,
                       std::min(rows_at_once, rows - r), inner, panel->as<double>(), count);
    }
  }
  Value product = to_value(std::move(result));
  return is_integer(a.type()) && is_integer(b.type()) ? integers_if_whole(cx.heap, std::move(product)) : product;
}

}  // namespace griddle::primitives
