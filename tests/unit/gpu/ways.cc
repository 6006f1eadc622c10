#include "gpu/ways.h"

#include <doctest/doctest.h>

#include "primitives/doors.h"
#include "tests/support/on_device.h"

using griddle::Glyph;
using griddle::testing::OnDevice;

TEST_CASE("the device is offered the functions that have ways there, and no others") {
  using namespace griddle::primitives;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Glyph::constant); i++) {
    const auto glyph = static_cast<Glyph>(i);
    const char32_t code = griddle::entry_of(glyph).glyph;
    CAPTURE(i);
    CHECK(is_offered(offered_monads, code) == griddle::gpu::ways_of(glyph).has_monad());
    CHECK(is_offered(offered_dyads, code) == griddle::gpu::ways_of(glyph).has_dyad());
  }
}

TEST_CASE("each column of the table is gone") {
  OnDevice device;
  const std::string x = "x←1009|7919×↕500 ⋄ t←50‿10⥊x ⋄ ";
  for (const char* program : {"-x",        "x+⌽x",      "1+⌽t",          "⍋x",          "⍋t",     "∊7|t",
                              "1+⌽˘t",     "1+⊏˘t",     "1+⥊˘5‿10‿10⥊x", "t∾t",         "1+3↑t",  "1+3⊏t",
                              "1+(2⊸⌽)˘t", "1+(3⊸↑)˘t", "1+(2⊸⊏)˘t",     "1+(2‿1⊸⊏)˘t", "t∾˘t",   "t≍˘t",
                              "1+»˘t",     "1+«˘t",     "∧˘t",           "1+⊑˘t",       "1+3⊑˘t", "1+⍉⎉2 5‿10‿10⥊x",
                              "1+>⟨x,⌽x⟩"})
    device.agree_there(x + program);
}
