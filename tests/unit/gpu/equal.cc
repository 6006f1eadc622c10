#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("different elements come from a table of values, or from buckets") {
  OnDevice device;
  for (const char* x : {"1009|7919×↕500", "7|7919×↕500", "50⌊500|7919×↕500", "1e8×100|7919×↕500", "0.5+100|7919×↕500",
                        "@+1e6×2|↕500", "(-0)∾0∾0.5+↕9", "1e6×↕1"})
    for (const char* function : {"⍷x", "∊x", "⊐x", "⊒x"}) device.agree_there("x←" + std::string(x) + " ⋄ " + function);
}

TEST_CASE("kinds of bits are found without a table, and few values by one that tells their classes and marks") {
  OnDevice device;
  for (const char* x : {"2|↕500", "1∾500⥊0", "0∾500⥊1", "500⥊1", "(↕300000)≥299999", "¬(↕300000)≥262144", "3|7919×↕500",
                        "1009|7919×↕20000", "@+97+5|7919×↕500", "¯3+7|7919×↕500"})
    for (const char* function : {"⍷x", "∊x", "⊐x", "∾⟜(+´∊)⊐x", "(⍷x)⊐x"}) device.agree("x←" + std::string(x) + " ⋄ " + function);
}
