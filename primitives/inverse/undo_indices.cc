// Undo of Indices /⁼: how often each number comes; undo of Group Indices ⊔⁼.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "primitives/common/elements.h"
#include "primitives/common/index_list.h"
#include "primitives/common/plain.h"
#include "primitives/common/sorted.h"
#include "primitives/common/tuning.h"
#include "primitives/inverse/undo.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/search/byte_counts.h"
#include "primitives/kernels/search/run_counts.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/structure/replicate.h"

namespace griddle::primitives {
namespace {

constexpr const char* indices_name = "Undo of Indices: 𝕩";

// Marks few places in a word; gives none where they are not all different and below 64.
std::uint64_t marks_of_few(const Array& a) {
  if (a.length > 64) return 0;
  std::uint64_t marks = 0;
  const auto mark = [&](std::size_t place) {
    if (place >= 64 || (marks >> place & 1) != 0) return false;
    marks |= std::uint64_t{1} << place;
    return true;
  };
  const auto mark_all = [&](const auto* places) {
    for (std::size_t i = 0; i < a.length; i++)
      if (!mark(static_cast<std::size_t>(places[i]))) return std::uint64_t{0};
    return marks;
  };
  switch (a.type()) {
    case ElementType::bit:
      for (std::size_t i = 0; i < a.length; i++)
        if (!mark(a.bit(i))) return 0;
      return marks;
    case ElementType::i8: return mark_all(a.as<std::int8_t>());
    case ElementType::i16: return mark_all(a.as<std::int16_t>());
    case ElementType::i32: return mark_all(a.as<std::int32_t>());
    default: return 0;
  }
}

// Counts few numbers below 128 in bytes, which hold their counts. Absent for others.
Value count_few(Heap& heap, const Array& a) {
  constexpr std::size_t most_numbers = 127, most_counts = 128;
  if (a.length - 1 >= most_numbers || !is_any(a.type(), ElementType::i8, ElementType::i16, ElementType::i32) ||
      a.data.elsewhere())
    return Value();
  std::uint64_t counts[most_counts / 8] = {};
  auto* const bytes = reinterpret_cast<std::uint8_t*>(counts);
  const auto count_all = [&](const auto* p) {
    using T = std::remove_cvref_t<decltype(*p)>;
    T all = 0;
    for (std::size_t i = 0; i < a.length; i++) all |= p[i], bytes[p[i] % most_counts]++;
    if (all >= most_counts) return std::size_t{0};
    std::size_t word = all / 8;
    while (counts[word] == 0) word--;
    return 8 * word + (static_cast<std::size_t>(std::bit_width(counts[word])) + 7) / 8;
  };
  const std::size_t length = a.type() == ElementType::i8    ? count_all(a.as<std::uint8_t>())
                             : a.type() == ElementType::i16 ? count_all(a.as<std::uint16_t>())
                                                            : count_all(a.as<std::uint32_t>());
  if (length == 0) return Value();
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < length; k += 8) all |= counts[k / 8];
  Array* const list = make_plain_list(heap, ElementType::i8, length);
  std::memcpy(list->data.here(), counts, length);
  return (all & 0x7E7E7E7E7E7E7E7E) != 0 ? Value(list) : packed_if_boolean(heap, Value(list));
}

// Gives how many counts there will be; fails where an element is no natural number, or they are too many. There is an element.
std::size_t count_length(Context& cx, Array& a) {
  double greatest = 0;
  std::size_t bad = a.length;
  if (is_integer(a.type())) {
    const auto at = [&](std::size_t i) { return static_cast<std::int64_t>(number_at(a, i)); };
    const kernels::Bounds bounds =
        is_in_order(a, false) ? kernels::Bounds{at(0), at(a.length - 1)} : kernels::bounds_of(a.type(), a.data, a.length);
    greatest = static_cast<double>(bounds.high);
    double sum;
    if (bounds.low < 0) bad = kernels::add_counts(a.type(), a.data, a.length, &sum);
  } else {
    double sum;
    bad = kernels::add_counts(a.type(), a.data, a.length, &sum);
    if (bad == a.length) greatest = *std::max_element(a.as<double>(), a.as<double>() + a.length);
  }
  if (bad < a.length)
    fail(cx, std::string(indices_name) + " must consist of natural numbers (got " + number_text(number_at(a, bad)) + ")");
  if (greatest >= static_cast<double>(max_length))
    fail(cx, "Undo of Indices: Result would have too many elements (" + number_text(greatest + 1) + ")");
  return static_cast<std::size_t>(greatest) + 1;
}

template <class T>
void write_wide_counts(std::uint32_t* counts, const T* numbers, const std::int32_t* ends, std::size_t runs) {
  for (std::size_t k = 0; k < runs; k++)
    counts[static_cast<std::size_t>(numbers[k])] = static_cast<std::uint32_t>(ends[k] - ends[k - 1]);
}

// Counts numbers in order, by where runs of equal ones end: a block at a time, so that what is known of one stays near. Gives the
// bits that occur in counts of bytes.
template <class T, class C>
std::size_t count_runs(ElementType type, const T* p, std::size_t n, C* counts, std::size_t length) {
  constexpr std::size_t block = 1024, room = block + 64, before = 16, few_runs = 160;
  const auto differ =
      kernels::compare()
          .compare[static_cast<int>(kernels::Comparison::not_equal)][kernels::compared_lane(type)][kernels::array_array];
  std::uint64_t last[block / 64];
  T numbers[room];
  std::int32_t ends[before + room];
  ends[before - 1] = -1;
  const bool by_each = sizeof(C) == 1 && kernels::counts_better_each();
  std::size_t all = 0;
  kernels::ElementsDone done;
  for (std::size_t i = 0; i < n; i += block) {
    done.add(block);
    const std::size_t here = std::min(block, n - i), followed = std::min(here, n - 1 - i);
    if (followed != 0) differ(last, p + i, p + i + 1, followed);
    if (followed != here) {
      if (followed % 64 == 0) last[followed / 64] = 0;
      kernels::write_bit(last, followed, true);
    }
    const std::size_t runs = kernels::count_ones(last, here);
    if (runs <= few_runs) {
      std::int32_t previous = ends[before - 1];
      for (std::size_t w = 0; w * 64 < here; w++)
        for (std::uint64_t bits = last[w]; bits != 0; bits &= bits - 1) {
          const auto end = static_cast<std::int32_t>(w * 64) + std::countr_zero(bits);
          const auto count = static_cast<std::uint32_t>(end - std::exchange(previous, end));
          all |= count;
          counts[static_cast<std::size_t>(p[i + static_cast<std::size_t>(end)])] = static_cast<C>(count);
        }
      ends[before - 1] = previous - static_cast<std::int32_t>(block);
      continue;
    }
    if constexpr (sizeof(C) == 1) {
      if (by_each) {
        all |= kernels::count_each_in_order(counts, type, p + i, here, static_cast<std::size_t>(-1 - ends[before - 1]));
        std::size_t w = (here - 1) / 64;
        while (last[w] == 0) w--;
        ends[before - 1] = static_cast<std::int32_t>(w * 64 + std::bit_width(last[w])) - 1 - static_cast<std::int32_t>(block);
        continue;
      }
    }
    kernels::compress(8 * sizeof(T), numbers, room, p + i, last, here);
    kernels::places_of_ones(ElementType::i32, ends + before, room, last, here);
    if constexpr (sizeof(C) == 1)
      all |= kernels::write_run_counts(counts, length, type, numbers, ends + before, runs);
    else
      write_wide_counts(counts, numbers, ends + before, runs);
    // Seen from the next block.
    ends[before - 1] = ends[before + runs - 1] - static_cast<std::int32_t>(block);
  }
  return all;
}

// Counts in four parts at once, where that takes little memory: equal numbers wait for each other.
template <class T>
void count_numbers(Context& cx, const T* p, std::size_t n, std::uint32_t* counts, std::size_t length) {
  constexpr std::size_t parts = 4;
  const std::size_t part = n / parts;
  if (length > tuning().most_counts_in_parts || length > n) {
    return kernels::in_pieces(n, [=](std::size_t i, std::size_t end) {
      for (; i < end; i++) counts[static_cast<std::size_t>(p[i])]++;
    });
  }
  Ref<Array> memory = make_list(cx.heap, ElementType::i32, (parts - 1) * length);
  std::uint32_t* others = memory->as<std::uint32_t>();
  std::memset(others, 0, (parts - 1) * length * sizeof *others);
  kernels::in_pieces(part, [=](std::size_t i, std::size_t end) {
    for (; i < end; i++) {
      counts[static_cast<std::size_t>(p[i])]++;
      for (std::size_t k = 1; k < parts; k++) others[(k - 1) * length + static_cast<std::size_t>(p[k * part + i])]++;
    }
  });
  for (std::size_t i = parts * part; i < n; i++) counts[static_cast<std::size_t>(p[i])]++;
  for (std::size_t k = 0; k < length; k++) counts[k] += others[k] + others[length + k] + others[2 * length + k];
}

Ref<Array> make_zeros(Context& cx, ElementType type, std::size_t length) {
  Ref<Array> zeros = make_list(cx.heap, type, length);
  std::memset(zeros->data, 0, bytes_for(type, length));
  return zeros;
}

// Counts in bytes, which are few to clear; absent where one of them does not do.
template <class T>
Value count_in_bytes(Context& cx, const Array& a, const T* p, std::size_t length, bool in_order) {
  Ref<Array> out = make_zeros(cx, ElementType::i8, length);
  std::int8_t* counts = out->as<std::int8_t>();
  std::size_t all = 0;
  if (in_order) {
    all = count_runs(a.type(), p, a.length, counts, length);
  } else {
    kernels::ElementsDone done;
    constexpr std::size_t block = 1024;
    for (std::size_t start = 0; start < a.length; start += block) {
      done.add(block);
      const std::size_t end = std::min(a.length, start + block);
      for (std::size_t i = start; i < end; i++) {
        std::int8_t& count = counts[static_cast<std::size_t>(p[i])];
        if (count == 127) return Value();
        count = static_cast<std::int8_t>(count + 1);
        all |= static_cast<std::size_t>(count);
      }
    }
  }
  if (all > 127) return Value();
  Value result = to_value(std::move(out));
  return all == 1 ? packed_if_boolean(cx.heap, std::move(result)) : result;
}

// Counts wider integers up to 127 as bytes, in blocks that stay near.
template <class T>
void count_as_bytes(ElementType type, const T* p, std::size_t n, std::uint32_t* counts, std::size_t length) {
  constexpr std::size_t block = 8192;
  const auto narrow = kernels::convert().narrow[index_of(type)][index_of(ElementType::i8)];
  std::uint8_t bytes[block];
  std::uint32_t of_block[kernels::most_counted_bytes];
  std::fill_n(counts, length, 0);
  kernels::ElementsDone done;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t here = std::min(block, n - i);
    narrow(bytes, p + i, here);
    kernels::count_bytes(bytes, here, length, of_block);
    for (std::size_t k = 0; k < length; k++) counts[k] += of_block[k];
    done.add(here);
  }
}

template <class T>
Value count_small(Context& cx, ElementType type, const T* p, std::size_t n, std::size_t length) {
  std::uint32_t counts[kernels::most_counted_bytes];
  if constexpr (sizeof(T) == 1)
    kernels::count_bytes(reinterpret_cast<const std::uint8_t*>(p), n, length, counts);
  else
    count_as_bytes(type, p, n, counts, length);
  const std::uint32_t most = *std::max_element(counts, counts + length);
  IndexList out(cx.heap, most, {&length, 1});
  out.fill([&](auto* to) {
    for (std::size_t k = 0; k < length; k++) to[k] = static_cast<std::remove_pointer_t<decltype(to)>>(counts[k]);
  });
  Value result = out.finish();
  return most == 1 ? packed_if_boolean(cx.heap, std::move(result)) : result;
}

template <class T>
Value count(Context& cx, Array& a, const T* p, std::size_t length) {
  const bool in_order = is_in_order(a, false);
  if constexpr (std::is_integral_v<T>)
    if (!in_order && (sizeof(T) == 1 || (length <= 128 && a.length >= length)) && a.length < std::size_t{1} << 31)
      return count_small(cx, a.type(), p, a.length, length);
  // Few of each number are counted in bytes.
  if (in_order ? a.length / tuning().most_counted_in_bytes <= length : a.length * 2 <= length)
    if (Value counts = count_in_bytes(cx, a, p, length, in_order); !counts.is_absent()) return counts;
  const bool wide = a.length >= std::size_t{1} << 31;
  Ref<Array> out = make_zeros(cx, wide ? ElementType::f64 : ElementType::i32, length);
  if (wide)
    kernels::in_pieces(a.length, [p, counts = out->as<double>()](std::size_t i, std::size_t end) {
      for (; i < end; i++) counts[static_cast<std::size_t>(p[i])] += 1;
    });
  else if (in_order)
    count_runs(a.type(), p, a.length, out->as<std::uint32_t>(), length);
  else
    count_numbers(cx, p, a.length, out->as<std::uint32_t>(), length);
  return narrowed(cx.heap, to_value(std::move(out)));
}

}  // namespace

Value undo_indices(Context& cx, Value x) {
  if (rank_of(x) != 1) fail(cx, "Undo of Indices: 𝕩 must be a list of natural numbers (got " + kind_text(x) + ")");
  if (const std::uint64_t marks = marks_of_few(x.array()); marks != 0) {
    Array* list = make_plain_list(cx.heap, ElementType::bit, static_cast<std::size_t>(std::bit_width(marks)));
    *list->as<std::uint64_t>() = marks;
    return Value(list);
  }
  if (Value counts = count_few(cx.heap, x.array()); !counts.is_absent()) return counts;
  Value numbers = numeric_counts(cx, indices_name, std::move(x));
  Array& a = numbers.array();
  if (a.type() == ElementType::bit) {
    const std::size_t ones = kernels::count_ones(a.as<std::uint64_t>(), a.length);
    const std::size_t counts[] = {a.length - ones, ones};
    return make_numbers(cx.heap, std::span(counts, ones != 0 ? 2 : a.length != 0 ? 1 : 0));
  }
  if (a.length == 0) return narrowed(cx.heap, to_value(make_list(cx.heap, ElementType::i32, 0)));
  const std::size_t length = count_length(cx, a);
  return kernels::with_counts(a.type(), a.data, [&](const auto* p) { return count(cx, a, p, length); });
}

Value undo_group_indices(Context& cx, Value x) {
  auto none = [&]() -> void {
    fail(cx,
         "Undo of Group Indices: 𝕩 must be a list of ascending lists of places, none of them twice (got " + kind_text(x) + ")");
  };
  if (x.is_atom() || rank_of(x) != 1) none();
  std::size_t length = 0;
  std::vector<Value> lists;
  for (std::size_t g = 0; g < x.array().length; g++) {
    Value v = element(x.array(), g);
    if (v.is_atom() || rank_of(v) != 1) none();
    ElementType t = v.array().length ? narrowest(v.array()) : ElementType::bit;
    if (!is_integer(t)) none();
    if (v.array().length) {
      double last = element(v.array(), v.array().length - 1).number();
      if (last < 0) none();
      length = std::max(length, static_cast<std::size_t>(last) + 1);
      v = converted(cx.heap, v.array(), ElementType::i32);
    } else {
      v = to_value(make_list(cx.heap, ElementType::i32, 0));
    }
    lists.push_back(std::move(v));
  }
  Ref<Array> numbers = make_list(cx.heap, ElementType::i32, length);
  auto* to = numbers->as<std::int32_t>();
  std::fill_n(to, length, -1);
  for (std::size_t g = 0; g < lists.size(); g++) {
    std::int32_t last = -1;
    const Array& list = lists[g].array();
    for (std::size_t i = 0; i < list.length; i++) {
      std::int32_t at = list.as<std::int32_t>()[i];
      if (at <= last || to[at] != -1) none();
      to[at] = static_cast<std::int32_t>(g);
      last = at;
    }
  }
  return narrowed(cx.heap, to_value(std::move(numbers)));
}

}  // namespace griddle::primitives
