#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("what the device does not do, the host does") {
  OnDevice device;
  for (const char* program : {"x←1009|7919×↕500 ⋄ 1+x"}) device.agree_there(program);
  for (const char* program :
       {"x←1009|7919×↕500 ⋄ ⟨x,\"a\"⟩", "x←1009|7919×↕500 ⋄ {𝕩+1}¨x", "x←1009|7919×↕500 ⋄ (2⊸+¨)⟨x,1⟩",
        "x←1009|7919×↕500 ⋄ \"ab\"+x", "x←1009|7919×↕500 ⋄ ⊑x", "x←1009|7919×↕500 ⋄ ≠x", "1‿2+↕3", "x←1009|7919×↕500 ⋄ x⊏x"})
    device.agree(program);
}

TEST_CASE("a device that is not open changes nothing, and one that opens in between is seen") {
  griddle::Options options;
  options.device_plugin = griddle::testing::host_plugin();
  const auto with = [&](griddle::DeviceUse use) {
    options.device = use;
    return griddle::testing::Host{griddle::Interpreter(options)};
  };
  for (const char* sent : {"⊢", "•gpu.Put"}) {
    auto device = with(griddle::DeviceUse::automatic), usual = with(griddle::DeviceUse::none);
    const std::string x = "x←1009|7919×↕500 ⋄ y←", rest = " x ⋄ t←20‿25⥊y ⋄ l←⟨y,1+y,2×y⟩ ⋄ ";
    for (const char* program :
         {"1+l",       "-l",         "+´l",           "+´¨l",      "(+´÷≠)¨l", "⌽¨l",      "1+¨l",       "l+⌜1‿2",   "∾l",
          "≠¨⊔7|y",    "+´¨(7|y)⊔y", "(⌊y÷9)⊔y",      "(∧⌊y÷9)⊔y", "9⌾(2⊸⊑)y", "⌽⌾(3⊸↑)y", "0⌾(3‿5⊸⊏)y", "9⌾(1⊸⊑)l", "+˝3↕y",
          "+´˘3↕y",    "⌈´˘2↕y",     "(↕25)+⎉1 t",    "(↕20)+t",   "+´˘t",     "∧˘t",      "(2⊸⊏)˘t",    "t∾˘t",     "t≡˘⌽t",
          "{𝕩-⌈´𝕩}˘t", "(⌽≡⊢)¨l",    "⟨y,↕3⟩+⟨1,↕3⟩", "{𝕩+1}¨y",   "3↑¨l",     "y∊l",      "l⊐<y",       "⍷l"}) {
      CAPTURE(sent);
      CAPTURE(program);
      CHECK(device(x + sent + rest + program) == usual(x + "⊢" + rest + program));
    }
  }
}
