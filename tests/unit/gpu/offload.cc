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
