// Folds of groups that need not be made: ≠¨⊔x, +´¨w⊔x, ⌈´¨w⊔x, (+´÷≠)¨w⊔x and others.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "primitives/common/index_list.h"
#include "primitives/common/plain.h"
#include "primitives/folds/part_folds.h"
#include "primitives/folds/results.h"
#include "primitives/functions.h"
#include "primitives/inverse/undo.h"
#include "primitives/kernels/search/group.h"
#include "primitives/search/group_runs.h"

namespace griddle::primitives {

namespace {

// Numbers of groups, one for each cell.
struct Numbered {
  const Value& numbers;
  const Array& list;
  std::size_t groups = 0;
  bool drops = false;     // any cell
  bool in_order = false;  // as far as some of them show
};

Value lengths(Context& cx, const Numbered& cells) {
  if (!cells.drops) return undo_indices(cx, cells.numbers);
  Ref<Array> starts = make_plain_list(cx.heap, ElementType::i32, cells.groups + 1);
  auto* const start = starts->as<std::uint32_t>();
  kernels::count_groups(cells.list.type(), cells.list.data, cells.list.length, true, cells.groups, start);
  for (std::size_t g = 0; g < cells.groups; g++) start[g] = start[g + 1] - start[g];
  starts->length = cells.groups;
  return narrowed(cx.heap, to_value(std::move(starts)));
}

// Gives 0 for sums of nothing, where sums began with ¯0 so that those of ¯0 stay.
void begin_with_zero(const Numbered& cells, double* sums) {
  const auto is_begun = [](double sum) { return sum == 0 && std::signbit(sum); };
  if (std::none_of(sums, sums + cells.groups, is_begun)) return;
  std::vector<bool> has_cells(cells.groups);
  with_integers(cells.list, [&](const auto* numbers) {
    for (std::size_t i = 0; i < cells.list.length; i++)
      if (numbers[i] >= 0) has_cells[static_cast<std::size_t>(numbers[i])] = true;
  });
  for (std::size_t g = 0; g < cells.groups; g++)
    if (!has_cells[g]) sums[g] = 0;
}

kernels::GroupFold kind_of(ScalarOp by) {
  return by == ScalarOp::add       ? kernels::GroupFold::add
         : by == ScalarOp::minimum ? kernels::GroupFold::minimum
                                   : kernels::GroupFold::maximum;
}

Ref<Array> sums_of_doubles(Context& cx, const Numbered& cells, const Array& x) {
  Ref<Array> made = make_plain_list(cx.heap, ElementType::f64, cells.groups);
  auto* const sums = made->as<double>();
  std::fill_n(sums, cells.groups, -0.0);
  kernels::fold_groups(kernels::GroupFold::add, cells.list.type(), cells.list.data, x.length, cells.in_order, x.as<double>(),
                       sums);
  begin_with_zero(cells, sums);
  return made;
}

// Gives them as doubles.
Ref<Array> folds_of_integers(Context& cx, const Numbered& cells, kernels::GroupFold fold, const Array& x) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  const std::int64_t first = fold == kernels::GroupFold::add ? 0 : fold == kernels::GroupFold::minimum ? most : -most;
  Ref<Array> made = make_plain_list(cx.heap, ElementType::f64, cells.groups);
  auto* const folded = made->as<std::int64_t>();
  std::fill_n(folded, cells.groups, first);
  kernels::fold_groups(fold, cells.list.type(), cells.list.data, x.length, cells.in_order, x.type(), x.data, folded);
  auto* const to = made->as<double>();
  for (std::size_t g = 0; g < cells.groups; g++) {
    const std::int64_t one = folded[g];
    to[g] = one == most    ? std::numeric_limits<double>::infinity()
            : one == -most ? -std::numeric_limits<double>::infinity()
                           : static_cast<double>(one);
  }
  return made;
}

}  // namespace

Value fold_groups(Context& cx, const Value& f, bool, const Value& w, const Value& x) {
  const Value& numbers = w.is_absent() ? x : w;
  if (!is_flat_list(numbers) || !stays_here(cx, numbers) || !x.is_array() || !stays_here(cx, x)) return Value();
  const Array &list = numbers.array(), &a = x.array();
  if (!is_integer(list.type()) || list.type() == ElementType::bit || list.length == 0 || list.length >= 0xFFFFFFFF ||
      a.rank() == 0 || a.cells() != list.length)
    return Value();
  const PartFold fold = part_fold(cx, static_cast<const Derived&>(f.function()).f);
  if (fold.kind == PartFold::Kind::none || fold.inserts) return Value();
  const bool counts = fold.kind == PartFold::Kind::length;
  const bool folds_integers = is_any(fold.by, ScalarOp::minimum, ScalarOp::maximum);
  if (!counts &&
      (w.is_absent() || !is_flat_list(x) || !is_number(a.type()) ||
       (a.type() == ElementType::f64 ? folds_integers : a.length > most_summed) || !(folds_integers || fold.by == ScalarOp::add)))
    return Value();
  const kernels::Bounds bounds = kernels::group_bounds(list.type(), list.data, list.length);
  if (bounds.low < -1 || bounds.high < 0) return Value();
  Numbered cells{numbers, list, static_cast<std::size_t>(bounds.high) + 1, bounds.low < 0};
  if (counts) return lengths(cx, cells);
  cells.in_order = may_be_in_order(list, list.length);
  // Vectors fold long runs of integers sooner, which need not be copied.
  if (cells.in_order && a.type() != ElementType::f64 && a.length >= tuning().long_folded_run * cells.groups) return Value();
  const bool doubles = a.type() == ElementType::f64;
  Ref<Array> all = doubles ? sums_of_doubles(cx, cells, a) : folds_of_integers(cx, cells, kind_of(fold.by), a);
  if (fold.kind == PartFold::Kind::fold) return doubles ? to_value(std::move(all)) : narrowed(cx.heap, to_value(std::move(all)));
  const Value counts_of_cells = lengths(cx, cells);
  for (std::size_t g = 0; g < cells.groups; g++) all->as<double>()[g] /= number_at(counts_of_cells.array(), g);
  return to_value(std::move(all));
}

}  // namespace griddle::primitives
