// Arithmetic on plain lists where a place in a program did the same before (runtime/value/recent_call.h).
#pragma once

#include "primitives/arithmetic/direct_lists.h"
#include "runtime/value/recent_call.h"

namespace griddle::primitives {

// Lists have at most so many elements.
inline constexpr std::size_t longest_recent = 16384;

// Note what was done, at the place that is given. A way for wide results is remembered for a while.
void remember_lists(Context&, RecentDyad&, const ListWays&, const ListWays::Pair&, bool wide, std::size_t length);
// Of a list, or a table, and an atom. `read` is what the kernel reads as the atom; it reads others as `others` says.
struct AtomWay {
  ListWay first, wide;
  std::int64_t read = 0, wide_read = 0;
  RecentDyad::Others others = RecentDyad::Others::none;
  std::int32_t least = 0;
  std::uint32_t span = 0;
};
void remember_atom(Context&, RecentDyad&, const ListWays&, const AtomWay&, bool wide, bool atom_left, const Array&,
                   std::uint64_t atom);
// Bits and a number have two results.
struct ResultsOfBits {
  ElementType type = ElementType::bit;   // the narrowest that holds both
  std::int64_t of_zero = 0, of_one = 0;  // as elements of that type lie in memory

  bool are_bits_themselves() const { return type == ElementType::bit && of_zero == 0 && of_one == 1; }
};
ResultsOfBits results_of_bits(Context&, const DyadRule&, const Value& number, bool number_left);
void remember_bits(Context&, RecentDyad&, const ListWays&, bool atom_left, const Array& bits, std::uint64_t atom,
                   const ResultsOfBits&);
// The same of tables.
void remember_tables(Context&, RecentDyad&, const ListWays&, const ListWay&, const Array& w, const Array& x);
// Has what is remembered of a list or table and a number give results that all are integers as such.
void narrow_whole_results(RecentDyad&);
// Of a list, or a table.
void remember_list(Context&, RecentMonad&, const ListMonadWays&, const ListMonadWays::Way&, const Array& x);
// The same for derived functions that keep these kernels for plain lists of the kind that x is.
void remember_scan(RecentMonad&, const Derived&, kernels::Scan, const PlainList& results, const Array& x);
// A fold takes at most so many elements.
void remember_fold(RecentMonad&, const Derived&, kernels::Fold, std::size_t most, const Array& x);

}  // namespace griddle::primitives
