// `: what folds of the beginnings of an array give, one after the other.

#include <cmath>

#include "primitives/arithmetic/cached_lists.h"
#include "primitives/common/cells_builder.h"
#include "primitives/common/element_caller.h"
#include "primitives/common/element_reader.h"
#include "primitives/common/elements.h"
#include "primitives/common/mapping.h"
#include "primitives/common/number_lanes.h"
#include "primitives/folds/fold.h"
#include "primitives/folds/number_ways.h"
#include "primitives/folds/operand_ways.h"
#include "primitives/folds/results.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bool_scan.h"
#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/modifiers.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/fill.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "runtime/vm/number_steps.h"

namespace griddle::primitives {

// --- the general way

namespace {

// Scans numbers as long as arithmetic alone gives the results, of which results[0] is the first; gives how many there are then.
std::size_t scan_numbers(Context& cx, NumberSteps& steps, const ElementReader& elements, std::size_t length, double* results) {
  for (std::size_t i = 1; i < length; i++) {
    cx.check_interrupt();
    const double next = steps(results[i - 1], elements[i].number());
    if (next != next) return i;
    results[i] = next;
  }
  return length;
}

// Scans a list; `result` is the first result, elements [1, n) follow.
Value scan_list(Context& cx, const Value& f, Value x, Value result) {
  std::size_t length = x.array().length;
  ElementReader elements(x);
  ArrayBuilder builder(cx.heap, length);
  std::size_t done = 1;
  if (length > worth_steps && result.is_number() && is_number(x.array().type()) && f.is_function()) {
    if (NumberSteps steps(without_block(cx, f, length).function()); steps.usable()) {
      Ref<Array> results = make_list(cx.heap, ElementType::f64, length);
      double* numbers = results->as<double>();
      numbers[0] = result.number();
      done = scan_numbers(cx, steps, elements, length, numbers);
      if (done == length) return integers_if_whole(cx.heap, to_value(std::move(results)));
      for (std::size_t i = 0; i + 1 < done; i++) builder.push(Value(numbers[i]));
      result = Value(numbers[done - 1]);
    }
  }
  builder.push(result);
  ElementCaller caller(cx, f);
  for (std::size_t i = done; i < length; i++) {
    cx.check_interrupt();
    result = caller(std::move(result), elements[i]);
    builder.push(result);
  }
  return builder.finish();
}

Value scan_cells(Context& cx, const Value& f, const Value& x, Value result) {
  std::size_t cells = x.array().cells();
  CellsBuilder builder(cx, "Scan", Shape{cells});
  builder.push(result);
  ElementCaller caller(cx, f);
  for (std::size_t i = 1; i < cells; i++) {
    cx.check_interrupt();
    result = caller(std::move(result), cell_at(cx.heap, x, i));
    builder.push(result);
  }
  return builder.finish();
}

// Scans each column of elements. `w` is absent or has the shape of a cell.
Value scan_columns(Context& cx, const Value& f, const Value& w, const Value& x) {
  const Array& a = x.array();
  std::size_t cell = a.cell_length();
  Ref<Array> results = make_array(cx.heap, ElementType::boxed, a.shape());
  std::span<Value> boxes = results->boxes();
  ElementReader from_x(x);
  ElementReader from_w(w);
  ElementCaller caller(cx, f);
  for (std::size_t i = 0; i < a.length; i++) {
    cx.check_interrupt();
    if (i >= cell)
      boxes[i] = caller(boxes[i - cell], from_x[i]);
    else
      boxes[i] = w.is_absent() ? from_x[i] : caller(from_w[i], from_x[i]);
  }
  return narrowed(cx.heap, to_value(std::move(results)));
}

// Gives the first cell as often as there are cells.
Value first_repeated(Context& cx, const Value& x) {
  const Array& a = x.array();
  const Value cell = slice(cx.heap, x, 0, a.shape().subspan(1));
  Value repeated = reshape(cx, make_numbers(cx.heap, a.shape()), cell);
  // Where 𝕩 has no fill that of the first cell is known.
  return a.fill_kind() == FillKind::none ? repeated : with_fill_like(cx.heap, std::move(repeated), x);
}

}  // namespace

Value scan_monad(Context& cx, const Function& self, Value x) {
  const ComputingHere here(cx, "Scan");
  if (rank_of(x) == 0) fail(cx, "Scan: 𝕩 must have rank at least 1 (got " + kind_text(x) + ")");
  const Value& f = operand(self);
  const Array& a = x.array();
  if (a.length == 0 || a.cells() == 1) return x;
  if (const ScalarOp end = side_passed_by(f); end != ScalarOp::none)
    return end == ScalarOp::left ? first_repeated(cx, x) : std::move(x);
  if (a.rank() == 1) {
    if (Value result = call_with_primitive(cx, self, Value(), x); !result.is_absent()) return result;
  }
  const Value fill = fill_of(cx.heap, x);
  Value result;
  if (a.rank() == 1) {
    Value start = element(a, 0);
    result = scan_list(cx, f, std::move(x), std::move(start));
  } else {
    result = is_pervasive_dyad(f) ? scan_cells(cx, f, x, cell_at(cx.heap, x, 0)) : scan_columns(cx, f, Value(), x);
  }
  return with_fill(cx.heap, std::move(result), fill);
}

Value scan_dyad(Context& cx, const Function& self, Value w, Value x) {
  const ComputingHere here(cx, "Scan");
  if (rank_of(x) == 0) fail(cx, "Scan: 𝕩 must have rank at least 1 (got " + kind_text(x) + ")");
  const Value& f = operand(self);
  const Array& a = x.array();
  if (!same_shape(shape_of(w), a.shape().subspan(1)))
    fail(cx, "Scan: 𝕨 must have the shape of a cell of 𝕩 (shapes " + shape_text(w) + " and " + shape_text(x) + ")");
  if (a.length == 0 || side_passed_by(f) == ScalarOp::right) return x;
  // What starts the results gives them its kind, unless 𝔽 is a constant.
  const Value& kind = f.is_function() ? w : x;
  Value fill = kind.is_array() ? fill_of(cx.heap, kind) : prototype(cx.heap, kind);
  Value result;
  if (a.rank() == 1) {
    Value start = call(cx, f, ElementReader(w)[0], element(a, 0));
    result = scan_list(cx, f, std::move(x), std::move(start));
  } else if (is_pervasive_dyad(f)) {
    Value start = call(cx, f, std::move(w), cell_at(cx.heap, x, 0));
    result = scan_cells(cx, f, x, std::move(start));
  } else {
    result = scan_columns(cx, f, w, x);
  }
  return with_fill(cx.heap, std::move(result), fill);
}

// --- ways for numbers

namespace {

// A kernel for plain lists of one type.
struct ScanKernel {
  ScanKernel() = default;
  ScanKernel(kernels::Scan kernel, ElementType x, ElementType result, bool in_place, std::size_t most = ~std::size_t{0})
      : kernel(kernel), described(PlainList::described(x)), in_place(in_place), most(most), result(result) {}
  kernels::Scan kernel = nullptr;
  std::uint32_t described = ~std::uint32_t{0};
  bool in_place = false;  // `out` may be x
  std::size_t most = 0;   // elements
  PlainList result;
};
struct ScanKernels {
  ScanKernel by_type[element_type_count];
};

// Gives the kernels of one operand.
ScanKernels scan_kernels_for(OperandEntry operand) {
  using enum ElementType;
  constexpr std::size_t most_bits_in_i16 = 32767;  // running sums of more may need more than 16 bits
  const kernels::BitSumKernels& of_bits = kernels::bit_sums();
  const kernels::Scan* const sums = kernels::scan().all_sums;
  const auto from_bits = [&] { return ScanKernel(function_of_bits(kernels::bool_scan(), operand), bit, bit, true); };
  const auto with_lanes = [&](const kernels::Scan* lane) -> ScanKernels {
    return {{from_bits(),
             {lane[kernels::lane_i8], i8, i8, true},
             {lane[kernels::lane_i16], i16, i16, true},
             {lane[kernels::lane_i32], i32, i32, true},
             {lane[kernels::lane_f64], f64, f64, false}}};
  };
  switch (operand.scalar) {
    case ScalarOp::add:
      return {{{of_bits.all_sums, bit, i16, false, most_bits_in_i16},
               {sums[0], i8, i16, false, most_bytes_in_i16},
               {sums[1], i16, i32, false},
               {sums[2], i32, i32, false},
               {kernels::ordered_sum().scan, f64, f64, true}}};
    case ScalarOp::subtract: return {{{of_bits.all_differences, bit, i16, false, most_bits_in_i16}}};
    case ScalarOp::divide: return {};
    case ScalarOp::minimum: return with_lanes(kernels::extreme_scan().minimum);
    case ScalarOp::maximum: return with_lanes(kernels::extreme_scan().maximum);
    default: return {{from_bits()}};
  }
}
const ScanKernels& scan_kernels_of(OperandEntry operand) {
  // Those of the processor that runs, so that they are known only now.
  static const auto table = for_each_operand(scan_kernels_for);
  return table[place_of(operand)];
}

// Scans down the columns of higher ranks.
struct ColumnScan {
  static constexpr OperandWay ways[] = {
      {"sums of bits", by_sum, of_bits, by<running_column_bit_sums>},
      {"sums", by_sum, of_numbers, by<running_column_sums>},
      {"differences of bits", by_difference, of_bits, by<running_column_bit_sums>},
      {"bits", by_boolean, of_bits, by<scan_bit_columns>},
      {"extremes", by_extreme, of_numbers, by<running_column_extremes>},
      {"row onto row", by_difference | by_product | by_or | by_comparison, of_numbers, by<scan_columns_in_order>},
      {"row onto row", by_quotient, of_all, by<scan_columns_in_order>},
  };
};
const OperandWays& column_scan_by(OperandEntry operand) {
  static const auto all = ways_by_operand(ColumnScan::ways);
  return all[place_of(operand)];
}

Value scan_by_kernel(Context& cx, const Derived& self, const Value& x, RecentMonad* site) {
  const ScanKernel& way = static_cast<const ScanKernels*>(self.kernels)->by_type[static_cast<int>(x.array().type())];
  Array& a = x.array();
  if (way.kernel == nullptr || a.length - 1 >= way.most) return Value();
  const bool in_place = way.in_place && a.writable();
  Ref<Array> results = in_place ? Ref<Array>::share(&a) : Ref<Array>(make_list_of(cx.heap, way.result, a.length));
  if (!way.kernel(results->data, a.data, a.length)) return Value();
  if (site != nullptr && PlainList::described(a) == way.described && !in_place)
    remember_scan(*site, self, way.kernel, way.result, a);
  return filled_like(cx.heap, std::move(results), x);
}

struct Scan {
  static constexpr OperandWay ways[] = {
      // A kernel that is there for a type comes first: see `run`.
      {"sums of bits", by_sum, of_bits, by<running_bit_sums>},
      {"sums of integers", by_sum, of_integers, by<running_integer_sums>},
      {"differences of bits", by_difference, of_bits, by<running_bit_differences>},
      {"differences of integers", by_difference, of_integers, by<running_integer_differences>},
      {"one by one", by_difference | by_product | by_or | by_comparison, of_numbers, by<scan_in_order>},
      {"one by one", by_quotient, of_all, by<scan_in_order>},
  };
  // Goes the ways of lists, after the kernel.
  [[gnu::noinline]] static std::uint64_t scan_list(Context& cx, const Derived& self, const Value& x, TableSize size,
                                                   RecentMonad* site) {
    Value results = scan_by_kernel(cx, self, x, site);
    return results.is_absent() ? run_ways(cx, ways_of(self), x, size) : results.leak();
  }
  static constexpr auto ask = Device::Reduction::scan;
  static constexpr auto general = scan_monad;
  static constexpr auto takes = measure;
  static std::uint64_t run(Context& cx, const Derived& self, const Value& x, TableSize size, RecentMonad* site) {
    if (size.rows == 1) return Value(x).leak();
    return x.array().rank() == 1 ? scan_list(cx, self, x, size, site)
                                 : run_ways(cx, column_scan_by(*ways_of(self).operand), x, size);
  }
};

// Scans a list on a device onto a number, where that is the same as meeting the number afterwards.
Value scanned_there(Context& cx, const Derived& self, const Value& w, const Value& x) {
  OperandEntry operand = *ways_of(self).operand;
  if (((by_sum | by_extreme) >> place_of(operand) & 1) == 0) return Value();
  const bool ordered = cx.device->strict || x.array().type() != ElementType::f64;
  if (operand.scalar == ScalarOp::add && ordered && w.number() != std::floor(w.number())) return Value();
  const Value scanned = cx.device->reduce(cx, Device::Reduction::scan, operand.name, x);
  return scanned.is_absent() ? Value() : call(cx, self.f, w, scanned);
}
// Scans onto a number: as without it, the first element replaced by what the number and it give.
Value scan_dyad_with_ways(Context& cx, const Function& function, Value w, Value x) {
  const Derived& self = static_cast<const Derived&>(function);
  if (w.is_number() && rank_of(x) == 1 && x.array().length != 0 && !stays_here(cx, x)) [[unlikely]]
    if (Value there = scanned_there(cx, self, w, x); !there.is_absent()) return there;
  const ComputingHere here(cx, "Scan");
  if (w.is_number() && rank_of(x) == 1 && x.array().length != 0 && is_number(x.array().type())) {
    if (ways_of(self).operand->scalar == ScalarOp::add) return running_sums_onto(cx, w.number(), x);
    const Value first = call(cx, self.f, w, element(x.array(), 0));
    if (first.is_number()) {
      Ref<Array> from = make_writable(cx.heap, widened(cx.heap, x, wider(element_type_of(first), x.array().type())));
      store(*from, 0, first);
      if (const std::uint64_t r = Scan::run(cx, self, to_value(std::move(from)), {x.array().length, 1}, nullptr); r != declined)
        return with_fill_like(cx.heap, Value::from_bits(r), x);
    }
  }
  return scan_dyad(cx, function, std::move(w), std::move(x));
}

}  // namespace

void attach_scan(Context&, Derived& d) {
  if (!attach_ways<Scan>(d, d.f)) return;
  d.kernels = &scan_kernels_of(*ways_of(d).operand);
  d.dyad = scan_dyad_with_ways;
}

}  // namespace griddle::primitives
