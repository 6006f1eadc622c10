// Arithmetic on lists that stay where they are: one look into a table, memory at hand, the kernel.
#pragma once

#include <atomic>

#include "primitives/arithmetic/dispatch.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/recent_call.h"

namespace griddle::primitives {

// A kernel and what its results are.
struct ListWay {
  kernels::Dyad kernel = nullptr;
  PlainList results;
};
struct ListMonad {
  kernels::Monad kernel = nullptr;
  PlainList results;
};

// Every way of one rule. Where results do not fit `first`, `wide` holds them all, or is null.
struct ListWays {
  const DyadRule* rule = nullptr;
  const PrimitiveFunctionEntry* entry = nullptr;  // of the primitive with this rule; null where there is none
  static constexpr std::uint32_t no_list = ~std::uint32_t{0};
  // For two lists, which are as PlainList::described says.
  struct alignas(64) Pair {
    ListWay first, wide;
    std::uint32_t w = no_list, x = no_list;
  };
  // For a list and an atom that is an integer, or a code point, from `least` on. Kernels read it in the width of the elements;
  // for bits, as a word of equal ones.
  struct alignas(128) Atom {
    ListWay first, wide;
    std::uint32_t list = no_list;
    std::int32_t least = 0;
    std::uint32_t span = 0;  // the greatest one, less the least
    bool as_word = false;
  };
  // For a list and any number, read as a double.
  struct alignas(64) Real {
    ListWay first;
    std::uint32_t list = no_list;
  };
  // Boxed elements have no way, but a place; a power of two is quick to find.
  Pair pairs[element_type_count][16];
  // By the side of the atom, the right one or the left one, and by what it is, a character or a number.
  Atom atoms[2][element_type_count][2];
  // The same for integers that the elements' type does not hold, read in 16 bits or in 32.
  Atom wider[2][element_type_count][2];
  Real reals[2][element_type_count];
};
struct ListMonadWays {
  struct Way {
    ListMonad first;  // without a kernel, such a list is its own result
    std::uint32_t x = ListWays::no_list;
  };
  const PrimitiveFunctionEntry* entry = nullptr;
  Way by_type[element_type_count];
};
// Give the table of a rule.
ListWays list_ways(const DyadRule&);
ListMonadWays list_ways(const MonadRule&);

// Compute, with the ways of a rule, on two arrays, or on a list and an atom, or on one list. Give the bits of a new list; those
// of the absent value for anything else, and where results fit no kernel: then the primitive itself decides. The call's site, if
// any, remembers how (cached_lists.h).
std::uint64_t on_two_lists(Context&, const Array& w, const Array& x, const ListWays&, RecentDyad*);
std::uint64_t on_list_and_atom(Context&, const Array& w, std::uint64_t x, const ListWays&, RecentDyad*);
std::uint64_t on_atom_and_list(Context&, std::uint64_t w, const Array& x, const ListWays&, RecentDyad*);
std::uint64_t on_list(Context&, std::uint64_t x, const ListMonadWays&, RecentMonad*);

// Computes on short arrays of numbers as doubles, or one by one: where no kernel reads them as they are, or writes their results.
std::uint64_t few_as_doubles(Context&, std::uint64_t w, std::uint64_t x, const ListWays&);

// Gives an array of doubles that all are integers as such.
Value with_whole_narrowed(Heap&, Value doubles);

inline std::uint64_t on_lists(Context& cx, std::uint64_t w, std::uint64_t x, const ListWays& ways, RecentDyad* site) {
  // Without its tag, an array is its address.
  constexpr std::uint64_t tag = std::uint64_t{Value::array_tag} << 48;
  const std::uint64_t left = w ^ tag, right = x ^ tag;
  if ((left | right) >> 48 == 0) [[likely]]
    return on_two_lists(cx, *reinterpret_cast<const Array*>(left), *reinterpret_cast<const Array*>(right), ways, site);
  if (right >> 48 == 0) return on_atom_and_list(cx, w, *reinterpret_cast<const Array*>(right), ways, site);
  return left >> 48 == 0 ? on_list_and_atom(cx, *reinterpret_cast<const Array*>(left), x, ways, site) : Value::absent_bits;
}

template <const DyadRule& rule>
const ListWays& ways_by() {
  static const ListWays made = list_ways(rule);
  return made;
}
// The same as doors of their rule's. The table is made by the first call, which stands apart, so that others need no frame.
template <const DyadRule& rule>
[[gnu::noinline, gnu::cold]] std::uint64_t first_on_lists(Context& cx, std::uint64_t w, std::uint64_t x, RecentDyad* site,
                                                          std::atomic<const ListWays*>& found) {
  found.store(&ways_by<rule>(), std::memory_order_release);
  return on_lists(cx, w, x, ways_by<rule>(), site);
}
template <const DyadRule& rule>
std::uint64_t on_lists_by(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  // Set once, to what never changes.
  static constinit std::atomic<const ListWays*> found{nullptr};
  const ListWays* ways = found.load(std::memory_order_acquire);
  return ways != nullptr ? on_lists(cx, w, x, *ways, call.site) : first_on_lists<rule>(cx, w, x, call.site, found);
}
template <const MonadRule& rule>
[[gnu::noinline, gnu::cold]] std::uint64_t first_on_list(Context& cx, std::uint64_t x, RecentMonad* site,
                                                         std::atomic<const ListMonadWays*>& found) {
  static const ListMonadWays made = list_ways(rule);
  found.store(&made, std::memory_order_release);
  return on_list(cx, x, made, site);
}
template <const MonadRule& rule>
std::uint64_t on_list_by(Context& cx, std::uint64_t x, MonadCall call) {
  static constinit std::atomic<const ListMonadWays*> found{nullptr};
  const ListMonadWays* ways = found.load(std::memory_order_acquire);
  return ways != nullptr ? on_list(cx, x, *ways, call.site) : first_on_list<rule>(cx, x, call.site, found);
}

// Doors of rules that take more than a look into the table (arithmetic_ways.cc).
std::uint64_t divide_lists(Context&, std::uint64_t w, std::uint64_t x, DyadCall);
std::uint64_t modulus_lists(Context&, std::uint64_t w, std::uint64_t x, DyadCall);
// Computes the remainders by a small number in a type that just holds them. Gives the absent value where that is not narrower.
Value small_remainders(Context&, double by, const Array&);
inline bool holds_integers(const Value& v) {
  return v.is_array() ? is_integer(v.array().type()) : v.is_number() && element_type_of(v) != ElementType::f64;
}

// What the table of primitives names: such a door, and the rows that it chooses from by what is an array.
template <DyadDoor door, bool w_is_array, bool x_is_array>
std::uint64_t row_on_arrays(Context& cx, std::uint64_t w, std::uint64_t x, RecentDyad& site) {
  const bool serves = as_value(w).is_array() == w_is_array && as_value(x).is_array() == x_is_array;
  return serves ? door(cx, w, x, {.site = &site}) : Value::absent_bits;
}
template <MonadDoor door>
std::uint64_t row_on_array(Context& cx, std::uint64_t x, RecentMonad& site) {
  return as_value(x).is_array() ? door(cx, x, {.site = &site}) : Value::absent_bits;
}
template <DyadDoor door>
constexpr DyadWay rows_on_arrays[] = {{"two arrays", row_on_arrays<door, true, true>},
                                      {"array and atom", row_on_arrays<door, true, false>},
                                      {"atom and array", row_on_arrays<door, false, true>}};
template <MonadDoor door>
constexpr MonadWay rows_on_array[] = {{"array", row_on_array<door>}};
template <DyadDoor door>
constexpr DyadWays ways_on_arrays{door, rows_on_arrays<door>};
template <MonadDoor door>
constexpr MonadWays ways_on_array{door, rows_on_array<door>};

}  // namespace griddle::primitives
