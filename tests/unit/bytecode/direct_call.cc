#include "runtime/bytecode/direct_call.h"

#include <doctest/doctest.h>

#include "tests/support/tree_text.h"

using namespace griddle;

TEST_CASE("calls that need no function value are found") {
  const auto kind = [](const char* source) {
    const SourceText text(source, "test");
    Arena arena;
    const Node& last = *parse(text, arena).root->statements.back().expression;
    return direct_call(static_cast<const Call&>(last), false).kind;
  };
  using Kind = DirectCall::Kind;
  CHECK(kind("{𝕩+1}5") == Kind::block);
  CHECK(kind("1◶⟨-,+⟩5") == Kind::choose);
  CHECK(kind("-⍟3 5") == Kind::repeat);
  CHECK(kind("(+´÷≠)1‿2") == Kind::parts);
  CHECK(kind("-⟜1 5") == Kind::parts);
  CHECK(kind("-5") == Kind::none);
  CHECK(kind("F←- ⋄ F 5") == Kind::none);
}

TEST_CASE("an expression that only makes its value is plain") {
  const auto plain = [](const char* source) {
    const SourceText text(source, "test");
    Arena arena;
    return is_plain(*parse(text, arena).root->statements.back().expression);
  };
  CHECK(plain("5"));
  CHECK(plain("1‿2"));
  CHECK(plain("a←1 ⋄ a"));
  CHECK(!plain("•Out \"x\""));
  CHECK(!plain("a←1 ⋄ a↩2"));
}
