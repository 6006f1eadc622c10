#include "gpu/workshop.h"

#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("elements of every type are sent, and come back as they were") {
  OnDevice device;
  for (const char* program :
       {"⌽1‿0‿1‿1‿0", "⌽3‿1‿4‿1‿5", "⌽300×3‿1‿4", "⌽70000×3‿1‿4", "⌽0.5×3‿1‿4", "⌽\"abc\"", "⌽@+1000‿1001", "⌽@+100000‿5"})
    device.agree_there(program);
}

TEST_CASE("an element is read as what it is") {
  OnDevice device;
  for (const char* program :
       {"⊑⌽1‿0‿1‿1‿0", "2⊑⌽3‿1‿¯4‿1‿5", "¯1⊑⌽300×3‿1‿4", "1⊑⌽0.5×3‿1‿4", "⊑⌽\"abc\"", "⊑⌽@+100000‿5", "65⊑⌽200⥊1‿0‿0"})
    device.agree_there(program);
}

TEST_CASE("what is sent once is not sent again, and what has a fill of its own is not sent") {
  OnDevice device;
  CHECK(device("x←1009|7919×↕500 ⋄ a←+´1+x ⋄ i←•gpu.Info@ ⋄ b←+´2+x ⋄ j←•gpu.Info@ ⋄ i.uploaded=j.uploaded") == "1");
  device.agree("⊑0↑⟨\"ab\",\"cd\"⟩");
}
