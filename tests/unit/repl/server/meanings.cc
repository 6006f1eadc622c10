#include "repl/server/meanings.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace griddle;
using namespace griddle::repl;

namespace {

struct Sources {
  Interpreter bqn;
  Workspace workspace;
  Meanings meanings{bqn, workspace};
  Document& open(const std::string& name, const std::string& text) {
    return workspace.open("file:///folder/" + name, OpenText(text, CodeUnits::utf8));
  }
  // Gives what the token that begins at the last place of some text means: path and line.
  std::string meaning(Document& document, std::string_view at) {
    const std::size_t byte = document.text.text().rfind(at);
    REQUIRE(byte != std::string::npos);
    const std::optional<Meaning> found = meanings.of_token(document, *meanings.reading(document).token_at(byte));
    if (!found) return "nothing";
    const SourceReading& reading = meanings.reading(*found->document);
    const NameToken& token = reading.tokens[reading.definitions[found->definition].token];
    return found->document->path + ":" + std::to_string(found->document->text.lines().line_of(token.start) + 1);
  }
};

}  // namespace

TEST_CASE("fields of imported files are defined there") {
  Sources sources;
  sources.open("low.bqn", "\nF⇐{𝕩}\nn⇐{deep⇐1}\nhidden←1");
  sources.open("mid.bqn", "⟨F⟩⇐•Import \"low.bqn\"\nlow⇐•Import \"low.bqn\"\nG⇐{𝕩}");
  Document& main = sources.open("main.bqn", "m←•Import \"mid.bqn\"\nm.F 1\nm.low.n.deep\nm.hidden\nm.low.F 1\nm.G 3\n⟨G⟩←m\nG 3");
  CHECK(sources.meaning(main, "m.F 1") == "/folder/main.bqn:1");
  CHECK(sources.meaning(main, "F 1\nm.low.n") == "/folder/low.bqn:2");
  CHECK(sources.meaning(main, "deep") == "/folder/low.bqn:3");
  CHECK(sources.meaning(main, "hidden") == "nothing");
  CHECK(sources.meaning(main, "F 1\nm.G") == "/folder/low.bqn:2");
  CHECK(sources.meaning(main, "G 3\n⟨G⟩") == "/folder/mid.bqn:3");
  CHECK(sources.meaning(main, "G 3") == "/folder/main.bqn:7");
}

TEST_CASE("circles end") {
  Sources sources;
  Document& a = sources.open("a.bqn", "⟨x⟩⇐•Import \"b.bqn\"\nme⇐•Import \"a.bqn\"\nme.me.me.x");
  sources.open("b.bqn", "⟨x⟩⇐•Import \"a.bqn\"");
  CHECK(sources.meaning(a, "me.x").starts_with("/folder/a.bqn:2"));
  CHECK(sources.meaning(a, "x") != "nothing");
}

TEST_CASE("uses are found wherever they stand") {
  Sources sources;
  Document& low = sources.open("low.bqn", "Fo_o⇐{𝕩} ⋄ local←3 ⋄ Foo 1");
  sources.open("one.bqn", "l←•Import \"low.bqn\" ⋄ l.foo ⋄ l.Foo 1");
  sources.open("two.bqn", "foo←1 ⋄ local←2 ⋄ foo+local");
  const SourceReading& reading = sources.meanings.reading(low);
  CHECK(sources.meanings.uses({&low, 0}).size() == 4);
  CHECK(sources.meanings.is_shared({&low, 0}));
  CHECK(sources.meanings.uses({&low, 1}).size() == 1);
  CHECK(!sources.meanings.is_shared({&low, 1}));
  CHECK(sources.meanings.name_of({&low, 0}) == "foo");
  CHECK(reading.definitions.size() == 2);
}
