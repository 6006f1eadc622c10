#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("draws by products of weights are the same on the device") {
  OnDevice device;
  for (const char* program : {"r←•MakeRand 5 ⋄ 1+⟨2‿3⥊0‿1‿0‿1‿1‿1,1‿3⥊1‿1‿1⟩ r.DrawProduct ⟨500⥊0‿1,500⥊0⟩"})
    device.agree_there(program);
}
