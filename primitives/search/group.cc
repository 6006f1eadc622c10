// Group indices and Group ⊔, and their inverses.
#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "primitives/common/elements.h"
#include "primitives/common/index_list.h"
#include "primitives/common/indexing.h"
#include "primitives/common/plain.h"
#include "primitives/common/sorted.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/inverse/undo.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/search/group.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/sort/is_sorted.h"
#include "primitives/search/group_runs.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

namespace {

constexpr const char* name = "Group";

// Says into which group each cell along one or more axes of the argument goes.
struct Assignment {
  Value numbers;         // group numbers in a numeric form; ¯1 drops a cell
  std::size_t rank = 0;  // of the array they came in: how many axes they stand for
  std::size_t cells = 0;
  std::size_t groups = 0;
  bool drops = false;  // any cell
};

Value numeric(Context& cx, const char* who, const Value& v) {
  const Array& a = v.array();
  if (a.length == 0) return to_value(make_array(cx.heap, ElementType::i8, a.shape()));
  if (is_integer(a.type())) return v;
  ElementType t = narrowest(a);
  if (!is_integer(t)) {
    for (std::size_t i = 0; i < a.length; i++) {
      Value e = element(a, i);
      std::int64_t integer;
      if (!e.to_integer(integer)) fail(cx, std::string(who) + " must consist of integers (got " + offender(e) + ")");
      if (integer < -1) fail(cx, std::string(who) + " must not have numbers below ¯1 (got " + offender(e) + ")");
    }
    fail(cx, std::string(who) + " asks for too many groups (" + number_text(number_at(a, a.length - 1)) + ")");
  }
  return converted(cx.heap, a, t);
}

// Reads the group numbers for the axes of `shape` from `axis` on; fails where they do not fit.
Assignment read_assignment(Context& cx, const char* who, const Value& v, std::span<const std::size_t> shape, std::size_t axis) {
  Assignment result;
  Value numbers = v.is_array() ? v : enclose(cx.heap, v);
  result.rank = rank_of(numbers);
  if (axis + result.rank > shape.size())
    fail(cx, std::string(who) + " must not have more axes than 𝕩 (rank " + std::to_string(axis + result.rank) + ", shape " +
                 shape_text(shape) + ")");
  std::span<const std::size_t> axes = shape.subspan(axis, result.rank), given = numbers.array().shape();
  bool longer = result.rank == 1 && given[0] == axes[0] + 1;
  if (!longer && !same_shape(given, axes))
    fail(cx, std::string(who) + " must have as many numbers as 𝕩 has cells, or one more in a list (shapes " + shape_text(given) +
                 " and " + shape_text(axes) + ")");
  result.numbers = numeric(cx, who, numbers);
  result.cells = product(axes);
  const Array& a = result.numbers.array();
  const auto [least, most] = kernels::group_bounds(a.type(), a.data, result.cells);
  std::int64_t minimum = longer ? static_cast<std::int64_t>(number_at(a, result.cells)) : 0;
  if (std::min(least, minimum) < -1)
    fail(cx, std::string(who) + " must not have numbers below ¯1 (got " +
                 number_text(static_cast<double>(std::min(least, minimum))) + ")");
  result.groups = static_cast<std::size_t>(std::max({most + 1, minimum, std::int64_t{0}}));
  result.drops = least < 0;
  return result;
}

// Tells whether many of some numbers differ from the next one.
bool are_runs_short(const Array& numbers, std::size_t n) {
  constexpr std::size_t looks = 32, many = 16;
  return with_integers(numbers, [=](const auto* p) {
    std::size_t ends = 0;
    for (std::size_t k = 0; k < looks; k++) ends += p[k * n / looks] != p[k * n / looks + 1];
    return ends >= many;
  });
}

// Marks where the next number differs, if runs of equal numbers are long enough to be worth moving as a whole; else absent.
Value ends_of_long_runs(Context& cx, const Assignment& groups) {
  const std::size_t n = groups.cells - 1;
  if (groups.cells < tuning().least_run_cells || groups.numbers.array().type() == ElementType::bit ||
      are_runs_short(groups.numbers.array(), n))
    return Value();
  const Value ends = ends_of_runs(cx, groups.numbers.array(), groups.cells);
  const std::size_t count = kernels::bool_fold().count(ends.array().as<std::uint64_t>(), n, 0);
  return count * tuning().long_run <= n ? ends : Value();
}

// Calls f(group, first cell, cells) for each run of cells that are kept.
template <class F>
void each_run(const Assignment& groups, const Array& ends, F f) {
  with_integers(groups.numbers.array(), [&](const auto* numbers) {
    visit_runs(numbers, groups.cells, ends,
               [&](std::size_t g, std::size_t first, std::size_t n) { return f(g, first, n), true; });
  });
}

// Where the cells of each group begin when they are put in order; one more place than groups.
Ref<Array> group_starts(Context& cx, const Assignment& groups, const Value& run_ends = Value()) {
  if (groups.cells >= 0xFFFFFFFF) fail(cx, "Group: 𝕩 has too many cells (" + std::to_string(groups.cells) + ")");
  Ref<Array> starts = make_list(cx.heap, ElementType::i32, groups.groups + 1);
  const Array& a = groups.numbers.array();
  auto* start = starts->as<std::uint32_t>();
  if (run_ends.is_absent()) {
    kernels::count_groups(a.type(), a.data, groups.cells, groups.drops, groups.groups, start);
    return starts;
  }
  std::fill_n(start, groups.groups + 1, 0);
  each_run(groups, run_ends.array(),
           [&](std::size_t g, std::size_t, std::size_t n) { start[g + 1] += static_cast<std::uint32_t>(n); });
  std::partial_sum(start, start + groups.groups + 1, start);
  return starts;
}

// Gives where the next cell of each group goes.
Ref<Array> next_places(Context& cx, const Assignment& groups, const Array& starts) {
  Ref<Array> next = make_list(cx.heap, ElementType::i32, groups.groups);
  std::copy_n(starts.as<std::uint32_t>(), groups.groups, next->as<std::uint32_t>());
  return next;
}

// Lists the places of cells, group by group.
Value places_in_order(Context& cx, const Assignment& groups, const Array& starts) {
  std::size_t kept = starts.as<std::uint32_t>()[groups.groups];
  const Ref<Array> next = next_places(cx, groups, starts);
  const Array& a = groups.numbers.array();
  ElementType type = index_type(groups.cells ? groups.cells - 1 : 0);
  Ref<Array> places = make_list(cx.heap, type, kept);
  kernels::group_places(a.type(), a.data, groups.cells, groups.drops, next->as<std::uint32_t>(), type, places->data);
  return to_value(std::move(places));
}

// Puts the elements of a list in order, group by group.
Value elements_in_order(Context& cx, const Assignment& groups, const Array& starts, const Value& x, const Value& run_ends) {
  std::size_t kept = starts.as<std::uint32_t>()[groups.groups];
  const Ref<Array> next = next_places(cx, groups, starts);
  const Array &a = groups.numbers.array(), &from = x.array();
  Ref<Array> out = make_list(cx.heap, from.type(), kept);
  if (from.type() == ElementType::bit) std::memset(out->data, 0, bytes_for(ElementType::bit, kept));
  auto* place = next->as<std::uint32_t>();
  CopiedElements copied(*out);
  if (run_ends.is_absent())
    kernels::group_elements(a.type(), a.data, groups.cells, groups.drops, place, bits_of(from.type()), from.data, out->data);
  else
    each_run(groups, run_ends.array(), [&, width = bits_of(from.type()) / 8](std::size_t g, std::size_t first, std::size_t n) {
      if (width == 0)
        copy_bits(out->as<std::uint64_t>(), place[g], from.as<std::uint64_t>(), first, n);
      else
        std::memcpy(out->data + place[g] * width, from.data + first * width, n * width);
      place[g] += static_cast<std::uint32_t>(n);
    });
  copied.share();
  return to_value(std::move(out));
}

// Makes the groups that bits number, of which there are two at most. `cells_where` gives the cells at the ones of a mask.
template <class F>
Value group_by_bits(Context& cx, const Assignment& groups, const Value& empty, F cells_where) {
  Ref<Array> out = make_list(cx.heap, ElementType::boxed, groups.groups);
  Value* group = out->as<Value>();
  if (groups.groups > 0) group[0] = cells_where(complement(cx, groups.numbers));
  if (groups.groups > 1) group[1] = cells_where(groups.numbers);
  return with_fill(cx.heap, to_value(std::move(out)), empty);
}
bool by_bits(const Assignment& groups) {
  const Array& numbers = groups.numbers.array();
  return numbers.type() == ElementType::bit && numbers.is_list() && numbers.length == groups.cells;
}

// Cuts cells that lie in order into one array a group. `fill` is that of their elements.
Value cut(Context& cx, const Value& ordered, const Array& starts, std::size_t count, const Value& fill) {
  const Array& a = ordered.array();
  const auto* start = starts.as<std::uint32_t>();
  std::size_t cell = a.cell_length();
  Shape shape(a.shape());
  const Value empty = empty_group(cx, a, fill);
  Ref<Array> out = make_boxes_filled_with(cx.heap, count, empty);
  const bool plain_list = is_plain_list(a), copies_bits = plain_list && a.type() == ElementType::bit;
  if (plain_list && !copies_bits) {
    const ListCutter pieces(cx.heap, ordered);
    for (std::size_t g = 0; g < count; g++) {
      if (g % 65536 == 0) cx.check_interrupt();
      const std::size_t n = start[g + 1] - start[g];
      Value* const to = out->as<Value>() + g;
      if (n != 0)
        new (to) Value(Value::from_bits(pieces(start[g], n)));
      else
        *to = empty;
    }
    return to_value(std::move(out));
  }
  for (std::size_t g = 0; g < count; g++) {
    if (g % 65536 == 0) cx.check_interrupt();
    std::size_t n = start[g + 1] - start[g];
    if (copies_bits && n > 0 && n <= 64) {
      Array* one = make_plain_list(cx.heap, a.type(), n);
      *one->as<std::uint64_t>() = kernels::read_bits(a.as<std::uint64_t>(), start[g], n);
      out->as<Value>()[g] = Value(one);
      continue;
    }
    shape[0] = n;
    out->as<Value>()[g] = n ? slice(cx.heap, ordered, start[g] * cell, shape) : empty;
  }
  return to_value(std::move(out));
}

// Gives x with `count` axes from `axis` on made one.
Value merged_axes(Context& cx, const Value& x, std::size_t axis, std::size_t count) {
  if (count == 1) return x;
  std::span<const std::size_t> old = x.array().shape();
  Shape shape(old.first(axis));
  shape.push_back(product(old.subspan(axis, count)));
  shape.append(old.subspan(axis + count));
  return with_shape(cx.heap, x, shape);
}

// Tells whether cells that are no elements are plain, and groups few or short: arrays of many long ones would meet in the same
// lines of the cache. Elements are put in order sooner than they find their ways into many lists.
bool suits_group_cells(const Assignment& groups, const Array& cells) {
  const ElementType type = cells.type();
  if (cells.rank() < 2 || groups.numbers.array().type() == ElementType::bit || type == ElementType::boxed ||
      type == ElementType::bit)
    return false;
  const std::size_t bytes = bytes_for(type, cells.length);
  return cells.length != 0 && has_plain_fill(cells) && !cells.data.elsewhere() &&
         (bytes <= tuning().near_groups || bytes / tuning().long_group <= groups.groups);
}

// Puts plain cells right into the arrays of their groups.
Value group_cells(Context& cx, const Assignment& groups, const Array& starts, const Array& cells, const Value& fill) {
  const auto* start = starts.as<std::uint32_t>();
  const Value empty = empty_group(cx, cells, fill);
  Ref<Array> out = make_boxes_filled_with(cx.heap, groups.groups, empty);
  Ref<Array> memory = make_list(cx.heap, ElementType::f64, groups.groups);
  auto** next = memory->as<std::uint8_t*>();
  Shape shape(cells.shape());
  const auto make_cells = [&](std::size_t n) {
    if (shape.size() == 2) return Ref<Array>(make_plain_table(cx.heap, cells.type(), n, shape[1]));
    return make_array(cx.heap, cells.type(), shape);
  };
  for (std::size_t g = 0; g < groups.groups; g++) {
    if (g % 65536 == 0) cx.check_interrupt();
    shape[0] = start[g + 1] - start[g];
    Value group = empty;
    if (shape[0] != 0) group = to_value(make_cells(shape[0]));
    next[g] = group.array().data;
    out->as<Value>()[g] = std::move(group);
  }
  const Array& numbers = groups.numbers.array();
  const std::size_t bytes = cells.cell_length() * (bits_of(cells.type()) / 8);
  kernels::distribute_cells(numbers.type(), numbers.data, groups.cells, groups.drops, bytes, cells.data, next);
  return to_value(std::move(out));
}

Value group_one(Context& cx, const Assignment& groups, const Value& x) {
  Value cells = merged_axes(cx, x, 0, groups.rank);
  Value fill = fill_of(cx.heap, x);
  if (by_bits(groups)) {
    return group_by_bits(cx, groups, empty_group(cx, cells.array(), fill),
                         [&](Value mask) { return with_fill(cx.heap, replicate(cx, std::move(mask), cells), fill); });
  }
  const Value runs =
      group_runs(cx, groups.numbers.array(), groups.cells, groups.groups, cells, empty_group(cx, cells.array(), fill));
  if (!runs.is_absent()) return runs;
  const Value run_ends = ends_of_long_runs(cx, groups);
  Ref<Array> starts = group_starts(cx, groups, run_ends);
  Array& numbers = groups.numbers.array();
  bool in_order = starts->as<std::uint32_t>()[groups.groups] == groups.cells && numbers.type() != ElementType::bit &&
                  (numbers.length == groups.cells ? is_in_order(numbers, false)
                                                  : kernels::is_sorted(numbers.type(), numbers.data, groups.cells, false));
  if (in_order) return cut(cx, cells, *starts, groups.groups, fill);
  if (run_ends.is_absent() && suits_group_cells(groups, cells.array()))
    return group_cells(cx, groups, *starts, cells.array(), fill);
  Value ordered = cells.array().rank() == 1 ? elements_in_order(cx, groups, *starts, cells, run_ends)
                                            : select_axis(cx, cells, 0, places_in_order(cx, groups, *starts).array());
  return cut(cx, with_fill(cx.heap, std::move(ordered), fill), *starts, groups.groups, fill);
}

// Groups along several axes: puts the cells in order along each, then cuts out the boxes.
Value group_axes(Context& cx, std::span<const Assignment> axes, Value x) {
  Value fill = fill_of(cx.heap, x);
  std::vector<Ref<Array>> starts;
  Shape frame;
  for (std::size_t k = 0; k < axes.size(); k++) {
    x = merged_axes(cx, x, k, axes[k].rank);
    starts.push_back(group_starts(cx, axes[k]));
    x = select_axis(cx, x, k, places_in_order(cx, axes[k], *starts.back()).array());
    frame.push_back(axes[k].groups);
  }
  std::size_t total = checked_length(cx, name, frame), rank = axes.size();
  const Array& a = x.array();
  std::vector<std::ptrdiff_t> strides(a.rank());
  row_major(a.shape(), strides.data());
  Shape shape(a.shape());
  for (std::size_t k = 0; k < rank; k++) shape[k] = 0;
  Value empty = with_fill(cx.heap, to_value(make_array(cx.heap, a.type(), shape)), fill);
  Ref<Array> out = make_array(cx.heap, ElementType::boxed, frame);
  std::vector<std::size_t> at(rank, 0);
  std::vector<BoxAxis> box(a.rank());
  for (std::size_t i = 0; i < total; i++) {
    if (i % 4096 == 0) cx.check_interrupt();
    std::size_t from = 0;
    for (std::size_t k = 0; k < rank; k++) {
      const auto* start = starts[k]->as<std::uint32_t>() + at[k];
      shape[k] = start[1] - start[0];
      from += start[0] * static_cast<std::size_t>(strides[k]);
    }
    Ref<Array> one = make_array(cx.heap, a.type(), shape);
    if (one->length) {
      std::ptrdiff_t step = 1;
      for (std::size_t k = a.rank(); k-- > 0; step *= static_cast<std::ptrdiff_t>(shape[k]))
        box[k] = {shape[k], step, strides[k]};
      copy_box(*one, 0, a, from, box);
    }
    out->as<Value>()[i] = with_fill(cx.heap, to_value(std::move(one)), fill);
    for (std::size_t k = rank; k-- > 0;) {
      if (++at[k] < frame[k]) break;
      at[k] = 0;
    }
  }
  return with_fill(cx.heap, to_value(std::move(out)), empty);
}

bool is_compound(const Value& w) {
  return w.is_array() && w.array().type() == ElementType::boxed &&
         std::any_of(w.array().boxes().begin(), w.array().boxes().end(), [](const Value& v) { return v.is_array(); });
}

Value group_units(Context& cx, const Assignment& groups, Value x) {
  // A unit stands for no axis: the whole argument is the one cell.
  Shape shape{1};
  shape.append(x.array().shape());
  if (shape.size() > max_rank) fail(cx, "Group: Rank of the result would be above " + std::to_string(max_rank));
  Assignment one = groups;
  one.rank = 1;
  return group_one(cx, one, with_shape(cx.heap, std::move(x), shape));
}

}  // namespace

Value group(Context& cx, Value w, Value x) {
  if (x.is_atom()) fail(cx, "Group: 𝕩 must be an array (got " + kind_text(x) + ")");
  if (!is_compound(w)) {
    Assignment groups = on_operands(w, x, [&] { return read_assignment(cx, "Group: 𝕨", w, shape_of(x), 0); });
    return groups.rank ? group_one(cx, groups, x) : group_units(cx, groups, std::move(x));
  }
  if (rank_of(w) != 1) fail(cx, "Group: A nested 𝕨 must be a list (got shape " + shape_text(w) + ")");
  std::vector<Assignment> axes;
  std::size_t axis = 0;
  on_operands(w, x, [&] {
    for (const Value& v : w.array().boxes()) {
      axes.push_back(read_assignment(cx, "Group: 𝕨", v, shape_of(x), axis));
      axis += axes.back().rank;
    }
  });
  if (axes.size() == 1 && axes[0].rank) return group_one(cx, axes[0], x);
  // Gives each unit an axis of length 1 to stand for.
  Shape shape;
  std::span<const std::size_t> rest = shape_of(x);
  for (Assignment& a : axes) {
    if (a.rank == 0) {
      shape.push_back(1);
      a.rank = 1;
    } else {
      shape.append(rest.first(a.rank));
      rest = rest.subspan(a.rank);
    }
  }
  shape.append(rest);
  if (shape.size() > max_rank) fail(cx, "Group: Rank of the result would be above " + std::to_string(max_rank));
  return group_axes(cx, axes, with_shape(cx.heap, std::move(x), shape));
}

Value group_indices(Context& cx, Value x) {
  if (x.is_atom() || rank_of(x) != 1) fail(cx, "Group Indices: 𝕩 must be a list (got " + kind_text(x) + ")");
  if (is_compound(x)) {
    std::vector<std::size_t> lengths;
    for (const Value& v : x.array().boxes())
      for (std::size_t n : shape_of(v)) lengths.push_back(n);
    Value all = range(cx, make_numbers(cx.heap, lengths));
    return group(cx, std::move(x), std::move(all));
  }
  std::size_t n = x.array().length;
  Assignment groups = on_operands(Value(), x, [&] { return read_assignment(cx, "Group Indices: 𝕩", x, {&n, 1}, 0); });
  if (by_bits(groups)) {
    const Value none = to_value(make_list(cx.heap, ElementType::i8, 0));
    return group_by_bits(cx, groups, with_fill(cx.heap, none, Value(0)),
                         [&](Value mask) { return indices(cx, std::move(mask)); });
  }
  if (may_be_in_order(groups.numbers.array(), n)) return group_one(cx, groups, range(cx, Value(n)));
  const Ref<Array> starts = group_starts(cx, groups);
  return cut(cx, places_in_order(cx, groups, *starts), *starts, groups.groups, Value(0));
}

// --- undo

Value undo_group(Context& cx, Value w, Value x) {
  auto none = [&](const char* why) -> void {
    fail(cx, std::string("Undo of Group: ") + why + " (𝕨: " + kind_text(w) + ", 𝕩: " + kind_text(x) + ")");
  };
  if (w.is_atom() || rank_of(w) != 1 || is_compound(w)) none("𝕨 must be a list of group numbers");
  if (x.is_atom() || rank_of(x) != 1) none("𝕩 must be a list of groups");
  std::size_t n = w.array().length;
  Assignment groups = read_assignment(cx, "Group: 𝕨", w, {&n, 1}, 0);
  Ref<Array> starts = group_starts(cx, groups);
  const auto* start = starts->as<std::uint32_t>();
  if (start[groups.groups] != n) none("𝕨 must not drop cells");
  bool fits = groups.groups == x.array().length;
  for (std::size_t g = 0; fits && g < groups.groups; g++) {
    const Value v = element(x.array(), g);
    fits = rank_of(v) != 0 && v.array().cells() == start[g + 1] - start[g];
  }
  if (!fits) none("𝕩 must have the groups that 𝕨 makes");
  if (n == 0) return to_value(make_list(cx.heap, ElementType::i8, 0));
  Value ordered = join(cx, std::move(x));
  if (rank_of(ordered) == 0 || ordered.array().cells() != n) none("𝕩 must have the groups that 𝕨 makes");
  Value back = grade_up(cx, places_in_order(cx, groups, *starts));
  return select_axis(cx, ordered, 0, back.array());
}

}  // namespace griddle::primitives
