// Calls that may end in an error which the caller handles.
#pragma once

#include "runtime/value/context.h"
#include "runtime/value/function.h"

namespace griddle {

// Calls a function; `w` is absent where there is one argument. Where the body of a block fails with a catchable error, gives the
// absent value and stores the error's message. Errors from elsewhere are thrown as usual; this only saves the dearest part of
// the most frequent case, throwing a second time out of the block.
Value attempt(Context&, const Value& f, Value w, Value x, Value& message);

}  // namespace griddle
