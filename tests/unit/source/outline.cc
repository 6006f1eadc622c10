#include "runtime/source/outline.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/source/parser.h"

using namespace griddle;

namespace {

std::string outlined(const char* program) {
  const SourceText source(program, "test");
  Arena arena;
  return outline(source, *parse(source, arena).root);
}

}  // namespace

TEST_CASE("each node has a line, with its piece of the source and its role") {
  CHECK(outlined("2+´↕5") ==
        "2+´↕5                                     call, subject\n"
        "  2                                       number, subject\n"
        "  +´                                      modifier with operands, function\n"
        "    +                                     primitive, function\n"
        "    ´                                     primitive, 1-modifier\n"
        "  ↕5                                      call, subject\n"
        "    ↕                                     primitive, function\n"
        "    5                                     number, subject\n");
}

TEST_CASE("blocks, targets and fields are gone into, and long pieces are cut") {
  const std::string text =
      outlined("a‿b←{x⇐𝕩}5⋄n←{a⇐1} ⋄ n.a\n⟨\"a text that is much longer than a line of an outline may be, to be cut\",(⌽∾⊢)⟩");
  for (const char* part :
       {"a‿b ", "𝕩 ", "special name, subject", "n.a ", "field, subject", "train, function", "…", "block, function"}) {
    CAPTURE(std::string(part));
    CHECK(text.find(part) != text.npos);
  }
  CHECK(text.find("to be cut") == text.npos);
}
