// Sort ∧ ∨ and Grade ⍋ ⍒.
#include <algorithm>
#include <numeric>

#include "primitives/common/elements.h"
#include "primitives/common/index_list.h"
#include "primitives/common/indexing.h"
#include "primitives/common/sorted.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/kernels/sort/is_sorted.h"
#include "primitives/kernels/sort/order_few.h"
#include "primitives/kernels/sort/sort.h"
#include "primitives/order/bits_in_order.h"
#include "primitives/order/leading_keys.h"
#include "primitives/order/order.h"
#include "primitives/search/scalar_search.h"

namespace griddle::primitives {

bool is_in_order(Array& a, bool down) {
  if (a.has_noted_order(down)) return true;
  if (!kernels::is_sorted(a.type(), a.data, a.length, down)) return false;
  a.note_order(down);
  return true;
}

namespace {

// Counting pays where the counts stay in a near cache and there are elements enough for each.
std::size_t worthwhile_counts(ElementType type, std::size_t n) { return (bits_of(type) == 16 ? n : 2 * n) + 256; }
std::size_t worthwhile_grading_counts(std::size_t n) { return 2 * n + 256; }
// More cells than this are put in order by comparison, for which places of 64 bits do.
constexpr std::size_t most_places = std::size_t{1} << 31;
// So few boxes are put in order by insertion, and by comparison alone.
constexpr std::size_t few_sorted = 24;

Value sortable_cells(Context& cx, const char* name, Value x) {
  if (Value message = cells_refusal(cx, name, x); !message.is_absent()) fail_with(cx, std::move(message));
  const Array& a = x.array();
  if (a.type() != ElementType::boxed || a.length == 0) return x;
  ElementType t = narrowest(a);
  return t == ElementType::boxed ? x : with_fill_like(cx.heap, converted(cx.heap, a, t), x);
}

template <class T>
struct Scratch {
  static constexpr ElementType type = sizeof(T) == 1   ? ElementType::i8
                                      : sizeof(T) == 2 ? ElementType::i16
                                      : sizeof(T) == 4 ? ElementType::i32
                                                       : ElementType::f64;
  Scratch(Heap& heap, std::size_t n) : memory(make_list(heap, type, n)) {}
  T* data() { return memory->as<T>(); }
  Ref<Array> memory;
};

struct KeyRange {
  std::int64_t low;
  std::size_t size;  // 0 where it is not known
};

KeyRange key_range_of(const Array& a) {
  if (a.type() == ElementType::i8) return {-128, 256};
  if (a.type() == ElementType::c8) return {0, 256};
  if (a.type() == ElementType::f64) return {0, 0};
  const kernels::Bounds bounds = kernels::bounds_of(a.type(), a.data, a.length);
  return {bounds.low, static_cast<std::size_t>(bounds.high - bounds.low) + 1};
}

// --- places of cells in order

Value to_index_list(Context& cx, Scratch<std::uint32_t>& scratch, std::size_t n) {
  const std::uint32_t* places = scratch.data();
  if (index_type(n - 1) == ElementType::i32) return to_value(std::move(scratch.memory));
  const ElementType type = index_type(n - 1);
  Ref<Array> list = make_list(cx.heap, type, n);
  if (type == ElementType::f64)
    std::copy(places, places + n, list->as<double>());
  else
    kernels::convert().narrow[static_cast<int>(ElementType::i32)][static_cast<int>(type)](list->data, places, n);
  return to_value(std::move(list));
}

Value first_places(Context& cx, std::size_t n) {
  IndexList list(cx.heap, n ? n - 1 : 0, {&n, 1});
  list.fill([&](auto* to) { std::iota(to, to + n, 0); });
  Value places = list.finish();
  places.array().note_order(false);
  return places;
}

template <class Key>
Value grade_keys(Context& cx, const Key* keys, std::size_t n, bool down) {
  Scratch<std::uint64_t> room(cx.heap, 2 * n);
  Scratch<std::uint32_t> places(cx.heap, n);
  kernels::grade_radix(keys, n, room.data(), places.data(), down);
  return to_index_list(cx, places, n);
}

// Grades elements that are in order the other way round: runs of equal ones, the last first.
Value grade_reversed(Context& cx, const Array& a) {
  const std::size_t n = a.length;
  Scratch<std::uint32_t> places(cx.heap, n);
  with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, Bit> && !std::is_same_v<T, Value>) {
      const T* p = a.as<T>();
      std::uint32_t* to = places.data();
      for (std::size_t end = n, first; end != 0; end = first) {
        const auto is_equal = [p](std::size_t i, std::size_t j) { return p[i] == p[j] || (p[i] != p[i] && p[j] != p[j]); };
        for (first = end - 1; first != 0 && is_equal(first - 1, first);) first--;
        for (std::size_t i = first; i < end; i++) *to++ = static_cast<std::uint32_t>(i);
      }
    }
  });
  return to_index_list(cx, places, n);
}

// Grades elements together with their places, in vectors.
Value grade_together(Context& cx, const Array& a, const void* keys, const KeyRange& range, bool down) {
  const std::size_t n = a.length;
  const ElementType type = index_type(n - 1);
  Scratch<std::uint64_t> room(cx.heap, 2 * n);
  Ref<Array> places = make_list(cx.heap, type, n);
  kernels::grade_in_vectors(a.type(), keys, n, range.low, range.size, room.data(), type, places->data, down);
  return to_value(std::move(places));
}

Value grade_list(Context& cx, Array& a, bool down) {
  const std::size_t n = a.length;
  if (a.type() == ElementType::bit) {
    Scratch<std::uint64_t> room(cx.heap, (n + 63) / 64);
    return Value(graded_bits(cx.heap, a, down, index_type(n - 1), room.data()));
  }
  if (is_in_order(a, down)) return first_places(cx, n);
  if (is_in_order(a, !down)) return grade_reversed(cx, a);
  if (n <= tuning().most_counted) {
    Ref<Array> places = make_list(cx.heap, ElementType::i8, n);
    if (kernels::grade_few(a.type(), a.data, n, places->as<std::uint8_t>(), down)) return to_value(std::move(places));
  }
  const bool vectors = kernels::sorts_in_vectors() && index_type(n - 1) != ElementType::f64;
  if (a.type() == ElementType::f64) {
    Scratch<std::uint64_t> keys(cx.heap, n);
    kernels::order_keys(a.type(), a.data, n, keys.data(), false);
    return vectors ? grade_together(cx, a, keys.data(), {}, down) : grade_keys(cx, keys.data(), n, down);
  }
  const KeyRange range = key_range_of(a);
  if (vectors && n < tuning().few_to_count) return grade_together(cx, a, a.data, range, down);
  if (const ElementType place_type = index_type(n - 1); bits_of(a.type()) == 8 && place_type != ElementType::f64) {
    Ref<Array> places = make_list(cx.heap, place_type, n);
    if (kernels::grade_bytes(a.type(), a.data, n, place_type, places->data, down)) return to_value(std::move(places));
  }
  if (range.size == n) {
    Scratch<std::uint32_t> places(cx.heap, n);
    if (kernels::grade_permutation(a.type(), a.data, n, range.low, places.data(), down)) return to_index_list(cx, places, n);
  }
  // Without vectors, two passes over 16 bits put places to fewer lines than one pass, if that has more than few keys.
  const bool by_bytes =
      !vectors && bits_of(a.type()) == 16 && range.size > kernels::few_graded_keys && n <= kernels::most_graded_by_bytes;
  if (!by_bytes && range.size <= std::min(worthwhile_grading_counts(n), tuning().most_grading_counts)) {
    Scratch<std::uint32_t> counts(cx.heap, range.size + kernels::counts_beyond), places(cx.heap, n);
    kernels::grade_by_counting(a.type(), a.data, n, range.low, range.size, counts.data(), places.data(), down);
    return to_index_list(cx, places, n);
  }
  constexpr std::size_t most_pairs = 1 << 16;  // of 16 bits and a place, which 32 bits hold
  if (vectors && (bits_of(a.type()) == 32 || n <= most_pairs)) return grade_together(cx, a, a.data, range, down);
  if (bits_of(a.type()) == 16) {
    Scratch<std::uint32_t> room(cx.heap, n), places(cx.heap, n);
    kernels::grade_by_bytes(a.type(), a.data, n, room.data(), places.data(), down);
    return to_index_list(cx, places, n);
  }
  Scratch<std::uint32_t> keys(cx.heap, n);
  kernels::order_keys(a.type(), a.data, n, keys.data(), false);
  return grade_keys(cx, keys.data(), n, down);
}

Value grade_flat(Context& cx, Array& a, std::size_t n, std::size_t cell, bool down) {
  if (cell == 1) return grade_list(cx, a, down);
  const auto by_keys = [&](auto keys) {
    kernels::order_keys_of_cells(a.type(), a.data, n, cell, keys.data());
    return grade_keys(cx, keys.data(), n, down);
  };
  return kernels::cell_key_bits(a.type(), cell) <= 32 ? by_keys(Scratch<std::uint32_t>(cx.heap, n))
                                                      : by_keys(Scratch<std::uint64_t>(cx.heap, n));
}

// Orders places by the cells that stand there, and fails where these have no order.
template <class Place>
void order_places(Context& cx, const char* name, const Array& a, std::size_t cell, std::span<Place> places, bool down) {
  const Ordering order(cx, name);
  std::size_t steps = 0;
  auto before = [&](Place i, Place j) {
    if (++steps % 65536 == 0) cx.check_interrupt();
    int c = order.compare_runs(a, static_cast<std::size_t>(i) * cell, a, static_cast<std::size_t>(j) * cell, cell);
    return down ? c > 0 : c < 0;
  };
  std::stable_sort(places.begin(), places.end(), before);
}

template <class Place>
Value grade_by_comparison(Context& cx, const char* name, const Array& a, std::size_t n, std::size_t cell, bool down) {
  Scratch<Place> memory(cx.heap, n);
  Place* places = memory.data();
  std::iota(places, places + n, Place{0});
  order_places(cx, name, a, cell, std::span(places, n), down);
  IndexList list(cx.heap, n - 1, {&n, 1});
  list.fill([&](auto* to) { std::copy(places, places + n, to); });
  return list.finish();
}

// Grades a few boxes by insertion.
Value grade_few_boxes(Context& cx, const char* name, const Array& a, bool down) {
  const Ordering order(cx, name);
  Ref<Array> list = make_list(cx.heap, ElementType::i8, a.length);
  auto* const places = list->as<std::uint8_t>();
  const Value* boxes = a.as<Value>();
  std::uint64_t keys[few_sorted];
  const bool have_keys = leading_keys(a, a.length, 1, 0, keys);
  const auto is_before = [&](std::size_t i, std::size_t j) {
    if (have_keys && keys[i] != keys[j]) return (keys[i] < keys[j]) != down;
    const int c = order.compare(boxes[i], boxes[j]);
    return down ? c > 0 : c < 0;
  };
  for (std::size_t i = 0; i < a.length; i++) {
    std::size_t k = i;
    for (; k != 0 && is_before(i, places[k - 1]); k--) places[k] = places[k - 1];
    places[k] = static_cast<std::uint8_t>(i);
  }
  return to_value(std::move(list));
}

// Grades boxes by keys of what they begin with, and compares those whose keys are equal. Absent where such keys say nothing.
Value grade_boxes(Context& cx, const char* name, const Array& a, std::size_t n, std::size_t cell, bool down) {
  Scratch<std::uint64_t> keys(cx.heap, n), room(cx.heap, 2 * n);
  const std::uint64_t* key = keys.data();
  constexpr std::size_t most_levels = 4;
  const auto are_equal = [&] { return std::all_of(key, key + n, [&](std::uint64_t k) { return k == key[0]; }); };
  for (std::size_t level = 0; level == 0 || (level < most_levels && are_equal()); level++)
    if (!leading_keys(a, n, cell, level, keys.data())) {
      if (level == 0) return Value();
      break;
    }
  Scratch<std::uint32_t> memory(cx.heap, n);
  std::uint32_t* places = memory.data();
  if (kernels::sorts_in_vectors())
    kernels::grade_in_vectors(ElementType::f64, key, n, 0, 0, room.data(), ElementType::i32, places, down);
  else
    kernels::grade_radix(key, n, room.data(), places, down);
  for (std::size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && key[places[end]] == key[places[i]];) end++;
    if (end - i > 1) order_places(cx, name, a, cell, std::span(places + i, end - i), down);
  }
  return to_index_list(cx, memory, n);
}

Value grade(Context& cx, const char* name, const Value& x, bool down) {
  Array& a = x.array();
  std::size_t n = a.cells(), cell = a.cell_length();
  if (n <= 1 || cell == 0) return first_places(cx, n);
  if (n > most_places) return grade_by_comparison<std::uint64_t>(cx, name, a, n, cell, down);
  if (a.type() != ElementType::boxed && kernels::cell_key_bits(a.type(), cell) <= 64) return grade_flat(cx, a, n, cell, down);
  if (a.type() == ElementType::boxed && a.is_list() && n <= few_sorted) return grade_few_boxes(cx, name, a, down);
  if (a.type() == ElementType::boxed && n > few_sorted)
    if (Value places = grade_boxes(cx, name, a, n, cell, down); !places.is_absent()) return places;
  return grade_by_comparison<std::uint32_t>(cx, name, a, n, cell, down);
}

// --- sorting

template <class Key>
void sort_keys(Context& cx, ElementType type, const void* from, std::size_t n, void* to, bool down) {
  Scratch<Key> other(cx.heap, n);
  Key* keys = static_cast<Key*>(to);
  kernels::order_keys(type, from, n, keys, down);
  Key* sorted = kernels::sort_radix(keys, other.data(), n);
  kernels::elements_of_keys(type, sorted, n, to, down);
}

// Sorts many elements of 16 bits by counts as short; false where these are too many, or do not fit.
bool sort_by_short_counts(Context& cx, const Array& a, const KeyRange& range, Array& out, bool down) {
  const bool narrow = range.size <= a.length / 3;
  if (bits_of(a.type()) != 16 || range.size > 4 * a.length || (a.length < tuning().least_short_counts && !narrow)) return false;
  Scratch<std::uint16_t> counts(cx.heap, range.size);
  return kernels::sort_dense(a.data, a.length, range.low, range.size, counts.data(), out.data, down);
}

Value sort_list(Context& cx, Value x, bool down) {
  Array& a = x.array();
  std::size_t n = a.length;
  if (a.type() == ElementType::bit) return Value(sorted_bits(cx.heap, a, down));
  if (is_in_order(a, down)) return x;
  // Of doubles that are equal, zeros may differ.
  if (a.type() != ElementType::f64 && is_in_order(a, !down)) {
    Value turned = reverse(cx, std::move(x));
    turned.array().note_order(down);
    return turned;
  }
  Value fill = fill_of(cx.heap, x);
  // An interrupt would leave what a variable holds half sorted.
  const bool reused = a.writable() && (n <= kernels::long_piece || (a.flags & Object::lent) == 0);
  Ref<Array> out = reused ? Ref<Array>::share(&x.array()) : make_list(cx.heap, a.type(), n);
  const bool few = n <= tuning().most_counted && kernels::sort_few(a.type(), a.data, n, out->data, down);
  const bool vectors = n < tuning().few_to_count && kernels::sorts_in_vectors();
  const KeyRange range = few || vectors ? KeyRange{0, 0} : key_range_of(a);
  if (few || (range.size && sort_by_short_counts(cx, a, range, *out, down))) {
    // They are in order.
  } else if (range.size && range.size <= std::min(worthwhile_counts(a.type(), n), tuning().most_sorting_counts)) {
    Scratch<std::uint32_t> counts(cx.heap, range.size);
    kernels::sort_by_counting(a.type(), a.data, n, range.low, range.size, counts.data(), out->data, down);
  } else {
    with_type(a.type(), [&]<class T>(std::type_identity<T>) {
      using Key = std::conditional_t<std::is_same_v<T, double>, std::uint64_t, T>;
      if constexpr (std::is_integral_v<Key>) sort_keys<std::make_unsigned_t<Key>>(cx, a.type(), a.data, n, out->data, down);
    });
  }
  out->note_order(down);
  return with_fill(cx.heap, to_value(std::move(out)), fill);
}

Value sort(Context& cx, const char* name, Value argument, bool down) {
  Value x = sortable_cells(cx, name, std::move(argument));
  const Array& a = x.array();
  std::size_t n = a.cells(), cell = a.cell_length();
  if (n <= 1 || cell == 0) return x;
  if (cell == 1 && a.type() != ElementType::boxed && n <= most_places && a.rank() == 1) return sort_list(cx, std::move(x), down);
  Value places = grade(cx, name, x, down);
  return select_axis(cx, x, 0, places.array());
}

}  // namespace

Value sort_up(Context& cx, Value x) { return sort(cx, "Sort Up", std::move(x), false); }
Value sort_down(Context& cx, Value x) { return sort(cx, "Sort Down", std::move(x), true); }

Value grade_up_refusal(Context& cx, const Value& w, const Value& x) {
  return w.is_absent() ? cells_refusal(cx, "Grade Up", x) : Value();
}
Value grade_down_refusal(Context& cx, const Value& w, const Value& x) {
  return w.is_absent() ? cells_refusal(cx, "Grade Down", x) : Value();
}
Value grade_up(Context& cx, Value x) { return grade(cx, "Grade Up", sortable_cells(cx, "Grade Up", std::move(x)), false); }
Value grade_down(Context& cx, Value x) { return grade(cx, "Grade Down", sortable_cells(cx, "Grade Down", std::move(x)), true); }

}  // namespace griddle::primitives
