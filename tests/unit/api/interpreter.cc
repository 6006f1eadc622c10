#include "runtime/api/griddle.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/host.h"

using griddle::Any;
using griddle::Console;
using griddle::Failure;
using griddle::Interpreter;
using griddle::Kind;
using griddle::Options;
using griddle::Result;
using griddle::testing::Recorder;

TEST_CASE("a program gives its last value") {
  Interpreter bqn;
  Result result = bqn.eval("a←5 ⋄ a×2");
  REQUIRE(result);
  CHECK(result->number() == 10);
  CHECK(bqn.eval("\"héllo\"")->text() == "héllo");
  CHECK(bqn.eval("2‿3⥊↕6")->shape() == std::vector<std::size_t>{2, 3});
}

TEST_CASE("errors are values with a report of their place") {
  Interpreter bqn;
  Result result = bqn.eval("x←2\n1+\"a\"+@", "test");
  REQUIRE(!result);
  CHECK(result.failure().cause == Failure::Cause::error);
  CHECK(result.failure().report.starts_with("Error: "));
  CHECK(result.failure().report.ends_with("test:2:\n  1+\"a\"+@\n       ^\n"));
  CHECK(bqn.eval("⟨1,2⟩!0").failure().message == "⟨ 1 2 ⟩");
  CHECK(bqn.eval("⟨1,2⟩!0").failure().value.length() == 2);
  CHECK(bqn.eval("1+1")->number() == 2);
}

TEST_CASE("a recursion shows its repeated place once") {
  Interpreter bqn;
  Result result = bqn.eval("{𝕊𝕩}0", "deep");
  REQUIRE(!result);
  CHECK(result.failure().message == "Stack overflow");
  CHECK(result.failure().report ==
        "Error: Stack overflow\ndeep:1:\n  {𝕊𝕩}0\n   ^\n(more calls from here)\ndeep:1:\n  {𝕊𝕩}0\n  ^^^^\n");
}

TEST_CASE("•Exit ends the evaluation and not the host") {
  Interpreter bqn;
  Result result = bqn.eval("{𝕊:•Exit 3}⎊0 0");
  REQUIRE(!result);
  CHECK(result.failure().cause == Failure::Cause::exit);
  CHECK(result.failure().exit_code == 3);
}

TEST_CASE("functions are called from the host") {
  Interpreter bqn;
  Any plus = *bqn.eval("{𝕨+𝕩}");
  CHECK(plus.is_function());
  CHECK(plus(bqn.number(2), bqn.number(3))->number() == 5);

  CHECK(!plus(bqn.character('a'), bqn.character('a')));
  CHECK((*bqn.eval("5"))(bqn.number(1))->number() == 5);
}

TEST_CASE("functions of the host are called from programs") {
  Interpreter bqn;
  Any f = bqn.function("Twice", [&](const Any* w, const Any& x) -> Result {
    if (!x.is_number()) return Result::error("Twice: no number");
    return bqn.number(2 * x.number() + (w ? w->number() : 0));
  });
  Any apply = *bqn.eval("{⟨𝕏 5, 1 𝕏 5⟩}");
  CHECK(apply(f)->numbers() == std::vector<double>{10, 11});
  Any guard = *bqn.eval("{f←𝕩 ⋄ {𝕊:F \"a\"}⎊•CurrentError 0}");
  CHECK(guard(f)->text() == "Twice: no number");
}

TEST_CASE("a function of the host may evaluate") {
  Interpreter bqn;
  Any f = bqn.function("Evaluate", [&](const Any*, const Any& x) { return bqn.eval(*x.text()); });
  CHECK((*bqn.eval("{𝕏\"1+1\"}"))(f)->number() == 2);
  CHECK(!(*bqn.eval("{𝕏\"1+\"}"))(f));
  CHECK((*bqn.eval("{𝕏\"•Exit 4\"}"))(f).failure().exit_code == 4);
}

TEST_CASE("typed data goes in and out without conversion") {
  Interpreter bqn;
  std::vector<std::int16_t> data{1, 2, 300};
  Any list = bqn.list(data);
  CHECK(list.element() == griddle::Element::i16);
  REQUIRE(list.view<std::int16_t>().size() == 3);
  CHECK(list.view<std::int16_t>()[2] == 300);
  CHECK(list.view<double>().empty());
  CHECK(list.numbers() == std::vector<double>{1, 2, 300});
  bool bits[] = {true, false, true};
  CHECK(bqn.list(std::span<const bool>(bits)).numbers() == std::vector<double>{1, 0, 1});
  std::size_t shape[] = {2, 2};
  double four[] = {1, 2, 3, 4};
  CHECK(bqn.array(std::span<const double>(four), shape).format() == "┌─     \n╵ 1 2  \n  3 4  \n      ┘");
  CHECK(!bqn.array(std::span<const double>(four, 3), shape).has_value());
  CHECK(!bqn.list({}).numbers()->size());
}

TEST_CASE("elements, texts and fields are read") {
  Interpreter bqn;
  Any mixed = *bqn.eval("⟨1,\"ab\",'c'⟩");
  CHECK(mixed.length() == 3);
  CHECK(mixed[0].number() == 1);
  CHECK(mixed[1].text() == "ab");
  CHECK(mixed[2].character() == U'c');
  CHECK(!mixed[3].has_value());
  CHECK(!mixed.numbers());
  CHECK(!mixed.text());
  CHECK(std::isnan(mixed.number()));
  Any space = *bqn.eval("{aB⇐1,c⇐2}");
  CHECK(space.kind() == Kind::name_space);
  CHECK(space.field("a_b").number() == 1);
  CHECK(!space.field("x").has_value());
  CHECK(space.fields() == std::vector<std::string>{"ab", "c"});
  CHECK(mixed.source()->text() == "⟨1,\"ab\",'c'⟩");
}

TEST_CASE("values outlive their interpreter") {
  Any kept;
  {
    Interpreter bqn;
    kept = *bqn.eval("⟨\"ab\",{𝕩+1}⟩");
  }
  CHECK(kept[0].text() == "ab");
  Any copy = kept;
  kept = Any();
  CHECK(copy[1](copy[0])->text() == "bc");
}

TEST_CASE("results are called like values, and failures go through") {
  Interpreter bqn;
  CHECK(bqn.eval("+´")(bqn.list({1, 2, 3}))->number() == 6);
  CHECK(bqn.eval("-")(bqn.number(5), bqn.number(3))->number() == 2);
  const Result failed = bqn.eval("!\"wrong\"")(bqn.number(1));
  REQUIRE(!failed);
  CHECK(failed.failure().message == "wrong");
  CHECK(bqn.eval("{𝕩⋄𝕏}")(bqn.number(1))(bqn.number(1)).ok());
  CHECK(bqn.list({bqn.number(1), bqn.text("b")}).format() == "⟨ 1 \"b\" ⟩");
}

TEST_CASE("programs write to and read from the console") {
  Recorder console;
  griddle::Options options;
  options.console = &console;
  options.arguments = {"x", "y"};
  Interpreter bqn(options);
  CHECK(bqn.eval("•Out \"text\" ⋄ •Show ⟨•GetLine 0,•GetLine 0⟩ ⋄ •args")->format() == "⟨ \"x\" \"y\" ⟩");
  CHECK(console.out == "text\n⟨ \"a line\" @ ⟩\n");
}

TEST_CASE("an interrupt ends a running evaluation") {
  Interpreter bqn;
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      bqn.interrupt();
    }
  });
  Result result = bqn.eval("{𝕊:{𝕩+1}•_while_(1˙)0}⎊5 0");
  done = true;
  other.join();
  REQUIRE(!result);
  CHECK(result.failure().cause == Failure::Cause::interrupt);
  bqn.clear_interrupt();
  CHECK(bqn.eval("1")->number() == 1);
}

TEST_CASE("an interrupt that comes early ends the next evaluation, unless it is taken back") {
  Interpreter bqn;
  const char* endless = "{𝕩+1}•_while_(1˙)0";
  bqn.interrupt();
  CHECK(bqn.eval(endless).failure().cause == Failure::Cause::interrupt);
  CHECK(bqn.eval("1+1")->number() == 2);
  bqn.interrupt();
  bqn.clear_interrupt();
  CHECK(bqn.eval("1+1")->number() == 2);
  // A definition is made whole before.
  bqn.interrupt();
  CHECK(bqn.define("name", bqn.number(5)));
  CHECK(bqn.eval_in_session("name").failure().cause == Failure::Cause::interrupt);
  CHECK(bqn.eval_in_session("name")->number() == 5);
}

TEST_CASE("what walks through data or text without end is interrupted") {
  // A list that holds itself twice, and so forth: few objects, and more elements than anybody can visit.
  for (const char* code : {"≡a", "⍋a", "+a", "a≡b", "•Fmt a", "•Repr a", "⊐a‿b", "¯1⊸⊑⚇1 a", "{𝔽}⚇0 a"}) {
    CAPTURE(code);
    Interpreter bqn;
    REQUIRE(bqn.eval_in_session("a←⟨1⟩⋄{𝕊: a↩⟨a,a⟩}¨↕60⋄b←⟨1⟩⋄{𝕊: b↩⟨b,b⟩}¨↕60⋄@"));
    std::atomic<bool> done{false};
    std::thread other([&] {
      while (!done) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        bqn.interrupt();
      }
    });
    const Result result = bqn.eval_in_session(code);
    done = true;
    other.join();
    CHECK(!result);
  }
}

TEST_CASE("text and programs are held to the limit of memory") {
  Options options;
  options.memory_limit = std::size_t{64} << 20;
  Interpreter bqn(options);
  REQUIRE(bqn.eval_in_session("a←⟨1⟩⋄{𝕊: a↩⟨a,a⟩}¨↕60⋄@"));
  for (const char* code :
       {"•Fmt a", "•Repr a", "•BQN 2e7⥊\"1+\"", "•BQN \"⟨\"∾(1e7⥊\"1,\")∾\"⟩\"", "•Fmt 3e7⥊\"ab\"", "•Repr ↕1e7", "a"}) {
    CAPTURE(code);
    const Result result = bqn.eval_in_session(code);
    const std::string message = result ? result->format() : result.failure().message;
    CHECK(message == (result ? "(not shown: Out of memory)" : "Out of memory"));
  }
  // A message shows the start of what is long, and takes no memory for the rest.
  for (const char* code : {"!a", "!5e6⥊1.5", "!⟨5e6⥊\"ab\"⟩", "!2‿2e6⥊'a'", "!2‿1e6⥊7"}) {
    CAPTURE(code);
    const Failure failure = bqn.eval_in_session(code).failure();
    CHECK(failure.message.size() < 5000);
    CHECK(failure.message.ends_with("…"));
  }
  CHECK(bqn.eval_in_session("!3e7⥊\"ab\"").failure().message.size() == 65536 + std::string("…").size());
  // What fits is not refused for what it might have taken.
  for (const char* code : {"≠•Repr 1e7⥊\"ab\"", "≠•Fmt 4e6⥊1‿2"}) {
    CAPTURE(code);
    const Result result = bqn.eval_in_session(code);
    CHECK_MESSAGE(result, result.failure().message);
  }
}

TEST_CASE("a safe interpreter refuses programs what reaches outside") {
  Recorder console;
  griddle::Options options;
  options.console = &console;
  options.safe = true;
  Interpreter bqn(options);
  for (const char* code : {"•FChars \"/etc/passwd\"", "•SH⟨\"true\"⟩", "@•FFI\"i32\"‿\"getpid\"", "•Import \"x.bqn\"",
                           "•file.List \"/\"", "•BQN \"•file.Size \"\"/\"\"\"", "(•ReBQN{system⇐\"all\"}){𝕎𝕩}\"•wdpath\""}) {
    INFO(std::string(code));
    Result refused = bqn.eval(code);
    REQUIRE(!refused);
    CHECK(refused.failure().message.find("This is not permitted in safe mode") != std::string::npos);
  }
  CHECK(bqn.eval("•Out •file.Name \"/a/b\" ⋄ 5")->number() == 5);
  CHECK(console.out == "b\n");
  CHECK(Interpreter().eval("≡•wdpath")->number() == 1);
}

TEST_CASE("interpreters run side by side") {
  auto work = [](double* to) {
    Interpreter bqn;
    *to = bqn.eval("+´{𝕊:+´↕𝕩}¨↕1000")->number();
  };
  double results[2] = {};
  std::thread first(work, &results[0]), second(work, &results[1]);
  first.join();
  second.join();
  CHECK(results[0] == 166167000);
  CHECK(results[1] == results[0]);
}

TEST_CASE("memory limits are errors") {
  Interpreter bqn;
  bqn.set_memory_limit(std::size_t{64} << 20);
  CHECK(!bqn.eval("≠1e8⥊1.5"));
  CHECK(bqn.eval("≠1e5⥊1.5")->number() == 1e5);
}

TEST_CASE("values of another interpreter are refused, and data can be imported") {
  Interpreter here, there;
  const Any list = there.eval("⟨1‿2,\"ab\",⟨3,'c'⟩⟩").value();
  const Any sum = here.eval("+´").value();
  CHECK(sum(list).failure().message == "The value belongs to another interpreter, and was not imported");
  CHECK(!here.define("list", list));
  CHECK(!here.list({list}).has_value());
  const Any copied = here.import(list).value();
  CHECK(copied.format() == list.format());
  CHECK(here.eval("≡⟜⟨1‿2,\"ab\",⟨3,'c'⟩⟩").value()(copied)->number() == 1);
  CHECK(here.eval("3⊸↑").value()(here.import(there.eval("\"ab\"").value()).value())->format() == "\"ab \"");
  CHECK(here.import(there.eval("2‿3⥊↕6").value())->format() == there.eval("2‿3⥊↕6")->format());
  CHECK(here.import(there.eval("+´").value()).failure().message == "Only data can be imported (got function)");
  CHECK(!here.import(Any()));
}

TEST_CASE("whatever a host throws is a failure") {
  Interpreter bqn;
  const Any thrower = bqn.function("Throw", [](const Any*, const Any&) -> Result { throw 42; });
  CHECK(thrower(bqn.number(1)).failure().message == "Throw: An exception of unknown type");
  struct Bad : Console {
    void write(std::string_view) override { throw 42; }
  } bad;
  Options options;
  options.console = &bad;
  Interpreter writer(options);
  CHECK(writer.eval("•Out \"text\"").failure().message == "An exception of unknown type");
}

TEST_CASE("an interpreter goes though its session holds a function that holds a value of it") {
  auto counted = std::make_shared<int>(0);
  {
    Interpreter bqn;
    Any held = bqn.text("held");
    REQUIRE(bqn.define("Get", bqn.function("Get", [held, counted](const Any*, const Any&) -> Result { return held; })));
    held = Any();
    CHECK(bqn.eval_in_session("Get 1")->format() == "\"held\"");
    CHECK(counted.use_count() == 2);
  }
  CHECK(counted.use_count() == 1);
}
