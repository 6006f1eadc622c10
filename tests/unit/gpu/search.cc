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

TEST_CASE("different elements come from a table of values, or from buckets") {
  OnDevice device;
  for (const char* x : {"1009|7919×↕500", "7|7919×↕500", "50⌊500|7919×↕500", "1e8×100|7919×↕500", "0.5+100|7919×↕500",
                        "@+1e6×2|↕500", "(-0)∾0∾0.5+↕9", "1e6×↕1"})
    for (const char* function : {"⍷x", "∊x", "⊐x", "⊒x"}) device.agree_there("x←" + std::string(x) + " ⋄ " + function);
}
