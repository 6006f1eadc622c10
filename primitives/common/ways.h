// Ways: what a primitive tries before its general way, in the order of a table, the most specific first. The types of a way's
// parameters say which operands it is for.
//
// A way reads operands where they are: it gives the bits of the result, or declines before it has changed anything. It knows of
// no errors but that of too little memory. The call site remembers which way served last, so that the loop calls that one at once
// the next time (runtime/value/recent_call.h); its operands are checked again each time. A primitive whose ways all decline is
// served by its general way, and the site remembers nothing: no kind of operand is looked at twice.
#pragma once

#include <utility>

#include "primitives/common/at_hand.h"
#include "runtime/value/recent_call.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

// An operand that is an array of one kind, which `find` tells from all others by giving null for them.
template <const Array* (*find)(std::uint64_t)>
struct Of {
  const Array* array;
  operator const Array&() const { return *array; }
  const Array* operator->() const { return array; }
};
using AnyArray = Of<array_of>;
using List = Of<plain_list>;           // of plain elements, some but not very many
using LongList = Of<long_plain_list>;  // of however many, but some
using AnyList = Of<any_plain_list>;    // of however many, or none
using EmptyList = Of<empty_list>;      // of anything
using Table = Of<plain_table>;

[[gnu::always_inline]] inline bool read_operand(std::uint64_t v, std::int32_t& n) { return read_integer(v, n); }
[[gnu::always_inline]] inline bool read_operand(std::uint64_t v, std::uint64_t& any) { return any = v, true; }
template <const Array* (*find)(std::uint64_t)>
[[gnu::always_inline]] inline bool read_operand(std::uint64_t v, Of<find>& operand) {
  return (operand.array = find(v)) != nullptr;
}

// Run a way if the operands are those that it is for. It takes the heap, or the context.
template <auto code>
struct Checked;
template <class From>
[[gnu::always_inline]] inline From& taken_from(Context& cx) {
  if constexpr (std::is_same_v<From, Heap>)
    return cx.heap;
  else
    return cx;
}
template <class From, class X, std::uint64_t (*code)(From&, X)>
struct Checked<code> {
  static std::uint64_t run(Context& cx, std::uint64_t x, RecentMonad&) {
    X operand;
    return read_operand(x, operand) ? code(taken_from<From>(cx), operand) : declined;
  }
};
template <class From, class W, class X, std::uint64_t (*code)(From&, W, X)>
struct Checked<code> {
  static std::uint64_t run(Context& cx, std::uint64_t w, std::uint64_t x, RecentDyad&) {
    W left;
    X right;
    return read_operand(x, right) && read_operand(w, left) ? code(taken_from<From>(cx), left, right) : declined;
  }
};
// Of functions that ask themselves what their operands are, and that decline with the absent value.
template <Value (*code)(Context&, const Value& x)>
struct Checked<code> {
  static std::uint64_t run(Context& cx, std::uint64_t x, RecentMonad&) {
    return code(cx, reinterpret_cast<const Value&>(x)).leak();
  }
};
template <Value (*code)(Context&, const Value& w, const Value& x)>
struct Checked<code> {
  static std::uint64_t run(Context& cx, std::uint64_t w, std::uint64_t x, RecentDyad&) {
    return code(cx, reinterpret_cast<const Value&>(w), reinterpret_cast<const Value&>(x)).leak();
  }
};
template <auto code>
constexpr auto way = Checked<code>::run;

inline constexpr auto column_of_ways(const MonadWay*) { return &PrimitiveFunctionEntry::monad_ways; }
inline constexpr auto column_of_ways(const DyadWay*) { return &PrimitiveFunctionEntry::dyad_ways; }

// Lets the loop call a way of the primitive with this table at once the next time.
template <const auto& table, class Site>
[[gnu::noinline]] void remember(Context& cx, Site& site, typename Site::Compute served) {
  static const Glyph name = entry_with(column_of_ways(table), [](const auto& ways) { return ways.table.data() == table; })->name;
  const Value& function = primitive(cx, name);
  site.entry = &primitive_entry_of(function.function());
  site.function = function.bits();
  site.compute = served;
}

// Tries the ways of a table. `Operands` are the bits of x, or of w and x.
template <const auto& table, class Site, class... Operands>
[[gnu::always_inline]] inline std::uint64_t try_table(Context& cx, Site* site, Operands... operands) {
  static Site unused;  // ways of structure keep nothing there
  std::uint64_t result = declined;
  const auto serves = [&](typename Site::Compute run) {
    result = run(cx, operands..., unused);
    if (result == declined) return false;
    if (site != nullptr) remember<table>(cx, *site, run);
    return true;
  };
  const bool served = [&]<std::size_t... i>(std::index_sequence<i...>) { return (serves(table[i].run) || ...); }
  (std::make_index_sequence<std::size(table)>{});
  if (!served && site != nullptr) site->entry = nullptr;
  return result;
}
template <const auto& table>
std::uint64_t try_ways(Context& cx, std::uint64_t x, MonadCall call) {
  return try_table<table>(cx, call.site, x);
}
template <const auto& table>
std::uint64_t try_ways(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  return try_table<table>(cx, call.site, w, x);
}

// A row for functions that take such a number as 𝕨 for the number itself: tries the table, in which it stands, for that.
template <const auto& table>
std::uint64_t by_number_in_unit(Context& cx, std::uint64_t w, std::uint64_t x, RecentDyad&) {
  const std::uint64_t number = number_in_unit(w);
  return number != declined ? try_table<table>(cx, static_cast<RecentDyad*>(nullptr), number, x) : declined;
}

// What the table of primitives names.
template <const auto& table>
constexpr MonadWays monad_ways{try_ways<table>, table};
template <const auto& table>
constexpr DyadWays dyad_ways{try_ways<table>, table};

}  // namespace griddle::primitives
