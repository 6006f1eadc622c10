// Structure of plain lists, and of some tables, by the heap alone, where results lie in memory at hand. Take and give the bits of
// values; those of the absent value for all else. So the machine calls them at once where it did before
// (runtime/value/recent_call.h).
#pragma once

#include <utility>

#include "runtime/value/recent_call.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

using OfList = std::uint64_t (*)(Heap&, std::uint64_t x);
using OfLists = std::uint64_t (*)(Heap&, std::uint64_t w, std::uint64_t x);

std::uint64_t reverse_list(Heap&, std::uint64_t x);
std::uint64_t nudge_list(Heap&, std::uint64_t x);
std::uint64_t nudge_list_back(Heap&, std::uint64_t x);
std::uint64_t sort_list_up(Heap&, std::uint64_t x);  // in order already, or of bits
std::uint64_t sort_list_down(Heap&, std::uint64_t x);
std::uint64_t places_in_list(Heap&, std::uint64_t x);  // of ones
std::uint64_t grade_bits_up(Heap&, std::uint64_t x);
std::uint64_t grade_bits_down(Heap&, std::uint64_t x);
std::uint64_t rank_of_array(Heap&, std::uint64_t x);
std::uint64_t length_of_array(Heap&, std::uint64_t x);
std::uint64_t depth_of_array(Heap&, std::uint64_t x);
std::uint64_t shape_of_list(Heap&, std::uint64_t x);
std::uint64_t range_below(Heap&, std::uint64_t x);
std::uint64_t enclosed_array(Heap&, std::uint64_t x);
std::uint64_t enlisted_array(Heap&, std::uint64_t x);
std::uint64_t first_of_list(Heap&, std::uint64_t x);  // as an array
std::uint64_t ravel_of_table(Heap&, std::uint64_t x);
std::uint64_t row_of_list(Heap&, std::uint64_t x);

std::uint64_t take_of_list(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t drop_of_list(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t select_of_list(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t pick_of_list(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t rotate_list(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t shift_list(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t shift_list_back(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t replicate_elements(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t reshape_list(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t join_two_lists(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t couple_lists(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t paired_lists(Heap&, std::uint64_t w, std::uint64_t x);

// Lets the machine call a primitive in the same way the next time.
template <class Recent>
[[gnu::noinline]] void remember(Context& cx, Recent& site, char32_t glyph, typename Recent::Compute compute) {
  const Value& function = primitive(cx, glyph);
  site.entry = &primitive_entry_of(function.function());
  site.function = function.bits();
  site.compute = compute;
}

// The primitive of a glyph on arrays that stay where they are: by the heap alone, or otherwise (in one other way, or none).
template <char32_t glyph, OfList quick, BorrowingMonad... otherwise>
std::uint64_t quickly(Context& cx, std::uint64_t x, MonadCall call) {
  const auto again = [](Heap& heap, std::uint64_t list, RecentMonad&) { return quick(heap, list); };
  if (const std::uint64_t result = quick(cx.heap, x); result != Value::absent_bits) {
    if (call.site != nullptr) remember(cx, *call.site, glyph, again);
    return result;
  }
  std::uint64_t result = Value::absent_bits;
  ((result = otherwise(cx, reinterpret_cast<const Value&>(x))), ...);
  return result;
}
template <char32_t glyph, OfLists quick, BorrowingDyad... otherwise>
std::uint64_t quickly(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  const auto again = [](Heap& heap, std::uint64_t left, std::uint64_t right, RecentDyad&) { return quick(heap, left, right); };
  if (const std::uint64_t result = quick(cx.heap, w, x); result != Value::absent_bits) {
    if (call.site != nullptr) remember(cx, *call.site, glyph, again);
    return result;
  }
  std::uint64_t result = Value::absent_bits;
  ((result = otherwise(cx, reinterpret_cast<const Value&>(w), reinterpret_cast<const Value&>(x))), ...);
  return result;
}

// The same for functions that may change a given list in place.
std::uint64_t take_ways(Context&, std::uint64_t w, std::uint64_t x, DyadCall);
std::uint64_t drop_ways(Context&, std::uint64_t w, std::uint64_t x, DyadCall);
std::uint64_t join_ways(Context&, std::uint64_t w, std::uint64_t x, DyadCall);

}  // namespace griddle::primitives
