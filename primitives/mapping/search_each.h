// ¨ with a primitive that searches or orders flat lists: ∊ ⊐ ⊒ ⍷ ∧ ∨ ⍋ ⍒ on each list, without calls of the machine.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Gives the results for each of some lists, of which there is at least one; the absent value where the glyph is none of these, or
// some element is no flat list.
Value search_each(Context& cx, Glyph glyph, const Array& lists);

}  // namespace griddle::primitives
