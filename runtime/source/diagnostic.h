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
// with a line break after each; for a text without a name, `at ` and the line stand in one. Carets stay within the span's first
// line; there is at least one. Tabs are kept in the indent, so that carets stand under the text; other characters count as one
// column. Of a very long line only the part around the span is shown, between ellipses. A related place, where it is not empty,
// has carets in the same line, or else a line of its own below, behind `opened`: it is the bracket that is open.
std::string render_place(const SourceText&, Span, Span related = {0, 0});

// Counts the characters of text.
std::size_t code_points(std::string_view);

// Renders "Error: message" and the place below it.
std::string render_error(std::string_view message, const SourceText&, Span);

}  // namespace griddle
