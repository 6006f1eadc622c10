#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("namespaces are live") {
  Machinery m;
  CHECK(m("n←{a⇐1⋄Set⇐{a↩𝕩}} ⋄ n.Set 9 ⋄ n.a") == "9");
  CHECK(m("⟨x‿y⇐a,b⟩←{a⇐1‿2,b⇐9} ⋄ x‿y‿b") == "⟨ 1 2 9 ⟩");
  CHECK(m("n←{late⇐ ⋄ F⇐{𝕊: late} ⋄ late←3} ⋄ n.F 0") == "3");
  CHECK(m("a←⟨{v⇐1},{w⇐0⋄v⇐2},{v⇐3}⟩ ⋄ {𝕩.v}¨a") == "⟨ 1 2 3 ⟩");
}

TEST_CASE("lists and closures are made of what they are given at the time") {
  Machinery m;
  CHECK(m("fs←{k←𝕩 ⋄ {k+𝕩}}¨1‿10 ⋄ {𝕏 5}¨fs") == "⟨ 6 15 ⟩");
  CHECK(m("{⟨𝕩,⟨𝕩,\"a\"⟩⟩}5") == "⟨ 5 ⟨ 5 \"a\" ⟩ ⟩");
  CHECK(m("a←{b⇐{c⇐7}} ⋄ a.b.c") == "7");
  CHECK(m("(1‿2).a").substr(0, 1) == "!");
  CHECK(m("{𝕩.a}¨⟨{a⇐1},{b⇐0⋄a⇐2},{a⇐3}⟩") == "⟨ 1 2 3 ⟩");
}
