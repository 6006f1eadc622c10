#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("bodies are tried in turn and find the arguments as they were") {
  Machinery m;
  CHECK(m("{𝕩↩𝕩+1 ⋄ 𝕩<3 ? 𝕩 ; 10×𝕩}¨1‿5") == "⟨ 2 50 ⟩");
  CHECK(m("{⟨p,'k',[q,·]⟩:p∾q;\"no\"}⟨5,'k',2‿2⥊6⟩") == "⟨ 5 6 6 ⟩");
  CHECK(m("{⟨a,b⟩:a+b; w𝕊⟨a⟩:a-w; \"none\"}¨⟨1‿2,⟨7⟩,3⟩") == "⟨ 3 \"none\" \"none\" ⟩");
  CHECK(m("2{⟨a,b⟩:a+b; w𝕊⟨a⟩:a-w; \"none\"}⟨7⟩") == "5");
  CHECK(m("4{𝕊𝕩:1}3").substr(0, 1) == "!");
  CHECK(m("{𝕊n:n+↩2 ⋄ 𝕩+↩1 ⋄ n+𝕩}1") == "5");
}

TEST_CASE("a pattern takes a list or its cells apart, or says why not") {
  Machinery m;
  CHECK(m("[a,b]←3‿2⥊↕6").substr(0, 1) == "!");
  CHECK(m("[a,b]←2‿2‿2⥊↕8 ⋄ b") == m("2‿2⥊4+↕4"));
  CHECK(m("⟨a,b⟩←\"xy\" ⋄ b∾a") == "\"yx\"");
  CHECK(m("⟨a,b⟩←2‿1⥊↕2").substr(0, 1) == "!");
  CHECK(m("⟨a⟩←5").substr(0, 1) == "!");
}
