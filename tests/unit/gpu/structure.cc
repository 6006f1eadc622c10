#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("structural functions are done on the device") {
  OnDevice device;
  for (const char* program :
       {"x←1009|7919×↕500 ⋄ 1+⌽x", "x←1009|7919×↕500 ⋄ 1+5⌽x", "x←1009|7919×↕500 ⋄ 1+9↑x", "x←1009|7919×↕500 ⋄ 1+9↓x",
        "x←1009|7919×↕500 ⋄ 1+x∾x", "x←1009|7919×↕500 ⋄ 1+20‿25⥊x", "x←1009|7919×↕500 ⋄ 1+(x>500)/x",
        "x←1009|7919×↕500 ⋄ +`(x>500)/2|x", "x←1009|7919×↕500 ⋄ /x>500", "x←20‿25⥊1009|7919×↕500 ⋄ 1+⍉x"})
    device.agree_there(program);
}

TEST_CASE("places are selected from each cell on the device") {
  OnDevice device;
  for (const char* program :
       {"x←20‿25⥊1009|7919×↕500 ⋄ 3‿¯1‿3⊸⊏˘x", "x←20‿25⥊1009|7919×↕500 ⋄ (25⥊0‿1)⊸/˘x",
        "x←20‿25⥊1009|7919×↕500 ⋄ (25⥊0‿2‿1)⊸/˘500<x", "x←5‿4‿25⥊1009|7919×↕500 ⋄ 2‿¯4⊸⊏˘x", "x←5‿4‿25⥊'a'+26|↕500 ⋄ 2‿0⊸⊏⎉1 x",
        "x←5‿4‿25⥊1009|7919×↕500 ⋄ 1‿0‿0‿3⊸/˘x", "x←20‿25⥊1009|7919×↕500 ⋄ ⟨24.0,¯25⟩⊸⊏˘x÷2"})
    device.agree_there(program);
  for (const char* program :
       {"x←20‿25⥊1009|7919×↕500 ⋄ {𝕊: 25‿0⊸⊏˘x}⎊{𝕊: •CurrentError@}0",
        "x←20‿25⥊1009|7919×↕500 ⋄ {𝕊: 0‿¯26⊸⊏˘x}⎊{𝕊: •CurrentError@}0",
        "x←20‿25⥊1009|7919×↕500 ⋄ {𝕊: 0.5‿1⊸⊏˘x}⎊{𝕊: •CurrentError@}0", "x←20‿25⥊1009|7919×↕500 ⋄ ≢(25⥊0)⊸/˘x",
        "x←20‿25⥊1009|7919×↕500 ⋄ {𝕊: (24⥊1)⊸/˘x}⎊{𝕊: •CurrentError@}0", "x←20‿25⥊1009|7919×↕500 ⋄ ⟨2‿3,1⟩⊸⊏˘x",
        "x←20‿25⥊1009|7919×↕500 ⋄ ≢⟨⟩⊸⊏˘x", "x←20‿25⥊1009|7919×↕500 ⋄ ≢⟨⟩⊸/˘x", "x←20‿25⥊1009|7919×↕500 ⋄ (2‿3⥊↕6)⊸⊏˘x"})
    device.agree(program);
}

TEST_CASE("where a mask marks nothing, nothing comes back") {
  OnDevice device(griddle::DeviceUse::only);
  CHECK(device("x←1009|7919×↕500 ⋄ /x=9999") == "⟨⟩");
  CHECK(device("x←1009|7919×↕500 ⋄ ≠(x=9999)/x") == "0");
}
