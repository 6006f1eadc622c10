// Names of files as text. The system's names are bytes, which need not be UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "runtime/value/array.h"

namespace griddle {

// Gives text that name_bytes takes back to the same bytes: each byte that is no part of UTF-8 becomes one of the characters
// U+DC80 to U+DCFF, which UTF-8 has no use for. Python reads names in the same way.
Value name_string(Heap&, std::string_view bytes);
// Gives the bytes of a name that is spelled in UTF-8, these characters included.
std::string name_bytes(std::string_view utf8);

}  // namespace griddle
