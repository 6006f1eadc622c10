// How an error shows its place: the line's name and number, the line, and carets under the span.
#pragma once

#include <string>
#include <string_view>

#include "runtime/source/text.h"

namespace griddle {

// Renders
//   name:line:
//     source line
//        ^^^
// with a line break after each; text without a name begins with `at ` and the line instead. Carets stay within the span's first line; there is at least one. Tabs are kept in the indent,
// so that carets stand under the text; other characters count as one column.
std::string render_place(const SourceText&, Span);

// Renders "Error: message" and the place below it.
std::string render_error(std::string_view message, const SourceText&, Span);

}  // namespace griddle
