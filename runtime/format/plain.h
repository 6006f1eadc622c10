// Tables as people read them: columns of text, with no frame, brackets or quotes.
#pragma once

#include "runtime/format/format.h"

namespace griddle {

// Gives the elements of an array in rows and columns, as much as there is room for; text stands in it as it is. A list is one
// row. An atom, or a string, is its own text. Tells whether that is all.
HeapText plain_text(Context&, const Value&, const TextRoom&, const TextStyles&, bool& is_whole);

}  // namespace griddle
