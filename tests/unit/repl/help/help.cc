#include "repl/help/help.h"

#include <doctest/doctest.h>

#include "repl/help/pages.h"

using namespace griddle::repl;

TEST_CASE("a system value is found by its name, not by a word that has its letters") {
  CHECK(help_for("•Out", 80).text.starts_with("•Out, •Show"));
}

TEST_CASE("help on a glyph: names, key, meanings, examples with results, and where more stands") {
  const Help help = help_for("⍷", 80);
  CHECK(help.found);
  CHECK(help.text.starts_with("⍷ Deduplicate, Find   type \\E\n"));
  CHECK(help.text.find("\n⍷𝕩: the first of each set") != std::string::npos);
  CHECK(help.text.find("\n𝕨⍷𝕩: 1 at each place") != std::string::npos);
  CHECK(help.text.find("\n   ⍷\"mississippi\"\n\"misp\"\n") != std::string::npos);
  CHECK(help.text.ends_with("\nMore: )help primitives/search\n"));
  CHECK(help_for("deduplicate", 80).text == help.text);
  CHECK(help_for("‿", 80).text.starts_with("‿ Strand   type \\ and space\n"));
  CHECK(help_for("𝕩", 80).text.starts_with("𝕩 𝕏 Right argument   type 𝕩 \\x, 𝕏 \\X\n"));
}

TEST_CASE("help for an editor is Markdown without links") {
  const std::string text = help_markdown("⍷").value_or("");
  CHECK(text.starts_with("### ⍷ Deduplicate, Find — `\\E`\n\n- "));
  CHECK(text.find("](") == std::string::npos);
  CHECK(text.find("```bqn") != std::string::npos);
  CHECK(help_markdown("⟨").value_or("").find("List") != std::string::npos);
  CHECK(!help_markdown("nothing of that name"));
}

TEST_CASE("help on a page: its beginning and its parts, or all of it") {
  const Help help = help_for("blocks", 80);
  CHECK(help.text.starts_with("Blocks\n\n{…} is a block"));
  CHECK(help.text.find("\n  )help blocks Headers\n") != std::string::npos);
  CHECK(help.text.ends_with("All of it: )help grammar/blocks\n"));
  const Help whole = help_for("grammar/blocks", 80);
  CHECK(whole.text.find("\nHeaders\n\nA body may begin") != std::string::npos);
  // Several parts of one name.
  const Help parts = help_for("numbers", 80);
  CHECK(parts.found);
}

TEST_CASE("help on what there is not names what is like it") {
  const Help help = help_for("dedupliacte", 80);
  CHECK(!help.found);
  CHECK(help.text == "There is no help on dedupliacte; there is on Deduplicate; )help topics lists the pages\n");
  CHECK(help_for("zzzzzz", 80).text == "There is no help on zzzzzz; )help topics lists the pages\n");
}

TEST_CASE("each page but the index is a topic, and shown whole") {
  const std::string topics = help_for("topics", 80).text;
  REQUIRE(spec_pages().size() > 20);
  for (const Page& page : spec_pages().subspan(1)) {
    const std::string_view path = page.path.substr(0, page.path.rfind('.'));
    const bool is_glyphs = path.starts_with("glyphs/");
    const std::string name = "\n  " + std::string(is_glyphs ? path : path.substr(path.rfind('/') + 1)) + " ";
    CHECK_MESSAGE(topics.find(name) != std::string::npos, name);
    CHECK_MESSAGE(help_for(path, 80).found, path);
  }
}

TEST_CASE("a glyph in one line") {
  CHECK(glyph_line(U'⍷') ==
        "⍷ Deduplicate, Find (\\E)   ⍷𝕩: the first of each set of cells that match; 𝕨⍷𝕩: 1 at each place of 𝕩 where a copy of 𝕨 "
        "begins");
  CHECK(glyph_line(U'+').value().starts_with("+ Conjugate, Add   +𝕩: "));
  CHECK(!glyph_line(U'a'));
  CHECK(!glyph_line(U'☺'));
}

TEST_CASE("what stands at the cursor, or before it") {
  CHECK(line_about(U"1+2", 1).starts_with("+ Conjugate, Add"));
  CHECK(line_about(U"1+2", 2).starts_with("+ Conjugate, Add"));
  CHECK(line_about(U"⌽×", 2).starts_with("× Sign, Multiply"));
  CHECK(line_about(U"⌽×", 0).starts_with("⌽ Reverse, Rotate"));
  CHECK(line_about(U"x •Show 5", 4).starts_with("•Out, •Show   •Out writes a string"));
  CHECK(line_about(U"abc", 1) == "No glyph stands at the cursor");
  CHECK(line_about(U"", 0) == "No glyph stands at the cursor");
}
