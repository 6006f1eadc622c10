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

TEST_CASE("functions that no glyph names become links of a chain") {
  OnDevice device;
  // Last bits may differ.
  for (const char* function : {"⋆⁼1+|", "2⋆⁼1+|", "√⁼", "•math.Sin", "•math.Tanh", "•math.Fact 170⌊", "•math.ErfC",
                               "3•math.Hypot", "1•math.Atan2", "{(2+𝕩)•math.Atan2 𝕩}", "•math.Sin⁼0.001×"})
    device.agree_there("+´⌊0.5+1e6×1⌊" + std::string(function) + " 1009|7919×↕5000");
  device.agree_there("+´⌊0.5+1e6×⥊(↕50)•math.Hypot 50‿100⥊9×↕5000");
}

TEST_CASE("short lists keep the bits of the host") {
  OnDevice device;
  for (const char* program : {"•math.Sin ↕9", "⋆⁼1+↕100", "3 •math.Atan2 ↕10", "•math.Hypot˜ ↕10", "•math.Sin ⟨1,↕3⟩"})
    device.agree(program);
}

TEST_CASE("what is no number is refused as on the host") {
  OnDevice device;
  for (const char* program : {"{•math.Sin 5000⥊\"ab\"}⎊{𝕊:•CurrentError@}@", "{(5000⥊'a')•math.Hypot 3}⎊{𝕊:•CurrentError@}@",
                              "{(↕5000)•math.Hypot ↕5001}⎊{𝕊:•CurrentError@}@", "{⋆⁼5000⥊'a'}⎊{𝕊:•CurrentError@}@"})
    device.agree(program);
}
