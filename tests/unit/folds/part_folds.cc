#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle::testing;

TEST_CASE("folds of windows and groups are computed with what makes these") {
  for (const char* windows : {"{+´˘𝕨↕𝕩}", "{+˝⍉𝕨↕𝕩}", "{(+´÷≠)˘𝕨↕𝕩}", "{≠¨𝕨⊔𝕩}", "{+´¨𝕨⊔𝕩}", "{(+´÷≠)¨𝕨⊔𝕩}"})
    CHECK(compiles_to(windows, "dyad_then_fold"));
  for (const char* groups : {"{≠¨⊔𝕩}", "{≠¨⊔⊐𝕩}", "{(≠¨⊔)𝕩}"}) CHECK(compiles_to(groups, "monad_then_fold"));
}

TEST_CASE("what is no fold is called for parts that are there") {
  for (const char* other : {"{⌽˘𝕨↕𝕩}", "{+˝𝕨↕𝕩}", "{⌽¨𝕨⊔𝕩}", "{≠˘𝕨↕𝕩}", "{+´𝕨⊔𝕩}"}) CHECK(!compiles_to(other, "dyad_then_fold"));
  for (const char* other : {"{⌽¨⊔𝕩}", "{≠⊔𝕩}"}) CHECK(!compiles_to(other, "monad_then_fold"));
}
