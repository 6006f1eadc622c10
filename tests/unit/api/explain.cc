#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

namespace {

std::string explained(griddle::Interpreter& bqn, const char* program) {
  std::string text;
  bqn.explain(program, text);
  return text;
}
bool has(const std::string& text, const char* part) {
  if (text.find(part) != text.npos) return true;
  MESSAGE(text);
  return false;
}

}  // namespace

TEST_CASE("an explanation has the tree, the instructions and what happened at each") {
  griddle::Interpreter bqn;
  const std::string text = explained(bqn, "a←10⥊1‿2 ⋄ F←{⌽𝕩+1} ⋄ F a");
  CHECK(has(text, "Tree\n"));
  CHECK(has(text, "primitive, function"));
  CHECK(has(text, "Instructions\nblock"));
  CHECK(has(text, "block F"));
  CHECK(has(text, "+ (Add) on list of i8, number → list of i8: fast path"));
  CHECK(has(text, "⌽ (Reverse) on list of i8 → list of i8: fast path for list"));
  CHECK(has(text, "F 1 add_constant at +: "));
}

TEST_CASE("calls are counted, and what a fast path does not take is told") {
  griddle::Interpreter bqn;
  CHECK(has(explained(bqn, "{⌽𝕩}⍟3 ⟨1,\"a\"⟩"), "3 times ⌽ (Reverse) on list of boxes"));
  CHECK(has(explained(bqn, "x←⟨1,⟨2,3⟩⟩ ⋄ x↩⌽x ⋄ x+1"), "+ (Add) on list of boxes, number → list of boxes: general way"));
  CHECK(has(explained(bqn, "x←↕5 ⋄ x↩⌽x ⋄ x+\"ab\""), "+ (Add) on list of i8, list of c8: fails"));
  CHECK(has(explained(bqn, "x←↕9 ⋄ +´˘3↕x"), "dyad_then_fold at ↕: its parts are not made"));
  CHECK(has(explained(bqn, "x←3‿3⥊↕9 ⋄ +´˘2↕x"), "↕ (Windows) on number, i8 of rank 2"));
  CHECK(has(explained(bqn, "x←1 ⋄ x↩2 ⋄ x+1"), "no calls of primitives"));
}

TEST_CASE("names of the session are known, what is defined stays, and the result is given") {
  griddle::Interpreter bqn;
  REQUIRE(bqn.eval_in_session("a←↕5"));
  std::string text;
  CHECK(bqn.explain("b←⌽a", text)->numbers() == std::vector<double>{4, 3, 2, 1, 0});
  CHECK(bqn.eval_in_session("b+1")->numbers() == std::vector<double>{5, 4, 3, 2, 1});
  CHECK(bqn.eval_in_session("F←{⌽𝕩}"));
  text.clear();
  const griddle::Result failed = bqn.explain("F 5", text);
  CHECK(!failed);
  CHECK(has(text, "Run, with kernels for "));
  text.clear();
  CHECK(bqn.explain("1+", text).failure().cause == griddle::Failure::Cause::error);
  CHECK(text.empty());
  CHECK(bqn.explain("•Exit 3", text).failure().exit_code == 3);
}

TEST_CASE("fast paths are checked after an explanation as before") {
  griddle::Options options;
  options.checked_ways = true;
  griddle::Interpreter bqn(options);
  explained(bqn, "⌽↕5");
  CHECK(bqn.eval("⌽1+↕10"));
  CHECK(has(bqn.taken_ways(), "⌽ (Reverse), list\t1\n"));
}
