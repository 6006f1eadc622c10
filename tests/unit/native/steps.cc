#include <doctest/doctest.h>

#include "tests/support/native_and_interpreted.h"

using namespace griddle;

TEST_CASE("what machine code has C++ do is what the loop does") {
  testing::NativeAndInterpreted both;
  both.agree("s←⟨⟩ ⋄ {s∾↩𝕩 ⋄ s⌽˜↩1 ⋄ s+↩1 ⋄ s}¨↕9");
  both.agree("s←10⥊0 ⋄ {i←𝕩 ⋄ s↩(i⊸+)⌾(i⊸⊑)s ⋄ s↩5˙⌾(0⊸⊑)s}¨↕9 ⋄ s");
  both.agree("F←{l←⟨⟩ ⋄ {l↩l∾𝕩×2}¨↕𝕩 ⋄ l↩(-2)↓l ⋄ +´l} ⋄ F¨↕6");
  both.agree("F←{a←𝕩 ⋄ f←{𝕩+a} ⋄ g←+∘- ⋄ (F⌾- a)‿(3 G a)‿((+⟜a -) a)} ⋄ F¨↕4");
  both.agree("{(+´÷≠)𝕩}¨⟨1‿2‿3,↕20,⟨0.5⟩⟩");
  both.agree("F←{⌈´5↕𝕩} ⋄ F¨⟨↕9,9⥊3‿1‿4⟩");
  both.agree("F←{⊑𝕩∊\"abc\"} ⋄ F¨\"a\"‿\"xyz\"");
  both.agree("F←{x‿y←𝕩 ⋄ x+y} ⋄ F¨⟨1‿2,\"ab\"-@⟩");
  both.agree("F←{[a,b]←𝕩 ⋄ a‿b} ⋄ F 2‿3⥊↕6");
  both.agree("F←{a⇐𝕩 ⋄ b⇐a+1} ⋄ {n←F 𝕩 ⋄ n.a×n.b}¨↕5");
  both.agree("F←{⟨𝕩,𝕨⟩} ⋄ 1‿2 F¨ \"ab\"‿3");
  both.agree("F←{2|𝕩?'a'+𝕩;@} ⋄ F¨↕5");
}

TEST_CASE("calls of primitives, modifiers and what hosts give are the same from machine code") {
  testing::NativeAndInterpreted both;
  both.agree("fs←⟨+,-,{𝕩×2},⌽,•Fmt,+´,⊢,3⟩ ⋄ {f←𝕩⊑fs ⋄ F⎊\"error\" 5}¨↕8");
  both.agree("fs←⟨+,-,{𝕨×𝕩},⌽,∾,=⟩ ⋄ {f←𝕩⊑fs ⋄ 2 F⎊\"error\" 5‿6}¨↕6");
  both.agree("m←⟨⟩•HashMap⟨⟩ ⋄ {(𝕩+1) m.Set 𝕩 ⋄ m.Get 𝕩+1}¨↕8");
  both.agree("{(𝕩>2)◶⟨-,{𝕩×10}⟩𝕩}¨↕5");
  both.agree("{𝕩{𝔽𝕩}¨⟨1,2⟩}⎊\"error\"¨⟨-,3⟩");
}
