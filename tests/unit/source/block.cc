#include <doctest/doctest.h>

#include "tests/support/tree_text.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("The kind of a block follows from its special names, and bodies from ; and ?") {
  check_parsed({
      {"{3}", "{3}"},
      {"{𝕩}", "f{𝕩}"},
      {"{{𝕩}}", "{f{𝕩}}"},
      {"{𝕗}", "m{𝕗}"},
      {"{𝕗𝕩}", "! Expected a function between two subjects (missing ‿?) @ 𝕗𝕩"},
      {"{𝔽𝕩}", "md{(𝕗 𝕩)}"},
      {"{𝔽𝔾}", "c{atop(𝕗 𝕘)}"},
      {"{𝔽𝔾𝕩}", "cd{(𝕗 (𝕘 𝕩))}"},
      {"{_𝕣}", "m{𝕣}"},
      {"{_𝕣_}", "c{𝕣}"},
      {"{𝕩;𝕨}", "f{1: 𝕩;2: 𝕨}"},
      {"{𝕩<3?1;𝕩}", "f{(< 𝕩 3)? ⋄ 1;𝕩}"},
      {"{a←𝕩 ⋄ a<3\n?1;𝕩;𝕨}", "f{(a←𝕩) ⋄ (< a 3)? ⋄ 1;1: 𝕩;2: 𝕨}"},
      {"{⇐}", "{(_⇐_)}"},
      {"{𝕨-𝕩;𝕨-𝕩}", "f{1: (- 𝕩);2: (- 𝕨 𝕩)}"},
      {"{⟨⟨q⟩⇐ignored⟩⇐⋄q←2}", "{(_⇐_) ⋄ (q←2)}"},
  });
  check_parsed({
      {"𝕩", "! Special name outside of any block @ 𝕩"},
      {"{𝕩;1;2}", "! At most two bodies without header or condition are allowed @ 2"},
      {"{1;2}", "! Body that is never reached @ 2"},
      {"{𝕩?}", "! Expected a statement after the condition @ 𝕩"},
      {"{?𝕩}", "! Expected a condition before ? @ ?"},
      {"{𝕩;}", "! Empty body @ "},
      {"{·}", "! Expected a value at the end (found Nothing) @ ·"},
  });
}
