#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

namespace {

std::string listing(std::string_view source) {
  Machinery m;
  return disassemble(*m.code(source));
}

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("constant expressions are folded") {
  CHECK(holds(listing("1+2×3"), "constant r0 7"));
  CHECK(holds(listing("a←2 ⋄ a×21"), "constant r0 42"));
  CHECK(!holds(listing("2×1+↕5"), "monad"));
  CHECK(!holds(listing("n←5 ⋄ ⌽\"ab\"∾'0'+↕n"), "dyad"));
  CHECK(holds(listing("5⊑1+↕5"), "pick"));
  CHECK(holds(listing("↕1e6"), "monad"));
  CHECK(!holds(listing("+´1‿2‿3"), "derive"));
  CHECK(!holds(listing("(+´÷≠)1‿2‿3"), "fork"));
}

TEST_CASE("names that nothing changes take no place") {
  std::string text = listing("Sq←{𝕩×𝕩} ⋄ n←3 ⋄ F←{n+Sq 𝕩} ⋄ F 4");
  CHECK(!holds(text, "environment"));
  CHECK(!holds(text, "outer"));
  CHECK(holds(text, "call1_block"));
}

TEST_CASE("recursion by name is recursion by 𝕊") {
  CHECK(holds(listing("Fib←{𝕩<2?𝕩;(Fib 𝕩-1)+Fib 𝕩-2} ⋄ Fib 9"), "call1_self"));
  CHECK(holds(listing("Fib←{(𝕩<2)◶⟨{(Fib 𝕩-1)+Fib 𝕩-2},⊢⟩𝕩} ⋄ Fib 9"), "call1_self"));
}

TEST_CASE("variables are consumed at their last use") {
  CHECK(holds(listing("{a←𝕩⌽↕9 ⋄ b←⌽a ⋄ b∾b}"), "consumes c"));
  CHECK(holds(listing("{a←⌽𝕩 ⋄ a+↩1 ⋄ a}"), "modifies"));
}

TEST_CASE("immediate blocks run in the frame around them") {
  std::string text = listing("{a←𝕩 ⋄ {b←a+1 ⋄ b<3 ? b ; 0}}");
  CHECK(!holds(text, "run_block"));
  CHECK(!holds(text, "environment"));
}

TEST_CASE("choices and repetitions that are called at once make no derived function") {
  CHECK(holds(listing("{(𝕩<3)◶⟨{𝕩+1},{𝕩-1}⟩𝕩}"), "choose"));
  CHECK(holds(listing("{𝕊⍟(𝕩<9)𝕩+1}"), "repeat"));
}

TEST_CASE("closed blocks are made once") {
  CHECK(!holds(listing("{F←{𝕩+1} ⋄ F 𝕩}"), "closure"));
  CHECK(holds(listing("{k←𝕩 ⋄ {𝕩+k}}"), "closure"));
}

TEST_CASE("unknown system values are errors with a place") {
  Machinery m;
  try {
    m.code("1+•nowhere");
    FAIL("compiled");
  } catch (const Error& e) {
    CHECK(to_utf8(e.message.array()) == "Unknown system value •nowhere");
    REQUIRE(e.frames.size() == 1);
    CHECK(e.frames[0].start == 2);
  }
}

TEST_CASE("very long lists and very deep expressions compile or fail in order") {
  Machinery m;
  std::string list = "a←1 ⋄ a↩2 ⋄ ≠⟨a";
  for (int i = 1; i < 20000; i++) list += ",a";
  CHECK(m(list + "⟩") == "20000");
  std::string sum = "a←1 ⋄ a↩2 ⋄ a";
  for (int i = 0; i < 5000; i++) sum += "+a";
  CHECK(m(sum) == "10002");
}
