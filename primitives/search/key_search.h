// Searches of keys of 16 bits and more by tables made for each case: direct ones, sets of bits, and tables that grow. Few are
// compared with each other.
#pragma once

#include "primitives/common/index_list.h"
#include "primitives/kernels/search/pairwise_keys.h"
#include "primitives/search/cell_keys.h"

namespace griddle::primitives {

// Numbers few keys, of which the first places are known, in order of appearance.
inline void number_by_first_places(const std::uint8_t* first, std::size_t n, std::uint8_t* to) {
  std::uint8_t number[kernels::most_few_keys], next = 0;
  for (std::size_t i = 0; i < n; i++) {
    number[i] = next;
    next = static_cast<std::uint8_t>(next + (first[i] == i));
    to[i] = number[first[i]];
  }
}

// All take at least one key. The first two are for any but keys of 8 bits; the third is for these, too, where they are few.

// Writes a bit for each key where no earlier one is equal, up to the place that it gives: there is none from there on.
std::size_t mark_new_keys(Context&, const CellKeys&, std::uint64_t* marks);
// Writes a bit for each of the other keys that is among the principal ones. Bits are 0 at first.
void match_keys(Context&, const KeyPair&, std::uint64_t* marks);
// Numbers different keys in order of appearance.
Value classify_keys(Context&, const CellKeys&);
// Writes the first place of each of the other keys among the principal ones, or the number of these. For keys of 8 bits, too.
void index_keys(Context&, const KeyPair&, IndexList& out);

}  // namespace griddle::primitives
