#include <doctest/doctest.h>

#include "tests/support/native_and_interpreted.h"

using namespace griddle;

TEST_CASE("loops of machine code do what interpreted ones do") {
  testing::NativeAndInterpreted both;
  both.agree("{n←𝕩 ⋄ c←0 ⋄ {𝕊: n↩(2|n)◶⟨÷⟜2,1+3⊸×⟩n ⋄ c+↩1}•_while_{𝕊:n>1}@ ⋄ c}¨1+↕50");
  both.agree("x←1 ⋄ r←{𝕊:x↩2147483647|16807×x}⍟1000 0 ⋄ x‿r");
  both.agree("{𝕊:5}⍟0 7");
  both.agree("s←⟨⟩ ⋄ {s∾↩𝕩 ⋄ 𝕩<7?s∾↩¯1;s∾↩\"end\"}¨↕12 ⋄ s");
  both.agree("F←{𝕨𝔽_r_𝔾𝕩:𝕩} ⋄ ∾{a←𝕩 ⋄ {a×𝕩}¨↕𝕩}¨↕9");
  both.agree("{𝕩+´{𝕨-𝕩}´¨{↕1+𝕩}¨↕𝕩}¨↕9");
  both.agree("{𝕩◶⟨{𝕩+1},{𝕩+2},{𝕩-3}⟩𝕩}¨0‿1‿2‿1");
  both.agree("{(0‿1‿0‿0‿1⥊˜≠𝕩)⊸/⟜𝕩 ' '≠𝕩}¨20⥊⟨\"ab c\",\"d\",\"\"⟩");
  both.agree("{𝕩{(∨`𝕎)⊸/⟜𝕩 ' '≠𝕩}\"a bc\"}¨⟨0‿1‿0‿0,=⟜'b',+,1⟩⎊(3˙)");
  both.agree("{k←𝕩 ⋄ ⟨+´˘k↕↕20, ⌈˝⍉k↕7|↕20, {⟨+´𝕩⟩}˘k↕\"abcdef\"-'a', +´˘k↕\"abcdef\"⟩⎊(3˙)}¨1+↕7");
  both.agree("{{𝕩◶⟨1,2⟩@}⎊\"out of range\"𝕩}¨0‿1‿2‿¯1‿0.5");
}

TEST_CASE("machine code reads elements of every type of array") {
  testing::NativeAndInterpreted both;
  for (const char* list : {"1‿0‿1‿1‿0", "5-↕5", "300×↕5", "70000×↕5", "0.5+↕5", "\"hello\"", "\"héλlo\"", "\"a𝕩bcd\"",
                           "⟨1,\"ab\",@,2‿3,+⟩", "0‿∞‿(∞-∞)", "0⥊5", "0⥊\"a\"", "⟨⟨⟩,⟨1⟩⟩"}) {
    both.agree(std::string("l←") + list + " ⋄ F←{r←⟨⟩ ⋄ i←¯5 ⋄ {𝕊: r∾↩⟨i⊑𝕩⟩ ⋄ r∾↩⋈i⊑l ⋄ i+↩1}⎊@•_while_{𝕊:i<≠l}@ ⋄ r} ⋄ F l");
    // The same array for what reads its first element, and for rounds of ¨, which keep their results or do not.
    both.agree(std::string("l←") + list +
               " ⋄ F←{n←0 ⋄ G←{n+↩1 ⋄ ⟨𝕩,n⟩} ⋄ H←{n+↩≠⥊𝕩 ⋄ 𝕩} ⋄ a←G¨𝕩 ⋄ b←H¨𝕩 ⋄ H¨𝕩 ⋄ ⟨a,b,n,𝕩⟩} ⋄ F¨⟨l,l,⍉2‿2⥊∾⟜(4⥊7)⥊l⟩");
    both.agree(std::string("l←") + list + " ⋄ {𝕊: ⟨⊑⎊@l, ⊑⎊@⌽l, {⊑𝕩}⎊@l, {x←⌽𝕩 ⋄ ⊑x}⎊@l, {x←⌽𝕩 ⋄ 0⊑x}⎊@l⟩}¨↕4");
    both.agree(std::string("l←") + list + " ⋄ {𝕊: l{n←𝕨 ⋄ F←{n↩𝕩 ⋄ 𝕨‿𝕩} ⋄ (F¨˜𝕨)∾𝕨 F¨1}l}¨↕4");
    // What a unit holds meets each element, and so does an atom; the left side may be of another kind than the right one.
    for (const char* one : {"<l", "<5", "<<l", "'c'", "⊑⟨-⟩", "(<⊑⎊@l)"})
      both.agree(std::string("l←") + list + " ⋄ {𝕊: ⟨(" + one + "){𝕨⋈𝕩}¨l, l{𝕨⋈𝕩}¨" + one + ", (" + one + ")⋈¨<l, (" + one +
                 "){𝕨⋈𝕩}¨⟨⟩⟩}¨↕4");
    both.agree(std::string("l←") + list + " ⋄ {𝕊: ⟨l{𝕩⋈𝕨}¨⌽l, l{𝕩⋈𝕨}¨⟜(<⊢)¨l, (≠l)⥊⟨\"ab\",l⟩{𝕩⋈𝕨}¨2⥊l⟩}¨↕4");
    both.agree(std::string("l←") + list + " ⋄ {𝕊: ⟨{𝕨⋈𝕩}´l, 'x'{𝕨⋈𝕩}´l, {𝕩⋈≡𝕨}´⟨l,l,l⟩⟩}¨↕4");
  }
  both.agree("t←3‿4⥊↕12 ⋄ {(≠t)+𝕩‿1⊑t}¨↕3");
  both.agree("t←3‿4⥊↕12 ⋄ {𝕊: ⟨𝕩‿1⊑t, ⟨1,𝕩-2⟩⊑t, (2⥊𝕩)⊑t, {⟨𝕩,1.5⟩⊑t}⎊\"no\"𝕩, {⟨𝕩,4⟩⊑t}⎊\"no\"𝕩⟩}¨↕3");
  both.agree("{⊑⟨𝕩,2⟩}¨⟨1,\"ab\",3‿4⟩");
}

TEST_CASE("machine code repeats by what a function says") {
  testing::NativeAndInterpreted both;
  both.agree("{⟨𝕩{𝕨(|𝕊⍟(>⟜0)⊣)𝕩}12, -⍟(>⟜2)𝕩, {𝕩-1}⍟(2⊸|)𝕩, ⌽⍟(2≤≠)↕𝕩, {𝕊⍟(>⟜0)𝕩-1}𝕩⟩}¨↕9");
  both.agree("F←{𝕨(⊣∾{𝕩-1}⍟≡∘⊢)𝕩} ⋄ {⟨F𝕩,𝕩F 3,\"ab\"F𝕩⟩}¨↕4");
  both.agree("{𝕊: {𝕩∾1}⍟{𝕩⊑⟨0,2,1‿3,\"no\",-⟩}⎊\"error\"𝕩}¨↕5");
}
