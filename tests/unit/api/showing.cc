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
  for (const auto& [form, start] : {std::pair(PictureForm::text, "20┤"),
                                    {PictureForm::kitty, "\x1b_Ga=T"},
                                    {PictureForm::sixel, "\x1bPq"},
                                    {PictureForm::png, "\x89PNG"}}) {
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

TEST_CASE("text that is handed over in pieces is that which is given at once") {
  Interpreter bqn;
  const auto is_same = [&](const char* code) {
    CAPTURE(code);
    const Any value = *bqn.eval(code);
    std::string text;
    std::size_t longest = 0;
    const griddle::Result whole = value.format_in_pieces([&](std::string_view piece) {
      text += piece;
      longest = std::max(longest, piece.size());
      return true;
    });
    CHECK(whole.ok());
    CHECK(text == value.format());
    CHECK(longest < 2'000'000);
  };
  for (const char* code : {"5",
                           "⟨⟩",
                           "\"ab\"",
                           "2‿3⥊↕6",
                           "+",
                           "⟨1,2‿2⥊4⟩",  // small ones
                           "↕1e5",
                           "÷1+↕1e5",
                           "1e5⥊1‿0",
                           "1e5⥊\"ab\"\"c⟨\"",
                           "1e5⥊\"é漢\"∾@+10",
                           "1e5‿3⥊0.5+↕1000",
                           "3‿1e5⥊0.5+↕1000",
                           "1e5⥊⟨\"ab\",1‿2,\"c\"⟩",
                           "1e4⥊⟨\"ab\",1‿2,⟨3,\"c\",2‿2⥊5⟩⟩",
                           "⟨1e5⥊2,\"a\"⟩",
                           "⟨⟨⟨1e5⥊2⟩⟩⟩",
                           "⟨⟨1e4⥊2⟩,1‿1⥊3⟩",
                           "⟨1e5⥊2,3‿3⥊<1e4⥊\"abc\"⟩",
                           "100‿100⥊<2‿2⥊↕4",
                           "100‿100⥊⟨1e100,2,1.5⟩",
                           "20‿30‿40⥊↕999",
                           "200‿300⥊\"abcd\"",
                           "⟨200‿300⥊\"abcd\",5⟩",
                           "2‿1e5⥊@",
                           "5000⥊⟨+,-,⊸,{𝕩}⟩",
                           "5000⥊⟨(↕1000)⊸+⟩",
                           "5000‿2⥊⟨1e300,1‿2⥊3⟩",
                           "{⟨𝕩,𝕩⟩}⍟9 ↕20",
                           "1e4‿0⥊0",
                           "0‿1e5⥊0",
                           "⥊<1e5⥊1",
                           "2‿2‿2‿2‿2‿2⥊1000⥊0.5",
                           "4‿2‿2‿2‿2‿2‿2⥊<↕100"})
    is_same(code);
  bqn.set_precision(3);
  is_same("÷1+↕1e5");
  is_same("1e4‿2⥊÷1+↕1e4");
}

TEST_CASE("whoever has enough text gets no more, and hears of no failure") {
  Interpreter bqn;
  std::size_t pieces = 0;
  CHECK(bqn.eval("1e7⥊5")
            ->format_in_pieces([&](std::string_view) {
              pieces++;
              return false;
            })
            .ok());
  CHECK(pieces == 1);
  CHECK(!Any().format_in_pieces([](std::string_view) { return true; }).ok());
}

TEST_CASE("memory is told by what it holds, each array once") {
  Interpreter bqn;
  const griddle_memory_kinds before = bqn.memory_kinds();
  CHECK(before.functions > 0);
  CHECK(before.on_device == 0);
  const auto grown = [&](const char* code, std::size_t griddle_memory_kinds::*kind) {
    const griddle_memory_kinds first = bqn.memory_kinds();
    CHECK(bqn.eval_in_session(code).ok());
    return bqn.memory_kinds().*kind - first.*kind;
  };
  // What is large lies in segments of two MiB.
  constexpr std::size_t million = 1'000'000, slack = 1'100'000;
  const auto is_about = [](std::size_t bytes, std::size_t wanted) {
    return bytes >= wanted && bytes < wanted + wanted / 4 + slack;
  };
  CHECK(is_about(grown("bits←1e7⥊1‿0", &griddle_memory_kinds::bits), 10 * million / 8));
  CHECK(is_about(grown("small←1e6⥊5", &griddle_memory_kinds::i8), million));
  CHECK(is_about(grown("middle←1e6⥊500", &griddle_memory_kinds::i16), 2 * million));
  CHECK(is_about(grown("large←1e6⥊5e5", &griddle_memory_kinds::i32), 4 * million));
  CHECK(is_about(grown("floats←1e6⥊0.5", &griddle_memory_kinds::f64), 8 * million));
  CHECK(is_about(grown("text←1e6⥊\"abc\"", &griddle_memory_kinds::characters), million));
  CHECK(is_about(grown("boxes←1e6⥊⟨1‿2⟩", &griddle_memory_kinds::boxes), 8 * million));
  CHECK(grown("same←boxes⋈floats", &griddle_memory_kinds::f64) < slack);
  CHECK(grown("kept←{x←𝕩 ⋄ {𝕩+x}}¨↕1e5", &griddle_memory_kinds::namespaces) > 100'000 * 32);
  const griddle_memory_kinds all = bqn.memory_kinds();
  CHECK(all.bits + all.i8 + all.i16 + all.i32 + all.f64 + all.characters + all.boxes + all.functions + all.namespaces +
            all.rest ==
        bqn.memory_in_use());
}
