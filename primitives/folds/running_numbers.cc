#include "primitives/folds/running_numbers.h"

#include <algorithm>
#include <cmath>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/arithmetic/operand.h"
#include "primitives/common/elements.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {
namespace {

// Calls f with the function of a glyph on two numbers, if it gives numbers of any size. False where it does not.
template <class F>
bool with_arithmetic(Glyph glyph, F f) {
  switch (glyph) {
    case Glyph::add: f([](double w, double x) { return w + x; }); return true;
    case Glyph::subtract: f([](double w, double x) { return w - x; }); return true;
    case Glyph::multiply:
    case Glyph::logic_and: f([](double w, double x) { return w * x; }); return true;
    // A negative zero as divisor counts as zero.
    case Glyph::divide: f([](double w, double x) { return w / (x + 0.0); }); return true;
    case Glyph::logic_or: f([](double w, double x) { return w + x - w * x; }); return true;
    default: return false;
  }
}
// Reads elements as doubles, a piece at a time.
class PiecesAsDoubles {
 public:
  static constexpr std::size_t most = Operand::piece;
  explicit PiecesAsDoubles(const Value& list) : operand_(list, false, 1) { operand_.want(ElementType::f64); }
  const double* read(std::size_t from, std::size_t count) {
    return static_cast<const double*>(operand_.read(from, count, buffer_));
  }

 private:
  Operand operand_;
  alignas(64) Operand::Buffer buffer_;
};

// Writes the results onto `so_far` and gives the last. Stands apart: inlined beside calls, compilers would keep `so_far` in
// memory.
template <class F>
[[gnu::noinline]] double scan_doubles(double* to, const double* x, std::size_t n, double so_far, F function) {
  for (std::size_t i = 0; i < n; i++) to[i] = so_far = function(so_far, x[i]);
  return so_far;
}

// The same from the right, of the last alone.
template <class F>
[[gnu::noinline]] double fold_doubles(const double* x, std::size_t n, double so_far, F function) {
  for (; n != 0; n--) so_far = function(x[n - 1], so_far);
  return so_far;
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

const DyadRule* comparison_of_numbers(Glyph glyph, const Value& list) {
  const PrimitiveFunctionEntry& entry = entry_of(glyph);
  return is_number(list.array().type()) && is_comparison(entry) ? entry.dyad_rule : nullptr;
}

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

Value row_of(Heap& heap, const Value& x, std::size_t i) {
  const Array& a = x.array();
  return slice(heap, x, i * a.cell_length(), a.shape().subspan(1));
}

}  // namespace

Value insert_running(Context& cx, Glyph glyph, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.cells(), columns = a.cell_length();
  if (const DyadRule* compare = comparison_of_numbers(glyph, x)) {
    Value first = compare->self(cx, row_of(cx.heap, x, rows - 2), row_of(cx.heap, x, rows - 1));
    if (rows == 2) return first;
    const Choices next(cx, *compare, x, true);
    Ref<Array> result = make_writable(cx.heap, std::move(first));
    std::uint64_t* to = result->as<std::uint64_t>();
    for (std::size_t i = rows - 2; i-- > 0;) {
      std::size_t word = 0;
      each_word_of_row(i * columns, columns, [&](std::size_t at, std::size_t count) {
        to[word] = next_bits(to[word], next.bits(0, at, count), next.bits(1, at, count));
        word++;
      });
    }
    return to_value(std::move(result));
  }
  Value result;
  with_arithmetic(glyph, [&](auto function) {
    const Value numbers = widened(cx.heap, x, ElementType::f64);
    const double* from = numbers.array().as<double>();
    Ref<Array> sums = make_array(cx.heap, ElementType::f64, a.shape().subspan(1));
    double* to = sums->as<double>();
    std::copy_n(from + (rows - 1) * columns, columns, to);
    for (std::size_t i = rows - 1; i-- > 0;)
      for (std::size_t j = 0; j < columns; j++) to[j] = function(from[i * columns + j], to[j]);
    result = integers_if_whole(cx.heap, to_value(std::move(sums)));
  });
  return result;
}

Value fold_rows_running(Context& cx, Glyph glyph, std::size_t frame, const Value& x) {
  const Array& a = x.array();
  const std::size_t columns = a.shape()[frame];
  Value result;
  with_arithmetic(glyph, [&](auto function) {
    const Value numbers = widened(cx.heap, x, ElementType::f64);
    const double* row = numbers.array().as<double>();
    Ref<Array> folded = make_array(cx.heap, ElementType::f64, a.shape().first(frame));
    double* to = folded->as<double>();
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
    std::size_t left = folded->length;
    for (; left >= together; left -= together) fold(std::integral_constant<std::size_t, together>());
    for (; left != 0; left--) fold(std::integral_constant<std::size_t, 1>());
    cx.check_interrupt();
    result = integers_if_whole(cx.heap, to_value(std::move(folded)));
  });
  return result;
}

Value scan_rows_running(Context& cx, Glyph glyph, const Value& x) {
  const Array& a = x.array();
  const std::size_t columns = a.shape()[1];
  Value result;
  with_arithmetic(glyph, [&](auto function) {
    const Value numbers = widened(cx.heap, x, ElementType::f64);
    const double* row = numbers.array().as<double>();
    Ref<Array> results = make_like(cx.heap, ElementType::f64, a);
    double* to = results->as<double>();
    for (std::size_t r = 0; r < a.shape()[0]; r++, row += columns, to += columns) {
      to[0] = row[0];
      scan_doubles(to + 1, row + 1, columns - 1, row[0], function);
    }
    cx.check_interrupt();
    result = integers_if_whole(cx.heap, to_value(std::move(results)));
  });
  return result;
}

Value scan_cells_running(Context& cx, Glyph glyph, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.cells(), columns = a.cell_length();
  if (const DyadRule* compare = comparison_of_numbers(glyph, x)) {
    const Value first = compare->self(cx, row_of(cx.heap, x, 0), row_of(cx.heap, x, 1));
    const Choices next(cx, *compare, x, false);
    Ref<Array> results = make_like(cx.heap, ElementType::bit, a);
    std::uint64_t* to = results->as<std::uint64_t>();
    copy_bits(to, columns, first.array().as<std::uint64_t>(), 0, columns);
    for (std::size_t i = 2; i < rows; i++)
      each_word_of_row(i * columns, columns, [&](std::size_t at, std::size_t count) {
        const std::uint64_t so_far = kernels::read_bits(to, at - columns, count);
        kernels::write_bits(to, at, count, next_bits(so_far, next.bits(0, at, count), next.bits(1, at, count)));
      });
    Value result = widened(cx.heap, to_value(std::move(results)), a.type());
    copy_elements(result.array(), 0, a, 0, columns);
    return with_fill_like(cx.heap, std::move(result), x);
  }
  Value result;
  with_arithmetic(glyph, [&](auto function) {
    const Value numbers = widened(cx.heap, x, ElementType::f64);
    const double* from = numbers.array().as<double>();
    Ref<Array> sums = make_like(cx.heap, ElementType::f64, a);
    double* to = sums->as<double>();
    std::copy_n(from, columns, to);
    for (std::size_t i = columns; i < a.length; i++) to[i] = function(to[i - columns], from[i]);
    result = integers_if_whole(cx.heap, to_value(std::move(sums)));
  });
  return result.is_absent() ? result : with_fill_like(cx.heap, std::move(result), x);
}

std::size_t fold_running(Context& cx, Glyph glyph, const Value& list, std::size_t count, double& so_far) {
  PiecesAsDoubles pieces(list);
  const auto each_piece = [&](auto fold) {
    while (count != 0) {
      cx.check_interrupt();
      const std::size_t length = std::min(count, PiecesAsDoubles::most), from = count - length;
      fold(pieces.read(from, length), length);
      // Whatever meets a NaN gives one.
      count = so_far == so_far ? from : 0;
    }
  };
  if (const DyadRule* compare = comparison_of_numbers(glyph, list); compare != nullptr && count != 0) {
    so_far = fold_comparison(cx, *compare, list, count, Value(so_far));
    return 0;
  }
  with_arithmetic(glyph, [&](auto function) {
    each_piece([&](const double* x, std::size_t n) { so_far = fold_doubles(x, n, so_far, function); });
  });
  return count;
}

Value scan_running(Context& cx, Glyph glyph, const Value& list) {
  const Array& a = list.array();
  const std::size_t n = a.length;
  if (const DyadRule* compare = comparison_of_numbers(glyph, list)) return scan_comparison(cx, *compare, list);
  Value result;
  with_arithmetic(glyph, [&](auto function) {
    Ref<Array> out = make_list(cx.heap, ElementType::f64, n);
    double* to = out->as<double>();
    PiecesAsDoubles pieces(list);
    double so_far = to[0] = number_at(a, 0);
    for (std::size_t from = 1; from < n;) {
      cx.check_interrupt();
      const std::size_t count = std::min(n - from, PiecesAsDoubles::most);
      const double* x = pieces.read(from, count);
      so_far = scan_doubles(to + from, x, count, so_far, function);
      from += count;
      if (so_far != so_far) {
        std::fill(to + from, to + n, so_far);
        break;
      }
    }
    result = integers_if_whole(cx.heap, to_value(std::move(out)));
  });
  return result.is_absent() ? result : with_fill_like(cx.heap, std::move(result), list);
}

}  // namespace griddle::primitives
