#include "primitives/order/ordered_rows.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "primitives/common/elements.h"
#include "primitives/common/index_list.h"
#include "primitives/common/tuning.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/sort/order_few.h"
#include "primitives/kernels/sort/sort.h"
#include "primitives/search/scalar_search.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {

namespace {

bool has_flat_rows(const Array& a, std::size_t frame) {
  return a.rank() == frame + 1 && a.length != 0 && a.type() != ElementType::boxed && !a.data.elsewhere();
}

std::size_t ones_in(const std::uint64_t* bits, std::size_t at, std::size_t n) {
  std::size_t ones = 0;
  for (std::size_t i = 0; i < n; i += 64)
    ones += static_cast<std::size_t>(std::popcount(kernels::read_bits(bits, at + i, std::min<std::size_t>(64, n - i))));
  return ones;
}

Value sort_rows_of_bits(Context& cx, bool down, std::size_t row, const Value& x) {
  const Array& a = x.array();
  const std::uint64_t* from = a.as<std::uint64_t>();
  Ref<Array> sorted = make_like(cx.heap, ElementType::bit, a);
  std::uint64_t* to = sorted->as<std::uint64_t>();
  for (std::size_t i = 0; i < a.length; i += row) {
    if (row <= 64) {
      kernels::write_bits(to, i, row, sorted_bits(kernels::read_bits(from, i, row), row, down));
      continue;
    }
    const std::size_t ones = ones_in(from, i, row), first = down ? ones : row - ones;
    kernels::set_bit_run(to, i, first, down);
    kernels::set_bit_run(to, i + first, row - first, !down);
  }
  return with_fill_like(cx.heap, to_value(std::move(sorted)), x);
}

// Sorts one short row.
template <class T>
void sort_short(ElementType type, T* begin, std::size_t n, bool down) {
  if constexpr (std::is_integral_v<T>)
    if (n <= most_tiny) return sort_tiny(begin, n, down, begin);
  if (n > most_tiny && n <= tuning().most_counted && kernels::sort_few(type, begin, n, begin, down)) return;
  // NaN is the largest number.
  const auto before = [](T l, T r) { return l < r || (r != r && l == l); };
  if (down)
    std::sort(begin, begin + n, [&](T l, T r) { return before(r, l); });
  else
    std::sort(begin, begin + n, before);
}

constexpr std::size_t longest_of_bits = 4096;

// Writes the places of the 0s of a row, then of the 1s, or the other way round.
void grade_row_of_bits(const std::uint64_t* bits, std::size_t at, std::size_t row, bool down, ElementType type,
                       std::uint8_t* to) {
  std::uint64_t ones[longest_of_bits / 64], zeros[longest_of_bits / 64];
  std::size_t count = 0;
  for (std::size_t i = 0; i < row; i += 64) {
    const std::size_t n = std::min<std::size_t>(64, row - i);
    ones[i / 64] = kernels::read_bits(bits, at + i, n);
    zeros[i / 64] = ones[i / 64] ^ kernels::low_bits(n);
    count += static_cast<std::size_t>(std::popcount(ones[i / 64]));
  }
  const std::size_t first = down ? count : row - count;
  kernels::places_of_ones(type, to, first, down ? ones : zeros, row);
  kernels::places_of_ones(type, to + first * (bits_of(type) / 8), row - first, down ? zeros : ones, row);
}
Value grade_rows_of_bits(Context& cx, bool down, std::size_t row, const Array& a) {
  constexpr std::size_t few = 20;
  IndexList list(cx.heap, row - 1, a.shape());
  Array& places = list.array();
  const auto* bits = a.as<std::uint64_t>();
  const std::size_t width = bits_of(places.type()) / 8;
  for (std::size_t i = 0; i < a.length; i += row)
    if (row <= few)
      grade_bits(kernels::read_bits(bits, i, row), row, down, places.as<std::int8_t>() + i);
    else
      grade_row_of_bits(bits, i, row, down, places.type(), places.data + i * width);
  return list.finish();
}

// Grades rows of a few elements one after the other.
template <class T>
void grade_short_rows(const T* x, std::size_t n, std::size_t row, bool down, std::uint8_t* places) {
  for (std::size_t i = 0; i < n; i += row) grade_tiny(x + i, row, down, places + i);
}

// Grades rows of integers or keys in vectors.
void grade_in_vectors(const Array& a, const std::uint8_t* keys, std::size_t row, bool down, std::uint8_t* room, Array& places) {
  const std::size_t width = bits_of(a.type()) / 8, place_width = bits_of(places.type()) / 8;
  const bool is_byte = width == 1;
  for (std::size_t i = 0; i < a.length; i += row) {
    kernels::Bounds bounds = {0, -1};
    if (is_byte)
      bounds = a.type() == ElementType::i8 ? kernels::Bounds{-128, 127} : kernels::Bounds{0, 255};
    else if (width != 8)
      bounds = kernels::bounds_of(a.type(), keys + i * width, row);
    const auto range = static_cast<std::size_t>(bounds.high - bounds.low + 1);
    kernels::grade_in_vectors(a.type(), keys + i * width, row, bounds.low, range, room, places.type(),
                              places.data + i * place_width, down);
  }
}

}  // namespace

Value sort_rows(Context& cx, bool down, std::size_t frame, const Value& x) {
  const Array& a = x.array();
  const std::size_t row = a.shape()[frame];
  if (!has_flat_rows(a, frame)) return Value();
  if (a.type() == ElementType::bit) return sort_rows_of_bits(cx, down, row, x);
  if (row > tuning().longest_sorted_row) return Value();
  Ref<Array> sorted = make_like(cx.heap, a.type(), a);
  copy_elements(*sorted, 0, a, 0, a.length);
  with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, Bit> && !std::is_same_v<T, Value>)
      for (std::size_t i = 0; i < a.length; i += row) sort_short(a.type(), sorted->as<T>() + i, row, down);
  });
  return with_fill_like(cx.heap, to_value(std::move(sorted)), x);
}

Value grade_rows(Context& cx, bool down, std::size_t frame, const Value& x) {
  const Array& a = x.array();
  if (!has_flat_rows(a, frame)) return Value();
  const std::size_t row = a.shape()[frame];
  if (a.type() == ElementType::bit) return row <= longest_of_bits ? grade_rows_of_bits(cx, down, row, a) : Value();
  if (row > most_tiny && row <= tuning().longest_counted_row) {
    Ref<Array> places = make_array(cx.heap, ElementType::i8, a.shape());
    const std::size_t width = bits_of(a.type()) / 8;
    for (std::size_t i = 0; i < a.length; i += row)
      if (!kernels::grade_few(a.type(), a.data + i * width, row, places->as<std::uint8_t>() + i, down)) return Value();
    return to_value(std::move(places));
  }
  const bool tiny = row <= most_tiny;
  if (row > tuning().longest_graded_row || !(tiny || kernels::sorts_in_vectors())) return Value();
  const std::uint8_t* keys = a.data;
  Ref<Array> memory;
  if (a.type() == ElementType::f64) {
    memory = make_list(cx.heap, ElementType::f64, a.length);
    kernels::order_keys(a.type(), a.data, a.length, memory->as<std::uint64_t>(), false);
    keys = memory->data;
  }
  IndexList places(cx.heap, row - 1, a.shape());
  if (!tiny) {
    const Ref<Array> room = make_list(cx.heap, ElementType::f64, 2 * row);
    grade_in_vectors(a, keys, row, down, room->data, places.array());
    return places.finish();
  }
  with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    using Key = std::conditional_t<std::is_same_v<T, double>, std::uint64_t, T>;
    if constexpr (std::is_integral_v<Key>)
      grade_short_rows(reinterpret_cast<const Key*>(keys), a.length, row, down, places.array().as<std::uint8_t>());
  });
  return places.finish();
}

}  // namespace griddle::primitives
