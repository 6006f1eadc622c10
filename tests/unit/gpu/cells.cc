#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("cells of several elements are ordered and searched on the device") {
  OnDevice device;
  for (const char* program :
       {"x←20‿25⥊1009|7919×↕500 ⋄ (x+1)⊐⌽x+1", "x←20‿25⥊1009|7919×↕500 ⋄ ⊐(x∾x)+1", "x←20‿25⥊1009|7919×↕500 ⋄ ⍋1+x",
        "x←20‿25⥊1009|7919×↕500 ⋄ ∧˘x-500", "x←20‿25⥊1009|7919×↕500 ⋄ ∨˘x÷3", "x←20‿25⥊7|↕500 ⋄ ⍋˘1+x", "x←20‿25⥊7|↕500 ⋄ ⍒˘1+x",
        "x←4‿5‿25⥊7|↕500 ⋄ ∧⎉1 1+x", "x←20‿25⥊@+7|7919×↕500 ⋄ ∨˘x", "x←20‿25⥊7|↕500 ⋄ (1+x)∾˘+´˘x",
        "x←20‿25⥊7|↕500 ⋄ (+´˘x)∾˘1+x", "x←20‿25⥊7|↕500 ⋄ (3↑˘x)∾˘1+5↓˘x", "x←20‿5‿5⥊7|↕500 ⋄ (1+x)∾˘20‿2‿5⥊x",
        "x←20‿5‿5⥊7|↕500 ⋄ (1+x)∾⎉1 20‿5⥊x", "x←20‿25⥊5|↕500 ⋄ (↕25)≡⎉1 x+0", "x←20‿25⥊5|↕500 ⋄ (x+0)≢⎉1 25⥊↕5",
        "x←20‿25⥊5|↕500 ⋄ (x+1)≡⎉1 1⌽x+1"})
    device.agree_there(program);
}
