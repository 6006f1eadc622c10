// Ways of ⊐ ∊ ⍷ for a few cells, which are compared with each other.
#include "primitives/search/few_cells.h"

#include <algorithm>
#include <cstring>

#include "primitives/common/elements.h"
#include "primitives/search/few_atoms.h"
#include "primitives/structure/match.h"

namespace griddle::primitives {

namespace {

// Up to so many cells, long ones or boxes, are matched with each other: most differ soon, and nothing needs to be hashed.
constexpr std::size_t most_matched = 6;

// Writes the first place of each of a few cells, and gives how many there are: 0 where there are more, or cells of few bytes, for
// which there is better.
std::size_t match_few_cells(Context& cx, const Value& x, std::uint8_t* first) {
  if (rank_of(x) == 0) return 0;
  const Array& a = x.array();
  const bool boxes = a.type() == ElementType::boxed;
  const std::size_t n = a.cells();
  if (n > most_matched || a.data.elsewhere() || (boxes ? !a.is_list() : bytes_for(a.type(), a.cell_length()) <= 16)) return 0;
  const std::size_t cell = a.cell_length();
  const auto equal = [&](std::size_t i, std::size_t k) {
    return boxes ? matches(cx, a.boxes()[i], a.boxes()[k]) : equal_runs(a, i * cell, a, k * cell, cell);
  };
  for (std::size_t i = 0; i < n; i++) {
    std::size_t k = 0;
    while (k < i && (first[k] != k || !equal(i, k))) k++;
    first[i] = static_cast<std::uint8_t>(k);
  }
  return n;
}

// Finds a few long cells among others of the same plain type and shape, one after the other, and calls found(i, place).
template <class F>
bool find_few_cells(const Value& w, const Value& x, F found) {
  if (rank_of(w) < 2 || rank_of(x) != rank_of(w)) return false;
  const Array &a = w.array(), &b = x.array();
  const std::size_t n = a.cells(), count = b.cells(), cell = a.cell_length();
  if (a.type() != b.type() || a.type() == ElementType::boxed || !same_shape(a.shape().subspan(1), b.shape().subspan(1)) ||
      std::max(n, std::size_t{1}) * count > most_matched * most_matched || bytes_for(a.type(), cell) <= 16 ||
      a.data.elsewhere() || b.data.elsewhere())
    return false;
  for (std::size_t i = 0; i < count; i++) {
    std::size_t k = 0;
    while (k < n && !equal_runs(a, k * cell, b, i * cell, cell)) k++;
    found(i, k);
  }
  return true;
}

}  // namespace

Value classify_few_cells(Context& cx, const Value& x) {
  std::uint8_t first[most_matched];
  const std::size_t n = match_few_cells(cx, x, first);
  if (n == 0) return Value();
  Array* const numbers = make_plain_list(cx.heap, ElementType::i8, n);
  std::uint8_t* to = numbers->as<std::uint8_t>();
  std::uint8_t next = 0;
  for (std::size_t i = 0; i < n; i++) to[i] = first[i] == i ? next++ : to[first[i]];
  return Value(numbers);
}

Value mark_first_of_few_cells(Context& cx, const Value& x) {
  std::uint8_t first[most_matched];
  const std::size_t n = match_few_cells(cx, x, first);
  return n == 0 ? Value() : bits_where(cx, n, [&](std::size_t i) { return first[i] == i; });
}

Value distinct_of_few_boxes(Context& cx, const Value& x) {
  std::uint8_t first[most_matched];
  if (!x.is_array() || x.array().type() != ElementType::boxed) return Value();
  const std::size_t n = match_few_cells(cx, x, first);
  if (n == 0) return Value();
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i++) count += first[i] == i;
  if (count == n) return x;
  Ref<Array> result = make_list(cx.heap, ElementType::boxed, count);
  Value* to = result->as<Value>();
  for (std::size_t i = 0; i < n; i++)
    if (first[i] == i) *to++ = x.array().boxes()[i];
  return with_fill_like(cx.heap, to_value(std::move(result)), x);
}

Value distinct_of_few_cells(Context& cx, const Value& x) {
  constexpr std::size_t most_bytes = 64;
  if (rank_of(x) < 2) return Value();
  const Array& a = x.array();
  const std::size_t n = a.cells(), bytes = a.cell_length() * (bits_of(a.type()) / 8);
  const bool by_bytes = is_integer(a.type()) || is_character(a.type());
  if (!by_bytes || bytes == 0 || bytes > most_bytes || n > most_few_cells || !has_plain_fill(a) || a.data.elsewhere())
    return Value();
  const std::uint8_t* from = a.data;
  const std::uint8_t* kept[most_few_cells];
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i++, from += bytes)
    if (std::none_of(kept, kept + count, [&](const std::uint8_t* cell) { return std::memcmp(cell, from, bytes) == 0; }))
      kept[count++] = from;
  if (count == n) return x;
  Shape shape(a.shape());
  shape[0] = count;
  Ref<Array> result = make_array(cx.heap, a.type(), shape);
  for (std::size_t i = 0; i < count; i++) std::memcpy(result->data + i * bytes, kept[i], bytes);
  return to_value(std::move(result));
}

Value index_of_few_cells(Context& cx, const Value& w, const Value& x) {
  std::size_t places[most_matched * most_matched];
  if (!find_few_cells(w, x, [&](std::size_t i, std::size_t place) { places[i] = place; })) return Value();
  return small_numbers(cx, x.array().cells(), [&](std::size_t i) { return places[i]; });
}

Value member_of_few_cells(Context& cx, const Value& w, const Value& x) {
  std::uint64_t marks = 0;
  const auto mark = [&](std::size_t i, std::size_t place) { marks |= std::uint64_t{place < x.array().cells()} << i; };
  if (!find_few_cells(x, w, mark)) return Value();
  return bits_where(cx, w.array().cells(), [&](std::size_t i) { return (marks >> i & 1) != 0; });
}

}  // namespace griddle::primitives
