#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("places are chosen axis by axis on the device") {
  OnDevice device;
  for (const char* program :
       {"x←1009|7919×↕500 ⋄ (⌽x)+1", "x←20‿25⥊1009|7919×↕500 ⋄ 1+3‿1‿4⊏x", "x←20‿25⥊1009|7919×↕500 ⋄ 1+2‿3↓x",
        "x←20‿25⥊1009|7919×↕500 ⋄ 1+⌽x", "x←20‿25⥊1009|7919×↕500 ⋄ 1+5‿5↑x", "x←20‿25⥊1009|7919×↕500 ⋄ 1+⟨3‿1,2‿2⟩⊏x"})
    device.agree_there(program);
  for (const char* program : {"x←1009|7919×↕500 ⋄ 500⊏x"}) device.agree(program);
}
