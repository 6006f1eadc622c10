// ´ ˝ ` with an operand that gives one of its arguments back, as ⊣ and ⊢ do: they take one end and look at nothing else.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Lets a function of one of these modifiers be computed so. False where its operand is another.
bool attach_end(Derived&, Glyph modifier);

}  // namespace griddle::primitives
