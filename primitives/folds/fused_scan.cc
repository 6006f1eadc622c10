// f` on numeric lists.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "primitives/arithmetic/operand.h"
#include "primitives/common/number_lanes.h"
#include "primitives/folds/fusion.h"
#include "primitives/folds/running_numbers.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/booleans/bool_scan.h"
#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/shared/convert.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {

namespace {

// Gives x itself where its memory may take the results, else a new array of the same type and shape.
inline Ref<Array> target(Context& cx, const Value& x) {
  Array& a = x.array();
  return a.writable() ? Ref<Array>::share(&a) : make_plain_like(cx.heap, a.type(), a);
}

// Sums bits onto an integer; null where a sum does not fit 32 bits.
Ref<Array> bit_sums_onto(Context& cx, std::int32_t start, const Array& a) {
  const std::int64_t count = static_cast<std::int64_t>(kernels::bool_fold().count(a.as<std::uint64_t>(), a.length, 0));
  const std::int64_t most = std::max({count, start + count, std::int64_t{-1} - start});
  if (most > 2147483647) return {};
  const ElementType type = most <= 127 ? ElementType::i8 : most <= 32767 ? ElementType::i16 : ElementType::i32;
  Ref<Array> sums(make_plain_list(cx.heap, type, a.length));
  kernels::bit_sums().sums[lane_above_bits(type)](sums->data, a.as<std::uint64_t>(), a.length, start);
  return sums;
}

// So large a sum stays an exact double through a piece of integers of 32 bits.
constexpr double exact_before_piece = 9007199254740992.0 - Operand::piece * 2147483648.0;

// Sums in doubles from place `from` on, onto `so_far`.
void real_sums(double* out, const Value& x, std::size_t from, double so_far) {
  Operand operand(x, false, 1);
  operand.want(ElementType::f64);
  alignas(64) Operand::Buffer buffer;
  for (std::size_t n = x.array().length; from < n;) {
    const std::size_t count = std::min(n - from, Operand::piece);
    const double* const piece = static_cast<const double*>(operand.read(from, count, buffer));
    const auto& kernels = kernels::ordered_sum();
    const bool is_exact = x.array().type() != ElementType::f64 && std::fabs(so_far) <= exact_before_piece;
    so_far = (is_exact ? kernels.running_exact : kernels.running)(out + from, piece, count, so_far);
    from += count;
  }
}

}  // namespace

Value scan_add(Context& cx, const Value& x) {
  const Array& a = x.array();
  if (is_bits(x)) {
    Ref<Array> sums = bit_sums_onto(cx, 0, a);
    return sums ? filled_like(cx, std::move(sums), x) : Value();
  }
  if (a.type() == ElementType::f64) {
    Ref<Array> results = target(cx, x);
    // Begins with the first element itself: 0+¯0 would be 0.
    const double first = a.as<double>()[0];
    results->as<double>()[0] = first;
    real_sums(results->as<double>(), x, 1, first);
    return filled_like(cx, std::move(results), x);
  }
  const auto& convert = kernels::convert();
  const auto widen = [&](Ref<Array>& from, ElementType to, std::size_t count) {
    Ref<Array> wide = make_like(cx.heap, to, a);
    convert.widen[static_cast<int>(from->type())][static_cast<int>(to)](wide->data, from->data, count);
    from = std::move(wide);
  };
  // Bytes whose sums fit 16 bits have been tried by then.
  Ref<Array> sums = make_like(cx.heap, ElementType::i32, a);
  std::int32_t carry = 0;
  const std::size_t done = kernels::scan().sum[lane_above_bits(a.type())](sums->as<std::int32_t>(), a.data, a.length, carry);
  if (done == a.length) return filled_like(cx, std::move(sums), x);
  widen(sums, ElementType::f64, done);
  real_sums(sums->as<double>(), x, done, carry);
  return filled_like(cx, std::move(sums), x);
}

namespace {

// False where the negative of one does not fit.
template <class T>
bool negate_each(void* numbers, std::size_t n) {
  using U = std::make_unsigned_t<T>;
  U* const at = static_cast<U*>(numbers);
  U in_both = 0;  // the sign of the least number is that of its negative
  for (std::size_t i = 0; i < n; i++) {
    const U negative = static_cast<U>(-at[i]);
    in_both |= static_cast<U>(at[i] & negative);
    at[i] = negative;
  }
  return static_cast<T>(in_both) >= 0;
}
constexpr bool (*negate_lanes[])(void*, std::size_t) = {negate_each<std::int8_t>, negate_each<std::int16_t>,
                                                        negate_each<std::int32_t>};

// Sums bits or integers onto an integer; null where a sum does not fit 32 bits.
Ref<Array> sums_onto(Context& cx, double start, const Array& a) {
  const ElementType start_type = element_type_of(Value(start));
  if (start_type == ElementType::f64) return {};
  std::int32_t carry = static_cast<std::int32_t>(start);
  if (a.type() == ElementType::bit) return bit_sums_onto(cx, carry, a);
  if (a.type() == ElementType::i8 && a.length <= most_bytes_in_i16 && start_type <= ElementType::i16) {
    Ref<Array> sums(make_plain_list(cx.heap, ElementType::i16, a.length));
    std::int16_t narrow_carry = static_cast<std::int16_t>(carry);
    if (kernels::scan().sum_bytes(sums->as<std::int16_t>(), a.as<std::int8_t>(), a.length, narrow_carry) == a.length) return sums;
  }
  Ref<Array> sums(make_plain_list(cx.heap, ElementType::i32, a.length));
  const std::size_t done = kernels::scan().sum[lane_above_bits(a.type())](sums->as<std::int32_t>(), a.data, a.length, carry);
  return done == a.length ? std::move(sums) : Ref<Array>();
}

}  // namespace

Value scan_add_onto(Context& cx, double start, const Value& x) {
  const Array& a = x.array();
  if (a.type() != ElementType::f64)
    if (Ref<Array> sums = sums_onto(cx, start, a)) return filled_like(cx, std::move(sums), x);
  const Value doubles = widened(cx.heap, x, ElementType::f64);
  Ref<Array> sums = target(cx, doubles);
  kernels::ordered_sum().running(sums->as<double>(), doubles.array().as<double>(), a.length, start);
  return filled_like(cx, std::move(sums), x);
}

Value scan_subtract(Context& cx, const Value& x) {
  const Array& a = x.array();
  if (a.type() == ElementType::f64) return scan_running(cx, Glyph::subtract, x);
  if (is_bits(x) && a.length <= 2147483647) {
    const ElementType type = a.length <= 127 ? ElementType::i8 : a.length <= 32767 ? ElementType::i16 : ElementType::i32;
    Ref<Array> differences(make_plain_list(cx.heap, type, a.length));
    const std::uint64_t* const bits = a.as<std::uint64_t>();
    kernels::bit_sums().differences[lane_above_bits(type)](differences->data, bits, a.length,
                                                           static_cast<std::int32_t>(bits[0] & 1) * 2);
    return filled_like(cx, std::move(differences), x);
  }
  constexpr std::size_t short_list = 128;
  if (a.length > short_list) {
    // Every difference is twice the first element less the sum, exactly while sums are small.
    const double first = number_at(a, 0);
    Value sums = scan_add(cx, x);
    if (sums.is_absent() || !is_integer(sums.array().type())) return scan_running(cx, Glyph::subtract, x);
    return with_fill_like(cx.heap, subtract(cx, Value(2 * first), std::move(sums)), x);
  }
  // Every difference is the negative of the sum onto twice the negative of the first element.
  Ref<Array> sums = sums_onto(cx, 0 - 2 * number_at(a, 0), a);
  if (!sums || !negate_lanes[lane_above_bits(sums->type())](sums->data, a.length)) return scan_running(cx, Glyph::subtract, x);
  return filled_like(cx, std::move(sums), x);
}
Value scan_multiply(Context& cx, const Value& x) { return scan_running(cx, Glyph::multiply, x); }
Value scan_or(Context& cx, const Value& x) { return scan_running(cx, Glyph::logic_or, x); }

// --- down the first axis of higher ranks

namespace {

Value on_bit_columns(Context& cx, kernels::BoolScanBy scan, const Value& x) {
  if (!is_bits(x)) return Value();
  const Array& a = x.array();
  Ref<Array> results = target(cx, x);
  scan(cell_length_of(a), results->as<std::uint64_t>(), a.as<std::uint64_t>(), a.length);
  return filled_like(cx, std::move(results), x);
}

using ColumnScan = bool (*)(void* out, const void* x, std::size_t rows, std::size_t columns);

Value extreme_columns(Context& cx, const ColumnScan* lanes, const Value& x) {
  const Array& a = x.array();
  Ref<Array> results = make_plain_like(cx.heap, a.type(), a);
  lanes[lane_above_bits(a.type())](results->data, a.data, a.cells(), cell_length_of(a));
  return filled_like(cx, std::move(results), x);
}

}  // namespace

namespace {

Value bit_column_sums(Context& cx, const Value& x) {
  const Array& a = x.array();
  if (a.cells() > 2147483647) return Value();
  const int lane = a.cells() <= 127 ? kernels::lane_i8 : a.cells() <= 32767 ? kernels::lane_i16 : kernels::lane_i32;
  constexpr ElementType types[] = {ElementType::i8, ElementType::i16, ElementType::i32};
  const Ref<Array> bytes = make_plain_list(cx.heap, ElementType::i8, a.length);
  kernels::convert().expand[static_cast<int>(ElementType::i8)](bytes->data, a.as<std::uint64_t>(), 0, a.length);
  Ref<Array> sums = make_plain_like(cx.heap, types[lane], a);
  kernels::scan_columns().sum_bytes[lane](sums->data, bytes->data, a.cells(), cell_length_of(a));
  return filled_like(cx, std::move(sums), x);
}

}  // namespace

Value scan_columns_add(Context& cx, const Value& x) {
  if (is_bits(x)) return bit_column_sums(cx, x);
  const Array& a = x.array();
  const int lane = lane_above_bits(a.type());
  const kernels::ScanColumnKernels& kernels = kernels::scan_columns();
  Ref<Array> sums = make_plain_like(cx.heap, lane == kernels::lane_f64 ? ElementType::f64 : ElementType::i32, a);
  if (!kernels.sum[lane](sums->data, a.data, a.cells(), cell_length_of(a))) {
    sums = make_like(cx.heap, ElementType::f64, a);
    kernels.sum_f64[lane](sums->data, a.data, a.cells(), cell_length_of(a));
  }
  return filled_like(cx, std::move(sums), x);
}
Value scan_columns_minimum(Context& cx, const Value& x) {
  return is_bits(x) ? on_bit_columns(cx, kernels::bool_scan().and_by, x)
                    : extreme_columns(cx, kernels::scan_columns().minimum, x);
}
Value scan_columns_maximum(Context& cx, const Value& x) {
  return is_bits(x) ? on_bit_columns(cx, kernels::bool_scan().or_by, x) : extreme_columns(cx, kernels::scan_columns().maximum, x);
}
Value scan_columns_and(Context& cx, const Value& x) { return on_bit_columns(cx, kernels::bool_scan().and_by, x); }
Value scan_columns_or(Context& cx, const Value& x) { return on_bit_columns(cx, kernels::bool_scan().or_by, x); }
Value scan_columns_not_equal(Context& cx, const Value& x) { return on_bit_columns(cx, kernels::bool_scan().exclusive_or_by, x); }

}  // namespace griddle::primitives
