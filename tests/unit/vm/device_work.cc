#include "runtime/vm/device_work.h"

#include <doctest/doctest.h>

#include "runtime/vm/stepping.h"
#include "tests/support/on_device.h"
#include "tests/support/program.h"

using griddle::Context;
using griddle::testing::OnDevice;

namespace {

// Notes, whenever a value is given, how many rounds are left of the loops around.
struct SeesLoops : griddle::StepObserver {
  explicit SeesLoops(const Context& cx) : cx(cx) {}
  void gave(std::size_t, const griddle::Code&, const griddle::Position&, const griddle::Value&) noexcept override {
    std::string now;
    for (const griddle::CountedLoop& loop : griddle::counted_loops(cx))
      now += (now.empty() ? "" : " in ") + std::to_string(static_cast<int>(loop.left));
    if (!now.empty() && (seen.empty() || seen.back() != now)) seen.push_back(now);
  }
  void entered(std::size_t, const griddle::Code&, const griddle::Value&, const griddle::Value&) noexcept override {}
  void left(std::size_t, const griddle::Code&, const griddle::Value&) noexcept override {}
  const Context& cx;
  std::vector<std::string> seen;
};

std::vector<std::string> loops_of(std::string_view program) {
  griddle::Machinery machine;
  SeesLoops sees(machine.cx);
  machine.vm->observe_steps(&sees);
  machine.run(program);
  return sees.seen;
}

}  // namespace

TEST_CASE("where nothing runs there is no place") {
  const Context cx;
  CHECK(griddle::place_of_call(cx).source == nullptr);
}

TEST_CASE("the place of a call is that in the innermost block") {
  OnDevice device;
  device("•gpu.Trace 0");
  device("x←•gpu.Put 3‿1‿4\nF←{\n  ∧𝕩\n}\nF x");
  CHECK(device("t←•gpu.Trace 0 ⋄ 0‿1‿2⊏2⊏t") == "⟨ \"Sort Up\" \"(REPL):3\" \"∧𝕩\" ⟩");
}

TEST_CASE("loops that run, and how many of their rounds are left, are found") {
  using Seen = std::vector<std::string>;
  CHECK(loops_of("F←{⌽𝕩∾1} ⋄ F⍟3 ↕4") == Seen{"3", "2", "1"});
  CHECK(loops_of("F←{𝕨+⌽𝕩} ⋄ 3 F⍟2 ↕4") == Seen{"2", "1"});
  CHECK(loops_of("{⌽↕𝕩}¨3‿4") == Seen{"2", "1"});
  CHECK(loops_of("2‿3{𝕨↑↕𝕩}¨3‿4") == Seen{"2", "1"});
  CHECK(loops_of("{⌽↕+´𝕩}˘3‿2⥊1") == Seen{"3", "2", "1"});
  CHECK(loops_of("F←{⌽𝕩∾1} ⋄ G←{F⍟2 𝕩} ⋄ G¨⟨↕3,↕4⟩") == Seen{"2", "2 in 2", "1 in 2", "2", "1", "2 in 1", "1 in 1", "1"});
  CHECK(loops_of("F←{⌽𝕩∾1} ⋄ F F ↕4") == Seen{});
}
