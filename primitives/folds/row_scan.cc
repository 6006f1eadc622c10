// `˘ on tables of numbers: each row scanned on its own. And what ˘ attaches to folds and scans.
#include <vector>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/index_list.h"
#include "primitives/common/mapping.h"
#include "primitives/common/number_lanes.h"
#include "primitives/folds/fold.h"
#include "primitives/folds/number_ways.h"
#include "primitives/folds/operand_ways.h"
#include "primitives/folds/results.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/row_bits.h"
#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/folds/row_scan.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/mapping/cell_routes.h"
#include "primitives/modifiers.h"

namespace griddle::primitives {

namespace {

constexpr std::size_t few_rows = 4;  // fewer are not worth taking together

// Calls scan(to, from) for each row of results and of elements.
template <class Scan>
void each_row(Array& results, const Array& a, TableSize size, Scan scan) {
  const std::size_t step = size.columns * width_of(a.type()), result_step = size.columns * width_of(results.type());
  kernels::ElementsDone elements_done;
  for (std::size_t r = 0; r < size.rows; r++) {
    scan(results.data + r * result_step, a.data + r * step);
    elements_done.add(size.columns);
  }
}

// --- sums

// Begins each row at the start of a word.
[[gnu::noinline]] void sum_long_rows(Array& sums, const Array& bits, std::size_t columns, bool subtracts) {
  std::vector<std::uint64_t> row(columns / 64 + 2);
  const auto& kernels = kernels::bit_sums();
  const auto sum = (subtracts ? kernels.differences : kernels.sums)[lane_above_bits(sums.type())];
  for (std::size_t start = 0; start < sums.length; start += columns) {
    kernels::copy_bit_run(row.data(), 0, bits.as<std::uint64_t>(), start, columns);
    const std::int32_t onto = subtracts ? static_cast<std::int32_t>(row[0] & 1) * 2 : 0;
    sum(sums.data + start * width_of(sums.type()), row.data(), columns, onto);
  }
}
// Sums along the rows of bits, or leaves them of twice the first bit.
Value row_bit_sums(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::uint64_t* const bits = a.as<std::uint64_t>();
  const std::size_t rows = size.rows, columns = size.columns;
  if (columns > 2147483647) return Value();
  const bool subtracts = operand.scalar == ScalarOp::subtract;
  const ElementType type = index_type(columns);
  const auto& kernels = kernels::bit_sums();
  Ref<Array> sums = make_plain_like(cx.heap, type, a);
  if (const auto of_short_rows = subtracts ? kernels.row_differences : kernels.row_sums;
      of_short_rows != nullptr && columns <= 64) {
    of_short_rows(sums->as<std::int8_t>(), bits, columns, a.length);
  } else if (columns <= kernels::RowScanKernels::most_columns) {
    constexpr std::int8_t zero = 0, one = 1, minus_one = -1;
    constexpr int bytes = index_of(ElementType::i8);
    kernels::convert().choose[bytes](sums->data, bits, a.length, &zero, subtracts ? &minus_one : &one);
    if (subtracts) {
      const Ref<Array> first = make_plain_like(cx.heap, ElementType::bit, a);
      kernels::row_bits().keep(kernels::RowBits::first_places, first->as<std::uint64_t>(), bits, columns, a.length);
      kernels::convert().overwrite[bytes](sums->data, first->as<std::uint64_t>(), a.length, &one);
    }
    kernels::row_scan().sum_within[kernels::lane_i8](sums->data, sums->data, columns, rows);
  } else {
    sum_long_rows(*sums, a, columns, subtracts);
  }
  return to_value(std::move(sums));
}

Value row_real_sums(Context& cx, OperandEntry, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t rows = size.rows, columns = size.columns;
  Ref<Array> sums = make_plain_like(cx.heap, ElementType::f64, a);
  if (rows >= few_rows)
    in_groups_of_rows(*sums, size.columns, a, size, kernels::row_scan().sum[kernels::lane_f64]);
  else
    each_row(*sums, a, size, [columns](void* to, const void* row) { kernels::ordered_sum().scan(to, row, columns); });
  return to_value(std::move(sums));
}

// Tells whether no sum of a row of 32-bit integers can leave 32 bits, by their extremes.
bool row_sums_fit(const Array& a, std::size_t columns) {
  const std::int64_t most = 2147483647 / static_cast<std::int64_t>(columns);
  const kernels::Bounds bounds = kernels::bounds_of(ElementType::i32, a.data, a.length);
  return bounds.high <= most && bounds.low >= -most;
}

Value row_integer_sums(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t columns = size.columns;
  const int lane = lane_above_bits(a.type());
  const bool is_short = columns <= kernels::RowScanKernels::most_summed;
  if (is_short && (lane != kernels::lane_i32 || row_sums_fit(a, columns))) {
    Ref<Array> sums = make_plain_like(cx.heap, lane == kernels::lane_i8 ? ElementType::i16 : ElementType::i32, a);
    in_groups_of_rows(*sums, size.columns, a, size, kernels::row_scan().sum[lane]);
    return to_value(std::move(sums));
  }
  if (!is_short) {
    Ref<Array> sums = make_plain_like(cx.heap, ElementType::i32, a);
    bool fit = true;
    each_row(*sums, a, size, [&, sum = kernels::scan().sum[lane]](void* to, const void* row) {
      std::int32_t carry = 0;
      fit = fit && sum(static_cast<std::int32_t*>(to), row, columns, carry) == columns;
    });
    if (fit) return to_value(std::move(sums));
  }
  if (lane != kernels::lane_i32) return row_real_sums(cx, operand, widened(cx.heap, x, ElementType::f64), size);
  Ref<Array> sums = make_plain_like(cx.heap, ElementType::f64, a);
  in_groups_of_rows(*sums, size.columns, a, size, kernels::row_scan().sum_f64);
  return to_value(std::move(sums));
}

// --- extremes

Value row_scan_extremes(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const bool greatest = operand.scalar == ScalarOp::maximum;
  const std::size_t rows = size.rows, columns = size.columns;
  const int lane = lane_above_bits(a.type());
  Ref<Array> results = make_plain_like(cx.heap, a.type(), a);
  constexpr std::size_t longest = 44;  // elements; longer rows are scanned faster one by one, as lists are
  if (columns <= longest && rows >= few_rows) {
    const auto& together = kernels::row_scan();
    in_groups_of_rows(*results, size.columns, a, size, (greatest ? together.maximum : together.minimum)[lane]);
  } else {
    const kernels::Scan scan = (greatest ? kernels::extreme_scan().maximum : kernels::extreme_scan().minimum)[lane];
    each_row(*results, a, size, [&](void* to, const void* row) { scan(to, row, columns); });
  }
  return to_value(std::move(results));
}

struct RowScan : ForTables {
  static constexpr OperandWay ways[] = {
      {"sums or differences of bits", by_sum | by_difference, of_bits, by<row_bit_sums>},
      {"bits", by_boolean, of_bits, by<scan_bit_rows>},
      {"sums of integers", by_sum, of_integers, by<row_integer_sums>},
      {"sums of doubles", by_sum, of_reals, by<row_real_sums>},
      {"extremes", by_extreme, of_numbers, by<row_scan_extremes>},
      {"one by one", by_difference | by_product | by_or, of_numbers, by<scan_rows_in_order>},
      {"one by one", by_quotient, of_all, by<scan_rows_in_order>},
  };
  static constexpr auto ask = Device::Reduction::scan_rows;
  static constexpr auto general = cells_monad;
};

}  // namespace

void attach_cells(Context&, Derived& d) {
  switch (reduces_by(d.f)) {
    case Reduces::folds:
    case Reduces::inserts: return attach_row_fold(d, operand(d.f.function()));
    case Reduces::scans: attach_ways<RowScan>(d, operand(d.f.function())); return;
    default: return attach_direct_rows(d);
  }
}

}  // namespace griddle::primitives
