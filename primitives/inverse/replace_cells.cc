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

// As check_conflicts, in time by the number of cells: for as many places as that.
void check_dense_conflicts(Context& cx, std::size_t cells, std::size_t cell_length, std::span<const std::size_t> places,
                           const Array& v) {
  constexpr std::size_t nobody = ~std::size_t{0};
  HeapVector<std::size_t> source(cells, nobody, cx.heap);
  for (std::size_t i = 0; i < places.size(); i++) {
    std::size_t& before = source[places[i]];
    if (before != nobody)
      for (std::size_t e = 0; e < cell_length; e++)
        if (const Value one = element(v, before * cell_length + e), other = element(v, i * cell_length + e);
            !agree(cx, one, other))
          fail_conflict(cx, one, other);
    before = i;
  }
}

}  // namespace

namespace {

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
  return scatter_to(to, from, count, [indices, n](std::size_t i) {
    return static_cast<std::size_t>(indices[i] < 0 ? indices[i] + static_cast<std::ptrdiff_t>(n) : indices[i]);
  });
}
// The same with bits, of which the same one everywhere cannot differ.
template <class I>
bool scatter_bits(std::uint64_t* to, std::size_t n, const I* indices, const Array& from) {
  const std::size_t count = from.length;
  const auto place = [&](std::size_t i) {
    return static_cast<std::size_t>(indices[i] < 0 ? indices[i] + static_cast<std::ptrdiff_t>(n) : indices[i]);
  };
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
template <class T>
bool scatter(Array& to, const Array& indices, const Array& from) {
  const auto by = [&]<class I>(const I* places) {
    if constexpr (std::is_same_v<T, Bit>)
      return scatter_bits(to.as<std::uint64_t>(), to.length, places, from);
    else
      return scatter(to.as<T>(), to.length, places, from.as<T>(), from.length);
  };
  switch (indices.type()) {
    case ElementType::i8: return by(indices.as<std::int8_t>());
    case ElementType::i16: return by(indices.as<std::int16_t>());
    default: return by(indices.as<std::int32_t>());
  }
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
  const bool agreed = [&] {
    switch (bits_of(type)) {
      case 1: return scatter<Bit>(result.array(), indices, from.array());
      case 8: return scatter<std::uint8_t>(result.array(), indices, from.array());
      case 16: return scatter<std::uint16_t>(result.array(), indices, from.array());
      case 32: return scatter<std::uint32_t>(result.array(), indices, from.array());
      default: return scatter<std::uint64_t>(result.array(), indices, from.array());
    }
  }();
  return agreed ? result : Value();
}

namespace {

template <class T>
void put_everywhere(T* to, std::size_t n, const Array& indices, const unsigned char* atom) {
  T element;
  std::memcpy(&element, atom, sizeof element);
  const auto put = [=, count = indices.length](const auto* index) {
    for (std::size_t i = 0; i < count; i++)
      to[index[i] < 0 ? static_cast<std::size_t>(index[i]) + n : static_cast<std::size_t>(index[i])] = element;
  };
  switch (indices.type()) {
    case ElementType::i8: return put(indices.as<std::int8_t>());
    case ElementType::i16: return put(indices.as<std::int16_t>());
    default: return put(indices.as<std::int32_t>());
  }
}

// Gives a list that may be written: x, where nobody else holds it and it has the type, or a copy.
Value writable_list(Heap& heap, Value& x, ElementType type) {
  Array& a = x.array();
  if (a.type() != type) return widened(heap, x, type);
  if (a.writable()) return std::move(x);
  Ref<Array> copy = make_plain_list(heap, type, a.length);
  copy_piece(copy->data.here(), a.data, a.length * bits_of(type) / 8);
  return to_value(std::move(copy));
}

}  // namespace

namespace {

// Places of which there are few.
class FewPlaces {
 public:
  // Gives false where there are none or too many, one of them is outside of a list of n, or two are the same.
  bool find(const Array& indices, std::size_t n) {
    if (!indices.is_list() || indices.length == 0 || indices.length > most || indices.data.elsewhere()) return false;
    switch (indices.type()) {
      case ElementType::i8: return find(indices.as<std::int8_t>(), indices.length, n);
      case ElementType::i16: return find(indices.as<std::int16_t>(), indices.length, n);
      case ElementType::i32: return find(indices.as<std::int32_t>(), indices.length, n);
      default: return false;
    }
  }
  std::size_t count() const { return count_; }
  std::size_t operator[](std::size_t i) const { return places_[i]; }

 private:
  static constexpr std::size_t most = 8;

  template <class T>
  bool find(const T* indices, std::size_t count, std::size_t n) {
    bool usable = true;
    for (std::size_t i = 0; i < count; i++) {
      const auto place = static_cast<std::size_t>(indices[i]) + (indices[i] < 0 ? n : 0);
      usable &= place < n;
      for (std::size_t before = 0; before < i; before++) usable &= places_[before] != place;
      places_[i] = place;
    }
    count_ = count;
    return usable;
  }

  std::size_t count_ = 0;
  std::size_t places_[most];
};

}  // namespace

Value replace_few(Context& cx, Value& x, const Array& indices, const Value& v) {
  const Array &a = x.array(), &from = v.array();
  FewPlaces places;
  if (!a.is_list() || a.data.elsewhere() || from.data.elsewhere() || !places.find(indices, a.length)) return Value();
  const ElementType type = common_type(a.type(), from.type());
  Ref<Array> result = make_writable(cx.heap, widened(cx.heap, std::move(x), type));
  for (std::size_t i = 0; i < places.count(); i++) store(*result, places[i], element(from, i));
  return to_value(std::move(result));
}

Value replace_selected_by(Context& cx, Value& x, const Array& indices, const Value& atom) {
  const Array& a = x.array();
  const ElementType type = common_type(a.type(), element_type_of(atom));
  if (cx.device != nullptr || !is_plain_list(a) || type == ElementType::boxed || type == ElementType::bit ||
      indices.length == 0 || indices.type() == ElementType::bit || indices.type() > ElementType::i32)
    return Value();
  kernels::Indices places{indices.type(), indices.data, indices.length};
  unsigned char element[8];
  if (kernels::first_bad_index(places, a.length) != indices.length || !store_atom(type, element, atom)) return Value();
  Value result = writable_list(cx.heap, x, type);
  Array& to = result.array();
  to.forget_order();
  switch (bits_of(type)) {
    case 8: put_everywhere(to.as<std::uint8_t>(), to.length, indices, element); break;
    case 16: put_everywhere(to.as<std::uint16_t>(), to.length, indices, element); break;
    case 32: put_everywhere(to.as<std::uint32_t>(), to.length, indices, element); break;
    default: put_everywhere(to.as<std::uint64_t>(), to.length, indices, element);
  }
  return result;
}

Value replace_cells(Context& cx, Value x, std::size_t cell_length, std::span<const std::size_t> places, const Value& v) {
  if (cell_length == 0 || places.empty()) return x;
  std::size_t cells = x.array().length / cell_length;
  bool ascending = std::adjacent_find(places.begin(), places.end(), std::greater_equal<>()) == places.end();
  // A bit for each cell costs less than sorting unless the places are very few.
  constexpr std::size_t dense = 64, sparse = 512;
  if (!ascending && (places.size() < cells / sparse || !are_distinct(cx, cells, places))) {
    if (places.size() < cells / dense)
      check_conflicts(cx, cell_length, places, v.array());
    else
      check_dense_conflicts(cx, cells, cell_length, places, v.array());
  }
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
