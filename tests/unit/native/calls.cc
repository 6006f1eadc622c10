#include <doctest/doctest.h>

#include "tests/support/native_and_interpreted.h"

using namespace griddle;

TEST_CASE("calls of machine code do what interpreted ones do") {
  testing::NativeAndInterpreted both;
  both.agree("Fib←{𝕩<2?𝕩;(𝕊 𝕩-1)+𝕊 𝕩-2} ⋄ Fib¨↕16");
  both.agree("H←{𝕩=0?⟨⟩;n←𝕩-1 ⋄ a‿b‿c←𝕨 ⋄ (⟨a,c,b⟩H n)∾⟨a‿c⟩∾⟨b,a,c⟩H n} ⋄ 0‿1‿2 H 6");
  both.agree("E←{𝕩=0?1;O 𝕩-1} ⋄ O←{𝕩=0?0;E 𝕩-1} ⋄ E¨↕20");
  both.agree("A←{𝕨=0?𝕩+1;𝕩=0?(𝕨-1)𝕊 1;(𝕨-1)𝕊 𝕨 𝕊 𝕩-1} ⋄ 2 A 3");
  both.agree("_t←{𝔽𝔽𝕩} ⋄ {𝕩+1}_t _t _t 0");
  both.agree("Mk←{c←𝕩 ⋄ {c+↩𝕩}} ⋄ f←Mk 10 ⋄ G←f ⋄ G¨↕5");
  both.agree("o←{n←3 ⋄ Inc⇐{n+↩𝕩} ⋄ get⇐{𝕊:n}} ⋄ o.Inc¨↕6 ⋄ o.Get @");
  both.agree("F←{𝕊⟨⟩:\"none\";𝕊⟨a⟩:a;𝕊 a‿b:a-b;𝕊 x:≠x} ⋄ F¨⟨⟨⟩,⟨4⟩,7‿2,\"abcd\"⟩");
  both.agree("F←{𝕨≡0?𝕩;𝕨-𝕩} ⋄ ⟨F 5,0 F 5,9 F 5⟩");
  both.agree("D←{𝕊 1+𝕩} ⋄ D⎊\"too deep\" 0");
}
