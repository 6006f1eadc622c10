#include "primitives/folds/number_ways.h"

#include <algorithm>
#include <cmath>

#include "primitives/arithmetic/operand.h"
#include "primitives/common/index_list.h"
#include "primitives/common/number_lanes.h"
#include "primitives/folds/results.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"

namespace griddle::primitives {

// --- lists

namespace {

// Sums bits onto an integer; null where a sum does not fit 32 bits.
Ref<Array> bit_sums_onto(Context& cx, std::int32_t start, const Array& a) {
  const std::int64_t count = static_cast<std::int64_t>(kernels::bool_fold().count(a.as<std::uint64_t>(), a.length, 0));
  const std::int64_t most = std::max({count, start + count, std::int64_t{-1} - start});
  if (most > 2147483647) return {};
  const ElementType type = index_type(static_cast<std::size_t>(most));
  Ref<Array> sums(make_plain_list(cx.heap, type, a.length));
  kernels::bit_sums().sums[lane_above_bits(type)](sums->data, a.as<std::uint64_t>(), a.length, start);
  return sums;
}

// Writes running sums of integers onto `carry`, and gives how many fit.
std::size_t integer_sums_onto(Array& sums, const Array& a, std::int32_t& carry) {
  const auto kernel = kernels::scan().sum[lane_above_bits(a.type())];
  std::int32_t* const out = sums.as<std::int32_t>();
  if (a.length <= kernels::long_pass) [[likely]]
    return kernel(out, a.data, a.length, carry);
  std::size_t done = 0;
  kernels::in_pieces(
      a.length,
      [&](std::size_t i, std::size_t end) {
        if (done == i) done += kernel(out + i, a.data + bytes_for(a.type(), i), end - i, carry);
      },
      kernels::long_pass);
  return done;
}

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
  const std::size_t done = integer_sums_onto(*sums, a, carry);
  return done == a.length ? std::move(sums) : Ref<Array>();
}

// So large a sum stays an exact double through a piece of integers of 32 bits.
constexpr double exact_before_piece = 9007199254740992.0 - Operand::piece * 2147483648.0;

// Sums integers in doubles from place `from` on, onto `so_far`.
void sum_in_doubles(double* out, const Value& x, std::size_t from, double so_far) {
  Operand operand(x, false, 1);
  operand.want(ElementType::f64);
  alignas(64) Operand::Buffer buffer;
  const auto& kernels = kernels::ordered_sum();
  kernels::ElementsDone elements_done;
  for (std::size_t n = x.array().length; from < n;) {
    const std::size_t count = std::min(n - from, Operand::piece);
    const double* const piece = static_cast<const double*>(operand.read(from, count, buffer));
    so_far =
        (std::fabs(so_far) <= exact_before_piece ? kernels.running_exact : kernels.running)(out + from, piece, count, so_far);
    from += count;
    elements_done.add(count);
  }
}

}  // namespace

Value running_bit_sums(Context& cx, OperandEntry, const Value& x, TableSize) {
  Ref<Array> sums = bit_sums_onto(cx, 0, x.array());
  return sums ? filled_like(cx.heap, std::move(sums), x) : Value();
}
// Bytes whose sums fit 16 bits have been tried by then.
Value running_integer_sums(Context& cx, OperandEntry, const Value& x, TableSize) {
  const Array& a = x.array();
  Ref<Array> sums = make_plain_list(cx.heap, ElementType::i32, a.length);
  std::int32_t carry = 0;
  const std::size_t done = integer_sums_onto(*sums, a, carry);
  if (done != a.length) {
    Ref<Array> wide = make_plain_list(cx.heap, ElementType::f64, a.length);
    kernels::convert().widen[index_of(ElementType::i32)][index_of(ElementType::f64)](wide->data, sums->data, done);
    sum_in_doubles(wide->as<double>(), x, done, carry);
    sums = std::move(wide);
  }
  return filled_like(cx.heap, std::move(sums), x);
}
Value running_sums_onto(Context& cx, double start, const Value& x) {
  const Array& a = x.array();
  if (a.type() != ElementType::f64)
    if (Ref<Array> sums = sums_onto(cx, start, a)) return filled_like(cx.heap, std::move(sums), x);
  const Value doubles = widened(cx.heap, x, ElementType::f64);
  Ref<Array> sums = make_in_place(cx.heap, doubles);
  kernels::ordered_sum().running(sums->as<double>(), doubles.array().as<double>(), a.length, start);
  return filled_like(cx.heap, std::move(sums), x);
}

Value running_bit_differences(Context& cx, OperandEntry, const Value& x, TableSize) {
  const Array& a = x.array();
  if (a.length > 2147483647) return Value();
  const ElementType type = index_type(a.length);
  Ref<Array> differences(make_plain_list(cx.heap, type, a.length));
  const std::uint64_t* const bits = a.as<std::uint64_t>();
  const std::int32_t start = static_cast<std::int32_t>(bits[0] & 1) * 2;
  kernels::bit_sums().differences[lane_above_bits(type)](differences->data, bits, a.length, start);
  return filled_like(cx.heap, std::move(differences), x);
}
// Every difference is the negative of the sum onto twice the negative of the first element.
Value running_integer_differences(Context& cx, OperandEntry, const Value& x, TableSize) {
  Ref<Array> sums = sums_onto(cx, 0 - 2 * number_at(x.array(), 0), x.array());
  return sums ? with_fill_like(cx.heap, negate(cx, to_value(std::move(sums))), x) : Value();
}

// --- columns

namespace {

constexpr std::int8_t zero = 0, one = 1, minus_one = -1;

// Writes 0 and another number for bits, in bytes.
void choose_bytes(std::int8_t* to, const Array& a, std::size_t count, const std::int8_t& for_one) {
  kernels::convert().choose[index_of(ElementType::i8)](to, a.as<std::uint64_t>(), count, &zero, &for_one);
}

}  // namespace

// Sums the bits, for differences their negatives onto the first row.
Value running_column_bit_sums(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  if (size.rows > 2147483647) return Value();
  const std::size_t columns = size.columns;
  const Ref<Array> bytes = make_plain_list(cx.heap, ElementType::i8, a.length);
  choose_bytes(bytes->as<std::int8_t>(), a, a.length, operand.scalar == ScalarOp::add ? one : minus_one);
  choose_bytes(bytes->as<std::int8_t>(), a, columns, one);
  const ElementType type = index_type(size.rows);
  Ref<Array> sums = make_plain_like(cx.heap, type, a);
  kernels::scan_columns().sum_bytes[lane_above_bits(type)](sums->data, bytes->data, size.rows, columns);
  return filled_like(cx.heap, std::move(sums), x);
}
Value running_column_sums(Context& cx, OperandEntry, const Value& x, TableSize size) {
  const Array& a = x.array();
  const int lane = lane_above_bits(a.type());
  const kernels::ScanColumnKernels& kernels = kernels::scan_columns();
  Ref<Array> sums = make_plain_like(cx.heap, lane == kernels::lane_f64 ? ElementType::f64 : ElementType::i32, a);
  if (!kernels.sum[lane](sums->data, a.data, size.rows, size.columns)) {
    sums = make_like(cx.heap, ElementType::f64, a);
    kernels.sum_f64[lane](sums->data, a.data, size.rows, size.columns);
  }
  return filled_like(cx.heap, std::move(sums), x);
}
Value running_column_extremes(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const auto& kernels = kernels::scan_columns();
  const auto scan = (operand.scalar == ScalarOp::maximum ? kernels.maximum : kernels.minimum)[lane_above_bits(a.type())];
  Ref<Array> results = make_plain_like(cx.heap, a.type(), a);
  scan(results->data, a.data, size.rows, size.columns);
  return filled_like(cx.heap, std::move(results), x);
}

}  // namespace griddle::primitives
