#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("matrix products are computed on the device") {
  OnDevice device;
  for (const char* program :
       {"(3‿4⥊↕12) +˝∘×⎉1‿∞ 4‿2⥊↕8", "(3‿4⥊↕12) (+˝×)⎉1‿∞ ↕4", "(2‿3‿4⥊↕24) +˝∘×⎉1‿∞ 4‿2‿2⥊-↕16", "(⍉4‿3⥊↕12) +˝∘×⎉1‿∞ ⍉2‿4⥊↕8",
        "(3‿4⥊1e6×↕12) +˝∘×⎉1‿∞ 4‿2⥊1e6×↕8", "(0<3‿4⥊2|↕12) +˝∘×⎉1‿∞ 4‿2⥊1‿0"})
    device.agree_there(program);
}

TEST_CASE("products of few doubles are added in the host's order") {
  OnDevice device;
  for (const char* program : {"(3‿40⥊÷1+↕120) +˝∘×⎉1‿∞ 40‿2⥊÷1+↕80", "(3‿40⥊1e15×↕120) +˝∘×⎉1‿∞ 40‿2⥊1+↕80"})
    device.agree(program);
}

TEST_CASE("what does not fit is refused as on the host") {
  OnDevice device;
  for (const char* program : {"{(3‿4⥊↕12) +˝∘×⎉1‿∞ ↕5}⎊{𝕊:•CurrentError@}@", "{(3‿4⥊\"ab\") +˝∘×⎉1‿∞ ↕4}⎊{𝕊:•CurrentError@}@"})
    device.agree(program);
}
