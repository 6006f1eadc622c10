#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("places are chosen axis by axis on the device") {
  OnDevice device;
  for (const char* program :
       {"x←1009|7919×↕500 ⋄ (⌽x)+1", "x←20‿25⥊1009|7919×↕500 ⋄ 1+3‿1‿4⊏x", "x←20‿25⥊1009|7919×↕500 ⋄ 1+2‿3↓x",
        "x←20‿25⥊1009|7919×↕500 ⋄ 1+⌽x", "x←20‿25⥊1009|7919×↕500 ⋄ 1+5‿5↑x", "x←20‿25⥊1009|7919×↕500 ⋄ 1+⟨3‿1,2‿2⟩⊏x"})
    device.agree_there(program);
  for (const char* program : {"x←1009|7919×↕500 ⋄ 500⊏x", "(↕0)⍉⟨⟩⥊3", "(↕0)⌽⟨⟩⥊3", "⍉⟨⟩⥊3"}) device.agree(program);
}

TEST_CASE("short lists that are repeated are read from the list, and made on the host where that asks for them") {
  OnDevice device(griddle::DeviceUse::only);
  for (const char* program :
       {"x←2≤⌽↕500 ⋄ +´x∧¬500⥊7↑1", "+´500⥊0‿1‿1", "{𝕨-2×𝕩}´500⥊0‿1‿1", "•Fmt ¬500⥊0‿1‿1", "r←500⥊3‿1‿4 ⋄ {𝕨-2×𝕩}´r×¬1‿0⥊˜≠r",
        "10↑500⥊\"abc\"", "r←500⥊3‿1‿4 ⋄ (+´r)+{𝕨-2×𝕩}´r", "500.5⥊1‿2", "500⥊⟨⟩", "r←9⥊500⥊2‿3 ⋄ r↩7⌾(2⊸⊑)r ⋄ r",
        "a←3‿1‿4 ⋄ r←500⥊a ⋄ a↩5⌾⊑a ⋄ +´r+⊑a", "+´⥊20‿25⥊500⥊3‿1‿4", "x←⌽↕500 ⋄ ≠(500⥊0‿1)/x"})
    device.agree(program);
  CHECK(device("x←2≤⌽↕5000 ⋄ •gpu.Trace 0 ⋄ s←+´x∧¬5000⥊7↑1 ⋄ 10>+´7⊑˘1↓•gpu.Trace 0") == "1");
}
