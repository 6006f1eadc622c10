// Find ⍷: where an array begins in another one.
#include "primitives/kernels/search/find.h"

#include <algorithm>
#include <bit>

#include "primitives/common/elements.h"
#include "primitives/functions.h"
#include "primitives/search/cell_keys.h"
#include "primitives/search/key_search.h"
#include "primitives/structure/match.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {
namespace {

// Makes keys of windows that are `step` longer along an axis, of pairs of the numbers of those that they are made of.
CellKeys lengthened(Context& cx, IndexList& numbers, Shape& shape, std::size_t axis, std::size_t step) {
  const std::size_t n = shape[axis], before = product(shape.view().first(axis)), cell = product(shape.view().subspan(axis + 1));
  shape[axis] = n - step;
  Ref<Array> pairs = make_list(cx.heap, ElementType::f64, before * shape[axis] * cell);
  auto* to = pairs->as<std::uint64_t>();
  numbers.fill([&](const auto* from) {
    for (std::size_t i = 0; i < before; i++, from += n * cell) {
      cx.check_interrupt();
      for (std::size_t j = 0; j < (n - step) * cell; j++)
        *to++ = static_cast<std::uint64_t>(from[j]) << 32 | static_cast<std::uint64_t>(from[j + step * cell]);
    }
  });
  return CellKeys(std::move(pairs), 64);
}

// Finds a pattern of any rank: doubles the length of the windows that have keys, one axis after the other.
void find_by_windows(Context& cx, KeyPair keys, std::span<const std::size_t> pattern_shape,
                     std::span<const std::size_t> text_shape, std::uint64_t* out) {
  const std::size_t frame = text_shape.size() - pattern_shape.size();
  Shape pattern, text(text_shape);
  pattern.resize(frame, 1);
  pattern.append(pattern_shape);
  for (std::size_t axis = text_shape.size(); axis-- > frame;)
    for (std::size_t length = 1, all = pattern_shape[axis - frame], step; length < all; length += step) {
      step = std::min(length, all - length);
      // The number of a window is the first place in the pattern of one that is equal.
      IndexList own(cx.heap, keys.principal.count, {&keys.principal.count, 1});
      IndexList others(cx.heap, keys.principal.count, {&keys.other.count, 1});
      index_keys(cx, {keys.principal, keys.principal}, own);
      index_keys(cx, keys, others);
      keys = {lengthened(cx, own, pattern, axis, step), lengthened(cx, others, text, axis, step)};
    }
  with_keys(keys.principal,
            [&]<class Key>(const Key* wanted) { kernels::find_keys(wanted, 1, keys.other.as<Key>(), keys.other.count, out, 0); });
}

// Finds a list in rows: by its first keys, then by looking at the rest. Gives false where so much looking is needed that another
// way is faster; `out` then holds no marks.
template <class Key>
bool find_in_rows(const Key* pattern, std::size_t m, const Key* text, std::size_t row, std::size_t places, std::size_t total,
                  std::uint64_t* out) {
  const std::size_t first = std::min(m, kernels::most_found_keys);
  for (std::size_t i = 0; i * places < total; i++) kernels::find_keys(pattern, first, text + i * row, places, out, i * places);
  if (first == m) return true;
  std::size_t keys_left = 4 * total + 4096;
  for (std::size_t word = 0; word * 64 < total; word++)
    for (std::uint64_t rest = out[word]; rest != 0; rest &= rest - 1) {
      const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
      if (place >= total) break;
      if (keys_left < m) {
        std::memset(out, 0, bytes_for(ElementType::bit, total));
        return false;
      }
      keys_left -= m;
      const Key* from = text + place / places * row + place % places;
      if (!std::equal(pattern + first, pattern + m, from + first)) out[word] &= ~(rest & -rest);
    }
  return true;
}

// Tells whether doubles are equal to others exactly where their bits are, whatever the others are: none is NaN or any 0.
bool are_plain_doubles(const Array& a) {
  return std::all_of(a.as<double>(), a.as<double>() + a.length, [](double d) { return d == d && d != 0; });
}

// Finds a short list in a longer one of the same plain type, where equal elements have equal bytes; absent for all else.
Value find_in_list(Context& cx, const Value& w, const Value& x) {
  if (!w.is_array() || !x.is_array()) return Value();
  const Array &pattern = w.array(), &text = x.array();
  const std::size_t m = pattern.length;
  const ElementType type = text.type();
  if (!pattern.is_list() || !text.is_list() || pattern.type() != type || type == ElementType::boxed || type == ElementType::bit ||
      reinterpret_cast<std::uintptr_t>(text.data.here()) % (bits_of(type) / 8) != 0 || m == 0 || m > kernels::most_found_keys ||
      m > text.length || pattern.data.elsewhere() || text.data.elsewhere() ||
      (type == ElementType::f64 && !are_plain_doubles(pattern)))
    return Value();
  const std::size_t count = text.length - m + 1;
  Array* const out = make_plain_list(cx.heap, ElementType::bit, count);
  out->as<std::uint64_t>()[(count - 1) / 64] = 0;
  const auto find = [&]<class Key>(const Key* keys) {
    kernels::find_keys(pattern.as<Key>(), m, keys, count, out->as<std::uint64_t>(), 0);
    return Value(out);
  };
  switch (bits_of(type)) {
    case 8: return find(text.as<std::uint8_t>());
    case 16: return find(text.as<std::uint16_t>());
    case 32: return find(text.as<std::uint32_t>());
    default: return find(text.as<std::uint64_t>());
  }
}

// Looks for a list at the few places of each row where it fits, one after the other. Gives false where there are more, or types
// differ.
bool find_at_few_places(const Array& w, const Array& x, std::size_t row, std::size_t places, std::size_t total,
                        std::uint64_t* out) {
  constexpr std::size_t most_places = 4;
  if (places > most_places || w.type() != x.type() || x.type() == ElementType::boxed) return false;
  for (std::size_t i = 0; i < total; i++)
    out[i / 64] |= std::uint64_t{equal_runs(w, 0, x, i / places * row + i % places, w.length)} << i % 64;
  return true;
}

}  // namespace

Value find(Context& cx, Value w, Value x) {
  if (Value found = find_in_list(cx, w, x); !found.is_absent()) return found;
  std::size_t rank = rank_of(w);
  if (rank > rank_of(x)) {
    const std::string shapes = " (shapes " + shape_text(w) + " and " + shape_text(x) + ")";
    fail_on(make_string(cx.heap, "Find: The rank of 𝕨 must not be above that of 𝕩" + shapes), w, x);
  }
  x = as_array(cx.heap, std::move(x));
  w = as_array(cx.heap, std::move(w));
  std::span<const std::size_t> text = x.array().shape(), pattern = w.array().shape();
  Shape shape(text);
  for (std::size_t k = 0; k < rank; k++) {
    std::size_t& n = shape[text.size() - rank + k];
    n = n + 1 > pattern[k] ? n + 1 - pattern[k] : 0;
  }
  checked_length(cx, "Find", shape);
  Ref<Array> out = make_array(cx.heap, ElementType::bit, shape);
  auto* marks = out->as<std::uint64_t>();
  std::size_t bytes = bytes_for(ElementType::bit, out->length), m = w.array().length;
  std::memset(marks, m == 0 ? 0xFF : 0, bytes);
  if (out->length == 0 || m == 0) return to_value(std::move(out));
  std::size_t row = text.empty() ? 1 : text.back(), places = shape.size() ? shape[shape.size() - 1] : 1;
  if (rank == 1 && find_at_few_places(w.array(), x.array(), row, places, out->length, marks)) return to_value(std::move(out));
  if (rank <= 1 && m <= kernels::most_found_keys && w.array().type() == ElementType::bit &&
      x.array().type() == ElementType::bit) {
    for (std::size_t i = 0; i * places < out->length; i++)
      kernels::find_bits(w.array().as<std::uint64_t>(), m, x.array().as<std::uint64_t>(), i * row, places, marks, i * places);
    return to_value(std::move(out));
  }
  KeyPair keys = keys_of_both(cx, ravel(cx.heap, w), ravel(cx.heap, x));
  if (keys.never_match) return to_value(std::move(out));
  const bool found = rank <= 1 && with_keys(keys.principal, [&]<class Key>(const Key* list) {
                       return find_in_rows(list, m, keys.other.as<Key>(), row, places, out->length, marks);
                     });
  if (!found) find_by_windows(cx, std::move(keys), pattern, text, marks);
  return to_value(std::move(out));
}

}  // namespace griddle::primitives
