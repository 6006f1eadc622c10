#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("trains of folds are computed for all groups at once") {
  OnDevice device;
  for (const char* program : {"(+´÷≠)¨(5|↕500)⊔1009|7919×↕500", "(⌈´-⌊´)¨(5|↕500)⊔1009|7919×↕500",
                              "(2×+´)¨(5|↕500)⊔1009|7919×↕500", "(-∘(+´))¨(5|↕500)⊔1009|7919×↕500"})
    device.agree_there(program);
}

TEST_CASE("groups of rows are folded by columns") {
  OnDevice device;
  for (const char* f : {"+˝¨", "⌈˝¨", "≠¨", "(+˝÷≠)¨", "{𝕊:(+´¨𝕩)⎊1}"})
    device.agree(std::string(f) + "(5|↕100)⊔100‿5⥊1009|7919×↕500");
}
