// Arithmetic on plain lists where a place in a program did the same before (runtime/value/recent_call.h).
#pragma once

#include "primitives/arithmetic/direct_lists.h"
#include "runtime/value/recent_call.h"

namespace griddle::primitives {

// Lists have at most so many elements.
inline constexpr std::size_t longest_recent = 16384;

// Note what was done, where `recent_dyad` or `recent_monad` of the context is set, and not again. A way for wide results is
// remembered for a while.
void remember_lists(Context&, const ListWays&, const ListWays::Pair&, bool wide, std::size_t length);
// `read` is what the kernel read as the atom.
void remember_integer(Context&, const ListWays&, const ListWays::Atom&, bool wide, bool atom_left, const Array& list,
                      const Value& atom, std::int64_t read);
void remember_number(Context&, const ListWays&, const ListWays::Real&, bool atom_left, const Array& list, const Value& atom);
// Bits and a number have two results, which are bytes.
void remember_bits(Context&, const ListWays&, bool atom_left, const Array& bits, const Value& atom, const std::int8_t* results);
void remember_list(Context&, const ListMonadWays&, const ListMonadWays::Way&, std::size_t length);
// The same for derived functions that keep these kernels for plain lists of the kind that x is.
void remember_scan(Context&, const Derived&, kernels::Scan, const PlainList& results, const Array& x);
// A fold takes at most so many elements.
void remember_fold(Context&, const Derived&, kernels::Fold, std::size_t most, const Array& x);

}  // namespace griddle::primitives
