#include "repl/editor/kill_ring.h"

#include <doctest/doctest.h>

using griddle::repl::KillRing;

TEST_CASE("what was cut comes back, latest first, and from the start again behind the oldest") {
  KillRing ring;
  CHECK(ring.latest().empty());
  CHECK(ring.older().empty());
  ring.add(U"a", false, false);
  ring.add(U"b", false, false);
  ring.add(U"c", true, false);
  ring.add(U"x", true, true);
  CHECK(ring.latest() == U"xbc");
  CHECK(ring.older() == U"a");
  CHECK(ring.older() == U"xbc");
}

TEST_CASE("the oldest go where there are many") {
  KillRing ring;
  for (int i = 0; i < 40; i++) ring.add(U"a" + std::u32string(static_cast<std::size_t>(i), U'b'), false, false);
  CHECK(ring.latest().size() == 40);
  std::size_t steps = 1;
  while (ring.older().size() != 40) steps++;
  CHECK(steps == 32);
}
