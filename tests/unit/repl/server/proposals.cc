#include "repl/server/proposals.h"

#include <doctest/doctest.h>

using namespace griddle;
using namespace griddle::repl;

namespace {

// Lists what is proposed at the end of a text, or at a byte of it.
std::string proposed(const std::string& contents, std::size_t byte = ~std::size_t{0}) {
  Interpreter bqn;
  OpenText text(contents, CodeUnits::utf8);
  std::string list;
  const Json items = proposals_at(bqn, text, std::min(byte, contents.size()));
  for (const Json& item : items.items()) list.append(list.empty() ? "" : " ").append(item["label"].text());
  return list;
}

bool has(const std::string& list, const std::string& word) {
  return (" " + list + " ").find(" " + word + " ") != std::string::npos;
}

}  // namespace

TEST_CASE("names in scope are proposed, the innermost of each letters") {
  CHECK(proposed("alpha←1\nF←{beta←2 ⋄ 𝕩}\na") == "alpha F");
  CHECK(proposed("a←1 ⋄ f←{A_b←{𝕩} ⋄ ab←3 ⋄ }", 32) == "A_b a f");
  CHECK(proposed("") == "");
}

TEST_CASE("fields are proposed also while their statement is in error") {
  CHECK(proposed("n←{a⇐1 ⋄ F⇐{𝕩}}\nn.") == "a F");
  CHECK(proposed("n←{a⇐1 ⋄ F⇐{𝕩}}\nn.x+1", 29) == "a F");
  CHECK(has(proposed("•math."), "Sin"));
  CHECK(proposed("m.") == "");
}

TEST_CASE("system values, and glyphs by their keys") {
  CHECK(has(proposed("1+•"), "•Out"));
  CHECK(has(proposed("𝕩•F"), "•Fmt"));
  CHECK(has(proposed("\\"), "⌽"));
  CHECK(has(proposed("# \\"), "⌽"));
  CHECK(proposed("a←1 ⋄ \"a") == "");
  CHECK(proposed("a←1 # a") == "");
}
