#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("elements meet cells, each its own or a list all") {
  BothWays ways;
  for (const char* program :
       {"(↕3)+3‿5⥊¯7+↕15", "(↕3)-3‿5⥊¯7+↕15", "(↕3)×3‿5⥊¯7+↕15", "(↕3)⌊3‿5⥊¯7+↕15", "(↕3)|3‿5⥊¯7+↕15", "(↕3)<3‿5⥊¯7+↕15",
        "(↕3)=3‿5⥊¯7+↕15", "(3‿5⥊¯7+↕15)+↕3", "(3‿5⥊¯7+↕15)-↕3", "(3‿5⥊¯7+↕15)×↕3", "(3‿5⥊¯7+↕15)⌊↕3", "(3‿5⥊¯7+↕15)|↕3",
        "(3‿5⥊¯7+↕15)<↕3", "(3‿5⥊¯7+↕15)=↕3", "(0.5×↕4)×4‿100⥊↕400", "(4‿100⥊\"ab\")-↕4", "(2‿2⥊↕4)+2‿2‿7⥊2|↕28"})
    ways.agree(program);
}
