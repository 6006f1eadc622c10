#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("numbers are the same on the device") {
  OnDevice device;
  for (const char* program :
       {"r←•MakeRand 5 ⋄ 1+1000 r.Range 100", "r←•MakeRand 5 ⋄ 1+1000 r.Deal 1000", "r←•MakeRand 5 ⋄ +´1000 r.Subset 3000"})
    device.agree_there(program);
}
