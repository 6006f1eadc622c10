// Bytes as text, for pictures inside of other texts.
#pragma once

#include <string_view>

#include "runtime/value/heap_memory.h"

namespace griddle::plot {

void append_base64(HeapText& out, std::string_view bytes);

}  // namespace griddle::plot
