#include "primitives/search/box_search.h"

#include <algorithm>
#include <cstring>

#include "primitives/common/prefetch.h"
#include "primitives/structure/match.h"

namespace griddle::primitives {
namespace {

template <class F>
std::size_t first_place(Context& cx, std::span<const Value> boxes, F is_equal) {
  constexpr std::size_t steps = 1 << 12;
  for (std::size_t i = 0; i < boxes.size();) {
    cx.check_interrupt();
    const std::size_t end = std::min(boxes.size(), i + steps);
    for (; i < end; i++) {
      fetch_ahead(&boxes[i], boxes.data() + boxes.size());
      if (is_equal(boxes[i])) return i;
    }
  }
  return boxes.size();
}

// Tells whether two arrays of equal length begin with different numbers, as most different ones do.
bool differ_at_once(const Array& a, const Array& b) {
  return a.length != 0 && is_number(a.type()) && is_number(b.type()) &&
         plain_element(a, 0).number() != plain_element(b, 0).number();
}

// Finds a list whose elements match those of another list of its type where their bytes do; `are_same` compares those.
template <class F>
std::size_t place_of_bytes(Context& cx, std::span<const Value> boxes, const Value& wanted, F are_same) {
  const Array& w = wanted.array();
  const std::size_t length = w.length;
  const std::uint32_t described = PlainList::described(w);
  return first_place(cx, boxes, [&](const Value& v) {
    if (!v.is_array() || v.array().length != length) return false;
    if (PlainList::described(v.array()) == described) [[likely]]
      return are_same(v.array().data.get());
    return !differ_at_once(v.array(), wanted.array()) && matches(cx, v, wanted);
  });
}

// Compares the first and the last word of some bytes, which leaves none out.
template <class Word>
std::size_t place_of_words(Context& cx, std::span<const Value> boxes, const Value& wanted, std::size_t bytes) {
  const auto read = [](const std::uint8_t* at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
  };
  const std::size_t last = bytes - sizeof(Word);
  const std::uint8_t* from = wanted.array().data;
  return place_of_bytes(cx, boxes, wanted, [=, first = read(from), other = read(from + last)](const std::uint8_t* data) {
    return read(data) == first && read(data + last) == other;
  });
}

std::size_t place_of_list(Context& cx, std::span<const Value> boxes, const Value& wanted) {
  const Array& w = wanted.array();
  const std::size_t bytes = bytes_for(w.type(), w.length);
  if (bytes == 0) return place_of_bytes(cx, boxes, wanted, [](const std::uint8_t*) { return true; });
  if (bytes == 1) return place_of_words<std::uint8_t>(cx, boxes, wanted, bytes);
  if (bytes < 4) return place_of_words<std::uint16_t>(cx, boxes, wanted, bytes);
  if (bytes < 8) return place_of_words<std::uint32_t>(cx, boxes, wanted, bytes);
  if (bytes <= 16) return place_of_words<std::uint64_t>(cx, boxes, wanted, bytes);
  const std::uint8_t* from = w.data;
  return place_of_bytes(cx, boxes, wanted,
                        [=](const std::uint8_t* data) { return *data == *from && std::memcmp(data, from, bytes) == 0; });
}

// Finds a boxed array that begins with a number.
std::size_t place_of_nested(Context& cx, std::span<const Value> boxes, const Value& wanted) {
  const double number = wanted.array().boxes()[0].number();
  return first_place(cx, boxes, [&, number, length = wanted.array().length](const Value& v) {
    if (!v.is_array() || v.array().length != length) return false;
    const Array& a = v.array();
    if (a.type() == ElementType::boxed && a.as<Value>()[0].is_number() && a.as<Value>()[0].number() != number) return false;
    return matches(cx, v, wanted);
  });
}

}  // namespace

std::size_t place_among(Context& cx, std::span<const Value> boxes, const Value& wanted) {
  if (wanted.is_number())
    return first_place(cx, boxes, [d = wanted.number()](const Value& v) { return v.is_number() && v.number() == d; });
  if (wanted.is_character()) return first_place(cx, boxes, [&](const Value& v) { return v.same(wanted); });
  if (!wanted.is_array()) return first_place(cx, boxes, [&](const Value& v) { return !v.is_array() && equal_atoms(v, wanted); });
  const Array& w = wanted.array();
  const bool by_bytes =
      w.is_list() && w.type() != ElementType::bit && w.type() != ElementType::f64 && w.type() != ElementType::boxed;
  if (by_bytes) return place_of_list(cx, boxes, wanted);
  if (w.type() == ElementType::boxed && w.length != 0 && w.boxes()[0].is_number()) return place_of_nested(cx, boxes, wanted);
  return first_place(cx, boxes, [&, length = w.length](const Value& v) {
    return v.is_array() && v.array().length == length && !differ_at_once(v.array(), w) && matches(cx, v, wanted);
  });
}

}  // namespace griddle::primitives
