#include <doctest/doctest.h>

#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "tests/support/both_ways.h"
#include "tests/support/house.h"

using namespace griddle;
using griddle::testing::BothWays;
using namespace griddle::testing;

TEST_CASE("functions on elements meet each of them once, and keep shapes") {
  BothWays ways;
  for (const char* function : {"{𝕩}¨𝕩", "{⟨𝕩⟩}¨𝕩", "{𝕩‿𝕩}¨𝕩", "+¨𝕩", "𝕩⋈¨𝕩", "𝕩⋈⌜3↑𝕩", "𝕩=⌜3↑𝕩", "𝕩{𝕨‿𝕩}¨𝕩", "(⌽𝕩)⊣¨𝕩", "7¨𝕩"})
    ways.on_lists(function);
  for (const char* function : {"𝕩+⌜⥊𝕩", "(⊏𝕩)⋈⌜⊏𝕩", "𝕩∾¨𝕩", "(2↑⥊𝕩)×⌜𝕩"}) ways.on_tables(function);
  for (const char* program :
       {"1‿2+¨1‿2‿3", "(2‿3⥊↕6)⋈¨1‿2", "(2‿3⥊↕6)⋈¨1‿2‿3", "{!\"x\"}¨⟨⟩", "{!\"x\"}¨1‿2", "≢{𝕩}¨0‿3⥊0", "3↑{2‿2⥊𝕩}¨0⥊0",
        "{+´𝕩}¨⟨⟩", "⌊´¨0⥊⟨⟩", "+⌜5", "1⋈⌜2", "(0‿2⥊0)+⌜↕3", "{𝕊:1}¨↕3", "(+`)¨⟨1‿2,3‿4‿5⟩", "(↕3)(⊑⟜(5+↕9))¨↕3"})
    ways.agree(program);
}

TEST_CASE("each calls a native function once for every element of any storage form") {
  House h;
  Value each = h.with(h.native(increment), U'¨');
  for (ElementType t :
       {ElementType::bit, ElementType::i8, ElementType::i16, ElementType::i32, ElementType::f64, ElementType::boxed}) {
    calls = 0;
    Value x = converted(h.cx.heap, h.numbers({0, 1, 1}).array(), t);
    CHECK(h.shown(call(h.cx, each, x)) == "⟨ 1 2 2 ⟩");
    CHECK(calls == 3);
  }
}

TEST_CASE("a call that fails half way leaves a shared argument as it was") {
  House h;
  Value each = h.with(h.native(fail_at_two), U'¨');
  Value x = h.values({make_string(h.cx.heap, std::string_view("ab")), Value(2)});
  CHECK_THROWS_AS(call(h.cx, each, x), Error);
  CHECK(h.shown(x) == "⟨ \"ab\" 2 ⟩");
}

TEST_CASE("blocks and trains read and rearrange lists of lists as calls one by one do") {
  BothWays ways;
  const std::string lists = "w←40⥊⟨\"abc\",\"\",\"noon\",1‿2‿3,\"x\",⟨\"a\",1⟩,3,↕0,2‿2⥊↕4⟩ ⋄ ";
  for (const char* block :
       {"{𝕩≡\"abc\"}", "{⌽𝕩}",   "{≠𝕩}",    "{⊑𝕩}",      "{1↓𝕩}",     "{𝕩∾\" \"}", "{\"-\"∾𝕩}", "{¯1⊑𝕩}", "{⥊𝕩}",
        "{𝕩≡⌽𝕩}",      "{2⊑𝕩}",  "{≢𝕩}",    "{⟨𝕩⟩}",     "{𝕩⋈≠𝕩}",    "{3↑𝕩}",     "{+´𝕩}",     "{⌈´𝕩}",  "{⊏𝕩}",
        "{∊𝕩}",        "(⊑∘⌽)",  "(≠⌽)",    "(⌽⊑)",      "(⌽≡⊢)",     "(⊢≢⌽)",     "(+´-⟜'a')", "(+´×˜)", "(⌈´|)",
        "(⌽2⊸×)",      "(⊑1⊸+)", "{+´2×𝕩}", "(∧´=⟜'a')", "(1‿2‿3≡⊢)", "(∧≡⊢)",     "{⌽⌽𝕩}"})
    for (const char* some :
         {"w", "4↑w", "(¬∘∊⟜⟨3⟩¨w)/w", "40⥊\"abc\"‿\"level\"‿\"no\"", "40⥊1‿2‿3‿⟨4,5⟩", "40⥊⟨1‿2,3‿4‿5⟩", "5‿8⥊\"abc\"‿\"de\""}) {
      ways.agree(lists + block + "¨" + some);
      ways.agree(lists + "F←" + block + " ⋄ {𝕊⟨⟩: F¨" + some + "}⟨⟩");
      ways.agree(lists + "f←" + block + "¨" + some + " ⋄ ⟨⊑0↑f⟩⎊\"no fill\"");
    }
}

TEST_CASE("primitives rearrange the lists of a list as calls one by one do") {
  BothWays ways;
  for (const char* function : {"{⌽¨⟨𝕩,2↑𝕩,𝕩⟩}𝕩", "{2↑¨⟨𝕩,𝕩⟩}𝕩", "{¯1↓¨⟨𝕩,𝕩∾𝕩⟩}𝕩", "{⟨𝕩,𝕩⟩∾¨⟨𝕩,3⟩}𝕩", "{5∾¨⟨𝕩,2↑𝕩⟩}𝕩",
                               "{⟨𝕩,⌽𝕩⟩∾¨<\"zz\"}𝕩", "{0‿0⊏¨⟨𝕩,𝕩⟩}𝕩", "{1⌽¨⟨𝕩,𝕩⟩}𝕩", "{2/¨⟨𝕩,𝕩⟩}𝕩"})
    ways.on_lists(function);
  for (const char* program :
       {"1‿2↑¨⟨\"abc\",\"de\"⟩", "1‿2‿3↑¨⟨\"abc\",\"de\"⟩", "\"ab\"∾¨\"cd\"", "9‿9↑¨⟨\"abc\",1‿2⟩", "\"x\"∾¨⟨1‿2,⟨⟩⟩",
        "⌽¨⟨2‿2⥊↕4,3⟩", "⌽¨2‿2⥊⟨\"ab\",\"cd\",\"e\",\"\"⟩", "(⟨0‿1,1⟩)⊏¨⟨\"abc\",\"de\"⟩", "(⟨0‿9⟩)⊏¨⟨\"abc\"⟩",
        "1e300↑¨⟨\"abc\"⟩", "3↑¨⟨\"\",⟨⟩⟩", "≢¨∾¨⟨⟨1‿2,3‿4⟩,⟨\"a\",\"b\"⟩⟩"})
    ways.agree(program);
}

TEST_CASE("primitives sort and search the lists of a list as calls one by one do") {
  BothWays ways;
  for (const char* function :
       {"{∧¨⟨𝕩,⌽𝕩⟩}𝕩", "{∨¨⟨𝕩,⌽𝕩⟩}𝕩", "{⍋¨⟨𝕩,⌽𝕩⟩}𝕩", "{⍒¨⟨𝕩,⌽𝕩⟩}𝕩", "{∊¨⟨𝕩,⌽𝕩⟩}𝕩", "{⍷¨⟨𝕩,⌽𝕩⟩}𝕩", "{⊐¨⟨𝕩,⌽𝕩⟩}𝕩", "{⊒¨⟨𝕩,⌽𝕩⟩}𝕩"})
    ways.on_lists(function);
  for (const char* program : {"⍷¨⟨0‿1‿1,1‿1,⟨⟩⟩", "∧¨⟨200⥊0‿1‿1,70⥊1⟩", "⍋¨⟨200⥊0‿1‿1,5‿3‿9‿1⟩", "∨¨⟨0.5‿¯0.5‿∞,\"ba\"⟩",
                              "∧¨⟨1‿2,3⟩", "⍋¨⟨+‿1,2‿1⟩", "⍷¨⟨2‿2⥊1,\"aab\"⟩", "∊¨⟨100⥊0,100⥊1⟩", "⍒¨0⥊<1‿2"})
    ways.agree(program);
}

TEST_CASE("pieces of lists of any length and type come out as calls one by one make them") {
  BothWays ways;
  const std::string lists =
      "⥊(↕18){𝕨↑1↓𝕩}⌜⟨↕20,3|↕20,'a'+7|3×↕20,300×↕20,1e6×↕20,0.5×↕20,2|↕20,@+↕20,@+300×↕20,@+70000+↕20,↕¨↕20⟩";
  for (const char* each : {"3⊸↓¨", "¯2⊸↓¨", "{(↕18)↓¨<𝕩}¨", "{(↕18)↑¨<𝕩}¨", "∾⟜'c'¨", "∾⟜5¨", "5⊸∾¨", "∾⟜0.5¨", "{(1↓𝕩)∾¨1↓𝕩}",
                           "{𝕩∾¨<3}", "{(<'c')∾¨𝕩}", "⌽¨", "⍋¨", "∧¨", "⍷¨", "∊¨", "'c'⊸∊¨", "5∊¨<¨"})
    ways.agree("x←" + lists + " ⋄ {" + each + "𝕩}⎊•CurrentError x");
}

TEST_CASE("results go on as boxes for as long as one way serves") {
  BothWays ways;
  const std::string mixed = "30⥊⟨\"abc\",3‿1‿2,↕0,2‿2⥊↕4,⟨1,\"x\"⟩,\"d\",0‿1,<\"unit\",2.5‿1.5⟩";
  for (const char* each : {"⌽¨", "1⊸↓¨", "∾⟜1¨", "⊏¨1⊸↑¨", "{(30⥊1‿0‿2)⌽¨30⥊<𝕩}", "{𝕩∾¨𝕩}", "⥊¨", "1⊸⌽¨", "⊑¨⥊¨", "≢¨"})
    ways.agree("x←" + mixed + " ⋄ {" + each + "𝕩}⎊•CurrentError x");
}

TEST_CASE("arrays of units are merged and looked up as any others are") {
  BothWays ways;
  for (const char* function : {">⊐⟜𝕩¨𝕩", ">𝕩∊¨<𝕩", "(3↑𝕩)∊¨<𝕩", ">𝕩⊐⌜2↑𝕩", ">(<∘⊢)¨𝕩"}) ways.on_lists(function);
  for (const char* program : {"\"abc\"∊¨<\"cb\"", "\"abc\"∊¨⟨\"c\",\"b\",1⟩", ">1‿2∊¨⟨1‿3,2‿2‿4⟩", ">⟨<1,<2⟩", ">⟨<\"a\",<2⟩",
                              "1‿2∊¨3", "⟨1,\"a\"⟩∊¨<⟨\"a\",2⟩"})
    ways.agree(program);
}
