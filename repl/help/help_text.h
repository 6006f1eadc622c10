// A part of a page of spec/ as text for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace griddle::repl {

// Takes off what marks up the text: backticks, stars, links, the frames of tables and examples. Code of an example stands behind
// the blanks of a prompt, what it shows at the margin, as in a session. Sentences are broken at `columns`.
std::string plain_text(std::string_view markdown, std::size_t columns);

// The same for text within a line.
std::string plain_line(std::string_view markdown);

}  // namespace griddle::repl
