// What )help NAME and bqn --help NAME say: a part of spec/, found by a glyph, a name, a word of a heading, or a page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace griddle::repl {

struct Help {
  bool found = false;
  std::string text;  // or what there is instead, where nothing of that name was found
};

// Looks for a topic; `topics` lists the pages.
Help help_for(std::string_view topic, std::size_t columns);

// Gives the section about a topic as Markdown, for editors; nothing where there is none.
std::optional<std::string> help_markdown(std::string_view topic);

// Gives a glyph's names, meanings and key in one line; nothing where it is no glyph.
std::optional<std::string> glyph_line(char32_t);

// Says in one line what stands at a place of a text, or else before it: a glyph, or a system value.
std::string line_about(std::u32string_view text, std::size_t place);

}  // namespace griddle::repl
