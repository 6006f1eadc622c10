#include "repl/server/symbols.h"

#include <doctest/doctest.h>

using namespace griddle;
using namespace griddle::repl;

namespace {

std::string nested(const Json& symbols) {
  std::string list;
  for (const Json& symbol : symbols.items()) {
    list.append(list.empty() ? "" : " ").append(symbol["name"].text());
    if (!symbol["children"].items().empty()) list += "(" + nested(symbol["children"]) + ")";
  }
  return list;
}

}  // namespace

TEST_CASE("definitions lie within each other; arguments of headers are none") {
  Interpreter bqn;
  OpenText text("a‿b←1‿2 ⋄ F←{𝕊x: c←x ⋄ G←{d←𝕩}}\nn←{e⇐1}", CodeUnits::utf8);
  CHECK(nested(nested_symbols(text, text.reading(bqn))) == "a b F(c G(d)) n(e)");
  CHECK(nested(listed_symbols(text, text.reading(bqn), "file:///x")) == "a b F c G d n e");
  OpenText empty("", CodeUnits::utf8);
  CHECK(nested_symbols(empty, empty.reading(bqn)).written() == "[]");
}

TEST_CASE("tokens are told by lines, and by places after the last one") {
  Interpreter bqn;
  OpenText text("a←\"x\ny\"\n  -a", CodeUnits::utf8);
  // line, character, length, kind, modifiers
  CHECK(semantic_data(text, text.reading(bqn)).written() == "[0,0,1,3,5,0,1,3,9,0,0,3,2,2,0,1,0,2,2,0,1,2,1,4,2,0,1,1,3,4]");
  OpenText empty("", CodeUnits::utf8);
  CHECK(semantic_data(empty, empty.reading(bqn)).written() == "[]");
  CHECK(semantic_legend()["tokenTypes"].items().size() == 11);
}
