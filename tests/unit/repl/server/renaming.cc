#include "repl/server/renaming.h"

#include <doctest/doctest.h>

using namespace griddle;
using namespace griddle::repl;

namespace {

// Renames what the first definition of the last source is, and gives all sources afterwards, or the problem.
std::string renamed(const std::vector<std::string>& sources, std::string_view name, bool with_folder = true) {
  Interpreter bqn;
  Workspace workspace;
  Meanings meanings(bqn, workspace);
  Document* last = nullptr;
  for (std::size_t i = 0; i < sources.size(); i++)
    last = &workspace.open("file:///no such folder/" + std::to_string(i), OpenText(sources[i], CodeUnits::utf8));
  if (with_folder) workspace.add_folder("file:///no such folder");
  Renaming renaming(bqn, workspace, meanings);
  const auto edits = renaming.edits({last, 0}, name);
  if (!renaming.problem.empty()) return renaming.problem;
  std::string all;
  for (std::size_t i = 0; i < sources.size(); i++) {
    Document* const document = workspace.find("/no such folder/" + std::to_string(i));
    const auto found = edits.find(document);
    all += (i == 0 ? "" : " | ") + (found == edits.end() ? sources[i] : edited(sources[i], found->second));
  }
  return all;
}

}  // namespace

TEST_CASE("a name is renamed in all sources, in the shape that it has in each place") {
  CHECK(renamed({"l←•Import \"1\" ⋄ l.foo‿(l.Foo 1)", "Foo⇐{𝕩}"}, "bar") == "l←•Import \"1\" ⋄ l.bar‿(l.Bar 1) | Bar⇐{𝕩}");
  CHECK(renamed({"Foo←3+⊢ ⋄ Foo 1", "Foo⇐{𝕩}"}, "bar") == "Foo←3+⊢ ⋄ Foo 1 | Bar⇐{𝕩}");
  CHECK(renamed({"l←•Import \"1\" ⋄ l.Foo 1", "a←1 ⋄ Foo⇐{𝕩+a}"}, "b") == "l←•Import \"1\" ⋄ l.Foo 1 | b←1 ⋄ Foo⇐{𝕩+b}");
}

TEST_CASE("a name that others may know, or that would mean something else, stays") {
  CHECK(renamed({"Foo⇐{𝕩}"}, "bar", false).find("exported") != std::string::npos);
  CHECK(renamed({"⟨Foo⟩←•Import \"1\" ⋄ Bar←- ⋄ Foo 1", "Foo⇐{𝕩}"}, "bar").find("Another definition") != std::string::npos);
  CHECK(renamed({"l←⋈•Import \"1\"\n(⊑l).Foo 1", "Foo⇐{𝕩}"}, "bar").find("same name in line 2 means (/no such folder/0)") !=
        std::string::npos);
}
