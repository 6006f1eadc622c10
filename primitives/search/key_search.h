// Searches of keys of 16 bits and more by tables made for each case: direct ones, sets of bits, and buckets.
#pragma once

#include "primitives/common/index_list.h"
#include "primitives/search/cell_keys.h"

namespace griddle::primitives {

// All give false, and nothing else, where they are not made for the keys: for few of them, very many, or some of 8 bits.

// Writes a bit for each key where no earlier one is equal, up to the place `end`: there is none from there on.
bool mark_new_keys(Context&, const CellKeys&, std::uint64_t* marks, std::size_t& end);
// Writes a bit for each of the other keys that is among the principal ones.
bool match_keys(Context&, const KeyPair&, std::uint64_t* marks);
// Numbers different keys in order of appearance; absent instead of false.
Value classify_keys(Context&, const CellKeys&);
// Writes the first place of each of the other keys among the principal ones, or the number of these.
bool find_first_places(Context&, const KeyPair&, IndexList& out);

}  // namespace griddle::primitives
