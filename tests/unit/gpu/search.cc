#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("order and search are done on the device") {
  OnDevice device;
  for (const char* program :
       {"x←1009|7919×↕500 ⋄ ∧x+1", "x←1009|7919×↕500 ⋄ ∨x+1", "x←1009|7919×↕500 ⋄ ⍋x-500", "x←1009|7919×↕500 ⋄ ⍒x÷3",
        "x←1009|7919×↕500 ⋄ (x+1)∊3‿5‿7", "x←1009|7919×↕500 ⋄ (x+1)⊐⌽x+1", "x←1009|7919×↕500 ⋄ (x+1)≡x+1",
        "x←1009|7919×↕500 ⋄ (x+1)⊐7", "x←1009|7919×↕500 ⋄ (x+1)⊐¯7", "x←1009|7919×↕500 ⋄ 7∊x+1", "x←1009|7919×↕500 ⋄ 0.5∊x+1",
        "x←@+1009|7919×↕500 ⋄ (⌽x)⊐'A'", "x←1009|7919×↕500 ⋄ (⌽x)⊐'A'"})
    device.agree_there(program);
}

TEST_CASE("what is no integer is not among integers") {
  OnDevice device;
  for (const char* program : {"x←1009|7919×↕500 ⋄ (2|x)⊐x÷2", "x←1009|7919×↕500 ⋄ (x÷2)∊7|x"}) device.agree_there(program);
}
