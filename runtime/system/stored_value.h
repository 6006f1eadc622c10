// Values as bytes and back, for hosts and for files.
#pragma once

#include <string_view>

#include "runtime/value/context.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

// Gives the bytes of a value. Fails where it holds what has no source text, such as a block. `who` begins messages.
HeapText stored_value(Context&, const Value&, std::string_view who = "");
// Makes the value again, here or in another interpreter. Fails where the bytes are damaged, or of another version.
Value value_of_stored(Context&, std::string_view bytes, std::string_view who = "");

}  // namespace griddle
