#include "runtime/vm/device_work.h"

#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::Context;
using griddle::testing::OnDevice;

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
