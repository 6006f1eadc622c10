// Undo of blocks through their undo headers.
#pragma once

#include "runtime/value/context.h"
#include "runtime/value/function.h"

namespace griddle {

// Runs the body headed 𝕊⁼𝕩 or 𝕨𝕊⁼𝕩 of a block function or a deferred block modifier with its operands. `w` is absent for one
// argument. Fails where the block has no such header.
Value block_undo(Context&, const Function& f, Value w, Value x);
// The same for 𝕊˜⁼𝕩 and 𝕨𝕊˜⁼𝕩.
Value block_undo_swapped(Context&, const Function& f, Value w, Value x);

}  // namespace griddle
