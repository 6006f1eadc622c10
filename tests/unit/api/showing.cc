#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::Any;
using griddle::Interpreter;
using griddle::Options;
using griddle::PictureForm;

TEST_CASE("a host shows as much of a value as it has room for") {
  Interpreter bqn;
  bool whole = false;
  CHECK(bqn.eval("2‿2⥊↕4")->format_within({10, 40, 40}, &whole) == bqn.eval("2‿2⥊↕4")->format());
  CHECK(whole);
  CHECK(bqn.eval("↕1e6")->format_within({1, 12, 12}, &whole) == "⟨ 0 1 2 3 4…");
  CHECK(!whole);
  // A row that stands alone may be longer than others, and nothing limits what is 0.
  CHECK(bqn.eval("↕8")->format_within({1, 5, 30}, &whole) == "⟨ 0 1 2 3 4 5 6 7 ⟩");
  CHECK(bqn.eval("↕8")->format_within({}) == "⟨ 0 1 2 3 4 5 6 7 ⟩");
  CHECK(Any().format_within({}).empty());
}

TEST_CASE("the bytes of an array count each part once") {
  Interpreter bqn;
  CHECK(bqn.eval("1e3⥊0.5")->bytes() == 8000);
  CHECK(bqn.eval("5")->bytes() == 0);
  const std::size_t boxes = 1000 * 8;
  CHECK(bqn.eval("1e3⥊⟨1e3⥊0.5⟩")->bytes() == boxes + 8000);
  CHECK(!bqn.eval("↕9")->is_on_device());
}

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
  // The console is asked before the first one, and once.
  struct Asked final : griddle::Console {
    PictureForm pictures() override {
      times++;
      return PictureForm::sixel;
    }
    int times = 0;
  } console;
  Options asking;
  asking.pictures = PictureForm::asked;
  asking.console = &console;
  Interpreter asked(asking);
  CHECK(asked.eval("÷•Fmt 5").failure().message != "");
  CHECK(console.times == 0);
  CHECK(asked.eval("•plot.Line 1‿20")->picture().starts_with("\x1bPq"));
  CHECK(asked.eval("•plot.Bar 1‿20")->picture().starts_with("\x1bPq"));
  CHECK(console.times == 1);
  asking.console = nullptr;
  CHECK(Interpreter(asking).eval("{height⇐5}•plot.Line 1‿20")->picture().starts_with("20┤"));
  Interpreter none;
  CHECK(none.eval("•plot.Line 1‿20")->picture().empty());
  CHECK(griddle::Any().picture().empty());
}
