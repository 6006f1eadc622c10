#include "primitives/search/short_search.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"
#include "primitives/kernels/search/match_few.h"
#include "primitives/kernels/sort/sort.h"
#include "primitives/search/box_search.h"
#include "primitives/search/pairwise_search.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

namespace {

constexpr std::size_t most_atoms = 16, most_ordered = 32;

// A few atoms of one kind as doubles, which hold every number and every code point.
struct Atoms {
  std::size_t count;
  bool characters;
  std::array<double, most_ordered> at;
};

// Tells whether a value is a list of a few atoms on the host, with the fill of their kind.
bool is_short_list(const Value& v, std::size_t most = most_atoms) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return a.is_list() && a.length <= most && a.length != 0 && has_plain_fill(a) && !a.data.elsewhere();
}

// Tells whether a value is a list of no atoms.
bool is_empty_list(const Value& v) {
  return v.is_array() && v.array().is_list() && v.array().length == 0 && has_plain_fill(v.array());
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

// Reads what is looked for: a short list, or a number or character, enclosed or not. False for anything else.
bool read_wanted(const Value& v, Atoms& atoms) {
  if (is_short_list(v)) {
    read(v.array(), atoms);
    return true;
  }
  if (v.is_array() && v.array().rank() == 0 && v.array().type() != ElementType::boxed && !v.array().data.elsewhere())
    return read_wanted(plain_element(v.array(), 0), atoms);
  if (!v.is_number() && !v.is_character()) return false;
  atoms.count = 1;
  atoms.characters = v.is_character();
  atoms.at[0] = v.is_number() ? v.number() : static_cast<double>(v.character());
  return true;
}

// Gives the first place below `end` of an atom, or `end`.
std::size_t place_in_atoms(const Atoms& atoms, double wanted, std::size_t end) {
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

// Puts a few elements in order by insertion: v comes before p where before(v, p) holds.
template <class T, class Before>
void insert_in_order(T* p, std::size_t n, Before before) {
  for (std::size_t i = 1; i < n; i++) {
    const T v = p[i];
    std::size_t k = i;
    for (; k != 0 && before(v, p[k - 1]); k--) p[k] = p[k - 1];
    p[k] = v;
  }
}

// --- lists of boxes

// Longer ones are worth a table; the places of these fit a byte.
constexpr std::size_t most_searched_boxes = 96, most_wanted = 4;

bool is_short_list_of_boxes(const Value& v) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return a.is_list() && a.type() == ElementType::boxed && a.length <= most_searched_boxes && !a.data.elsewhere();
}

// Tells whether a value is one element, or a list of a few.
bool are_few_wanted(const Value& v) {
  if (!v.is_array()) return !v.is_mark();
  const Array& a = v.array();
  return a.rank() == 0 || (a.is_list() && a.length <= most_wanted);
}

// Calls found(i, place) for each of few values that are looked for.
template <class F>
void find_in_boxes(Context& cx, const Value& list, const Value& wanted, F found) {
  const std::span<const Value> boxes = list.array().boxes();
  if (!wanted.is_array()) return found(0, place_among(cx, boxes, wanted));
  const Array& a = wanted.array();
  for (std::size_t i = 0; i < a.length; i++)
    found(i, a.type() == ElementType::boxed ? place_among(cx, boxes, a.boxes()[i]) : place_among(cx, boxes, plain_element(a, i)));
}

// Tells whether a value is a list of bytes that are read soon.
constexpr std::size_t longest_of_bytes = 192;
bool is_list_of_bytes(const Value& v, std::size_t longest = longest_of_bytes) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return a.is_list() && a.length <= longest && bits_of(a.type()) == 8 && has_plain_fill(a) && !a.data.elsewhere();
}

// Marks bytes that are among others, of which there is a bit for each byte there can be.
Value marked_bytes(Context& cx, const Array& bytes, const Array& among) {
  std::uint64_t set[4] = {};
  const std::uint8_t* members = among.data.here();
  for (std::size_t i = 0; i < among.length; i++) set[members[i] / 64] |= std::uint64_t{1} << members[i] % 64;
  Array* const marks = make_plain_list(cx.heap, ElementType::bit, bytes.length);
  kernels::match_bytes(set, bytes.data.here(), bytes.length, marks->as<std::uint64_t>());
  return Value(marks);
}

bool have_order(const Atoms& atoms) {
  return std::none_of(atoms.at.begin(), atoms.at.begin() + atoms.count, [](double d) { return d != d; });
}

// Gives the place of one atom among bytes.
std::size_t place_of_byte(const Array& bytes, const Value& wanted) {
  const bool characters = bytes.type() == ElementType::c8;
  if (wanted.is_character() != characters) return bytes.length;
  const double element = characters ? static_cast<double>(wanted.character()) : wanted.number();
  const std::int32_t byte = truncated(element);
  if (byte != element || byte < (characters ? 0 : -128) || byte > (characters ? 255 : 127)) return bytes.length;
  const std::uint8_t* from = bytes.data.here();
  const void* found = std::memchr(from, byte & 255, bytes.length);
  return found ? static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - from) : bytes.length;
}

}  // namespace

Value short_index_of(Context& cx, const Value& w, const Value& x) {
  if ((x.is_number() || x.is_character()) && is_list_of_bytes(w)) return enclose(cx.heap, place_of_byte(w.array(), x));
  if (is_short_list_of_boxes(w)) {
    if (!are_few_wanted(x)) return Value();
    std::size_t places[most_wanted];
    find_in_boxes(cx, w, x, [&](std::size_t i, std::size_t place) { places[i] = place; });
    if (rank_of(x) == 0) return enclose(cx.heap, places[0]);
    return small_numbers(cx, x.array().length, [&](std::size_t i) { return places[i]; });
  }
  if (Value found = few_index_of(cx, w, x); !found.is_absent()) return found;
  Atoms list, wanted;
  if (!is_short_list(w) || !read_wanted(x, wanted)) return Value();
  read(w.array(), list);
  const auto place = [&](std::size_t i) {
    return list.characters != wanted.characters ? list.count : place_in_atoms(list, wanted.at[i], list.count);
  };
  return rank_of(x) != 0 ? small_numbers(cx, wanted.count, place) : enclose(cx.heap, place(0));
}

Value short_member_of(Context& cx, const Value& w, const Value& x) {
  if (is_short_list_of_boxes(x)) {
    if (!are_few_wanted(w)) return Value();
    std::uint64_t marks = 0;
    find_in_boxes(cx, x, w, [&](std::size_t i, std::size_t place) { marks |= std::uint64_t{place < x.array().length} << i; });
    if (rank_of(w) == 0) return enclose(cx.heap, marks != 0);
    return bits_where(cx, w.array().length, [&](std::size_t i) { return (marks >> i & 1) != 0; });
  }
  if (Value found = few_member_of(cx, w, x); !found.is_absent()) return found;
  constexpr std::size_t longest = 1 << 16;
  if (is_list_of_bytes(x) && is_list_of_bytes(w, longest) && w.array().type() == x.array().type())
    return marked_bytes(cx, w.array(), x.array());
  Atoms list, wanted;
  if (!is_short_list(x) || !read_wanted(w, wanted)) return Value();
  read(x.array(), list);
  const auto is_member = [&](std::size_t i) {
    return list.characters == wanted.characters && place_in_atoms(list, wanted.at[i], list.count) != list.count;
  };
  return rank_of(w) != 0 ? bits_where(cx, wanted.count, is_member) : enclose(cx.heap, is_member(0));
}

Value short_classify(Context& cx, const Value& x) {
  if (Value found = few_classify(cx, x); !found.is_absent()) return found;
  if (!is_short_list(x)) return Value();
  Atoms atoms;
  read(x.array(), atoms);
  std::array<std::uint8_t, most_atoms> number;
  std::uint8_t next = 0;
  return small_numbers(cx, atoms.count, [&](std::size_t i) {
    const std::size_t first = place_in_atoms(atoms, atoms.at[i], i);
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

namespace {

// Tells of bytes, one after another, whether they are new.
class MetBytes {
 public:
  bool is_new(std::uint8_t byte) {
    const std::uint64_t bit = std::uint64_t{1} << (byte & 63), before = met_[byte >> 6];
    met_[byte >> 6] = before | bit;
    return (before & bit) == 0;
  }

 private:
  std::uint64_t met_[4] = {};
};
constexpr std::size_t most_searched_bytes = 64;

bool is_list_of_few_bytes(const Value& x) { return is_list_of_bytes(x) && x.array().length <= most_searched_bytes; }

}  // namespace

Value short_mark_firsts(Context& cx, const Value& x) {
  if (Value found = few_mark_firsts(cx, x); !found.is_absent()) return found;
  if (is_list_of_few_bytes(x)) {
    const Array& a = x.array();
    MetBytes met;
    std::uint64_t marks = 0;
    for (std::size_t i = 0; i < a.length; i++) marks |= std::uint64_t{met.is_new(a.as<std::uint8_t>()[i])} << i;
    Array* const result = make_plain_list(cx.heap, ElementType::bit, a.length);
    *result->as<std::uint64_t>() = marks;
    return Value(result);
  }
  if (!is_short_list(x)) return Value();
  Atoms atoms;
  read(x.array(), atoms);
  return bits_where(cx, atoms.count, [&](std::size_t i) { return place_in_atoms(atoms, atoms.at[i], i) == i; });
}

Value short_deduplicate(Context& cx, const Value& x) {
  if (Value found = few_deduplicate(cx, x); !found.is_absent()) return found;
  if (is_list_of_few_bytes(x)) {
    const Array& a = x.array();
    MetBytes met;
    std::uint8_t kept[most_searched_bytes];
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.length; i++) {
      const std::uint8_t byte = a.as<std::uint8_t>()[i];
      kept[count] = byte;
      count += met.is_new(byte);
    }
    if (count == a.length) return x;
    Array* const result = make_plain_list(cx.heap, a.type(), count);
    std::memcpy(result->data.here(), kept, count);
    return Value(result);
  }
  if (!is_short_list(x) || x.array().type() == ElementType::bit) return Value();
  const Array& a = x.array();
  Atoms atoms;
  read(a, atoms);
  const std::size_t width = bits_of(a.type()) / 8;
  std::uint8_t kept[most_atoms * sizeof(double)];
  std::size_t count = 0;
  for (std::size_t i = 0; i < atoms.count; i++)
    if (place_in_atoms(atoms, atoms.at[i], i) == i) std::memcpy(kept + count++ * width, a.data + i * width, width);
  if (count == atoms.count) return x;
  Ref<Array> result = make_list(cx.heap, a.type(), count);
  std::memcpy(result->data, kept, count * width);
  return to_value(std::move(result));
}

namespace {

// Counts, for each of few atoms, those of a short list that are not behind it.
Value short_bins(Context& cx, const Value& w, const Value& x, bool down) {
  Atoms list, wanted;
  list.count = wanted.count = 0;
  if (!is_empty_list(w)) {
    if (!is_short_list(w)) return Value();
    read(w.array(), list);
  }
  if (!is_empty_list(x)) {
    if (!read_wanted(x, wanted)) return Value();
    if (list.count != 0 && (list.characters != wanted.characters || !have_order(wanted))) return Value();
  }
  const auto is_behind = [down](double a, double b) { return down ? a < b : a > b; };
  for (std::size_t i = 1; i < list.count; i++)
    if (is_behind(list.at[i - 1], list.at[i])) return Value();
  if (!have_order(list)) return Value();
  const auto count = [&](std::size_t i) {
    // Counts all, which takes no branch for each.
    const double one = wanted.at[i];
    std::size_t n = 0;
    if (down)
      for (std::size_t k = 0; k < list.count; k++) n += list.at[k] >= one;
    else
      for (std::size_t k = 0; k < list.count; k++) n += list.at[k] <= one;
    return n;
  };
  return rank_of(x) != 0 ? small_numbers(cx, wanted.count, count) : enclose(cx.heap, count(0));
}

}  // namespace

Value short_bins_up(Context& cx, const Value& w, const Value& x) { return short_bins(cx, w, x, false); }
Value short_bins_down(Context& cx, const Value& w, const Value& x) { return short_bins(cx, w, x, true); }

namespace {

// Longer lists are graded in vectors, where the target has the instructions.
std::size_t longest_by_insertion() { return kernels::sorts_in_vectors() ? 12 : most_ordered; }

}  // namespace

Value short_grade(Context& cx, const Value& x, bool down) {
  if (is_empty_list(x)) return small_numbers(cx, 0, [](std::size_t) { return 0; });
  if (!is_short_list(x, longest_by_insertion())) return Value();
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
  if (!is_short_list(x, most_ordered)) return Value();
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
