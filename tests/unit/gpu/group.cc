#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("groups are folded without being made") {
  OnDevice device;
  for (const char* program : {"x←1009|7919×↕500 ⋄ k←⌊(∧x)÷9 ⋄ +´¨k⊔x+1", "x←1009|7919×↕500 ⋄ +´¨(7|x)⊔x+1",
                              "x←1009|7919×↕500 ⋄ ⊑¨(7|x)⊔x+1", "x←1009|7919×↕500 ⋄ ⊑¨⊔7|x", "x←1009|7919×↕500 ⋄ ⊑¨(7|x)⊔x>500"})
    device.agree_there(program);
  for (const char* program : {"x←1009|7919×↕500 ⋄ ≠¨(7|x)⊔x", "x←1009|7919×↕500 ⋄ ⊑¨(2×x)⊔x"}) device.agree(program);
}

TEST_CASE("trains that fold few groups fold them there") {
  OnDevice device(griddle::DeviceUse::only);
  CHECK(device("x←1009|7919×↕5000 ⋄ ≠(+´÷≠)¨(7|x)⊔x") == "7");
  CHECK(device("x←1009|7919×↕5000 ⋄ ≠(+´÷≠)¨(7|x)⊔x ⋄ i←•gpu.Info@ ⋄ i.downloaded") == "0");
}
