#include "runtime/source/scope.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/tree_text.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("Names mean the definition that scope and order say") {
  check_parsed({
      {"a+a←3", "(+ a (a←3))"},
      {"(a←3)+a", "! Name used before its definition @ a"},
      {"⟨a←3,a⟩", "[(a←3) a]"},
      {"a‿(a←3)", "! Name used before its definition @ a"},
      {"a←a", "! Name used before its definition @ a"},
      {"b", "! Undefined identifier @ b"},
      {"{F←{a+𝕩}⋄a←4⋄F 1}", "{(f←f{(+ a^1 𝕩)}) ⋄ (a←4) ⋄ (f 1)}"},
      {"a←1 ⋄ {b←a ⋄ a←2 ⋄ b}", "(a←1) ⋄ {(b←a^1) ⋄ (a←2) ⋄ b}"},
      {"a←1 ⋄ {G←{a} ⋄ a←2 ⋄ G}", "! Expected the same role on both sides of an assignment (found function and subject) @ G←"},
      {"a←1 ⋄ {g←{a} ⋄ a←2 ⋄ g}", "(a←1) ⋄ {(g←{a^1}) ⋄ (a←2) ⋄ g}"},
      {"{{{a}}} ⋄ a←1", "{{{a^3}}} ⋄ (a←1)"},
      {"{𝕩?a←1;a}", "! Undefined identifier @ a"},
      {"{a←𝕩⋄a?1;a}", "! Undefined identifier @ a"},
      {"foo_Bar←1 ⋄ fOOBAR_", "(foobar←1) ⋄ foobar"},
      {"é←1 ⋄ É", "(é←1) ⋄ é"},
      {"a←1⋄A←-", "! Redefinition @ A"},
      {"a‿a←1‿2", "! Redefinition @ a"},
      {"{F F:1}", "! Expected a subject at this place of a header @ F"},
      {"{f F:1}", "! Expected a right argument in a header with a left one @ F"},
      {"{x F x:1}", "! Redefinition @ x"},
      {"{b:b}", "! A block's label may not be used as a name (b) @ b"},
      {"a↩1", "! Undefined identifier @ a"},
      {"{a⇐⋄a←3}", "{(_⇐_) ⋄ (a←3)}"},
      {"a←3⋄{a⇐}", "! Export of a name of an outer scope @ a"},
      {"{a⇐}", "! Export of a name that is not defined @ a"},
  });
}

TEST_CASE("Bindings know who uses them") {
  const SourceText source("a←1 ⋄ b←2 ⋄ F←{F a↩𝕩} ⋄ G←{𝕨 ⋄ c⇐𝕩 ⋄ d←c} ⋄ 1 G b ⋄ H←- ⋄ {𝕨F x: 𝕨 ; w F x: w+𝕨}", "test");
  Arena arena;
  const Body& root = *parse(source, arena).root;
  REQUIRE(root.bindings.size() == 5);
  const Binding &a = *root.bindings[0], &b = *root.bindings[1], &f = *root.bindings[2], &g = *root.bindings[3];
  CHECK(a.captured);
  CHECK(a.changed);
  CHECK_FALSE(b.captured);
  CHECK_FALSE(b.changed);
  CHECK(f.captured);
  REQUIRE(f.block != nullptr);
  CHECK(f.block->label == "F");
  CHECK(f.block->bodies[0]->specials == 1 << static_cast<int>(SpecialName::x));
  CHECK_FALSE(f.block->bodies[0]->has_environment);
  const Body& body = *g.block->bodies[0];
  CHECK(body.has_exports);
  REQUIRE(body.exports.size() == 1);
  CHECK(body.exports[0]->name == "c");
  CHECK(body.exports[0]->captured);
  CHECK_FALSE(body.bindings[1]->captured);
  CHECK(body.has_environment);
  CHECK(body.parent == &root);
  CHECK(body.statements[0].expression->may_be_nothing);
  CHECK(root.bindings[4]->block == nullptr);
  const BlockNode& cases = *static_cast<const BlockExpression*>(root.statements.back().expression)->block;
  CHECK(cases.bodies[0]->statements[0].expression->may_be_nothing);
  CHECK_FALSE(static_cast<const Call*>(cases.bodies[1]->statements[0].expression)->right->may_be_nothing);
}

TEST_CASE("A name that is changed is no constant block") {
  const SourceText source("F←{𝕩} ⋄ {F↩-}", "test");
  Arena arena;
  CHECK(parse(source, arena).root->bindings[0]->block == nullptr);
}

TEST_CASE("Sources share a root scope") {
  RootScope scope;
  const SourceText first("a←1 ⋄ F←{a+b} ⋄ b←2", "1"), bad("c←3 ⋄ d", "2"), second("A←{a} ⋄ c←a", "3");
  Arena arena;
  const auto error_of = [&](const SourceText& source) -> std::string {
    Arena failed;
    try {
      parse(source, failed, scope);
      return "";
    } catch (const SyntaxError& e) {
      return e.message;
    }
  };
  CHECK(error_of(first).substr(0, 17) == "Expected the same");
  CHECK(scope.body()->bindings.empty());
  const SourceText good("a←1 ⋄ f←{a+b} ⋄ b←2", "1");
  CHECK(TreePrinter().print(*parse(good, arena, scope).root) == "(a←1) ⋄ (f←{(+ a^1 b^1)}) ⋄ (b←2)");
  CHECK(error_of(bad) == "Undefined identifier");
  CHECK(error_of(SourceText("c", "x")) == "Undefined identifier");
  REQUIRE(scope.body()->bindings.size() == 3);
  CHECK(error_of(second).substr(0, 17) == "Expected the same");
  Arena other;
  const Program program = parse(SourceText("a←{a} ⋄ c⇐a ⋄ a←5", "3"), other, scope);
  CHECK(program.root == scope.body());
  REQUIRE(scope.body()->bindings.size() == 4);
  CHECK(scope.body()->bindings[3]->name == "c");
  CHECK(scope.body()->bindings[3]->captured);
  CHECK(scope.body()->exports.size() == 1);
  Arena empty;
  CHECK(parse(SourceText("", "4"), empty, scope, {.value_optional = true}).root->statements.empty());
  CHECK(scope.body()->exports.empty());
}

TEST_CASE("Predeclared names come first") {
  const std::string_view names[] = {"w", "x"};
  Arena arena;
  const SourceText source("y←w+x", "test");
  const Body& root = *parse(source, arena, {.predeclared = names}).root;
  REQUIRE(root.bindings.size() == 3);
  CHECK(root.bindings[1]->name == "x");
  CHECK(root.bindings[1]->captured);
}

TEST_CASE("A host may define names of a shared scope, before and after programs do") {
  RootScope scope;
  const auto parsed = [&](const char* text) {
    const SourceText source(text, "");
    Arena arena;
    parse(source, arena, scope);
  };
  CHECK(scope.define("somename", "some_Name", Role::subject).index == 0);
  parsed("other←someName+1");
  CHECK(scope.define("somename", "somename", Role::subject).index == 0);
  CHECK(scope.define("other", "other", Role::subject).index == 1);
  CHECK(scope.define("function", "Function", Role::function).index == 2);
  CHECK_THROWS_AS(parsed("nowhere←1 ⋄ unknown"), SyntaxError);
  CHECK(scope.define("last", "last", Role::subject).index == 3);
  parsed("Function other + last");
  REQUIRE(scope.body()->bindings.size() == 4);
  for (const Binding* binding : scope.body()->bindings) CHECK(binding->changed == (binding->name != "nowhere"));
}
