#include "primitives/mapping/each.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"
#include "primitives/functions.h"
#include "primitives/order/bits_in_order.h"
#include "primitives/search/first_bits.h"
#include "primitives/search/scalar_search.h"

namespace griddle::primitives {

namespace {

// Tells whether a function of one list sorts or searches it.
bool searches(const PrimitiveFunctionEntry& f) {
  return f.one.orders != Orders::no || is_any(f.name, Glyph::member, Glyph::index_of, Glyph::progressive_index, Glyph::find);
}

constexpr std::size_t most_graded_bits = 64;

// Answers for bits; absent for functions of which others know more.
Value search_bits(Heap& heap, const PrimitiveFunctionEntry& f, const Array& list) {
  std::uint64_t room[most_graded_bits / 64];
  if (f.one.orders == Orders::sorts) return Value(sorted_bits(heap, list, f.one.down));
  if (f.one.orders == Orders::grades && list.length <= most_graded_bits)
    return Value(graded_bits(heap, list, f.one.down, ElementType::i8, room));
  if (f.name == Glyph::member) return Value(marks_of_first_bits(heap, list));
  return f.name == Glyph::find ? Value(distinct_bits(heap, list)) : Value();
}

// Does the same for a few elements.
template <class T>
Value search_tiny(Heap& heap, const PrimitiveFunctionEntry& f, const Array& list) {
  const T* x = list.as<T>();
  const std::size_t n = list.length;
  if (f.name == Glyph::member) return Value(list_of_word(heap, n, mark_first_of_tiny(x, n)));
  if (f.name == Glyph::find) {
    const std::uint64_t marks = mark_first_of_tiny(x, n);
    Array* const kept = make_plain_list(heap, list.type(), static_cast<std::size_t>(std::popcount(marks)));
    T* to = kept->as<T>();
    for (std::uint64_t left = marks; left != 0; left &= left - 1) *to++ = x[std::countr_zero(left)];
    return Value(kept);
  }
  if constexpr (std::is_integral_v<T>) {
    const bool down = f.one.down, grades = f.one.orders == Orders::grades;
    if (f.one.orders == Orders::no) return Value();
    Array* const result = make_plain_list(heap, grades ? ElementType::i8 : list.type(), n);
    if (grades) {
      grade_tiny(x, n, down, result->as<std::uint8_t>());
    } else {
      std::copy_n(x, n, result->as<T>());
      sort_tiny(result->as<T>(), n, down);
      result->note_order(down);
    }
    return Value(result);
  }
  return Value();
}

Value search_few(Heap& heap, const PrimitiveFunctionEntry& f, const Array& list) {
  if (list.type() == ElementType::bit && list.length != 0) return search_bits(heap, f, list);
  if (list.length - 1 >= most_tiny) return Value();
  return with_type(list.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Bit> || std::is_same_v<T, Value>)
      return Value();
    else
      return search_tiny<T>(heap, f, list);
  });
}

// Tells whether an atom is in a short list.
bool is_among(const Value& w, const Array& list) {
  return with_type(list.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Bit>) {
      const std::uint64_t bits = kernels::read_bits(list.as<std::uint64_t>(), 0, list.length);
      return (w.number() == 1 && bits != 0) || (w.number() == 0 && bits != kernels::low_bits(list.length));
    } else if constexpr (!std::is_same_v<T, Value>) {
      T wanted;
      if constexpr (std::is_same_v<T, double>)
        wanted = w.number();
      else if constexpr (std::is_unsigned_v<T>)
        wanted = static_cast<T>(w.character());
      else
        wanted = static_cast<T>(truncated(w.number()));
      const bool fits = std::is_unsigned_v<T> ? wanted == w.character() : wanted == w.number();
      return fits && std::find(list.as<T>(), list.as<T>() + list.length, wanted) != list.as<T>() + list.length;
    }
    return false;
  });
}
// Finds out the same of any value; false where that is not quick.
bool find_among(Context& cx, const Value& w, const Value& x, bool& found) {
  constexpr std::size_t few = 64;
  if (is_flat_list(x) && x.array().length <= few) {
    found = x.array().length != 0 && is_number(x.array().type()) == w.is_number() && is_among(w, x.array());
    return true;
  }
  const std::uint64_t answer = is_one_member(cx, w, x);
  found = answer == Value(1).bits();
  return answer != Value::absent_bits;
}

}  // namespace

Value search_each(Context& cx, const PrimitiveFunctionEntry& f, const Array& lists) {
  const std::span<const Value> from = lists.boxes();
  if (!searches(f) || !std::all_of(from.begin(), from.end(), is_flat_list)) return Value();
  Ref<Array> results = make_like(cx.heap, ElementType::boxed, lists);
  Value* to = results->as<Value>();
  for (std::size_t i = 0; i < from.size(); i++) {
    if ((i & 0xFF) == 0) cx.check_interrupt();
    Value found = search_few(cx.heap, f, from[i].array());
    to[i] = found.is_absent() ? call_primitive(cx, f, from[i]) : std::move(found);
  }
  return to_value(std::move(results));
}

Value member_each(Context& cx, const Value& w, const Array& x) {
  if (!w.is_character() && !(w.is_number() && w.number() == w.number())) return Value();
  // All that are alike are one.
  const Value units[] = {enclose(cx.heap, Value(0)), enclose(cx.heap, Value(1))};
  const std::span<const Value> lists = x.boxes();
  Ref<Array> results = make_like(cx.heap, ElementType::boxed, x);
  for (std::size_t i = 0; i < lists.size(); i++) {
    if ((i & 0xFFF) == 0) cx.check_interrupt();
    bool found;
    if (!find_among(cx, w, lists[i], found)) return Value();
    new (results->as<Value>() + i) Value(units[found]);
  }
  return to_value(std::move(results));
}

}  // namespace griddle::primitives
