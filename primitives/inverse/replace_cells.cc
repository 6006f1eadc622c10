#include "primitives/inverse/replace_cells.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/common/tuning.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/moves/select.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/structure/match.h"
#include "runtime/value/heap_memory.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

bool agree(Context& cx, const Value& a, const Value& b) {
  if (matches(cx, a, b)) return true;
  if (a.is_number() && b.is_number()) return std::isnan(a.number()) && std::isnan(b.number());
  if (!a.is_array() || !b.is_array() || !same_shape(shape_of(a), shape_of(b))) return false;
  // Only arrays that may hold NaN can still agree.
  const auto may_hold_nan = [](const Array& v) { return v.type() == ElementType::boxed || v.type() == ElementType::f64; };
  if (!may_hold_nan(a.array()) || !may_hold_nan(b.array())) return false;
  cx.check_stack();
  for (std::size_t i = 0; i < a.array().length; i++)
    if (!agree(cx, element(a.array(), i), element(b.array(), i))) return false;
  return true;
}

void fail_conflict(Context& cx, const Value& a, const Value& b) {
  fail(cx, "Under: Replacements for a place that 𝔾 selects twice must match (" + value_text(a) + " and " + value_text(b) + ")");
}

void fail_shape(Context& cx, std::span<const std::size_t> expected, const Value& v) {
  fail(cx, "Under: Result of 𝔽 must have the shape that 𝔾 gives (expected shape " + shape_text(expected) + ", got " +
               kind_text(v) + ")");
}

namespace {

// Fails where two replacements for one cell differ. Takes time and memory by the number of places, not of cells.
void check_conflicts(Context& cx, std::size_t cell_length, std::span<const std::size_t> places, const Array& v) {
  HeapVector<std::size_t> order(places.size(), cx.heap);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  for (std::size_t i = 1; i < order.size(); i++) {
    if (places[order[i]] != places[order[i - 1]]) continue;
    for (std::size_t e = 0; e < cell_length; e++)
      if (const Value one = element(v, order[i - 1] * cell_length + e), other = element(v, order[i] * cell_length + e);
          !agree(cx, one, other))
        fail_conflict(cx, one, other);
  }
}

// Tells whether places are met at most once.
bool are_distinct(Context& cx, std::size_t cells, std::span<const std::size_t> places) {
  HeapVector<std::uint64_t> met((cells + 63) / 64, 0, cx.heap);
  bool distinct = true;
  for (std::size_t place : places) {
    const std::uint64_t bit = std::uint64_t{1} << (place & 63);
    distinct &= (met[place >> 6] & bit) == 0;
    met[place >> 6] |= bit;
  }
  return distinct;
}

// Gives the place that an index of n elements tells.
template <class I>
std::size_t place_at(I index, std::size_t n) {
  return static_cast<std::size_t>(index < 0 ? index + static_cast<std::ptrdiff_t>(n) : index);
}

// Writes elements to their places and reads them back: where each is what was written, no two differ for one place.
template <class T, class Place>
bool scatter_to(T* to, const T* from, std::size_t count, Place place) {
  for (std::size_t i = 0; i < count; i++) to[place(i)] = from[i];
  T differ = 0;
  for (std::size_t i = 0; i < count; i++) differ |= static_cast<T>(to[place(i)] ^ from[i]);
  return differ == 0;
}
template <class T, class I>
bool scatter(T* to, std::size_t n, const I* indices, const T* from, std::size_t count) {
  // Indices from the end on are rare: without them there is nothing to decide.
  I signs = 0;
  for (std::size_t i = 0; i < count; i++) signs |= indices[i];
  if (signs >= 0) return scatter_to(to, from, count, [indices](std::size_t i) { return static_cast<std::size_t>(indices[i]); });
  return scatter_to(to, from, count, [indices, n](std::size_t i) { return place_at(indices[i], n); });
}
// The same with bits, of which the same one everywhere cannot differ.
template <class I>
bool scatter_bits(std::uint64_t* to, std::size_t n, const I* indices, const Array& from) {
  const std::size_t count = from.length;
  const auto place = [&](std::size_t i) { return place_at(indices[i], n); };
  const auto* bits = from.as<std::uint64_t>();
  const std::size_t ones = kernels::bool_fold().count(bits, count, 0);
  if (ones == 0) {
    for (std::size_t i = 0; i < count; i++) to[place(i) >> 6] &= ~(std::uint64_t{1} << (place(i) & 63));
    return true;
  }
  if (ones == count) {
    for (std::size_t i = 0; i < count; i++) to[place(i) >> 6] |= std::uint64_t{1} << (place(i) & 63);
    return true;
  }
  for (std::size_t i = 0; i < count; i++) kernels::write_bit(to, place(i), kernels::read_bit(bits, i));
  bool differ = false;
  for (std::size_t i = 0; i < count; i++) differ |= kernels::read_bit(to, place(i)) != kernels::read_bit(bits, i);
  return !differ;
}
// Calls f with integer indices, in their type.
template <class F>
auto with_indices(const Array& indices, F f) {
  switch (indices.type()) {
    case ElementType::i8: return f(indices.as<std::int8_t>());
    case ElementType::i16: return f(indices.as<std::int16_t>());
    default: return f(indices.as<std::int32_t>());
  }
}
template <class T>
bool scatter(Array& to, const Array& indices, const Array& from) {
  return with_indices(indices, [&](const auto* places) {
    if constexpr (std::is_same_v<T, bool>)
      return scatter_bits(to.as<std::uint64_t>(), to.length, places, from);
    else
      return scatter(to.as<T>(), to.length, places, from.as<T>(), from.length);
  });
}

}  // namespace

Value replace_selected(Context& cx, const Value& x, const Array& indices, const Value& v) {
  const Array& a = x.array();
  // Where few places change in an array that nobody else holds, a copy would take longer.
  const ElementType type = common_type(a.type(), v.array().type());
  if (!a.is_list() || type == ElementType::boxed || !has_plain_fill(a) || indices.type() == ElementType::bit ||
      !is_integer(indices.type()) ||
      (a.unique() &&
       indices.length < a.length / (type == ElementType::bit ? tuning().bits_for_each_place : tuning().elements_for_each_place)))
    return Value();
  const Value from = widened(cx.heap, v, type), result = converted(cx.heap, a, type);
  const bool agreed =
      with_width_of(type, [&]<class T>(std::type_identity<T>) { return scatter<T>(result.array(), indices, from.array()); });
  return agreed ? result : Value();
}

Value writable_list(Heap& heap, Value& x, ElementType type) {
  Array& a = x.array();
  if (a.type() != type) return widened(heap, x, type);
  if (a.writable()) return std::move(x);
  Ref<Array> copy = make_plain_list(heap, type, a.length);
  copy_piece(copy->data.here(), a.data, bytes_for(type, a.length));
  return to_value(std::move(copy));
}

bool are_indices(const Array& indices, std::size_t n) {
  if (indices.length == 0 || indices.type() == ElementType::bit || indices.type() > ElementType::i32) return false;
  kernels::Indices places{indices.type(), indices.data, indices.length};
  return kernels::first_bad_index(places, n) == indices.length;
}

Value replace_selected_by(Context& cx, Value& x, const Array& indices, const Value& atom) {
  const Array& a = x.array();
  const ElementType type = common_type(a.type(), element_type_of(atom));
  if (belongs_to_device(cx, x) || !is_plain_list(a) || type == ElementType::boxed || type == ElementType::bit) return Value();
  unsigned char element[8];
  if (!are_indices(indices, a.length) || !store_atom(type, element, atom)) return Value();
  Value result = writable_list(cx.heap, x, type);
  Array& to = result.array();
  to.forget_order();
  with_width_of(type, [&]<class T>(std::type_identity<T>) {
    T one;
    std::memcpy(&one, element, sizeof one);
    with_indices(indices, [&, elements = to.as<T>(), n = to.length](const auto* index) {
      for (std::size_t i = 0; i < indices.length; i++) elements[place_at(index[i], n)] = one;
    });
  });
  return result;
}

Value replace_cells(Context& cx, Value x, std::size_t cell_length, std::span<const std::size_t> places, const Value& v) {
  if (cell_length == 0 || places.empty()) return x;
  std::size_t cells = x.array().length / cell_length;
  bool ascending = std::adjacent_find(places.begin(), places.end(), std::greater_equal<>()) == places.end();
  // A bit for each cell costs less than sorting unless the places are very few.
  constexpr std::size_t sparse = 512;
  if (!ascending && (places.size() < cells / sparse || !are_distinct(cx, cells, places)))
    check_conflicts(cx, cell_length, places, v.array());
  ElementType type = common_type(x.array().type(), v.array().type());
  Value from = widened(cx.heap, v, type);
  Ref<Array> result = make_writable(cx.heap, widened(cx.heap, std::move(x), type));
  if (cell_length > 1) {
    for (std::size_t i = 0; i < places.size(); i++)
      copy_elements(*result, places[i] * cell_length, from.array(), i * cell_length, cell_length);
    return to_value(std::move(result));
  }
  with_type(type, [&]<class T>(std::type_identity<T>) {
    constexpr std::size_t run = 64;
    for (std::size_t i = 0; i < places.size(); i++) {
      if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, char32_t>) {
        // Ascending places that end as far away as they are many are neighbours.
        while (ascending && i + run <= places.size() && places[i + run - 1] - places[i] == run - 1) {
          std::memcpy(result->as<T>() + places[i], from.array().as<T>() + i, run * sizeof(T));
          i += run;
        }
        if (i == places.size()) break;
      }
      if constexpr (std::is_same_v<T, Bit>) {
        std::uint64_t& word = result->as<std::uint64_t>()[places[i] >> 6];
        std::uint64_t mask = std::uint64_t{1} << (places[i] & 63);
        word = from.array().bit(i) ? word | mask : word & ~mask;
      } else {
        result->as<T>()[places[i]] = from.array().as<T>()[i];
      }
    }
  });
  return to_value(std::move(result));
}

}  // namespace griddle::primitives
