#include "runtime/source/drawn_tree.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

namespace {

// Gives the tree that an explanation begins with.
std::string tree_of(griddle::Interpreter& bqn, const char* line, std::size_t columns = 100) {
  std::string text;
  bqn.explain(line, text, columns);
  const std::size_t start = text.find('\n') + 1;
  return text.substr(start, text.find("\n\nInstructions") + 1 - start);
}

}  // namespace

TEST_CASE("a tree is drawn below the source, with a branch from each function to what it gave") {
  griddle::Interpreter bqn;
  REQUIRE(bqn.eval_in_session("v←3‿1‿2").ok());
  CHECK(tree_of(bqn, "2×⌽v+1") ==
        "2×⌽v+1\n"
        "sFFsFs  s subject, F function\n"
        "│││└┼┘  call, subject → ⟨ 4 2 3 ⟩\n"
        "││├─┘   call, subject → ⟨ 3 2 4 ⟩\n"
        "└┴┘     call, subject → ⟨ 6 4 8 ⟩\n"
        "v → ⟨ 3 1 2 ⟩\n");
  // The right side is computed first, and branches of the left one wait.
  CHECK(tree_of(bqn, "(v-1)∾v+1") ==
        "(v-1)∾v+1\n"
        " sFs FsFs  s subject, F function\n"
        " │││ │└┼┘  call, subject → ⟨ 4 2 3 ⟩\n"
        " └┼┘ │ │   call, subject → ⟨ 2 0 1 ⟩\n"
        "  └──┴─┘   call, subject → ⟨ 2 0 1 4 2 3 ⟩\n"
        "v → ⟨ 3 1 2 ⟩\n");
  // An operand that is computed joins its function; statements stand side by side.
  CHECK(tree_of(bqn, "a←v ⋄ -⟜(1+2)a") ==
        "a←v ⋄ -⟜(1+2)a\n"
        "s s   Fc sFs s  s subject, F function, c 2-modifier\n"
        " └┘    │ │││ │  assignment, subject\n"
        "       │ └┼┘ │  call, subject → 3, a constant\n"
        "       ├──┘  │\n"
        "       └─────┘  call, subject → ⟨ 0 ¯2 ¯1 ⟩\n"
        "v → ⟨ 3 1 2 ⟩\n"
        "a → ⟨ 3 1 2 ⟩\n");
}

TEST_CASE("what is too wide, or has several rows, is a list of its parts") {
  griddle::Interpreter bqn;
  CHECK(tree_of(bqn, "1+2", 8).find("1+2  ") == 0);
  CHECK(tree_of(bqn, "1+\n2").find("│") == std::string::npos);
  CHECK(tree_of(bqn, "⌽↕3", 0).find("⌽↕3  ") == 0);
}
