// Ways of arithmetic on plain lists: kernels by the types alone, and what takes more for ÷ | ∨ ¬.
#include <cmath>

#include "primitives/arithmetic/cached_lists.h"
#include "primitives/arithmetic/direct_lists.h"
#include "primitives/common/elements.h"
#include "primitives/common/number_lanes.h"
#include "primitives/common/tuning.h"
#include "primitives/common/ways.h"
#include "primitives/functions.h"
#include "primitives/kernels/elementwise/arithmetic.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/shared/convert.h"

namespace griddle::primitives {

Value small_remainders(Context& cx, double by, const Array& a) {
  if (!(by >= 2 && by <= 32768) || by != std::floor(by) || a.length == 0 || !has_plain_fill(a)) return Value();
  const ElementType type = a.type(), narrow = by == 2 ? ElementType::bit : by <= 128 ? ElementType::i8 : ElementType::i16;
  if (!is_integer(type) || type == ElementType::bit || narrow >= type || (type == ElementType::i8 && by > 127)) return Value();
  const int lane = lane_of(type);
  Ref<Array> result =
      a.is_list() ? make_list_of(cx.heap, plain_lists[static_cast<int>(narrow)], a.length) : make_like(cx.heap, narrow, a);
  constexpr std::size_t most = 2048, many = 256 * most;
  if (narrow == ElementType::bit) {
    for (std::size_t place = 0; place < a.length; place += many) {
      if (place != 0) cx.check_interrupt();
      kernels::compare().odd[lane](result->data + place / 8, a.data + place * (bits_of(type) / 8),
                                   std::min(many, a.length - place));
    }
    return to_value(std::move(result));
  }
  alignas(64) std::int32_t piece[most];
  std::int32_t divisor = static_cast<std::int32_t>(by);
  const kernels::Dyad divide = kernels::arithmetic().modulus[lane][kernels::scalar_array];
  const kernels::Monad narrowing = kernels::convert().narrow[static_cast<int>(type)][static_cast<int>(narrow)];
  for (std::size_t place = 0; place < a.length; place += most) {
    if (place % many == 0) cx.check_interrupt();
    const std::size_t count = std::min(most, a.length - place);
    divide(piece, &divisor, a.data + place * (bits_of(type) / 8), count);
    narrowing(result->data + place * (bits_of(narrow) / 8), piece, count);
  }
  return to_value(std::move(result));
}

namespace {

// Two lists of integers of 8 or 16 bits have no quotients of their own: short ones are sooner widened than met piece by piece.
bool is_narrow_list(const Value& v) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return (a.type() == ElementType::i8 || a.type() == ElementType::i16) && a.is_list() &&
         a.length - 1 < tuning().longest_wide_dividend && !a.data.elsewhere();
}
template <const DyadRule& rule>
bool remembers(const RecentDyad* site) {
  return site != nullptr && site->entry != nullptr && site->entry == ways_by<rule>().entry;
}
Value as_dividend(Context& cx, const Value& v) { return is_narrow_list(v) ? widened(cx.heap, v, ElementType::i32) : v; }

}  // namespace

std::uint64_t divide_lists(Context& cx, std::uint64_t left, std::uint64_t right, DyadCall call) {
  const Value &w = as_value(left), &x = as_value(right);
  const bool integral = holds_integers(w) && holds_integers(x);
  // With bits, a number has two quotients.
  const auto is_of_bits = [](const Value& v) { return v.is_array() && v.array().type() == ElementType::bit; };
  const bool two = (w.is_number() && is_of_bits(x)) || (x.is_number() && is_of_bits(w));
  if (!integral || two) return on_lists_by<divide_rule>(cx, left, right, call);
  // Integers are divided as doubles, and most have quotients that are none.
  const bool with_number = w.is_number() || x.is_number();
  if (!with_number || call.site == nullptr)
    if (const std::uint64_t few = few_as_doubles(cx, left, right, ways_by<divide_rule>()); few != declined) return few;
  if (with_number) {
    Value quotients = Value::from_bits(on_lists_by<divide_rule>(cx, left, right, call));
    if (!quotients.is_array()) return quotients.leak();
    if (RecentDyad* const site = call.site; remembers<divide_rule>(site)) {
      narrow_whole_results(*site);
      // Kernels that read no integer as the number read any as a double.
      if (site->others == RecentDyad::Others::none) site->others = RecentDyad::Others::numbers;
    }
    return with_whole_narrowed(cx.heap, std::move(quotients)).leak();
  }
  const std::uint64_t quotients = on_lists_by<divide_rule>(cx, as_dividend(cx, w).bits(), as_dividend(cx, x).bits(), {});
  return quotients != declined ? integers_if_whole(cx.heap, Value::from_bits(quotients)).leak() : declined;
}
std::uint64_t modulus_lists(Context& cx, std::uint64_t left, std::uint64_t right, DyadCall call) {
  const Value &w = as_value(left), &x = as_value(right);
  // Remainders of wider integers, and by 2, may have narrower types than kernels of one type give them.
  if (!w.is_number() || !x.is_array() || x.array().data.elsewhere()) return Value::absent_bits;
  const ElementType type = x.array().type();
  if (x.array().rank() == 0 || type == ElementType::bit || type == ElementType::f64)
    return on_lists_by<modulus_rule>(cx, left, right, call);
  const double by = w.number();
  const bool is_byte = by >= -128 && by <= 127 && by == std::floor(by);
  if (by == 2 || type != ElementType::i8) return small_remainders(cx, by, x.array()).leak();
  if (!is_byte || by == 0) return Value::absent_bits;
  const std::uint64_t result = on_lists_by<modulus_rule>(cx, left, right, call);
  if (RecentDyad* const site = call.site; remembers<modulus_rule>(site) && site->others == RecentDyad::Others::integers) {
    // Remainders by 2 are bits, and those by 0 are none.
    if (by > 2)
      site->least = 3, site->span = 127 - 3;
    else
      site->others = RecentDyad::Others::none;
  }
  return result;
}

namespace {

// Of integers, ∨ and ¬ are sooner put together from what has kernels for their types.
[[gnu::noinline]] std::uint64_t or_of_integers(Context& cx, std::uint64_t w, std::uint64_t x) {
  const Value &left = as_value(w), &right = as_value(x);
  if (!holds_integers(left) || !holds_integers(right) || std::max(length_of(left), length_of(right)) > tuning().few_joined_by_or)
    return Value::absent_bits;
  const Value sum = Value::from_bits(on_lists_by<add_rule>(cx, w, x, {}));
  const Value product = Value::from_bits(on_lists_by<multiply_rule>(cx, w, x, {}));
  if (sum.is_absent() || product.is_absent()) return Value::absent_bits;
  return on_lists_by<subtract_rule>(cx, sum.bits(), product.bits(), {});
}
std::uint64_t or_lists(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  const std::uint64_t result = on_lists_by<or_rule>(cx, w, x, call);
  return result != Value::absent_bits ? result : or_of_integers(cx, w, x);
}
std::uint64_t span_lists(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall) {
  if (!holds_integers(as_value(w)) || !holds_integers(as_value(x))) return Value::absent_bits;
  const Value difference = Value::from_bits(on_lists_by<subtract_rule>(cx, w, x, {}));
  return difference.is_array() ? on_lists_by<add_rule>(cx, Value(1.0).bits(), difference.bits(), {}) : Value::absent_bits;
}

// Remainders by two are the lowest bits.
std::uint64_t odd_elements(Heap& heap, std::int32_t by, List a) {
  if (by != 2 || a->type() == ElementType::bit || !is_integer(a->type())) return declined;
  Array* const out = make_plain_list(heap, ElementType::bit, a->length);
  kernels::compare().odd[lane_of(a->type())](out->data.here(), a->data.here(), a->length);
  return bits_of_array(out);
}

std::uint64_t remainders_of_few(Context& cx, std::uint64_t w, std::uint64_t x, RecentDyad&) {
  return few_as_doubles(cx, w, x, ways_by<modulus_rule>());
}

constexpr DyadWay remainders[] = {{"two and list", way<odd_elements>},
                                  {"atom and array", row_on_arrays<modulus_lists, false, true>},
                                  {"few", remainders_of_few}};

// Of a list and an atom, the site remembers the kernel.
std::uint64_t try_remainders(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  if (!as_value(w).is_number() || as_value(w).number() == 2 || !as_value(x).is_array())
    return try_ways<remainders>(cx, w, x, call);
  const std::uint64_t found = modulus_lists(cx, w, x, call);
  return found != declined ? found : few_as_doubles(cx, w, x, ways_by<modulus_rule>());
}

}  // namespace

std::uint64_t complement_of_numbers(Context& cx, std::uint64_t x) {
  return on_lists_by<complement_rule>(cx, Value(1.0).bits(), x, {});
}

constexpr DyadWays add_ways = ways_on_arrays<on_lists_by<add_rule>>;
constexpr DyadWays subtract_ways = ways_on_arrays<on_lists_by<subtract_rule>>;
constexpr DyadWays multiply_ways = ways_on_arrays<on_lists_by<multiply_rule>>;
constexpr DyadWays divide_ways = ways_on_arrays<divide_lists>;
constexpr DyadWays minimum_ways = ways_on_arrays<on_lists_by<minimum_rule>>;
constexpr DyadWays maximum_ways = ways_on_arrays<on_lists_by<maximum_rule>>;
constexpr DyadWays modulus_ways = {try_remainders, remainders};
constexpr DyadWays logic_and_ways = ways_on_arrays<on_lists_by<and_rule>>;
constexpr DyadWays logic_or_ways = ways_on_arrays<or_lists>;
constexpr DyadWays span_ways = ways_on_arrays<span_lists>;

}  // namespace griddle::primitives
