#include "primitives/folds/number_ways.h"

#include <algorithm>

#include "primitives/folds/results.h"
#include "primitives/kernels/booleans/alternating_scan.h"
#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/booleans/bool_scan.h"
#include "primitives/kernels/booleans/row_bits.h"
#include "primitives/kernels/shared/bit_runs.h"

namespace griddle::primitives {

namespace {

using kernels::RowBits, kernels::RowFunction;

// Scans by a conjunction, disjunction or exclusive or, where there are kernels; by all else as is exact of these.
template <bool along_rows>
Value scan_bits(Context& cx, OperandEntry operand, const Value& x, std::size_t columns) {
  const std::size_t length = x.array().length;
  Ref<Array> results = make_in_place(cx.heap, x);
  const std::uint64_t* const from = x.array().as<std::uint64_t>();
  std::uint64_t* const to = results->as<std::uint64_t>();
  const auto scan = [&](RowFunction f, const std::uint64_t* bits) {
    if (along_rows) return kernels::bool_row_scan().scan(f, to, bits, columns, length);
    const kernels::BoolScanKernels& down = kernels::bool_scan();
    (f == RowFunction::and_ ? down.and_by : f == RowFunction::or_ ? down.or_by : down.exclusive_or_by)(columns, to, bits, length);
  };
  const auto flip = [&](RowBits which, const std::uint64_t* bits) { kernels::row_bits().flip(which, to, bits, columns, length); };
  const auto flip_first = [&] {
    if (along_rows) return flip(RowBits::first_places, from);
    if (to != from) std::copy_n(from, (length + 63) / 64, to);
    for (std::size_t i = 0; i < columns; i += 64) to[i / 64] ^= kernels::low_bits(columns - i);
  };
  const RowFunction function = function_of_bits(operand);
  switch (function) {
    case RowFunction::equal:
      scan(RowFunction::exclusive_or, from);
      flip(along_rows ? RowBits::odd_places : RowBits::odd_rows, to);
      break;
    case RowFunction::less:
    case RowFunction::less_equal: {
      const auto& kernels = kernels::alternating_scan();
      const auto less = along_rows ? kernels.less_in_rows : kernels.less_by;
      const auto less_equal = along_rows ? kernels.less_equal_in_rows : kernels.less_equal_by;
      (function == RowFunction::less ? less : less_equal)(columns, to, from, length);
      break;
    }
    case RowFunction::greater:
    case RowFunction::greater_equal:
      // The first bit, and then no 1 as long as there was none: what is left of the disjunction with the first bit flipped.
      flip_first();
      scan(function == RowFunction::greater ? RowFunction::or_ : RowFunction::and_, to);
      flip_bits(*results);
      break;
    default: scan(function, from); break;
  }
  return filled_like(cx.heap, std::move(results), x);
}

}  // namespace

Value scan_bit_columns(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  return scan_bits<false>(cx, operand, x, size.columns);
}
Value scan_bit_rows(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  return scan_bits<true>(cx, operand, x, size.columns);
}

}  // namespace griddle::primitives
