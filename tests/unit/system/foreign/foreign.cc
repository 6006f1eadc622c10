#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("functions of the C library are called") {
  Host run;
  CHECK(run("abs←@•FFI\"i32\"‿\"abs\"‿\"i32\" ⋄ Abs ⟨¯5⟩") == "5");
  CHECK(run("len←@•FFI\"u64\"‿\"strlen\"‿\"*u8\" ⋄ Len⟨1‿2‿3‿0⟩") == "3");
  CHECK(run("@•FFI\"i32\"‿\"no_such_function\"").find("no_such_function") != std::string::npos);
  CHECK(run("\"/no/such/library.so\"•FFI\"i32\"‿\"abs\"").find("/no/such/library.so") != std::string::npos);
}

TEST_CASE("libraries of the system are found by their names") {
  Host run;
  for (const char* name : {"libm.so.6", "m"}) {
    CAPTURE(name);
    CHECK(run("cos←\"" + std::string(name) + "\"•FFI\"f64\"‿\"cos\"‿\"f64\" ⋄ Cos⟨0⟩") == "1");
  }
  CHECK(run("\"libnosuch.so\"•FFI\"i32\"‿\"abs\"").find("libnosuch.so") != std::string::npos);
  CHECK(run("\"\"•FFI\"i32\"‿\"abs\"").starts_with("! "));
}
