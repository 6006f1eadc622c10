#include "primitives/folds/fused_direct.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "primitives/arithmetic/cached_lists.h"
#include "primitives/folds/fusion.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/booleans/bool_scan.h"
#include "primitives/kernels/elementwise/real.h"
#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/moves/move.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {

namespace {

double difference(const void* x, std::size_t n) {
  const double* doubles = static_cast<const double*>(x);
  return kernels::difference_from_right(doubles, n - 1, doubles[n - 1]);
}

// Sums of so many integers are exact.
constexpr std::size_t most_summed = std::size_t{1} << 21;

// Running sums of more bits may need more than 16 bits.
constexpr std::size_t most_bits_in_i16 = 32767;
static_assert(most_bits_in_i16 >= most_bytes_in_i16);

// Kernels by element type; null where there is none.
struct DirectFolds {
  kernels::Fold by_type[element_type_count];
  std::size_t most = ~std::size_t{0};  // elements
};
struct DirectScan {
  DirectScan() = default;
  DirectScan(kernels::Scan kernel, ElementType x, ElementType result, bool in_place, std::size_t most = ~std::size_t{0})
      : kernel(kernel), described(PlainList::described(x)), in_place(in_place), most(most), result(result) {}
  kernels::Scan kernel = nullptr;
  std::uint32_t described = ~std::uint32_t{0};  // of a plain list of the type that the kernel reads
  bool in_place = false;                        // `out` may be x
  std::size_t most = 0;                         // elements
  PlainList result;
};
struct DirectScans {
  DirectScan by_type[element_type_count];
  kernels::BoolScanBy bit_columns = nullptr;  // tables of bits, row onto row
};
struct DirectKernels {
  Glyph name;
  DirectFolds folds;
  DirectScans scans;
};

// Gives what is known of a primitive that has a rule.
const DirectKernels* direct_kernels(Glyph glyph) {
  // Kernels are those of the processor that runs, so that they are known only now.
  static const auto table = [] {
    using Type = ElementType;
    const kernels::BoolFoldKernels& folds = kernels::bool_fold();
    const kernels::BoolScanKernels& scans = kernels::bool_scan();
    const kernels::Fold *sum = kernels::reduce().fold_sum, *least = kernels::reduce().fold_minimum,
                        *greatest = kernels::reduce().fold_maximum;
    const kernels::Scan *sums = kernels::scan().all_sums, *lower = kernels::extreme_scan().minimum,
                        *upper = kernels::extreme_scan().maximum;
    const auto extremes = [](const kernels::Scan* by_lane, kernels::Scan bits, kernels::BoolScanBy columns) -> DirectScans {
      return {{{bits, Type::bit, Type::bit, true},
               {by_lane[kernels::lane_i8], Type::i8, Type::i8, true},
               {by_lane[kernels::lane_i16], Type::i16, Type::i16, true},
               {by_lane[kernels::lane_i32], Type::i32, Type::i32, true},
               {by_lane[kernels::lane_f64], Type::f64, Type::f64, false}},
              columns};
    };
    const auto fold_by = [](kernels::Fold bits, const kernels::Fold* lane) -> DirectFolds {
      return {{bits, lane[kernels::lane_i8], lane[kernels::lane_i16], lane[kernels::lane_i32], lane[kernels::lane_f64]}};
    };
    const auto of_bits = [](kernels::Scan bits, kernels::BoolScanBy columns = nullptr) -> DirectScans {
      return {{{bits, Type::bit, Type::bit, true}}, columns};
    };
    return std::to_array<DirectKernels>({
        {Glyph::add,
         {{folds.sum, sum[0], sum[1], sum[2], kernels::ordered_sum().fold}, most_summed},
         {{{kernels::bit_sums().all_sums, Type::bit, Type::i16, false, most_bits_in_i16},
           {sums[0], Type::i8, Type::i16, false, most_bytes_in_i16},
           {sums[1], Type::i16, Type::i32, false},
           {sums[2], Type::i32, Type::i32, false},
           {kernels::ordered_sum().scan, Type::f64, Type::f64, true}}}},
        {Glyph::subtract,
         {{folds.difference, {}, {}, {}, difference}},
         {{{kernels::bit_sums().all_differences, Type::bit, Type::i16, false, most_bits_in_i16}}}},
        {Glyph::multiply, fold_by(folds.and_, kernels::product_fold), of_bits(scans.and_, scans.and_by)},
        {Glyph::logic_and, fold_by(folds.and_, kernels::product_fold), of_bits(scans.and_, scans.and_by)},
        {Glyph::logic_or, fold_by(folds.or_, kernels::or_fold), of_bits(scans.or_, scans.or_by)},
        {Glyph::minimum, fold_by(folds.and_, least), extremes(lower, scans.and_, scans.and_by)},
        {Glyph::maximum, fold_by(folds.or_, greatest), extremes(upper, scans.or_, scans.or_by)},
        {Glyph::equal, {{folds.equal}}, of_bits(scans.equal)},
        {Glyph::not_equal, {{folds.exclusive_or}}, of_bits(scans.exclusive_or, scans.exclusive_or_by)},
        {Glyph::less, {{folds.less}}, of_bits(scans.less)},
        {Glyph::less_equal, {{folds.less_equal}}, of_bits(scans.less_equal)},
        {Glyph::greater, {{folds.greater}}, of_bits(scans.greater)},
        {Glyph::greater_equal, {{folds.greater_equal}}, of_bits(scans.greater_equal)},
    });
  }();
  return &*std::ranges::find(table, glyph, &DirectKernels::name);
}

bool is_for_device(const Context& cx, const Value& x) { return cx.device != nullptr && concerns_device(cx, x); }

Value fold_list(const DirectFolds& folds, const Array& a) {
  const kernels::Fold fold = folds.by_type[static_cast<int>(a.type())];
  if (fold == nullptr || a.length - 1 >= folds.most) return Value();
  return fold(a.data, a.length);
}
std::uint64_t fold_any(Context& cx, const Derived& self, const Value& x, RecentMonad* site) {
  const Array& a = x.array();
  if (a.rank() != 1 || is_for_device(cx, x)) return Value::absent_bits;
  const DirectFolds& folds = *static_cast<const DirectFolds*>(self.kernels);
  const Value result = fold_list(folds, a);
  if (site != nullptr && !result.is_absent())
    remember_fold(*site, self, folds.by_type[static_cast<int>(a.type())], folds.most, a);
  return result.bits();
}

Value scan_list_directly(Context& cx, const DirectScans& scans, const Value& x) {
  Array& a = x.array();
  const DirectScan& way = scans.by_type[static_cast<int>(a.type())];
  if (way.kernel == nullptr || a.length - 1 >= way.most) return Value();
  Ref<Array> results = way.in_place && a.writable() ? Ref<Array>::share(&a) : make_list_of(cx.heap, way.result, a.length);
  if (!way.kernel(results->data, a.data, a.length)) return Value();
  if (a.fill_kind() == FillKind::zero) [[likely]]
    return to_value(std::move(results));
  return with_fill_like(cx.heap, to_value(std::move(results)), x);
}

// Tells whether x is a table of bits that stays, which no results may replace.
inline bool is_bit_table(const Context& cx, const Array& a) {
  constexpr std::uint32_t described = PlainList::described(ElementType::bit) + (1u << 16);
  return PlainList::described(a) == described && a.length != 0 && cx.device == nullptr && !a.unique();
}
inline Array* make_bit_table_like(Context& cx, const Array& a) {
  return make_plain_table(cx.heap, ElementType::bit, a.shape()[0], a.shape()[1]);
}

std::uint64_t scan_columns_directly(Context& cx, const Derived& self, const Value& x) {
  const Array& a = x.array();
  if (a.rank() < 2 || !is_number(a.type()) || a.length == 0) return Value::absent_bits;
  if (a.cells() == 1) return Value(x).leak();
  if (rule_of(self).scan_columns == nullptr) return Value::absent_bits;
  return rule_of(self).scan_columns(cx, x).leak();
}

// Scans a list where no kernel is for its type, or results do not fit the kernel's.
std::uint64_t scan_by_rule(Context& cx, const Derived& self, const Value& x) {
  const Array& a = x.array();
  if (rule_of(self).scan == nullptr || !is_number(a.type()) || a.length == 0) return Value::absent_bits;
  return rule_of(self).scan(cx, x).leak();
}

[[gnu::noinline]] std::uint64_t scan_other(Context& cx, const Derived& self, const Value& x) {
  const Array& a = x.array();
  const kernels::BoolScanBy bit_columns = static_cast<const DirectScans*>(self.kernels)->bit_columns;
  if (bit_columns != nullptr && is_bit_table(cx, a)) {
    Array* const results = make_bit_table_like(cx, a);
    bit_columns(a.shape()[1], results->as<std::uint64_t>(), a.as<std::uint64_t>(), a.length);
    return Value(results).leak();
  }
  if (is_for_device(cx, x)) return Value::absent_bits;
  if (a.rank() != 1) return scan_columns_directly(cx, self, x);
  Value results = scan_list_directly(cx, *static_cast<const DirectScans*>(self.kernels), x);
  return results.is_absent() ? scan_by_rule(cx, self, x) : results.leak();
}

std::uint64_t scan_list_or_columns(Context& cx, const Derived& self, const Value& x, RecentMonad* site) {
  const Array& a = x.array();
  const DirectScan& way = static_cast<const DirectScans*>(self.kernels)->by_type[static_cast<int>(a.type())];
  // Nearly every list is neither long nor reused in place, nor has a fill of its own.
  const bool is_common = PlainList::described(a) == way.described && a.length - 1 < most_bytes_in_i16;
  if (!is_common || cx.device != nullptr || a.unique()) [[unlikely]]
    return scan_other(cx, self, x);
  Array* const results = make_list_of(cx.heap, way.result, a.length);
  if (way.kernel(results->data.here(), a.data.here(), a.length)) [[likely]] {
    if (site != nullptr) remember_scan(*site, self, way.kernel, way.result, a);
    return Value(results).leak();
  }
  release(results);
  return scan_by_rule(cx, self, x);
}

bool is_table(const Array& a) { return a.rank() >= 2 && is_number(a.type()) && a.length != 0; }

// Folds a list to a unit.
[[gnu::noinline]] std::uint64_t insert_list(Context& cx, const Derived& self, const Value& x) {
  const Array& a = x.array();
  if (!is_number(a.type()) || a.length < 2 || is_for_device(cx, x)) return Value::absent_bits;
  Value folded = fold_on_host(rule_of(self).name, x);
  return folded.is_absent() ? Value::absent_bits : enclose(cx.heap, std::move(folded)).leak();
}

std::uint64_t insert_table(Context& cx, const Derived& self, const Value& x, RecentMonad*) {
  constexpr std::size_t short_row = 1024;  // bytes; those of a single row are cheaper to copy than to share
  const Array& a = x.array();
  if (a.rank() == 1) return insert_list(cx, self, x);
  if (!is_table(a) || is_for_device(cx, x)) return Value::absent_bits;
  if (a.cells() >= 2) return rule_of(self).insert(cx, x).leak();
  const std::size_t bytes = bytes_for(a.type(), a.length);
  if (a.rank() != 2 || a.fill_kind() != FillKind::zero || bytes > short_row) return Value::absent_bits;
  Array* const row = make_list_of(cx.heap, plain_lists[static_cast<int>(a.type())], a.length);
  kernels::copy_bytes(row->data.here(), a.data, bytes);
  return Value(row).leak();
}
std::uint64_t fold_rows_of_table(Context& cx, const Derived& self, const Value& x, RecentMonad*) {
  if (!is_table(x.array()) || x.array().rank() != 2 || is_for_device(cx, x)) return Value::absent_bits;
  return rule_of(self).fold_rows(cx, rule_of(self), x).leak();
}
std::uint64_t scan_rows_of_table(Context& cx, const Derived& self, const Value& x, RecentMonad*) {
  using enum kernels::RowFunction;
  const FusionRule& rule = rule_of(self);
  const bool has_kernel = rule.on_bits == or_ || rule.on_bits == exclusive_or || rule.on_bits == and_;
  if (has_kernel && rule.in_any_order && is_bit_table(cx, x.array())) {
    const Array& a = x.array();
    Array* const results = make_bit_table_like(cx, a);
    static const auto scan_rows = kernels::bool_row_scan().scan;
    scan_rows(rule.on_bits, results->as<std::uint64_t>(), a.as<std::uint64_t>(), a.shape()[1], a.length);
    return Value(results).leak();
  }
  if (!is_table(x.array()) || x.array().rank() != 2 || is_for_device(cx, x)) return Value::absent_bits;
  return rule.scan_rows(cx, x).leak();
}

}  // namespace

void attach_direct_fold(Derived& d) {
  const DirectKernels* kernels = direct_kernels(rule_of(d).name);
  d.kernels = &kernels->folds;
  d.direct = fold_any;
}
void attach_direct_scan(Derived& d) {
  const DirectKernels* kernels = direct_kernels(rule_of(d).name);
  d.kernels = &kernels->scans;
  d.direct = scan_list_or_columns;
}
void attach_direct_insert(Derived& d) { d.direct = insert_table; }
void attach_direct_fold_rows(Derived& d) { d.direct = fold_rows_of_table; }
void attach_direct_scan_rows(Derived& d) { d.direct = scan_rows_of_table; }

Value fold_on_host(const Function& self, const Value& x) {
  return fold_list(*static_cast<const DirectFolds*>(static_cast<const Derived&>(self).kernels), x.array());
}
Value fold_on_host(Glyph glyph, const Value& x) { return fold_list(direct_kernels(glyph)->folds, x.array()); }
Value scan_on_host(Context& cx, const Function& self, const Value& x) {
  return scan_list_directly(cx, *static_cast<const DirectScans*>(static_cast<const Derived&>(self).kernels), x);
}

}  // namespace griddle::primitives
