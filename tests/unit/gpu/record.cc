#include "gpu/record.h"

#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::Context;
using griddle::Record;
using griddle::testing::OnDevice;

TEST_CASE("a record has a row for each function and place, and forgets them when it is cleared") {
  Context cx;
  Record record(cx);
  const std::size_t fold = record.row_of("Fold");
  CHECK(record.row_of("Scan") != fold);
  CHECK(record.row_of("Fold") == fold);
  CHECK(record[fold].there == 0);
  CHECK(record.holds(fold, "Fold"));
  CHECK(!record.holds(fold, "Scan"));
  CHECK(record.rows().size() == 2);
  record.clear();
  CHECK(!record.holds(fold, "Fold"));
}

TEST_CASE("what ran where is told with places, bytes and reasons") {
  OnDevice device;
  device("•gpu.Trace 1");
  device("x←1+•gpu.Put 3‿1‿4‿1‿5\ny←{𝕨-2×𝕩}´x\n•Fmt 2+x\n+´x+y");
  const std::string columns = "t←1↓•gpu.Trace@ ⋄ ";
  CHECK(device(columns + "⊏⍉t") == "⟨ \"•gpu.Put\" \"Add\" \"Fold\" \"Add\" ⟨⟩ \"Add\" \"Fold\" ⟩");
  CHECK(device(columns + "{(⊑⌽𝕩)-'0'}¨1⊏⍉t") == "⟨ 1 1 2 3 3 4 4 ⟩");
  CHECK(device(columns + "⥊3‿4‿7‿8⊏⍉t") == "⟨ 1 1 0 1 0 1 1 0 0 1 0 0 0 0 5 0 0 0 0 0 0 0 0 10 0 10 0 0 ⟩");
  CHECK(device(columns + "9⊏⍉t") == "⟨ ⟨⟩ ⟨⟩ \"host alone\" ⟨⟩ \"read\" ⟨⟩ ⟨⟩ ⟩");
  CHECK(device(columns + "∧´⥊0≤5‿6⊏⍉t") == "1");
  CHECK(device("≠•gpu.Trace 0 ⋄ ≠•gpu.Trace@") == "1");
}

TEST_CASE("texts without end do not make rows without end") {
  OnDevice device;
  CHECK(device("x←•gpu.Put 9‿8‿7 ⋄ {•BQN \"+´1+•gpu.Put 9‿8‿\"∾•Fmt 𝕩}¨↕3000 ⋄ 1100>≠•gpu.Trace@") == "1");
}
