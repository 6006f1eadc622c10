#include "runtime/value/verify.h"

#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

// The ledger of objects, which a balance needs, is kept by builds that verify.
#ifdef GRIDDLE_VERIFY
TEST_CASE("a reference too many or too few is noticed") {
  Machinery m;
  const Value kept = make_string(m.cx.heap, "kept");
  const auto nothing = [](ObjectVisitor&) {};
  const ReferenceBalance balance(m.cx.heap, nothing);
  CHECK(balance.holds_after(Value()));
  {
    const Value more = kept;
    CHECK(!balance.holds_after(Value()));
    CHECK(balance.holds_after(more));
  }
  CHECK(balance.holds_after(Value()));
}
#endif

TEST_CASE("programs end with the references that they began with") {
  Machinery m;
  Value kept = make_string(m.cx.heap, "kept");
  m.cx.current_error = kept;
  CHECK(kept.array().refs == 2);
  m("{𝕊: ! 2}⎊{⌽𝕩} 5");
  m("1+\"a\"+@");
  m.cx.current_error = Value();
  CHECK(kept.array().refs == 1);
}
