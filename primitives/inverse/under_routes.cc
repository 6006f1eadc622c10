#include "primitives/inverse/under_routes.h"
#include "primitives/common/by_door.h"

#include <algorithm>
#include <cmath>

#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/functions.h"
#include "primitives/inverse/positions.h"
#include "primitives/inverse/replace_cells.h"
#include "primitives/inverse/undo.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/structure/cells_at_hand.h"
#include "primitives/structure/replicate.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/few.h"
#include "runtime/value/heap_memory.h"
#include "runtime/value/remote.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {
namespace {

// --- where the array lies on a device: what is selected and what is put back stays there

// Tells whether x is on the device and had better be changed there in so many places.
bool changes_there(const Context& cx, const Value& x, std::size_t places) {
  return belongs_to_device(cx, x) && cx.device->takes_change(x, places);
}

// Calls a primitive by its door, so that the device is asked.
template <Dyad function>
Value called_there(Context& cx, Value w, Value x) {
  return call(cx, primitive_by<function>(cx), std::move(w), std::move(x));
}

// Gives `count` cells of x from the first one on, or that one alone, without an axis of its own.
Value cells_there(Context& cx, const Value& x, std::size_t first, std::size_t count, bool alone) {
  if (alone) return called_there<select>(cx, Value(first), x);
  return called_there<take>(cx, Value(count), called_there<drop>(cx, Value(first), x));
}

// --- on the host

// Finds the element that k⊸⊑ picks.
bool find_picked(const Value& k, const Array& x, std::size_t& place) {
  if (k.is_number()) return x.is_list() && finds(k, x.length, place);
  return k.is_array() && finds_place(x, k.array(), place);
}

// Gives what 𝔽 makes of what 𝔾 selected, which must keep its shape.
[[gnu::always_inline]] inline Value changed(Context& cx, const Change& change, Value selected,
                                            std::span<const std::size_t> shape) {
  Value v = change(std::move(selected));
  if (v.is_atom() || !same_shape(shape_of(v), shape)) fail_shape(cx, shape, v);
  return v;
}
Value changed(Context& cx, const Change& change, Value selected) {
  const Shape shape(shape_of(selected));
  return changed(cx, change, std::move(selected), shape);
}

Value with_element(Context& cx, std::size_t place, Value x, Value v) {
  if (!belongs_to_device(cx, x) && !x.array().unique())
    if (const std::uint64_t replaced = with_box(cx.heap, x.bits(), place, v.bits()); replaced != Value::absent_bits)
      return Value::from_bits(replaced);
  const ElementType type = common_type(x.array().type(), element_type_of(v));
  if (type != x.array().type()) x = widened(cx.heap, std::move(x), type);
  Ref<Array> result = make_writable(cx.heap, std::move(x));
  store(*result, place, std::move(v));
  return to_value(std::move(result));
}

// Changes an element of a short plain list, which it copies where others hold it.
template <class F>
Value with_element_of_short(Context& cx, std::size_t place, Value x, const F& change) {
  Value v = change(plain_element(x.array(), place));
  x = writable_list(cx.heap, x, x.array().type());
  if (try_store(x.array(), place, v)) return x;
  return with_element(cx, place, std::move(x), std::move(v));
}
bool is_short_and_plain(const Array& a) { return is_plain_list(a) && a.length <= longest_at_hand && !a.data.elsewhere(); }

Value under_element(Context& cx, std::size_t place, Value x, const Change& change) {
  if (x.array().is_list() && changes_there(cx, x, 1)) {
    Value v = change(called_there<pick>(cx, Value(place), x));
    Value replaced = v.is_atom() ? cx.device->replace_run(cx, x, place, 1, v) : Value();
    return replaced.is_absent() ? with_element(cx, place, std::move(x), std::move(v)) : replaced;
  }
  Array& a = x.array();
  if (is_short_and_plain(a)) return with_element_of_short(cx, place, std::move(x), change);
  // Takes the element out where nobody else can see the array, so that it may be changed in place itself.
  const bool gives_fill = place == 0 && a.fill_kind() == FillKind::of_first;
  bool taken = a.type() == ElementType::boxed && a.refs == 1 && !a.is_view() && !gives_fill;
  Value v = change(taken ? std::exchange(a.boxes()[place], Value(0)) : element(a, place));
  return with_element(cx, place, std::move(x), std::move(v));
}

// Changes a run of cells; the selected value has the given shape.
Value under_run(Context& cx, std::size_t start, std::span<const std::size_t> shape, Value x, const Change& change) {
  Shape expected(shape);
  const std::size_t cell = x.array().cell_length();
  const bool alone = expected.size() < x.array().rank(),
             there = cell != 0 && changes_there(cx, x, alone ? cell : expected[0] * cell);
  const std::size_t first = there ? start / cell : 0, count = alone ? 1 : expected[0];
  Value selected = there ? cells_there(cx, x, first, count, alone) : slice(cx.heap, x, start, expected);
  const Value v = changed(cx, change, std::move(selected), expected);
  if (v.array().length == 0) return x;
  if (there)
    if (Value replaced = cx.device->replace_run(cx, x, first, count, v); !replaced.is_absent()) return replaced;
  ElementType common = common_type(x.array().type(), v.array().type());
  x = widened(cx.heap, std::move(x), common);
  Ref<Array> result = make_writable(cx.heap, std::move(x));
  copy_elements(*result, start, v.array(), 0, v.array().length);
  return to_value(std::move(result));
}

// Finds the run of cells that k⊸↑ or k⊸↓ keeps, if it adds no fills.
std::optional<KeptCells> cells_kept(bool take, const Value& k, std::size_t cells) {
  std::int64_t n;
  if (!k.to_integer(n) || (take && magnitude(n) > cells)) return {};
  return kept_cells(take, n, cells);
}

using Places = std::optional<Few<std::size_t>>;

// Finds the elements that k⊸⊑ picks, where k is an array of indices.
Places elements_picked(const Value& k, const Array& x) {
  if (!k.is_array() || k.array().type() != ElementType::boxed) return {};
  const Array& a = k.array();
  Few<std::size_t> places(a.length);
  for (std::size_t i = 0; i < a.length; i++) {
    const Value& index = a.boxes()[i];
    if (!index.is_array() || !find_picked(index, x, places[i])) return {};
  }
  return places;
}

// Gives the place of an index of n cells, or something that is none.
template <class T>
std::size_t place_of_index(T index, std::size_t n) {
  if constexpr (std::is_floating_point_v<T>) {
    const double length = static_cast<double>(n);
    if (!(index >= -length && index < length) || index != std::floor(index)) return n;
  }
  const auto whole = static_cast<std::ptrdiff_t>(index);
  return static_cast<std::size_t>(whole < 0 ? whole + static_cast<std::ptrdiff_t>(n) : whole);
}
// Finds the cells that k⊸⊏ selects; none where an index lies outside.
Places cells_selected(Context& cx, const Value& k, std::size_t n) {
  if (!is_number(k.array().type())) return {};
  const Value wide = widened(cx.heap, k, std::max(k.array().type(), ElementType::i8));
  Few<std::size_t> places(wide.array().length);
  const bool inside = kernels::with_counts(wide.array().type(), wide.array().data, [&places, n](const auto* indices) {
    std::size_t* const to = places.begin();
    bool outside = false;
    for (std::size_t i = 0; i < places.size(); i++) {
      to[i] = place_of_index(indices[i], n);
      outside |= to[i] >= n;
    }
    return !outside;
  });
  return inside ? Places(std::move(places)) : std::nullopt;
}

Value under_kept(Context& cx, const Array& kept, Value x, const Change& change) {
  if (change.each != nullptr && x.array().type() != ElementType::boxed) {
    const ElementType type = common_type(x.array().type(), element_type_of(*change.each));
    if (type != ElementType::boxed && type != ElementType::bit) {
      Ref<Array> result = make_writable(cx.heap, widened(cx.heap, std::move(x), type));
      fill_at_ones(*result, *change.each, kept);
      return to_value(std::move(result));
    }
  }
  Value v = changed(cx, change, replicate_list(cx, kept, x));
  if (v.array().length == 0) return x;
  const ElementType type = common_type(x.array().type(), v.array().type());
  const Value from = widened(cx.heap, std::move(v), type);
  Ref<Array> result = make_writable(cx.heap, widened(cx.heap, std::move(x), type));
  put_at_ones(*result, from.array(), kept);
  return to_value(std::move(result));
}

// Counts the memory that so many places take.
OutsideMemory memory_of_places(Context& cx, std::size_t count) {
  constexpr std::size_t few = 1024;
  OutsideMemory memory;
  if (count > few) memory.hold(cx.heap, count * sizeof(std::size_t));
  return memory;
}

// Changes the runs of `cell_length` elements that `k f x` selects, if `find` knows them.
template <class Find>
std::optional<Value> under_cells(Context& cx, Dyad f, const Value& k, Find find, std::size_t cell_length, Value& x,
                                 const Change& change) {
  const OutsideMemory memory = memory_of_places(cx, length_of(k));
  const Places places = find(k);
  // Nothing is picked by an index that is none.
  if (!places || (places->empty() && f == pick)) return {};
  const Value v = changed(cx, change, f(cx, k, x));
  return replace_cells(cx, std::move(x), cell_length, *places, v);
}

// Tells whether data can stand for what indices select from a list, if they do, which need not be selected then.
bool may_stand_for(const Value& given, const Array& indices, const Value& x) {
  return indices.is_list() && rank_of(given) == 1 && length_of(given) == indices.length && rank_of(x) == 1;
}

// Changes the cells at integer indices.
Value under_selected(Context& cx, const Value& k, Value& x, const Change& change) {
  const Array& indices = k.array();
  const bool there = changes_there(cx, x, indices.length * x.array().cell_length());
  if (!there && change.each != nullptr)
    if (Value replaced = replace_selected_by(cx, x, indices, *change.each); !replaced.is_absent()) return replaced;
  const bool given = change.given != nullptr && may_stand_for(*change.given, indices, x);
  if (there && given)
    if (Value replaced = cx.device->replace(cx, x, k, *change.given); !replaced.is_absent()) return replaced;
  Value v;
  if (given && !there && !indices.data.elsewhere() && are_indices(indices, x.array().length)) {
    v = *change.given;
  } else {
    Value selected = called_there<select>(cx, k, x);
    if (there && change.each != nullptr)
      if (Value replaced = cx.device->replace(cx, x, k, *change.each); !replaced.is_absent()) return replaced;
    v = changed(cx, change, std::move(selected));
  }
  if (there)
    if (Value replaced = cx.device->replace(cx, x, k, v); !replaced.is_absent()) return replaced;
  if (Value replaced = replace_selected(cx, x, indices, v); !replaced.is_absent()) return replaced;
  const std::size_t cell_length = x.array().cell_length();
  const OutsideMemory memory = memory_of_places(cx, indices.length);
  const Places places = cells_selected(cx, k, x.array().cells());
  return replace_cells(cx, std::move(x), cell_length, *places, v);
}

}  // namespace

// --- called directly: ⌾⊑ and ⌾(k⊸⊑) of short lists

namespace {

std::uint64_t under_element_directly(Context& cx, const Derived& self, const Value& x, RecentMonad*) {
  const Array& a = x.array();
  const Value* const k = static_cast<const Value*>(self.rule);
  std::size_t place = 0;
  if (!is_short_and_plain(a) || (k != nullptr ? !finds(*k, a.length, place) : a.length == 0)) return declined;
  return with_element_of_short(cx, place, x, [&](Value v) { return call(cx, self.f, std::move(v)); }).leak();
}

}  // namespace

void attach_under(Context& cx, Derived& d) {
  if (cx.general_ways) return;
  const Value* k = nullptr;
  if (!is_pick(d.g)) {
    if (!d.g.is_function() || d.g.function().kind != ObjectKind::derived) return;
    const Derived& bound = static_cast<const Derived&>(d.g.function());
    if (combinator_of(bound.modifier) != Combinator::before || !bound.f.is_number() || !is_pick(bound.g)) return;
    k = &bound.f;
  }
  d.rule = k;
  d.direct = under_element_directly;
}

// --- with data on the left

// Take and Drop see a list of one in an atom.
template <bool takes>
std::optional<Value> under_kept_cells(Context& cx, const Value& k, Value& x, const Change& change) {
  if (!x.is_array()) {
    if (!cells_kept(takes, k, 1)) return {};
    x = make_values(cx.heap, {&x, 1});
  }
  const Array& a = x.array();
  if (a.rank() == 0) return {};
  const std::optional<KeptCells> kept = cells_kept(takes, k, a.cells());
  if (!kept) return {};
  Shape shape(a.shape());
  shape[0] = kept->count;
  return under_run(cx, kept->start * a.cell_length(), shape, std::move(x), change);
}

template UnderBoundRoute under_kept_cells<true>;
template UnderBoundRoute under_kept_cells<false>;

std::optional<Value> under_join_to(Context& cx, const Value&, Value& x, const Change&) {
  // Join sees a list of one in a unit.
  if (rank_of(x) == 0) x = with_shape(cx.heap, x.is_atom() ? enclose(cx.heap, std::move(x)) : std::move(x), Shape{1});
  return {};
}
std::optional<Value> under_pick(Context& cx, const Value& k, Value& x, const Change& change) {
  if (!x.is_array()) return {};
  const Array& a = x.array();
  if (std::size_t place; find_picked(k, a, place)) return under_element(cx, place, std::move(x), change);
  const auto find = [&](const Value& indices) { return elements_picked(indices, a); };
  if (std::optional<Value> picked = under_cells(cx, pick, k, find, 1, x, change)) return picked;
  if (!k.is_array() || k.array().length != 0 || a.rank() == 0) return {};
  // No index picks nothing.
  changed(cx, change, k);
  return std::move(x);
}
std::optional<Value> under_select(Context& cx, const Value& k, Value& x, const Change& change) {
  if (rank_of(x) == 0) return {};
  const Array& a = x.array();
  if (k.is_array() && is_integer(k.array().type())) return under_selected(cx, k, x, change);
  if (k.is_array()) {
    const auto find = [&cx, n = a.cells()](const Value& indices) { return cells_selected(cx, indices, n); };
    return under_cells(cx, select, k, find, a.cell_length(), x, change);
  }
  std::size_t cell;
  if (!finds(k, a.cells(), cell)) return {};
  Shape shape(a.shape().subspan(1));
  return under_run(cx, cell * a.cell_length(), shape, std::move(x), change);
}
std::optional<Value> under_replicate(Context& cx, const Value& k, Value& x, const Change& change) {
  if (rank_of(x) == 0) return {};
  const Array& a = x.array();
  if (rank_of(k) != 1 || length_of(k) != a.cells() || a.cells() == 0) return {};
  const Value kept = k.array().type() == ElementType::bit ? k : bits_if_boolean(cx.heap, k);
  if (kept.array().type() != ElementType::bit) return {};
  if (a.is_list() && !changes_there(cx, x, a.length)) return under_kept(cx, kept.array(), std::move(x), change);
  return under_selected(cx, call(cx, primitive_by<replicate>(cx), kept), x, change);
}

// --- alone

std::optional<Value> under_identity(Context&, Value& x, const Change& change) { return change(std::move(x)); }
std::optional<Value> under_reverse(Context& cx, Value& x, const Change& change) {
  const Value& reverse = primitive_by<rotate>(cx);
  return call(cx, reverse, change(call(cx, reverse, std::move(x))));
}
std::optional<Value> under_enclose(Context& cx, Value& x, const Change& change) {
  return element(changed(cx, change, enclose(cx.heap, std::move(x))).array(), 0);
}
std::optional<Value> under_first(Context& cx, Value& x, const Change& change) {
  if (!x.is_array() || x.array().length == 0) return {};
  return under_element(cx, 0, std::move(x), change);
}
std::optional<Value> under_first_cell(Context& cx, Value& x, const Change& change) {
  if (rank_of(x) == 0 || x.array().cells() == 0) return {};
  Shape shape(x.array().shape().subspan(1));
  return under_run(cx, 0, shape, std::move(x), change);
}
std::optional<Value> under_deshape(Context& cx, Value& x, const Change& change) {
  if (!x.is_array()) return {};
  Shape shape(x.array().shape());
  return with_shape(cx.heap, changed(cx, change, ravel(cx.heap, std::move(x))), shape);
}
std::optional<Value> under_transpose(Context& cx, Value& x, const Change& change) {
  if (!x.is_array()) return {};
  Value v = change(transpose(cx, std::move(x)));
  return undo_call(cx, primitive_by<reorder_axes>(cx), std::move(v));
}

}  // namespace griddle::primitives
