#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("cells are put back on the device") {
  OnDevice device;
  for (const char* program :
       {"x←1009|7919×↕500 ⋄ 1+(-⌾((2×↕200)⊸⊏)x+1)", "x←1009|7919×↕500 ⋄ 1+(9˙¨)⌾(100⊸↑)x+1",
        "x←1009|7919×↕500 ⋄ 1+(⌽x)⌾((⍋x)⊸⊏)x+1", "x←1009|7919×↕500 ⋄ 1+(↕200)⌾((200↑⍋x)⊸⊏)x+1",
        "x←1009|7919×↕500 ⋄ 1+(↕200)⌾((500-˜200↑⍋x)⊸⊏)x+1", "x←1009|7919×↕500 ⋄ 1+(200⥊5)⌾((200⥊7‿9)⊸⊏)x+1"})
    device.agree_there(program);
  for (const char* program : {"x←1009|7919×↕500 ⋄ -⌾(0‿0⊸⊏)x", "x←1009|7919×↕500 ⋄ (↕200)⌾((200⥊7‿9)⊸⊏)x",
                              "x←1009|7919×↕500 ⋄ (↕200)⌾((200⥊7‿900)⊸⊏)x", "x←1009|7919×↕500 ⋄ (↕100)⌾((200↑⍋x)⊸⊏)x"})
    device.agree(program);
}
