#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("cells of several elements are ordered and searched on the device") {
  OnDevice device;
  for (const char* program :
       {"x←20‿25⥊1009|7919×↕500 ⋄ (x+1)⊐⌽x+1", "x←20‿25⥊1009|7919×↕500 ⋄ ⊐(x∾x)+1", "x←20‿25⥊1009|7919×↕500 ⋄ ⍋1+x",
        "x←20‿25⥊1009|7919×↕500 ⋄ ∧˘x-500", "x←20‿25⥊1009|7919×↕500 ⋄ ∨˘x÷3", "x←20‿25⥊7|↕500 ⋄ ⍋˘1+x", "x←20‿25⥊7|↕500 ⋄ ⍒˘1+x",
        "x←4‿5‿25⥊7|↕500 ⋄ ∧⎉1 1+x", "x←20‿25⥊@+7|7919×↕500 ⋄ ∨˘x"})
    device.agree_there(program);
}
