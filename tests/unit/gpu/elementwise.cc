#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("functions of elements become links of a chain") {
  OnDevice device;
  for (const char* program :
       {"x←1009|7919×↕500 ⋄ x+x", "x←1009|7919×↕500 ⋄ x-9", "x←1009|7919×↕500 ⋄ 7×x", "x←1009|7919×↕500 ⋄ x÷2",
        "x←1009|7919×↕500 ⋄ x⌊⌽x", "x←1009|7919×↕500 ⋄ x⌈50", "x←1009|7919×↕500 ⋄ 7|x", "x←1009|7919×↕500 ⋄ x=⌽x",
        "x←1009|7919×↕500 ⋄ x<9", "x←1009|7919×↕500 ⋄ x≥9", "x←1009|7919×↕500 ⋄ -x", "x←1009|7919×↕500 ⋄ |x-500",
        "x←1009|7919×↕500 ⋄ ⌊x÷3", "x←1009|7919×↕500 ⋄ √x", "x←1009|7919×↕500 ⋄ ¬x>5", "x←1009|7919×↕500 ⋄ ×x-9",
        "x←1009|7919×↕500 ⋄ x⋆2"})
    device.agree_there(program);
}
