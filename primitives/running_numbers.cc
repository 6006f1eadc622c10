#include "primitives/running_numbers.h"

#include <algorithm>
#include <cmath>

#include "primitives/elements.h"
#include "primitives/operand.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {
namespace {

// Calls f with the function of a glyph on two numbers, if it gives numbers of any size. False where it does not.
template <class F>
bool with_arithmetic(char32_t glyph, F f) {
  switch (glyph) {
    case U'+': f([](double w, double x) { return w + x; }); return true;
    case U'-': f([](double w, double x) { return w - x; }); return true;
    case U'×':
    case U'∧': f([](double w, double x) { return w * x; }); return true;
    // A negative zero as divisor counts as zero.
    case U'÷': f([](double w, double x) { return w / (x + 0.0); }); return true;
    case U'∨': f([](double w, double x) { return w + x - w * x; }); return true;
    default: return false;
  }
}
// The same for comparisons, which give 0 and 1.
template <class F>
bool with_comparison(char32_t glyph, F f) {
  switch (glyph) {
    case U'=': f([](double w, double x) { return w == x; }); return true;
    case U'≠': f([](double w, double x) { return w != x; }); return true;
    case U'<': f([](double w, double x) { return w < x; }); return true;
    case U'≤': f([](double w, double x) { return w <= x; }); return true;
    case U'>': f([](double w, double x) { return w > x; }); return true;
    case U'≥': f([](double w, double x) { return w >= x; }); return true;
    default: return false;
  }
}

// Reads elements as doubles, a piece at a time.
class Pieces {
 public:
  static constexpr std::size_t most = Operand::piece;
  explicit Pieces(const Value& list) : operand_(list, false, 1) { operand_.want(ElementType::f64); }
  const double* read(std::size_t from, std::size_t count) {
    return static_cast<const double*>(operand_.read(from, count, buffer_));
  }

 private:
  Operand operand_;
  alignas(64) Operand::Buffer buffer_;
};

bool any_nan(const double* x, std::size_t n) {
  bool any = false;
  for (std::size_t i = 0; i < n; i++) any |= x[i] != x[i];
  return any;
}

// Looks up what follows 0 and what follows 1, so that results only choose between the two.
template <class AfterZero, class AfterOne>
struct Choice {
  AfterZero after_zero;
  AfterOne after_one;
  bool operator()(bool so_far, double x) const {
    const bool zero = after_zero(x), one = after_one(x);
    return zero ^ (so_far & (zero ^ one));
  }
};

// Scans by a comparison into elements of a type that holds the first one.
template <class T, class F>
bool scan_comparison(Context& cx, F compare, const Value& x, T* out) {
  const std::size_t n = x.array().length;
  Pieces pieces(x);
  const double* p = pieces.read(0, 2);
  if (any_nan(p, 2)) return false;
  out[0] = static_cast<T>(p[0]);
  bool so_far = compare(p[0], p[1]);
  out[1] = static_cast<T>(so_far);
  const auto zero = [compare](double v) { return compare(0.0, v); };
  const auto one = [compare](double v) { return compare(1.0, v); };
  const Choice<decltype(zero), decltype(one)> next{zero, one};
  for (std::size_t from = 2; from < n;) {
    cx.check_interrupt();
    const std::size_t count = std::min(n - from, Pieces::most);
    const double* piece = pieces.read(from, count);
    if (any_nan(piece, count)) return false;
    for (std::size_t i = 0; i < count; i++) {
      so_far = next(so_far, piece[i]);
      out[from + i] = static_cast<T>(so_far);
    }
    from += count;
  }
  return true;
}

}  // namespace

std::size_t fold_running(Context& cx, char32_t glyph, const Value& list, std::size_t count, double& so_far) {
  Pieces pieces(list);
  const auto each_piece = [&](auto fold) {
    while (count != 0) {
      cx.check_interrupt();
      const std::size_t length = std::min(count, Pieces::most), from = count - length;
      const std::size_t left = fold(pieces.read(from, length), length);
      count = from + left;
      if (left != 0) return;
    }
  };
  const bool arithmetic = with_arithmetic(glyph, [&](auto function) {
    each_piece([&](const double* x, std::size_t n) {
      for (; n != 0; n--) {
        const double next = function(x[n - 1], so_far);
        if (next != next) break;
        so_far = next;
      }
      return n;
    });
  });
  if (arithmetic) return count;
  with_comparison(glyph, [&](auto compare) {
    if (count == 0 || so_far != so_far) return;
    const double last = pieces.read(count - 1, 1)[0];
    if (last != last) return;
    bool state = compare(last, so_far);
    so_far = state;
    count--;
    const auto zero = [compare](double v) { return compare(v, 0.0); };
    const auto one = [compare](double v) { return compare(v, 1.0); };
    const Choice<decltype(zero), decltype(one)> next{zero, one};
    each_piece([&](const double* x, std::size_t n) {
      if (any_nan(x, n)) return n;
      for (; n != 0; n--) state = next(state, x[n - 1]);
      so_far = state;
      return n;
    });
  });
  return count;
}

Value scan_running(Context& cx, char32_t glyph, const Value& list) {
  const Array& a = list.array();
  const std::size_t n = a.length;
  Value result;
  const bool comparison = with_comparison(glyph, [&](auto compare) {
    const ElementType type = std::max(element_type_of(Value(number_at(a, 0))), ElementType::i8);
    Ref<Array> out = make_list(cx.heap, type, n);
    const bool done = with_type(type, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_arithmetic_v<T> && (std::is_signed_v<T> || std::is_floating_point_v<T>))
        return scan_comparison(cx, compare, list, out->as<T>());
      else
        return false;
    });
    if (done) result = packed_if_boolean(cx.heap, to_value(std::move(out)));
  });
  if (comparison) return result.is_absent() ? result : with_fill_like(cx.heap, std::move(result), list);
  with_arithmetic(glyph, [&](auto function) {
    Ref<Array> out = make_list(cx.heap, ElementType::f64, n);
    double* to = out->as<double>();
    Pieces pieces(list);
    double so_far = to[0] = number_at(a, 0);
    if (so_far != so_far) return;
    for (std::size_t from = 1; from < n;) {
      cx.check_interrupt();
      const std::size_t count = std::min(n - from, Pieces::most);
      const double* x = pieces.read(from, count);
      for (std::size_t i = 0; i < count; i++) to[from + i] = so_far = function(so_far, x[i]);
      if (so_far != so_far) return;
      from += count;
    }
    result = integers_if_whole(cx.heap, to_value(std::move(out)));
  });
  return result.is_absent() ? result : with_fill_like(cx.heap, std::move(result), list);
}

}  // namespace griddle::primitives
