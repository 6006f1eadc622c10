#include "primitives/search/pairwise_search.h"

#include <bit>
#include <cstring>

#include "primitives/common/plain.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/search/pairwise_keys.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

namespace {

using kernels::FewKeys;

FewKeys kind_of(ElementType type) {
  switch (bits_of(type)) {
    case 8: return FewKeys::bits8;
    case 16: return FewKeys::bits16;
    case 32: return FewKeys::bits32;
    default: return FewKeys::doubles;
  }
}

bool is_plain(const Array& a) {
  return a.type() != ElementType::bit && a.type() != ElementType::boxed && has_plain_fill(a) && !a.data.elsewhere();
}

using Decide = bool(FewKeys, std::size_t few, std::size_t n);

// Tells whether a plain list is better compared with itself.
bool pays_with_itself(const Array& a, Decide pays) {
  return a.length <= kernels::most_few_keys && a.type() != ElementType::bit && pays(kind_of(a.type()), a.length, a.length / 2);
}

// Tells whether elements of an array can be compared with those of a list.
bool are_comparable(const Value& list, const Value& others, std::size_t most, Decide pays) {
  if (!list.is_array() || !others.is_array()) return false;
  const Array &few = list.array(), &a = others.array();
  return few.is_list() && a.rank() != 0 && few.type() == a.type() && few.length - 1 < most && is_plain(few) && is_plain(a) &&
         pays(kind_of(a.type()), few.length, a.length);
}

}  // namespace

Value few_index_of(Context& cx, const Value& w, const Value& x) {
  if (!are_comparable(w, x, kernels::most_few_keys, kernels::are_found_by_comparing)) return Value();
  const Array &list = w.array(), &a = x.array();
  Ref<Array> places = make_plain_like(cx.heap, ElementType::i8, a);
  kernels::find_among_few(kind_of(a.type()), list.data, list.length, a.data, a.length, places->as<std::uint8_t>());
  return to_value(std::move(places));
}

Value few_member_of(Context& cx, const Value& w, const Value& x) {
  if (!are_comparable(x, w, kernels::most_marked_keys, kernels::are_marked_by_comparing)) return Value();
  const Array &list = x.array(), &a = w.array();
  Ref<Array> marks = make_plain_like(cx.heap, ElementType::bit, a);
  kernels::mark_among_few(kind_of(a.type()), list.data, list.length, a.data, a.length, marks->as<std::uint64_t>());
  return to_value(std::move(marks));
}

Value few_classify(Context& cx, const Array& a) {
  if (!pays_with_itself(a, kernels::are_found_by_comparing)) return Value();
  std::uint8_t first[kernels::most_few_keys], number[kernels::most_few_keys];
  kernels::first_of_few(kind_of(a.type()), a.data, a.length, first);
  Array* const result = make_plain_list(cx.heap, ElementType::i8, a.length);
  std::uint8_t* to = result->as<std::uint8_t>();
  std::uint8_t next = 0;
  for (std::size_t i = 0; i < a.length; i++) {
    number[i] = next;
    next = static_cast<std::uint8_t>(next + (first[i] == i));
    to[i] = number[first[i]];
  }
  return Value(result);
}

Value few_mark_firsts(Context& cx, const Array& a) {
  if (!pays_with_itself(a, kernels::are_marked_by_comparing)) return Value();
  std::uint64_t marks[2];
  kernels::mark_first_of_few(kind_of(a.type()), a.data, a.length, marks);
  Array* const result = make_plain_list(cx.heap, ElementType::bit, a.length);
  std::memcpy(result->data.here(), marks, a.length > 64 ? sizeof marks : sizeof *marks);
  return Value(result);
}

Value few_deduplicate(Context& cx, const Array& a) {
  if (!pays_with_itself(a, kernels::are_marked_by_comparing)) return Value();
  std::uint64_t marks[2];
  kernels::mark_first_of_few(kind_of(a.type()), a.data, a.length, marks);
  const auto count = static_cast<std::size_t>(std::popcount(marks[0]) + std::popcount(marks[1]));
  if (count == a.length) return Value::share(const_cast<Array*>(&a));
  const unsigned width = bits_of(a.type());
  constexpr std::size_t room = kernels::most_few_keys + kernels::spare_elements(8, 128);
  std::uint64_t kept[room];
  kernels::compress(width, kept, sizeof kept * 8 / width, a.data, marks, a.length);
  Array* const result = make_plain_list(cx.heap, a.type(), count);
  std::memcpy(result->data.here(), kept, count * (width / 8));
  return Value(result);
}

}  // namespace griddle::primitives
