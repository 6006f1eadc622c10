#include "runtime/source/definitions.h"

#include <doctest/doctest.h>

#include "runtime/source/parser.h"

using namespace griddle;

namespace {

// Lists the names of a program, each with its statement, and whether it ends in an assignment.
std::string defined_by(const char* text) {
  const SourceText source(text, "test");
  Arena arena;
  ParseOptions options;
  options.value_optional = true;
  const Definitions found = definitions_of(source, *parse(source, arena, options).root);
  std::string list;
  for (const auto& d : found.names) list += d.spelling + ": " + d.text + "; ";
  return list + (found.ends_in_assignment ? "assigns" : "gives");
}

}  // namespace

TEST_CASE("a program's own statements define names, those of its blocks do not") {
  CHECK(defined_by("a←5") == "a: a←5; assigns");
  CHECK(defined_by("F←{b←𝕩 ⋄ b+1} ⋄ F 2") == "F: F←{b←𝕩 ⋄ b+1}; gives");
  CHECK(defined_by("a‿Two ← 1‿{𝕩}") == "a: a‿Two ← 1‿{𝕩}; Two: a‿Two ← 1‿{𝕩}; assigns");
  CHECK(defined_by("a←1 ⋄ a↩2") == "a: a←1; a: a↩2; assigns");
  // That would not give the same value again.
  CHECK(defined_by("a←1 ⋄ a+↩2") == "a: a←1; assigns");
  CHECK(defined_by("(a←1)+2") == "gives");
  CHECK(defined_by("") == "gives");
}
