#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a pointer is read, written and moved by its methods") {
  Host run;
  run.before = "alloc←@•FFI\"*i32\"‿\"malloc\"‿\"u64\" ⋄ free←@•FFI\"\"‿\"free\"‿\"*i32\" ⋄ p←Alloc ⟨40⟩ ⋄ ";
  CHECK(run("3 p.Write 7 ⋄ 4 p.Write 9 ⋄ q←p.Add 3 ⋄ r←⟨p.Read 3,q.Read 1,q.Sub p⟩ ⋄ Free ⟨p⟩ ⋄ r") == "⟨ 7 9 3 ⟩");
  CHECK(run("r←{𝕊: p.Write \"a\"}⎊{𝕊: •CurrentError@}@ ⋄ Free ⟨p⟩ ⋄ r") ==
        "\"(pointer).Write: Expected a number for i32 (got a list of length 1)\"");
}
