#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("elements stay a chain until somebody reads them") {
  OnDevice device;
  for (const char* program : {"x←1009|7919×↕500 ⋄ 1+2×x-3", "x←1009|7919×↕500 ⋄ y←1+x ⋄ (y×2)∾y-1",
                              "x←1009|7919×↕500 ⋄ (x>500)∧x<700", "x←1009|7919×↕500 ⋄ +´(2×x)-1"})
    device.agree_there(program);
}

TEST_CASE("elements that come back to be computed with are an error where the host says so") {
  OnDevice device(griddle::DeviceUse::only);
  const char* const refused = "Fold: 4 bytes would come back from the device, which does not do this";
  CHECK(device("x←1+⌽9‿8 ⋄ {𝕊: {𝕨-2×𝕩}´x}⎊{𝕊: •CurrentError@}@") == '"' + std::string(refused) + '"');
  CHECK(device("x←1+⌽9‿8 ⋄ x") == "⟨ 9 10 ⟩");
  CHECK(device("x←1+⌽9‿8 ⋄ +´x") == "19");
  CHECK(device("x←1+⌽9‿8 ⋄ •Fmt x ⋄ {𝕨-2×𝕩}´x") == "¯11");
}

TEST_CASE("what comes back is counted by reason") {
  OnDevice device;
  CHECK(device("x←1+⌽9‿8 ⋄ {𝕨-2×𝕩}´x ⋄ y←2+⌽9‿8 ⋄ •Fmt y ⋄ i←•gpu.Info@ ⋄ ⊑¨i.back") == "⟨ \"Fold\" ⟨⟩ ⟩");
  CHECK(device("i←•gpu.Info@ ⋄ 1↓¨i.back") == "⟨ ⟨ 1 4 ⟩ ⟨ 1 4 ⟩ ⟩");
}

TEST_CASE("inverses, lists that are joined, and expected errors keep elements there") {
  OnDevice device;
  for (const char* program :
       {"-⁼1+⌽↕9", "÷⁼1+⌽↕9", "2-⁼1+⌽↕9", "2⌽⁼1+⌽↕9", "⍉⁼3‿3⥊1+⌽↕9", "∾⟨1‿2,1+⌽↕9,3‿4⟩", "3 ⋆⁼3⋆1+⌽↕9", "√⁼1+⌽↕9", "2 √⁼1+⌽↕9"})
    device.agree_there(program);
  CHECK(device("x←1+⌽↕9 ⋄ i←•gpu.Info@ ⋄ y←{𝕊: x+⌽x}⎊0@ ⋄ j←•gpu.Info@ ⋄ i.downloaded=j.downloaded") == "1");
}
