// Searches of keys too many for the near caches: they are put into parts by their hashes, and each part is searched alone.
#pragma once

#include "primitives/common/index_list.h"
#include "primitives/search/cell_keys.h"

namespace griddle::primitives {

// More keys are always searched in parts.
inline constexpr std::size_t most_slotted_keys = std::size_t{1} << 26;
// Tells whether most of some of many keys of 32 or 64 bits are different, so that parts pay.
bool suits_parts(const CellKeys&);

// Marks keys that no earlier one is equal to.
void mark_new_in_parts(Context&, const CellKeys&, std::uint64_t* marks);
// Marks those of the other keys that the principal ones have.
void match_in_parts(Context&, const KeyPair&, std::uint64_t* marks);
// Finds the first places of the other keys among the principal ones.
void find_in_parts(Context&, const KeyPair&, IndexList& out);

}  // namespace griddle::primitives
