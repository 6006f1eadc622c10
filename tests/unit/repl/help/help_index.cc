#include "repl/help/help_index.h"

#include <doctest/doctest.h>

#include <array>

using namespace griddle::repl;

namespace {

constexpr std::array<Page, 5> few_pages = {{
    {"README.md", "# Index\n\n| [grammar/blocks.md](grammar/blocks.md) | blocks |\n"},
    {"grammar/blocks.md", "# Blocks\n\nWhat they are.\n\n## Kinds\n\nA kind.\n```\n## no heading\n```\n## Undo headers\nLast.\n"},
    {"glyphs/some.md", "# Some\n\n## ⍷ Deduplicate, Find\n\n- `⍷𝕩`: first\n\n## 𝕩 𝕏 Right argument\nr\n## \" String\ns\n"},
    {"system/text.md", "# Text in and out\n## •Out, •Show\nOne.\n## •term\nFlush and CharB.\n"},
    {"display.md", "# Display\n\nHow.\n## Kinds\nOf values.\n"},
}};

// Gives what is found, as the headings between bars.
std::string headings_of(std::string_view topic) {
  static const HelpIndex index(few_pages);
  std::string text;
  for (const Section* section : index.find(topic)) text.append(text.empty() ? "" : "|").append(section->heading);
  return text;
}

}  // namespace

TEST_CASE("a part of a page is found by a glyph or a name") {
  CHECK(headings_of("⍷") == "⍷ Deduplicate, Find");
  CHECK(headings_of("𝕏") == "𝕩 𝕏 Right argument");
  CHECK(headings_of("\"") == "\" String");
  CHECK(headings_of("find") == "⍷ Deduplicate, Find");
  CHECK(headings_of("Right Argument") == "𝕩 𝕏 Right argument");
  CHECK(headings_of("•show") == "•Out, •Show");
  CHECK(headings_of("•Show.x") == "•Out, •Show");
  CHECK(headings_of("•Find") == "");
  CHECK(headings_of("SHOW") == "•Out, •Show");
  CHECK(headings_of("charb") == "•term");
}

TEST_CASE("a page, and parts of it") {
  CHECK(headings_of("blocks") == "Blocks");
  CHECK(headings_of("grammar/blocks") == "Blocks");
  CHECK(headings_of("grammar/blocks.md") == "Blocks");
  CHECK(headings_of("text in and out") == "");
  CHECK(headings_of("kinds") == "Kinds|Kinds");
  CHECK(headings_of("blocks undo headers") == "Undo headers");
  CHECK(headings_of("undo") == "Undo headers");
  CHECK(headings_of("no heading") == "");
  CHECK(headings_of("") == "");
  CHECK(headings_of("un") == "");
}

TEST_CASE("a section reaches to the next heading") {
  const HelpIndex index(few_pages);
  const std::vector<const Section*> sections = index.sections_of(few_pages[1]);
  REQUIRE(sections.size() == 3);
  CHECK(sections[0]->body == "\nWhat they are.\n\n");
  CHECK(sections[0]->begins_page);
  CHECK(sections[1]->body == "\nA kind.\n```\n## no heading\n```\n");
  CHECK(sections[2]->body == "Last.\n");
  CHECK(HelpIndex::name_of(few_pages[1]) == "blocks");
}

TEST_CASE("names that are like one, or hold it") {
  const HelpIndex index(few_pages);
  CHECK(index.similar("dedupliacte") == std::vector<std::string>{"Deduplicate"});
  CHECK(index.similar("argument") == std::vector<std::string>{"Right argument"});
  CHECK(index.similar("zzz").empty());
}
