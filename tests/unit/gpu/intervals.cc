#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("counts and moves go by intervals on the device") {
  OnDevice device;
  for (const char* program :
       {"x←1009|7919×↕500 ⋄ 1+(3|x)/x", "x←1009|7919×↕500 ⋄ /3|x+1", "x←1009|7919×↕500 ⋄ 1+⟨2‿3‿0‿1,4‿6‿0‿2⟩•gpu.Move x"})
    device.agree_there(program);
}
