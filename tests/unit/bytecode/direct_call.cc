#include "runtime/bytecode/direct_call.h"

#include <doctest/doctest.h>

#include "runtime/api/griddle.hpp"
#include "tests/support/host.h"
#include "tests/support/listing.h"
#include "tests/support/tree_text.h"

using namespace griddle;
using namespace griddle::testing;

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
  CHECK(kind("{𝕩<3?1;2}¨⟨5⟩") == Kind::each);
  CHECK(kind("a←1 ⋄ 1{a↩𝕩}¨⟨5⟩") == Kind::each);
  CHECK(kind("3{𝕨-𝕩}´⟨5⟩") == Kind::fold);
  CHECK(kind("-¨⟨5⟩") == Kind::none);
  CHECK(kind("-5") == Kind::none);
  // What •_while_ means, and where ¨ and ´ are loops, is the layout's to find out.
  CHECK(kind("{𝕩+1}•_while_{𝕩<9}5") == Kind::none);
  CHECK(kind("F←- ⋄ F 5") == Kind::none);
}

TEST_CASE("loops run in the frame around them") {
  const auto loops = [](const char* program) {
    Interpreter bqn;
    std::string text;
    bqn.explain(program, text);
    return text.find("goes_on") != text.npos;
  };
  CHECK(loops("{{𝕩+1}•_while_{𝕩<9}𝕩}0"));
  CHECK(loops("{F←{𝕩+1} ⋄ F•_while_{𝕩<9}𝕩}0"));
  CHECK(loops("{(1+⊢)•_while_(<⟜9)𝕩}0"));
  CHECK(loops("{n←0 ⋄ {n+↩1 ⋄ 𝕩(2|⊣)◶⟨÷⟜2,1+3×⊢⟩𝕩}•_while_(1<⊢)𝕩 ⋄ n}27"));
  CHECK(!loops("{{𝕊⍟(𝕩<5)𝕩+1}•_while_{𝕩<9}𝕩}0"));
  CHECK(compiles_to("{{𝕩<3?1;2}¨𝕩}", "each_next"));
  CHECK(!compiles_to("{{𝕊⍟(𝕩<5)𝕩+1 ? 1 ; 2}¨𝕩}", "each_next"));
  CHECK(!compiles_to("{{𝕩+1}⍟5 𝕩}", "closure"));
  CHECK(compiles_to("{a←𝕩 ⋄ {𝕩+a}⍟a 𝕩}", "closure"));  // for a count that is no natural number
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

TEST_CASE("tacit operands of •_while_ are called as they are") {
  Host m;
  CHECK(m("{n←0 ⋄ {n+↩1 ⋄ 𝕩(2|⊣)◶⟨÷⟜2,1+3×⊢⟩𝕩}•_while_(1<⊢)𝕩 ⋄ n}27") == "111");
  CHECK(m("{(2×⊢)•_while_(100>⌈´)𝕩}1‿2‿3") == "⟨ 64 128 192 ⟩");
  CHECK(m("{3×•_while_(100>⊢)𝕩}1") == "243");
  CHECK(m("F←{𝕨(+⟜1)∘⊢•_while_(>)𝕩} ⋄ 20 F 1") == "20");
  CHECK(m("k←50 ⋄ {k⊸{𝕨⌊𝕩+7}•_while_(k⊸>)𝕩}1") == "50");
  CHECK(m("{(2×⊢)•_while_(2+⊢)𝕩}1").substr(0, 1) == "!");
  CHECK(m("{(2×⊢)•_while_(1⊑⊢)𝕩}1").substr(0, 1) == "!");
}
