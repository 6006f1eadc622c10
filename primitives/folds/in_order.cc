#include "primitives/folds/number_ways.h"

#include <algorithm>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/arithmetic/operand.h"
#include "primitives/common/elements.h"
#include "primitives/folds/results.h"
#include "primitives/kernels/elementwise/real.h"
#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "runtime/value/fill.h"
#include "runtime/vm/scalar.h"

namespace griddle::primitives {
namespace {

// Calls f with what one of some functions computes of two numbers. False where it is none of them.
template <ScalarOp... some, class F>
bool with_one_of(ScalarOp op, F f) {
  return ((op == some && (f([](double w, double x) { return scalar_numbers(some, w, x); }), true)) || ...);
}
// The same for an operand that gives numbers of any size.
template <class F>
bool with_arithmetic(OperandEntry operand, F f) {
  using enum ScalarOp;
  return with_one_of<add, subtract, multiply, logic_and, divide, logic_or>(operand.scalar, f);
}
// Writes the results onto `so_far` and gives the last. Stands apart: inlined beside calls, compilers would keep `so_far` in
// memory.
template <class F>
[[gnu::noinline]] double scan_doubles(double* to, const double* x, std::size_t n, double so_far, F function) {
  for (std::size_t i = 0; i < n; i++) to[i] = so_far = function(so_far, x[i]);
  return so_far;
}

// Writes each result onto the one `columns` before it, of which the first are there.
template <class F>
[[gnu::noinline]] void scan_columns_of_doubles(double* to, const double* x, std::size_t columns, std::size_t n, F function) {
  for (std::size_t i = columns; i < n; i++) to[i] = function(to[i - columns], x[i]);
}

// Folds doubles from the right onto `so_far`.
using FoldOnto = double (*)(const double* x, std::size_t n, double so_far);
template <class F>
double fold_doubles(const double* x, std::size_t n, double so_far) {
  for (; n != 0; n--) so_far = F()(x[n - 1], so_far);
  return so_far;
}
FoldOnto folding(OperandEntry operand) {
  FoldOnto fold = nullptr;
  switch (operand.scalar) {
    case ScalarOp::add: return kernels::ordered_sum().from_right;
    case ScalarOp::subtract: return kernels::difference_from_right;
    case ScalarOp::multiply:
    case ScalarOp::logic_and: return kernels::product_from_right;
    default: with_arithmetic(operand, [&](auto function) { fold = fold_doubles<decltype(function)>; });
  }
  return fold;
}

// Holds what follows 0 and what follows 1 for each element of a list, so that results only choose between the two.
class Choices {
 public:
  // With `first`, the element is the left argument.
  Choices(Context& cx, const DyadRule& compare, const Value& list, bool first) {
    for (int state : {0, 1}) after_[state] = compare.self(cx, first ? list : Value(state), first ? Value(state) : list);
  }
  bool operator()(bool so_far, std::size_t i) const {
    const std::uint64_t zero = word(0, i), one = word(1, i);
    return ((so_far ? one : zero) >> (i & 63)) & 1;
  }
  std::uint64_t bits(int state, std::size_t at, std::size_t count) const {
    return kernels::read_bits(after_[state].array().as<std::uint64_t>(), at, count);
  }
  std::uint64_t word(int state, std::size_t i) const { return after_[state].array().as<std::uint64_t>()[i >> 6]; }

 private:
  Value after_[2];
};

const DyadRule* comparison_by(OperandEntry operand) { return is_comparison(operand) ? operand.dyad_rule : nullptr; }

Value scan_comparison(Context& cx, const DyadRule& compare, const Value& x) {
  const Array& a = x.array();
  const std::size_t n = a.length;
  const Choices next(cx, compare, x, false);
  Ref<Array> results = make_list(cx.heap, ElementType::bit, n);
  std::uint64_t* out = results->as<std::uint64_t>();
  const Value first = element(a, 0);
  std::uint64_t so_far = compare.atoms(cx, first, element(a, 1)).number() != 0;
  for (std::size_t i = 0; i < n; i += 64) {
    if (i % (1 << 18) == 0) cx.check_interrupt();
    const std::size_t count = std::min<std::size_t>(64, n - i);
    std::uint64_t zero = next.word(0, i), change = zero ^ next.word(1, i), word = 0;
    std::size_t k = 0;
    if (i == 0) {
      word = so_far << 1;
      k = 2, zero >>= 2, change >>= 2;
    }
    for (; k < count; k++, zero >>= 1, change >>= 1) {
      so_far = (zero ^ (so_far & change)) & 1;
      word |= so_far << k;
    }
    out[i / 64] = word;
  }
  const ElementType type = element_type_of(first);
  Value result = widened(cx.heap, to_value(std::move(results)), type);
  store(result.array(), 0, first);
  return with_fill_like(cx.heap, std::move(result), x);
}

bool fold_comparison(Context& cx, const DyadRule& compare, const Value& list, std::size_t count, const Value& start) {
  const Choices next(cx, compare, list, true);
  bool state = compare.atoms(cx, element(list.array(), count - 1), start).number() != 0;
  for (std::size_t i = count - 1; i-- > 0;) {
    if (i % (1 << 18) == 0) cx.check_interrupt();
    state = next(state, i);
  }
  return state;
}

// Calls step(at, count) for each piece of up to 64 bits of a row that starts at bit `start`.
template <class Step>
void each_word_of_row(std::size_t start, std::size_t columns, Step step) {
  for (std::size_t j = 0; j < columns; j += 64) step(start + j, std::min<std::size_t>(64, columns - j));
}

// Goes on from bits by a comparison: where a bit is 1 with what follows 1, elsewhere with what follows 0.
std::uint64_t next_bits(std::uint64_t so_far, std::uint64_t after_zero, std::uint64_t after_one) {
  return after_zero ^ (so_far & (after_zero ^ after_one));
}

// Lets `compute(to, numbers, function)` write an array that `make` makes, all of doubles. Gives the absent value where the
// operand does no arithmetic.
template <class Make, class Compute>
Value with_doubles(Context& cx, OperandEntry operand, const Value& x, Make make, Compute compute) {
  Value result;
  with_arithmetic(operand, [&](auto function) {
    const Value numbers = widened(cx.heap, x, ElementType::f64);
    Ref<Array> made = make();
    compute(made->template as<double>(), static_cast<const double*>(numbers.array().as<double>()), function);
    cx.check_interrupt();
    result = integers_if_whole(cx.heap, to_value(std::move(made)));
  });
  return result;
}

Value fold_pieces(Context& cx, FoldOnto fold, const Value& list, std::size_t count, double so_far) {
  Operand operand(list, false, 1);
  operand.want(ElementType::f64);
  alignas(64) Operand::Buffer buffer;
  // Whatever meets a NaN gives one.
  while (count != 0 && so_far == so_far) {
    cx.check_interrupt();
    const std::size_t length = std::min(count, Operand::piece);
    count -= length;
    so_far = fold(static_cast<const double*>(operand.read(count, length, buffer)), length, so_far);
  }
  return so_far;
}

}  // namespace

// --- folds

Value fold_onto(Context& cx, OperandEntry operand, const Value& list, std::size_t count, double so_far) {
  if (count == 0) return so_far;
  const FoldOnto fold = folding(operand);
  if (fold == nullptr) return fold_comparison(cx, *operand.dyad_rule, list, count, Value(so_far));
  const Array& a = list.array();
  if (a.type() == ElementType::f64 && (count <= Operand::piece || operand.scalar == ScalarOp::add))
    return fold(a.as<double>(), count, so_far);
  return fold_pieces(cx, fold, list, count, so_far);
}
Value fold_in_order(Context& cx, OperandEntry operand, const Value& x, TableSize) {
  const std::size_t last = x.array().length - 1;
  return fold_onto(cx, operand, x, last, number_at(x.array(), last));
}

Value insert_in_order(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t rows = size.rows, columns = size.columns;
  if (const DyadRule* compare = comparison_by(operand)) {
    Value first = compare->self(cx, cell_at(cx.heap, x, rows - 2), cell_at(cx.heap, x, rows - 1));
    if (rows == 2) return first;
    const Choices next(cx, *compare, x, true);
    Ref<Array> result = make_writable(cx.heap, std::move(first));
    std::uint64_t* to = result->as<std::uint64_t>();
    for (std::size_t i = rows - 2; i-- > 0;)
      each_word_of_row(i * columns, columns, [&](std::size_t at, std::size_t count) {
        std::uint64_t& word = to[(at - i * columns) / 64];
        word = next_bits(word, next.bits(0, at, count), next.bits(1, at, count));
      });
    return to_value(std::move(result));
  }
  const auto make = [&] { return make_cell(cx.heap, ElementType::f64, a); };
  return with_doubles(cx, operand, x, make, [&](double* to, const double* from, auto function) {
    std::copy_n(from + (rows - 1) * columns, columns, to);
    for (std::size_t i = rows - 1; i-- > 0;)
      for (std::size_t j = 0; j < columns; j++) to[j] = function(from[i * columns + j], to[j]);
  });
}

Value fold_rows_in_order(Context& cx, OperandEntry operand, std::size_t frame, const Value& x) {
  const Array& a = x.array();
  const std::size_t columns = a.shape()[frame];
  const auto make = [&] { return make_array(cx.heap, ElementType::f64, a.shape().first(frame)); };
  return with_doubles(cx, operand, x, make, [&](double* to, const double* row, auto function) {
    const auto fold = [&]<std::size_t rows>(std::integral_constant<std::size_t, rows>) {
      double so_far[rows];
      for (std::size_t r = 0; r < rows; r++) so_far[r] = row[r * columns + columns - 1];
      for (std::size_t j = columns - 1; j-- > 0;)
        for (std::size_t r = 0; r < rows; r++) so_far[r] = function(row[r * columns + j], so_far[r]);
      std::copy_n(so_far, rows, to);
      row += rows * columns;
      to += rows;
    };
    // Some rows at once, whose results do not wait for each other.
    constexpr std::size_t together = 8;
    std::size_t left = a.length / columns;
    for (; left >= together; left -= together) fold(std::integral_constant<std::size_t, together>());
    for (; left != 0; left--) fold(std::integral_constant<std::size_t, 1>());
  });
}

// --- scans

Value scan_in_order(Context& cx, OperandEntry operand, const Value& x, TableSize) {
  if (const DyadRule* compare = comparison_by(operand)) return scan_comparison(cx, *compare, x);
  const Array& a = x.array();
  Value result;
  with_arithmetic(operand, [&](auto function) {
    Ref<Array> results = make_list(cx.heap, ElementType::f64, a.length);
    double* const to = results->as<double>();
    Operand operand(x, false, 1);
    operand.want(ElementType::f64);
    alignas(64) Operand::Buffer buffer;
    double so_far = to[0] = number_at(a, 0);
    for (std::size_t from = 1; from < a.length;) {
      cx.check_interrupt();
      const std::size_t count = std::min(a.length - from, Operand::piece);
      so_far = scan_doubles(to + from, static_cast<const double*>(operand.read(from, count, buffer)), count, so_far, function);
      from += count;
      if (so_far == so_far) continue;
      std::fill(to + from, to + a.length, so_far);  // whatever meets a NaN gives one
      break;
    }
    result = with_fill_like(cx.heap, integers_if_whole(cx.heap, to_value(std::move(results))), x);
  });
  return result;
}

Value scan_rows_in_order(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t columns = size.columns;
  const auto make = [&] { return make_like(cx.heap, ElementType::f64, a); };
  return with_doubles(cx, operand, x, make, [&](double* to, const double* row, auto function) {
    for (const double* const end = row + a.length; row != end; row += columns, to += columns) {
      to[0] = row[0];
      scan_doubles(to + 1, row + 1, columns - 1, row[0], function);
    }
  });
}

Value scan_columns_in_order(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t rows = size.rows, columns = size.columns;
  Value result;
  if (const DyadRule* compare = comparison_by(operand)) {
    const Value first = compare->self(cx, cell_at(cx.heap, x, 0), cell_at(cx.heap, x, 1));
    const Choices next(cx, *compare, x, false);
    Ref<Array> results = make_like(cx.heap, ElementType::bit, a);
    std::uint64_t* to = results->as<std::uint64_t>();
    copy_bits(to, columns, first.array().as<std::uint64_t>(), 0, columns);
    for (std::size_t i = 2; i < rows; i++)
      each_word_of_row(i * columns, columns, [&](std::size_t at, std::size_t count) {
        const std::uint64_t so_far = kernels::read_bits(to, at - columns, count);
        kernels::write_bits(to, at, count, next_bits(so_far, next.bits(0, at, count), next.bits(1, at, count)));
      });
    result = widened(cx.heap, to_value(std::move(results)), a.type());
    copy_elements(result.array(), 0, a, 0, columns);
  } else {
    const auto make = [&] { return make_like(cx.heap, ElementType::f64, a); };
    result = with_doubles(cx, operand, x, make, [&](double* to, const double* from, auto function) {
      std::copy_n(from, columns, to);
      scan_columns_of_doubles(to, from, columns, a.length, function);
    });
  }
  return result.is_absent() ? result : with_fill_like(cx.heap, std::move(result), x);
}

}  // namespace griddle::primitives
