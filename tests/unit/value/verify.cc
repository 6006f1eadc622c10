#include "runtime/value/verify.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

// The ledger of objects, which a balance needs, is kept by builds that verify.
#ifdef GRIDDLE_VERIFY
TEST_CASE("a reference too many or too few is noticed") {
  Machinery m;
  const Value kept = make_string(m.cx.heap, "kept");
  const auto nothing = [](ObjectVisitor&) {};
  const ReferenceBalance balance(m.cx.heap, nothing);
  CHECK(balance.holds_after(Value()));
  {
    const Value more = kept;
    CHECK(!balance.holds_after(Value()));
    CHECK(balance.holds_after(more));
  }
  CHECK(balance.holds_after(Value()));
}

namespace {

// Runs a program of which one allocation of the heap fails, or all from one on: each in turn, and fewer where there are many.
void check_failing(const std::string& program, bool all_after) {
  Machinery m;
  const std::string whole = m(program);
  CAPTURE(program);
  REQUIRE(whole[0] != '!');
  m(program);
  collect_cycles(m.cx.heap);
  const ReferenceBalance balance(m.cx.heap, [&m](ObjectVisitor& visitor) {
    if (m.cx.current_error.is_object()) visitor.visit(m.cx.current_error.object());
  });
  for (std::size_t first = 0, fired = true; fired; first += 1 + first / 64) {
    INFO(program, ", allocation ", first);
    std::string got;
    m.cx.heap.failing = {0, first, all_after ? ~std::size_t{0} / 2 : 1};
    const auto as_usual = [&] {
      fired = m.cx.heap.failing.asked > first;
      m.cx.heap.failing = {};
    };
    try {
      const Value result = m.run(program);
      as_usual();
      got = std::string(display_text(m.cx, result));
    } catch (const Error& e) {
      as_usual();
      got = "! " + to_utf8(e.message.array());
    } catch (const OutOfMemory&) {
      as_usual();
      got = "! Out of memory";
    }
    CHECK((got == whole || got == "! Out of memory"));
    collect_cycles(m.cx.heap);
    CHECK(balance.holds_after(Value()));
    CHECK(m("1+1") == "2");
  }
}

}  // namespace

TEST_CASE("a program whose memory runs out at any allocation ends, and leaves nothing behind") {
  for (const char* program : {
           "F←{𝕩≤1?1;𝕩×F 𝕩-1} ⋄ F 10",
           "n←{a⇐3⋄F⇐{𝕩+a}} ⋄ n.F 4",
           "g←{x←𝕩⋄{x+𝕩}}¨↕5 ⋄ (⊑g){𝔽}3",
           "{𝕊: !\"Out of memory\"}⎊{𝕊: 3}⟨1,2,3⟩",
           "a←↕5 ⋄ {𝕊: a↩⌽a}0 ⋄ a",
           "⟨∧1000⥊3‿1‿2,⍋\"hello\",⍒⟨\"b\",\"a\"⟩⟩",
           "⟨\"abc\"⊐\"cab\",⊐\"abca\",(⌽↕100)⊐↕300,⍷⟨1,\"a\",1⟩,⊒3‿3,1.5‿2.5⊐300⥊2.5⟩",
           "⟨⊔3‿1‿3,⟨0,1⟩⊔\"ab\",(2|↕9)⊔↕9,(↕2)⊔⟨\"a\",3⟩⟩",
           "⟨5⌾(1⊸⊑)↕4,(⌽⌾(2⊸↑))↕5,-⁼1,10⊸+⌾(⊏)2‿2⥊↕4,+`⁼3‿4‿5⟩",
           "x←0.5+↕1e5 ⋄ +´(x×2)+x-1",
           "⟨(↕3)×⌜↕4,+˝˘3‿4⥊↕12,⌽˘2‿2⥊↕4,≍˘↕3,1‿0⍉3‿2⥊\"abcdef\"⟩",
           "⟨(+´÷≠)1‿2‿3,(⊢-⌊)2.5,-⟜1¨⟨1,⟨2,3⟩⟩⟩",
           "a←⟨⟩ ⋄ {a∾↩⟨𝕩⟩}¨↕300 ⋄ ≠a",
           "a←1 ⋄ {a↩⟨a⟩}¨↕50 ⋄ ≡a",
           "⟨a,b⟩←1‿2 ⋄ c‿d←3‿4 ⋄ ⟨p‿q,r⟩←⟨1‿2,3⟩ ⋄ a+b+c+d+p+q+r",
           "⟨{𝕨+2×𝕩}´↕10,{𝕨⌈𝕩}`3‿1‿4,{⟨𝕨,𝕩⟩}´\"abc\",∾`⟨1,2,3⟩⟩",
           "⟨∾⟨\"ab\",\"c\"⟩,⟨1,\"a\"⟩∾<3,>⟨1‿2,3‿4⟩,\"ab\"‿\"cd\"∾¨<'x',2/\"ab\",(↕3)/\"abc\",/3⥊2⟩",
           "⟨2↑⟨1,\"a\",3⟩,¯5↑\"ab\",2↕↕5,»\"ab\",3⌽⟨1,\"b\",2,3⟩,2‿3⥊⟨\"a\",1⟩,↑\"abc\",↓1‿2⟩",
           "⟨1=1‿2,\"ab\"=\"ac\",¬0‿1,2|↕300,2⋆0.5‿1,⌊2.5‿3.5,'a'+↕3,1e300×1e10‿2⟩",
           "⟨1‿2≡1‿2,≡⟨1,⟨2⟩⟩,≢2‿3⥊0,⟨1,2⟩≢⟨1‿2⟩,⊑⟨1,2⟩,⟨⟨0⟩,⟨1⟩⟩⊑⟨⟨1,2⟩,3⟩,2‿1⊏\"abc\"⟩",
       })
    for (const bool all_after : {false, true}) check_failing(program, all_after);
}
#endif

TEST_CASE("programs end with the references that they began with") {
  Machinery m;
  Value kept = make_string(m.cx.heap, "kept");
  m.cx.current_error = kept;
  CHECK(kept.array().refs == 2);
  m("{𝕊: ! 2}⎊{⌽𝕩} 5");
  m("1+\"a\"+@");
  m.cx.current_error = Value();
  CHECK(kept.array().refs == 1);
}
