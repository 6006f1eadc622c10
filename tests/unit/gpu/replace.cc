#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("cells are put back on the device") {
  OnDevice device;
  for (const char* program : {"x←1009|7919×↕500 ⋄ 1+(-⌾((2×↕200)⊸⊏)x+1)", "x←1009|7919×↕500 ⋄ 1+(9˙¨)⌾(100⊸↑)x+1"})
    device.agree_there(program);
  for (const char* program : {"x←1009|7919×↕500 ⋄ -⌾(0‿0⊸⊏)x"}) device.agree(program);
}
