#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("groups are folded without being made") {
  OnDevice device;
  for (const char* program : {"x←1009|7919×↕500 ⋄ k←⌊(∧x)÷9 ⋄ +´¨k⊔x+1", "x←1009|7919×↕500 ⋄ +´¨(7|x)⊔x+1"})
    device.agree_there(program);
  for (const char* program : {"x←1009|7919×↕500 ⋄ ≠¨(7|x)⊔x"}) device.agree(program);
}
