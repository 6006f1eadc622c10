// Names in the text that is being typed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace griddle::repl {

// Gives the names that a text defines, or mentions as arguments of its headers: those before ←, ⇐ or ↩, each once.
std::vector<std::u32string> names_defined_in(std::u32string_view text);

// Gives the start of the string that is open at the end of a text: the place behind its quote.
std::optional<std::size_t> open_string(std::u32string_view text);

// Gives where the expression in parentheses begins that a text ends with.
std::optional<std::size_t> parentheses_before(std::u32string_view text);

// Tells whether an expression only picks values that are there: names, fields, literals, ⊑ and the like, which calls nothing.
bool only_picks(std::u32string_view expression);

// Gives the fields of a block in parentheses that is a namespace, without running it: the names before ⇐ in it.
std::vector<std::u32string> fields_written_in(std::u32string_view block);

}  // namespace griddle::repl
