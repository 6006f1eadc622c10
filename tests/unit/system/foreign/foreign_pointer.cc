#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a pointer is read, written and moved by its methods") {
  Host run;
  CHECK(run("alloc←@•FFI\"*i32\"‿\"malloc\"‿\"u64\" ⋄ p←Alloc ⟨40⟩ ⋄ 3 p.Write 7 ⋄ 4 p.Write 9 ⋄ q←p.Add 3 ⋄ ⟨p.Read 3,q.Read "
            "1,q.Sub p⟩") == "⟨ 7 9 3 ⟩");
  CHECK(run("alloc←@•FFI\"*i32\"‿\"malloc\"‿\"u64\" ⋄ p←Alloc ⟨40⟩ ⋄ p.Write \"a\"").find("!") != std::string::npos);
}
