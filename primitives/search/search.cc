// Classify and Index of ⊐, Mark firsts and Member of ∊, Deduplicate ⍷.
#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/elements.h"
#include "primitives/common/index_list.h"
#include "primitives/common/small_integer.h"
#include "primitives/common/sorted.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/search/match_few.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/search/box_search.h"
#include "primitives/search/cell_keys.h"
#include "primitives/search/key_search.h"
#include "primitives/search/key_table.h"
#include "primitives/search/searching.h"
#include "primitives/structure/match.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

void need_cells(Context& cx, const char* name, const char* which, const Value& v) {
  if (rank_of(v) == 0) fail(cx, std::string(name) + ": " + which + " must have a rank of at least 1 (got " + kind_text(v) + ")");
  if (v.array().cells() >= no_number)
    fail(cx, std::string(name) + ": " + which + " has too many cells (" + std::to_string(v.array().cells()) + ")");
}

void check_cell_ranks(Context& cx, const char* name, const char* principal_name, const Value& principal, const char* other_name,
                      const Value& other) {
  need_cells(cx, name, principal_name, principal);
  if (rank_of(other) + 1 < rank_of(principal))
    fail(cx, std::string(name) + ": The rank of " + other_name + " must be at least that of the cells of " + principal_name +
                 " (shapes " + shape_text(other) + " and " + shape_text(principal) + ")");
}

namespace {

// Writes a bit for each element of a list in order, set where none before is equal; tells whether it is such a list.
bool mark_steps(const Value& x, std::uint64_t* marks) {
  Array& a = x.array();
  const ElementType type = a.type();
  if (a.rank() != 1 || type == ElementType::bit || type == ElementType::boxed) return false;
  if (!is_in_order(a, false) && !is_in_order(a, true)) return false;
  const auto differ =
      kernels::compare()
          .compare[static_cast<int>(kernels::Comparison::not_equal)][kernels::compared_lane(type)][kernels::array_array];
  const auto from = [&](std::size_t i) { return a.data + i * (bits_of(type) / 8); };
  marks[0] = 0;
  if (a.length > 1) differ(marks, from(0), from(1), std::min<std::size_t>(a.length - 1, 63));
  marks[0] = marks[0] << 1 | 1;
  if (a.length > 64) differ(marks + 1, from(63), from(64), a.length - 64);
  return true;
}

// Writes a bit for each cell, set where no earlier one matches it, up to the place that it gives: there is none from there on.
std::size_t mark_first_cells(Context& cx, const Value& x, std::uint64_t* marks, std::size_t n) {
  if (n == 0) return 0;
  if (mark_steps(x, marks)) return n;
  CellKeys keys = keys_of_cells(cx, x);
  shorten(cx, keys);
  if (keys.width != 8) return mark_new_keys(cx, keys, marks);
  std::uint64_t found[4];
  return kernels::mark_new_bytes(keys.as<std::uint8_t>(), n, marks, found);
}

Ref<Array> zero_bits(Heap& heap, std::span<const std::size_t> shape) {
  Ref<Array> bits = make_array(heap, ElementType::bit, shape);
  std::memset(bits->data, 0, bytes_for(ElementType::bit, bits->length));
  return bits;
}

// Numbers of single bytes that are below 256, or how many there are as "none".
struct ByteNumbers {
  std::uint8_t table[256];
  // Writes the number of each byte as 8 or 16 bits; other types are not needed.
  void look_up(IndexList& out, const std::uint8_t* x, std::size_t n) {
    out.fill([&](auto* to) {
      using Out = std::remove_pointer_t<decltype(to)>;
      if constexpr (sizeof(Out) <= 2) {
        using Unsigned = std::make_unsigned_t<Out>;
        kernels::look_up_bytes(table, x, n, reinterpret_cast<Unsigned*>(to));
      }
    });
  }
};

}  // namespace

std::size_t first_equal(const Array& list, const Value& wanted) {
  const std::size_t n = list.length;
  if (is_character(list.type()) ? !wanted.is_character() : !wanted.is_number()) return n;
  if (list.type() == ElementType::bit) {
    if (wanted.number() != 0 && wanted.number() != 1) return n;
    const std::uint64_t* words = list.as<std::uint64_t>();
    const std::uint64_t flip = wanted.number() == 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = 0; i < n; i += 64)
      if (const std::uint64_t word = words[i / 64] ^ flip; word != 0)
        return std::min(n, i + static_cast<std::size_t>(std::countr_zero(word)));
    return n;
  }
  if (list.type() == ElementType::f64) {
    const double* numbers = list.as<double>();
    return static_cast<std::size_t>(std::find(numbers, numbers + n, wanted.number()) - numbers);
  }
  if (list.type() == ElementType::boxed) return n;
  std::int32_t key;
  if (wanted.is_character())
    key = static_cast<std::int32_t>(wanted.character());
  else if (!is_small_integer(wanted, key))
    return n;
  // The first bytes of an integer are the narrower integer, if it has so few bits.
  const unsigned width = bits_of(list.type()), above = 32 - width;
  const bool fits = wanted.is_character() ? static_cast<std::uint64_t>(key) >> width == 0
                                          : key == static_cast<std::int32_t>(static_cast<std::uint32_t>(key) << above) >> above;
  return fits ? kernels::find_key(width, list.data, n, &key) : n;
}

Value mark_firsts(Context& cx, Value x) {
  need_cells(cx, "Mark Firsts", "𝕩", x);
  std::size_t n = x.array().cells();
  Ref<Array> marks = make_list(cx.heap, ElementType::bit, n);
  const std::size_t end = mark_first_cells(cx, x, marks->as<std::uint64_t>(), n);
  const std::size_t words = (n + 63) / 64, written = (end + 63) / 64;
  std::memset(marks->as<std::uint64_t>() + written, 0, (words - written) * 8);
  return to_value(std::move(marks));
}

Value deduplicate(Context& cx, Value x) {
  need_cells(cx, "Deduplicate", "𝕩", x);
  std::size_t n = x.array().cells();
  if (n <= 1) return x;
  Ref<Array> marks = make_list(cx.heap, ElementType::bit, n);
  std::size_t end = mark_first_cells(cx, x, marks->as<std::uint64_t>(), n);
  Value mask = to_value(std::move(marks));
  if (end == n) return replicate(cx, std::move(mask), std::move(x));
  Shape head(x.array().shape());
  head[0] = end;
  Value start = slice(cx.heap, x, 0, head);
  return replicate(cx, slice(cx.heap, mask, 0, end), std::move(start));
}

namespace {

Value classify_bytes(Context& cx, const CellKeys& keys) {
  const auto* x = keys.as<std::uint8_t>();
  const std::size_t n = keys.count;
  ByteNumbers numbers = {};
  Ref<Array> marks = make_list(cx.heap, ElementType::bit, n);
  std::uint64_t found[4];
  const std::size_t end = kernels::mark_new_bytes(x, n, marks->as<std::uint64_t>(), found);
  std::size_t count = 0;
  for (const std::uint64_t word : found) count += static_cast<std::size_t>(std::popcount(word));
  std::uint8_t different[256 + kernels::spare_elements(8, 256)];
  kernels::compress(8, different, sizeof different, x, marks->as<std::uint64_t>(), end);
  for (std::size_t k = 0; k < count; k++) numbers.table[different[k]] = static_cast<std::uint8_t>(k);
  IndexList out(cx.heap, count ? count - 1 : 0, {&n, 1});
  numbers.look_up(out, x, n);
  return out.finish();
}

// Finds bytes by table where all first places are below 256 and those missing can be told from them.
bool index_bytes(const KeyPair& keys, std::size_t n, IndexList& out) {
  if (keys.principal.width != 8 || n > 255) return false;
  ByteNumbers numbers;
  std::fill_n(numbers.table, 256, static_cast<std::uint8_t>(n));
  const auto* const list = keys.principal.as<std::uint8_t>();
#pragma GCC unroll 8
  for (std::size_t i = n; i-- > 0;) numbers.table[list[i]] = static_cast<std::uint8_t>(i);
  numbers.look_up(out, keys.other.as<std::uint8_t>(), keys.other.count);
  return true;
}

// Looks for members of small sets and sets of bytes without a table.
bool mark_members(const KeyPair& keys, std::uint64_t* marks) {
  const CellKeys& set = keys.principal;
  if (set.count == 0) return true;
  if (set.count <= kernels::most_few && set.width != 8) {
    kernels::match_few(set.width, set.data, set.count, keys.other.data, keys.other.count, marks);
    return true;
  }
  if (set.width != 8) return false;
  std::uint64_t bytes[4];
  kernels::mark_new_bytes(set.as<std::uint8_t>(), set.count, nullptr, bytes);
  if ((bytes[0] & bytes[1] & bytes[2] & bytes[3]) == ~std::uint64_t{0}) {
    std::memset(marks, 0xFF, bytes_for(ElementType::bit, keys.other.count));
    return true;
  }
  kernels::match_bytes(bytes, keys.other.as<std::uint8_t>(), keys.other.count, marks);
  return true;
}

// Finds the first place of each of few keys by looking at all, and calls found(i, place); the place of a missing one is n.
template <class F>
bool find_few_keys(const KeyPair& keys, std::size_t n, F found) {
  if (keys.other.count > tuning().most_lookups) return false;
  const std::size_t bytes = keys.principal.width / 8;
  for (std::size_t i = 0; i < keys.other.count; i++) {
    const void* key = static_cast<const std::uint8_t*>(keys.other.data) + i * bytes;
    found(i, kernels::find_key(keys.principal.width, keys.principal.data, n, key));
  }
  return true;
}

// The same for elements of a list that may be arrays.
template <class F>
bool find_few_elements(Context& cx, const Value& principal, const Value& other, F found) {
  const Array& list = principal.array();
  if (list.rank() != 1 || length_of(other) > tuning().most_lookups) return false;
  for (std::size_t i = 0; i < length_of(other); i++) {
    const Value wanted = other.is_array() ? element(other.array(), i) : other;
    found(i, list.type() == ElementType::boxed ? place_among(cx, list.boxes(), wanted) : first_equal(list, wanted));
  }
  return true;
}

// Tells whether keys are so few that a table of them, filled in from a long list, is better than one of that list.
bool are_few(const KeyPair& keys, std::size_t n) { return keys.other.count < n / 4; }

// Finds the first places of few keys in a long list: looks through it until all have come, and calls found(i, place) for each.
template <class F>
void find_in_long_list(Context& cx, const KeyPair& keys, std::size_t n, F found) {
  constexpr std::uint32_t awaited = no_number - 1;
  with_keys(keys.other, [&](const auto* wanted) {
    using Key = std::remove_const_t<std::remove_pointer_t<decltype(wanted)>>;
    with_table(cx, keys.other, wanted, n / 4, [&](auto&& table) {
      const std::size_t count = keys.other.count;
      std::size_t left = 0;
      for (std::size_t i = 0; i < count; i++) {
        std::uint32_t& place = table[wanted[i]];
        left += place == no_number;
        place = awaited;
      }
      visit_keys(cx, table, keys.principal.as<Key>(), n, [&](std::size_t i, Key k) {
        std::uint32_t* place = table.find_slot(k);
        if (place == nullptr || *place != awaited) return true;
        *place = static_cast<std::uint32_t>(i);
        return --left != 0;
      });
      for (std::size_t i = 0; i < count; i++) found(i, std::min<std::size_t>(table[wanted[i]], n));
    });
  });
}

// Numbers the elements of a list in order, or gives no value.
Value classify_steps(Context& cx, const Value& x, std::size_t n) {
  Ref<Array> marks = make_list(cx.heap, ElementType::bit, n);
  const auto* const words = marks->as<std::uint64_t>();
  if (n >> 31 != 0 || !mark_steps(x, marks->as<std::uint64_t>())) return Value();
  IndexList out(cx.heap, kernels::count_ones(words, n) - 1, {&n, 1});
  out.fill([&]<class Out>(Out* to) {
    if constexpr (std::is_integral_v<Out>) kernels::bit_sums().sums[sizeof(Out) / 2](to, words, n, -1);
  });
  return out.finish();
}

}  // namespace

Value classify(Context& cx, Value x) {
  need_cells(cx, "Classify", "𝕩", x);
  std::size_t n = x.array().cells();
  if (n == 0) return IndexList(cx.heap, 0, {&n, 1}).finish();
  if (Value steps = classify_steps(cx, x, n); !steps.is_absent()) return steps;
  CellKeys keys = keys_of_cells(cx, x);
  shorten(cx, keys);
  return keys.width == 8 && n > tuning().most_foretold ? classify_bytes(cx, keys) : classify_keys(cx, keys);
}

Value index_of(Context& cx, Value w, Value x) {
  if (rank_of(w) == 1 && w.array().type() != ElementType::boxed && rank_of(x) == 0)
    return enclose(cx.heap, first_equal(w.array(), x.is_array() ? element(x.array(), 0) : x));
  on_operands(w, x, [&] { check_cell_ranks(cx, "Index of", "𝕨", w, "𝕩", x); });
  std::size_t n = w.array().cells();
  IndexList out(cx.heap, n, frame_of(w, x));
  const auto write = [&](std::size_t i, std::size_t place) {
    out.fill([&](auto* to) { to[i] = static_cast<std::remove_pointer_t<decltype(to)>>(place); });
  };
  if (find_few_elements(cx, w, x, write)) return out.finish();
  KeyPair keys = keys_of_both(cx, w, x);
  if (keys.never_match || n == 0) return out.all(n);
  if (find_few_keys(keys, n, write)) return out.finish();
  if (!are_few(keys, n)) shorten(cx, keys.principal, &keys.other);
  if (index_bytes(keys, n, out)) return out.finish();
  if (are_few(keys, n)) {
    find_in_long_list(cx, keys, n, write);
    return out.finish();
  }
  index_keys(cx, keys, out);
  return out.finish();
}

Value member_of(Context& cx, Value w, Value x) {
  on_operands(w, x, [&] { check_cell_ranks(cx, "Member of", "𝕩", x, "𝕨", w); });
  Ref<Array> out = zero_bits(cx.heap, frame_of(x, w));
  auto* marks = out->as<std::uint64_t>();
  const std::size_t n = x.array().cells();
  const auto mark = [&](std::size_t i, std::size_t place) { marks[0] |= std::uint64_t{place < n} << i; };
  if (find_few_elements(cx, x, w, mark)) return to_value(std::move(out));
  KeyPair keys = keys_of_both(cx, x, w);
  if (keys.never_match) return to_value(std::move(out));
  if (find_few_keys(keys, n, mark)) return to_value(std::move(out));
  if (n > kernels::most_few && !are_few(keys, n)) shorten(cx, keys.principal, &keys.other);
  if (mark_members(keys, marks)) return to_value(std::move(out));
  if (are_few(keys, n)) {
    find_in_long_list(cx, keys, n,
                      [&](std::size_t i, std::size_t place) { marks[i / 64] |= std::uint64_t{place < n} << i % 64; });
    return to_value(std::move(out));
  }
  match_keys(cx, keys, marks);
  return to_value(std::move(out));
}

}  // namespace griddle::primitives
