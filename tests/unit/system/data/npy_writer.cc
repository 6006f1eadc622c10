#include "runtime/system/data/npy_writer.h"

#include <doctest/doctest.h>

#include "tests/support/called.h"

using griddle::testing::Host;

TEST_CASE("every array is read back as it was") {
  Host run;
  run.before = "R←{𝕩≡•npy.Parse •npy.Format 𝕩} ⋄ ";
  for (const char* array :
       {"1‿0‿1", "¯100‿100", "¯1000‿1000", "¯1e6‿1e6", "0.5‿π‿∞‿¯∞", "2‿3⥊↕6", "2‿3‿4⥊0.5+↕24", "<5", "\"text\"",
        "3‿2⥊\"é€😀abc\"", "⟨\"ab\",\"cde\",\"\"⟩", "2‿2⥊\"ab\"‿\"€\"‿\"\"‿\"d\"", "0‿3⥊0", "↕0", "200⥊0‿1", "40⥊1"}) {
    CAPTURE(array);
    CHECK(run(std::string("R ") + array) == "1");
  }
  CHECK(run("•npy.Parse•npy.Format 5") == run("<5"));
  CHECK(run("R ⋈¨1‿2‿3").starts_with("! •npy.Format: NumPy's files hold numbers, characters and strings alone"));
  CHECK(run("R ⟨1,\"a\"⟩").starts_with("! •npy.Format: NumPy's files hold"));
}

TEST_CASE("headers are those that NumPy writes, and elements begin at a multiple of 64 bytes") {
  Host run;
  CHECK(run("10↓118↑•npy.Format 2‿3⥊↕6").find("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }  ") == 1);
  CHECK(run("59↑10↓•npy.Format ⟨1.5⟩") == "\"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }  \"");
  CHECK(run("57↑10↓•npy.Format <1.5") == "\"{'descr': '<f8', 'fortran_order': False, 'shape': (), }  \"");
  CHECK(run("≠•npy.Format ⟨1.5⟩") == "136");
  CHECK(run("(10↑•npy.Format ⟨1.5⟩)-@") == "⟨ 147 78 85 77 80 89 1 0 118 0 ⟩");
}

TEST_CASE("options choose the type, which numbers have to fit") {
  Host run;
  const auto stored = [&](const char* type, const char* array) {
    return run(std::string("((128↓{type⇐\"") + type + "\"}•npy.Format " + array + ")-@)");
  };
  CHECK(stored("b1", "1‿0") == "⟨ 1 0 ⟩");
  CHECK(stored("i1", "⟨¯128,127⟩") == "⟨ 128 127 ⟩");
  CHECK(stored("u1", "⟨255⟩") == "⟨ 255 ⟩");
  CHECK(stored("i2", "⟨258⟩") == "⟨ 2 1 ⟩");
  CHECK(stored("i8", "⟨¯1⟩") == "⟨ 255 255 255 255 255 255 255 255 ⟩");
  CHECK(stored("u8", "⟨2⋆63⟩") == "⟨ 0 0 0 0 0 0 0 128 ⟩");
  CHECK(stored("f4", "⟨1.5⟩") == "⟨ 0 0 192 63 ⟩");
  CHECK(stored("f8", "⟨1⟩") == "⟨ 0 0 0 0 0 0 240 63 ⟩");
  CHECK(stored("S", "\"ab\"‿\"c\"") == "⟨ 97 98 99 0 ⟩");
  CHECK(stored("U", "\"ab\"") == "⟨ 97 0 0 0 98 0 0 0 ⟩");
  const auto refused = [&](const char* type, const char* array) {
    return run(std::string("{type⇐\"") + type + "\"}•npy.Format " + array).substr(std::string_view("! •npy.Format: ").size());
  };
  CHECK(refused("i1", "⟨128⟩") == "A number does not fit the type i1 (128)");
  CHECK(refused("u8", "⟨2⋆64⟩") == "A number does not fit the type u8 (1.8446744073709552e19)");
  CHECK(refused("u1", "⟨¯1⟩") == "A number does not fit the type u1 (¯1)");
  CHECK(refused("i4", "⟨0.5⟩") == "A number does not fit the type i4 (0.5)");
  CHECK(refused("b1", "⟨2⟩") == "A number does not fit the type b1 (2)");
  CHECK(refused("i8", "⟨∞⟩") == "A number does not fit the type i8 (∞)");
  CHECK(refused("S", "\"€\"") == "A character does not fit the type S (@+8364)");
  CHECK(refused("S", "⟨1⟩") == "The option type names one of strings, but these are numbers");
  CHECK(refused("i4", "\"a\"") == "The option type names one of numbers, but these are strings or characters");
  CHECK(refused("f2", "⟨1⟩").starts_with("The option type must be"));
  CHECK(refused(">i4", "⟨1⟩").starts_with("The option type must be"));
  CHECK(run("{typ⇐1}•npy.Format 1") == "! •npy.Format: There is no option with this name (typ)");
  CHECK(run("{large⇐\"text\"}•npy.Parse \"\"") == "! •npy.Parse: The option large must be \"round\" or \"error\" (got \"text\")");
}
