#include "primitives/short_search.h"

#include <algorithm>
#include <array>
#include <optional>

#include "primitives/dispatch.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

namespace {

constexpr std::size_t most_atoms = 16;

// A few atoms of one kind as doubles, which hold every number and every code point.
struct Atoms {
  std::size_t count;
  bool characters;
  std::array<double, most_atoms> at;
};

// Tells whether a value is a list of a few atoms on the host, with the fill of their kind.
bool is_short_list(const Value& v) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return a.is_list() && a.length <= most_atoms && a.length != 0 && has_plain_fill(a) && !a.data.elsewhere();
}

// Reads the elements of a short list.
void read(const Array& a, Atoms& atoms) {
  atoms.count = a.length;
  atoms.characters = is_character(a.type());
  const auto copy = [&]<class T>(const T* from) { std::copy_n(from, a.length, atoms.at.begin()); };
  switch (a.type()) {
    case ElementType::bit:
      for (std::size_t i = 0; i < a.length; i++) atoms.at[i] = a.bit(i);
      break;
    case ElementType::i8: copy(a.as<std::int8_t>()); break;
    case ElementType::i16: copy(a.as<std::int16_t>()); break;
    case ElementType::i32: copy(a.as<std::int32_t>()); break;
    case ElementType::f64: copy(a.as<double>()); break;
    case ElementType::c8: copy(a.as<std::uint8_t>()); break;
    case ElementType::c16: copy(a.as<std::uint16_t>()); break;
    default: copy(a.as<char32_t>()); break;
  }
}

// Reads what is looked for: a short list, or a number or character. False for anything else.
bool read_wanted(const Value& v, Atoms& atoms) {
  if (is_short_list(v)) {
    read(v.array(), atoms);
    return true;
  }
  if (!v.is_number() && !v.is_character()) return false;
  atoms.count = 1;
  atoms.characters = v.is_character();
  atoms.at[0] = v.is_number() ? v.number() : static_cast<double>(v.character());
  return true;
}

// Gives the first place below `end` of an atom, or `end`.
std::size_t place_of(const Atoms& atoms, double wanted, std::size_t end) {
  std::size_t i = 0;
  while (i < end && atoms.at[i] != wanted) i++;
  return i;
}

// Makes a list of what f gives for each place.
template <class F>
Value small_numbers(Context& cx, std::size_t n, F f) {
  Ref<Array> list = make_list(cx.heap, ElementType::i8, n);
  for (std::size_t i = 0; i < n; i++) list->as<std::int8_t>()[i] = static_cast<std::int8_t>(f(i));
  return to_value(std::move(list));
}

// Sets the bit of each place where f holds.
template <class F>
Value bits_where(Context& cx, std::size_t n, F f) {
  Ref<Array> list = make_list(cx.heap, ElementType::bit, n);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < n; i++) word |= std::uint64_t{f(i)} << i;
  *list->as<std::uint64_t>() = word;
  return to_value(std::move(list));
}

// Puts elements of a type in order by insertion; false where numbers have none.
template <class T, class Before>
void insert_in_order(T* p, std::size_t n, Before before) {
  for (std::size_t i = 1; i < n; i++) {
    const T v = p[i];
    std::size_t k = i;
    for (; k != 0 && before(v, p[k - 1]); k--) p[k] = p[k - 1];
    p[k] = v;
  }
}

bool have_order(const Atoms& atoms) {
  return std::none_of(atoms.at.begin(), atoms.at.begin() + atoms.count, [](double d) { return d != d; });
}

}  // namespace

Value short_index_of(Context& cx, const Value& w, const Value& x) {
  Atoms list, wanted;
  if (!is_short_list(w) || !read_wanted(x, wanted)) return Value();
  read(w.array(), list);
  const auto place = [&](std::size_t i) {
    return list.characters != wanted.characters ? list.count : place_of(list, wanted.at[i], list.count);
  };
  return x.is_array() ? small_numbers(cx, wanted.count, place) : enclose(cx.heap, place(0));
}

Value short_member_of(Context& cx, const Value& w, const Value& x) {
  Atoms list, wanted;
  if (!is_short_list(x) || !read_wanted(w, wanted)) return Value();
  read(x.array(), list);
  const auto is_member = [&](std::size_t i) {
    return list.characters == wanted.characters && place_of(list, wanted.at[i], list.count) != list.count;
  };
  return w.is_array() ? bits_where(cx, wanted.count, is_member) : enclose(cx.heap, is_member(0));
}

Value short_classify(Context& cx, const Value& x) {
  if (!is_short_list(x)) return Value();
  Atoms atoms;
  read(x.array(), atoms);
  std::array<std::uint8_t, most_atoms> number;
  std::uint8_t next = 0;
  return small_numbers(cx, atoms.count, [&](std::size_t i) {
    const std::size_t first = place_of(atoms, atoms.at[i], i);
    return number[i] = first == i ? next++ : number[first];
  });
}

Value short_occurrence_count(Context& cx, const Value& x) {
  if (!is_short_list(x)) return Value();
  Atoms atoms;
  read(x.array(), atoms);
  return small_numbers(cx, atoms.count,
                       [&](std::size_t i) { return std::count(atoms.at.begin(), atoms.at.begin() + i, atoms.at[i]); });
}

Value short_mark_firsts(Context& cx, const Value& x) {
  if (!is_short_list(x)) return Value();
  Atoms atoms;
  read(x.array(), atoms);
  return bits_where(cx, atoms.count, [&](std::size_t i) { return place_of(atoms, atoms.at[i], i) == i; });
}

Value short_deduplicate(Context& cx, const Value& x) {
  if (!is_short_list(x) || x.array().type() == ElementType::bit) return Value();
  const Array& a = x.array();
  Atoms atoms;
  read(a, atoms);
  const std::size_t width = bits_of(a.type()) / 8;
  std::uint8_t kept[most_atoms * sizeof(double)];
  std::size_t count = 0;
  for (std::size_t i = 0; i < atoms.count; i++)
    if (place_of(atoms, atoms.at[i], i) == i) std::memcpy(kept + count++ * width, a.data + i * width, width);
  if (count == atoms.count) return x;
  Ref<Array> result = make_list(cx.heap, a.type(), count);
  std::memcpy(result->data, kept, count * width);
  return to_value(std::move(result));
}

Value short_grade(Context& cx, const Value& x, bool down) {
  if (!is_short_list(x)) return Value();
  Atoms atoms;
  read(x.array(), atoms);
  if (!have_order(atoms)) return Value();
  Value places = small_numbers(cx, atoms.count, [](std::size_t i) { return i; });
  const auto before = [&](std::int8_t i, std::int8_t j) {
    const double a = atoms.at[static_cast<std::size_t>(i)], b = atoms.at[static_cast<std::size_t>(j)];
    return down ? b < a : a < b;
  };
  insert_in_order(places.array().as<std::int8_t>(), atoms.count, before);
  return places;
}

Value short_sort(Context& cx, const Value& x, bool down) {
  if (!is_short_list(x)) return Value();
  const Array& a = x.array();
  if (a.type() == ElementType::bit || a.type() == ElementType::f64) return Value();
  Ref<Array> result = make_list(cx.heap, a.type(), a.length);
  with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>) {
      std::copy_n(a.as<T>(), a.length, result->as<T>());
      if (down) {
        insert_in_order(result->as<T>(), a.length, [](T v, T before) { return v > before; });
      } else {
        insert_in_order(result->as<T>(), a.length, [](T v, T before) { return v < before; });
      }
    }
  });
  result->note_order(down);
  return to_value(std::move(result));
}

}  // namespace griddle::primitives
