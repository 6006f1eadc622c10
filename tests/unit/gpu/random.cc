#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("numbers are the same on the device") {
  OnDevice device;
  for (const char* program :
       {"r←•MakeRand 5 ⋄ 1+1000 r.Range 100", "r←•MakeRand 5 ⋄ 1+1000 r.Deal 1000", "r←•MakeRand 5 ⋄ +´1000 r.Subset 3000"})
    device.agree_there(program);
}

TEST_CASE("draws by products of weights are the same on the device") {
  OnDevice device;
  for (const char* program : {"r←•MakeRand 5 ⋄ 1+⟨2‿3⥊0‿1‿0‿1‿1‿1,1‿3⥊1‿1‿1⟩ r.DrawProduct ⟨500⥊0‿1,500⥊0⟩"})
    device.agree_there(program);
}
