// Folds that read digits: `w + factor × x`, as 10⊸×⊸+˜´ and +⟜(2⊸×)´ do.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Lets a fold be called directly, if its function is of this kind with a small factor.
void attach_digits(Derived&);

}  // namespace griddle::primitives
