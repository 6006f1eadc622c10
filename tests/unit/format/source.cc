#include "runtime/format/format.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"
#include "tests/support/shown.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("source text recreates data") {
  Shown show;
  CHECK(show.source(show.list({1, show.shaped({2, 2}, show.text("abcd"))})) == "⟨1,(2‿2⥊\"abcd\")⟩");
  CHECK(show.source(show.list({1, -2, Value::character('a')})) == "1‿¯2‿'a'");
  CHECK(show.source(show.list({5})) == "⟨5⟩");
  CHECK(show.source(enclose(show.cx.heap, show.text("a\"b"))) == "(<\"a\"\"b\")");
  CHECK(show.source(show.shaped({0, 3}, show.list({}))) == "(0‿3⥊⟨⟩)");
  CHECK(show.source(Value::character(0)) == "@");
}

TEST_CASE("what no source text recreates is reported") {
  Machinery m;
  const auto problem = [&](const char* source) {
    HeapText out(m.cx.heap);
    return append_source(m.cx, out, m.run(source));
  };
  CHECK(problem("⟨1,{𝕩}⟩") == SourceProblem::block);
  CHECK(problem("{a⇐1}") == SourceProblem::name_space);
  CHECK(problem("(+´÷≠)") == SourceProblem::none);
}
