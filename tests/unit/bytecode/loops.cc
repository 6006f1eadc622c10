#include "runtime/bytecode/loops.h"

#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle::testing;

TEST_CASE("blocks under Each are loops, beside a value that meets many elements where they only compute") {
  const auto is_loop = [](const char* source) { return compiles_to(source, "each_next"); };
  CHECK(is_loop("{y←𝕩 ⋄ {𝕩+y}¨𝕩}"));
  CHECK(is_loop("{y←𝕩 ⋄ 3{𝕨+𝕩×y}¨𝕩}"));
  CHECK(is_loop("{F←{𝕨𝕊𝕩} ⋄ {F 𝕩}¨𝕩}"));
  CHECK(is_loop("{{𝕩<1?2;3}¨𝕩}"));
  CHECK(is_loop("{{{𝕩}¨𝕩}¨𝕩}"));
  // What reads nothing around it is a function that exists once.
  for (const char* closed : {"{{𝕩+1}¨𝕩}", "{k←3 ⋄ {𝕩+k}¨𝕩}"}) {
    CHECK(is_loop(closed));
    CHECK(!compiles_to(closed, "derive1_primitive"));
    CHECK(!compiles_to(closed, "closure"));
  }
  CHECK(compiles_to("{y←𝕩 ⋄ {𝕩+y}¨𝕩}", "derive1_primitive"));
  CHECK(!is_loop("{y←𝕩 ⋄ {y+𝕩}¨}"));  // not called here
  CHECK(!is_loop("{y←𝕩 ⋄ {y∾𝕩}⌜𝕩}"));
  CHECK(!compiles_to("{y←𝕩 ⋄ {𝕨+y×𝕩}`𝕩}", "fold_next"));
}

TEST_CASE("Choose with blocks under Each is a loop that branches") {
  const auto is_loop = [](const char* source) { return compiles_to(source, "each_next") && compiles_to(source, "choose"); };
  CHECK(is_loop("{{𝕩≡\"ab\"}◶⟨⊢,{𝕊:\"zz\"}⟩¨𝕩}"));
  CHECK(is_loop("{y←𝕩 ⋄ 3{𝕨>𝕩}◶⟨⌽,{y∾𝕩}⟩¨𝕩}"));
  CHECK(is_loop("{y←𝕩 ⋄ (2⊸|)◶⟨⌽,{y+↩1 ⋄ 𝕩}⟩¨𝕩}"));
  CHECK(!is_loop("{(2⊸|)◶⟨⌽,⊢⟩¨𝕩}"));
  CHECK(!is_loop("{{2|𝕩}◶⟨⌽,{𝕩∾1}⟩¨}"));  // not called here
  CHECK(!is_loop("{{𝕩⋈1}◶𝕨¨𝕩}"));
}

TEST_CASE("blocks under Cells are loops unless they change variables, or do nothing but call a function of primitives") {
  const auto is_loop = [](const char* source) { return compiles_to(source, "each_next"); };
  CHECK(is_loop("{{𝕩∾9}˘𝕩}"));
  CHECK(is_loop("{y←𝕩 ⋄ {y∾𝕩}˘𝕩}"));
  CHECK(!is_loop("{{+´𝕩}˘2↕𝕩}"));
  CHECK(!is_loop("{y←0 ⋄ {y+↩1 ⋄ 𝕩}˘𝕩}"));
  CHECK(!is_loop("{𝕨{𝕨∾𝕩}˘𝕩}"));
}

TEST_CASE("blocks under Fold are loops, unless they change what is around them") {
  const auto is_loop = [](const char* source) { return compiles_to(source, "fold_next"); };
  CHECK(is_loop("{y←𝕩 ⋄ {𝕨+y×𝕩}´1‿2‿3}"));
  CHECK(is_loop("{y←𝕩 ⋄ 0{𝕨>y?𝕨;𝕩}´1‿2‿3}"));
  CHECK(is_loop("{{𝕨+2×𝕩}´𝕩}"));
  // For many elements the block is a function that is made once.
  CHECK(!compiles_to("{{𝕨+2×𝕩}´𝕩}", "derive1_primitive"));
  CHECK(!is_loop("{y←𝕩 ⋄ {y↩𝕨 ⋄ 𝕨-𝕩}´𝕩}"));
}

TEST_CASE("functions of primitives that do more than arithmetic are loops under Each") {
  const auto is_loop = [](const char* source) { return compiles_to(source, "each_next"); };
  CHECK(is_loop("{y←𝕩 ⋄ (1+y)⊸∾¨𝕩}"));
  CHECK(is_loop("{𝕩⊸↓¨⟨1‿2⟩}"));
  CHECK(is_loop("{k←3 ⋄ k⊸↓¨𝕩}"));
  CHECK(is_loop("{(⊑⋈≠)¨𝕩}"));
  CHECK(is_loop("{1‿2(↓∾⊢)¨𝕩}"));
  CHECK(is_loop("{⌽¨𝕩}"));
  CHECK(is_loop("{2↑¨𝕩}"));
  CHECK(!compiles_to("{⌽¨𝕩}", "derive1_primitive"));
  CHECK(!is_loop("{≠¨𝕩}"));
  CHECK(!is_loop("{-¨𝕩}"));
  CHECK(!is_loop("{𝕩⋈¨1}"));
  CHECK(!is_loop("{+´¨𝕩}"));
  // Arithmetic takes all elements at once where they are no lists.
  CHECK(is_loop("{𝕩⊸+¨⟨⟨1,2⟩,⟨3⟩⟩}"));
  CHECK(compiles_to("{𝕩⊸+¨⟨⟨1,2⟩,⟨3⟩⟩}", "derive1_primitive"));
  CHECK(!is_loop("{2⊸+¨𝕩}"));
  CHECK(!is_loop("{k←2 ⋄ k⊸+¨𝕩}"));
  CHECK(!is_loop("{𝕩⊸{𝕨∾𝕩}¨⟨1,2⟩}"));
  CHECK(!is_loop("{{𝕨∾𝕩}´¨𝕩}"));
  CHECK(!is_loop("{F←⌽ ⋄ {F↩⊢}@ ⋄ F¨𝕩}"));
}

TEST_CASE("functions of primitives are loops under Fold, unless there is a way for all elements or they form one primitive") {
  const auto is_loop = [](const char* source) { return compiles_to(source, "fold_next"); };
  CHECK(is_loop("{(2×+)´𝕩}"));
  CHECK(is_loop("{1(2×+)´𝕩}"));
  CHECK(is_loop("{(⊣∾2⊸↓)´𝕩}"));
  CHECK(is_loop("{y←𝕩 ⋄ (y+-)´1‿2}"));
  CHECK(!is_loop("{2⊸×⊸+˜´𝕩}"));
  CHECK(!is_loop("{+´𝕩}"));
  CHECK(!is_loop("{-˜´𝕩}"));
  CHECK(!is_loop("{∾˜´𝕩}"));
  CHECK(!is_loop("{𝔽´𝕩}"));
}

TEST_CASE("names for blocks that act, and what calls itself, are loops under Each") {
  const auto is_loop = [](const char* source) { return compiles_to(source, "each_next"); };
  CHECK(is_loop("{F←{𝕩<2?1;+´F¨↕𝕩} ⋄ F 𝕩}"));
  CHECK(is_loop("{F←{G 𝕩} ⋄ G←{𝕩} ⋄ F¨𝕩}"));
  CHECK(is_loop("{F←{G 𝕩} ⋄ G←{𝕩} ⋄ 3 F¨𝕩}"));
  CHECK(is_loop("{y←0 ⋄ F←{y+↩𝕩} ⋄ F¨𝕩 ⋄ y}"));
  CHECK(is_loop("{0=≡𝕩?𝕩;𝕊¨𝕩}"));
  CHECK(is_loop("{0=≡𝕩?𝕩;+´𝕊¨𝕩}"));
  CHECK(!is_loop("{F←{𝕩+1} ⋄ F¨𝕩}"));
  CHECK(!is_loop("{F←{G 𝕩} ⋄ G←{𝕩} ⋄ F⌜𝕩}"));
  CHECK(!is_loop("{𝔽¨𝕩}"));
  CHECK(!is_loop("{F←⌽ ⋄ F¨𝕩}"));
  // Such a loop needs no other way.
  CHECK(!compiles_to("{F←{G 𝕩} ⋄ G←{𝕩} ⋄ F¨𝕩}", "derive1_primitive"));
}

TEST_CASE("what only computes is a value too, for long arrays") {
  CHECK(compiles_to("{y←𝕩 ⋄ {𝕩+y}¨𝕩}", "closure"));
  CHECK(!compiles_to("{F←{𝕨𝕊𝕩} ⋄ {F 𝕩}¨𝕩}", "derive1_primitive"));
}
