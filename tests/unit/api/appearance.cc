#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::Interpreter;
using griddle::Options;
using griddle::PictureForm;

TEST_CASE("digits that a host chooses are those of its own texts, not of programs'") {
  Interpreter bqn;
  const auto shown = [&](const char* code) { return bqn.eval(code)->format(); };
  bqn.set_precision(4);
  CHECK(shown("÷1+↕4") == "⟨ 1 0.5 0.3333 0.25 ⟩");
  CHECK(shown("÷3") == "0.3333");
  CHECK(shown("2‿1⥊÷3‿7") == "┌─        \n╵ 0.3333  \n  0.1429  \n         ┘");
  CHECK(bqn.eval("÷3")->format_within({1, 20, 20}) == "0.3333");
  CHECK(shown("•Fmt ÷3") == "\"0.3333333333333333\"");
  CHECK(shown("•Repr ÷3") == "\"0.3333333333333333\"");
  bqn.set_precision(0);
  CHECK(shown("÷3") == "0.3333333333333333");
  bqn.set_precision(-5);
  CHECK(shown("÷3") == "0.3333333333333333");
  bqn.set_precision(1000);
  CHECK(shown("0.1") == "0.10000000000000001");
}

TEST_CASE("a host that shows pictures gets that of the last plot, and of no other value") {
  for (const auto& [form, start] :
       {std::pair(PictureForm::text, "20┤"), {PictureForm::kitty, "\x1b_Ga=T"}, {PictureForm::sixel, "\x1bPq"}}) {
    Options options;
    options.pictures = form;
    Interpreter bqn(options);
    const griddle::Any first = *bqn.eval("{height⇐5}•plot.Line 1‿20"), other = *bqn.eval("5‿72⥊'x'");
    CHECK(first.picture().starts_with(start));
    CHECK(other.picture().empty());
    CHECK(bqn.number(5).picture().empty());
    const griddle::Any second = *bqn.eval("•plot.Bar 1‿2");
    CHECK(first.picture().empty());
    CHECK(!second.picture().empty());
  }
  Interpreter none;
  CHECK(none.eval("•plot.Line 1‿20")->picture().empty());
  CHECK(griddle::Any().picture().empty());
}
