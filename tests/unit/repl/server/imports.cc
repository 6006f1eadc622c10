#include "repl/server/imports.h"

#include <doctest/doctest.h>

using namespace griddle;
using namespace griddle::repl;

namespace {

// Lists what the definitions of a source take from files, as `name=path` or, of a field, `name.path`.
std::string taken(const std::string& source) {
  Interpreter bqn;
  OpenText text(source, CodeUnits::utf8);
  const SourceReading& reading = text.reading(bqn);
  std::string list;
  for (std::size_t i = 0; i < reading.definitions.size(); i++) {
    const std::optional<ImportedValue> value = imported_value(text, reading, i);
    if (!value) continue;
    list += list.empty() ? "" : " ";
    list += text.piece(reading.tokens[reading.definitions[i].token]);
    list += (value->taking == Taking::whole ? "=" : ".") + value->path;
  }
  return list;
}

std::string exported(const std::string& source) {
  Interpreter bqn;
  OpenText text(source, CodeUnits::utf8);
  const SourceReading& reading = text.reading(bqn);
  std::string list;
  for (const std::size_t i : exported_names(text, reading))
    list.append(list.empty() ? "" : " ").append(text.piece(reading.tokens[reading.definitions[i].token]));
  return list;
}

}  // namespace

TEST_CASE("names take a file, or fields of it") {
  CHECK(taken("a←•Import \"x\"") == "a=x");
  CHECK(taken("a⇐•import \"x\" # why\nb←1") == "a=x");
  CHECK(taken("a←⟨1,2⟩•Import \"x\"\nb←2") == "a=x");
  CHECK(taken("{a←•Import \"x\" ⋄ a}") == "a=x");
  CHECK(taken("⟨F,b⟩←•Import \"x\"") == "F.x b.x");
  CHECK(taken("⟨F\n  b⟩⇐•Import \"x\" ⋄ 1") == "F.x b.x");
  CHECK(taken("a‿b←•Import \"x\"") == "a.x b.x");
}

TEST_CASE("what is computed from a file, or renamed, is something else") {
  CHECK(taken("a←≠•Import \"x\" ⋄ b←1") == "");
  CHECK(taken("a←(•Import \"x\").b") == "");
  CHECK(taken("a←•Import 1‿2") == "");
  CHECK(taken("a←•FChars \"x\"") == "");
  CHECK(taken("⟨a⇐b⟩←•Import \"x\"").find("a.") == std::string::npos);
  CHECK(taken("a←1 ⋄ •Import \"x\"") == "");
}

TEST_CASE("a file exports the names of its top level") {
  CHECK(exported("a⇐1 ⋄ b←2 ⋄ F⇐{c⇐1 ⋄ 𝕩}\nG⇐3+⊢") == "a F G");
  CHECK(exported("⟨a,b⟩⇐1‿2 ⋄ {d⇐1}") == "a b");
  CHECK(exported("") == "");
}

TEST_CASE("imports are strings behind •Import") {
  Interpreter bqn;
  OpenText text("•Import \"a \"\"b\"\"\" ⋄ x←3 ⋄ •Import \"\" ⋄ \"c\"", CodeUnits::utf8);
  const std::vector<Import> imports = imports_of(text, text.reading(bqn));
  REQUIRE(imports.size() == 1);
  CHECK(imports[0].path == "a \"b\"");
}

TEST_CASE("paths are joined, and are URIs of files") {
  CHECK(joined_path("/a/b", "c.bqn") == "/a/b/c.bqn");
  CHECK(joined_path("/a/b", "../c//./d") == "/a/c/d");
  CHECK(joined_path("/a", "/b") == "/b");
  CHECK(joined_path("/a", "../../..") == "/");
  for (const char* path : {"/a/b.bqn", "/zwölf ⌽/x%y#?.bqn", "/"}) CHECK(path_of_uri(uri_of_path(path)) == path);
  CHECK(uri_of_path("/a é") == "file:///a%20%C3%A9");
  CHECK(path_of_uri("file://host/a%2") == "/a%2");
  CHECK(path_of_uri("untitled:1") == "untitled:1");
  CHECK(uri_of_path("untitled:1") == "untitled:1");
}
