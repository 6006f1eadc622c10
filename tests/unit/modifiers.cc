#include <doctest/doctest.h>

#include "primitives/common/element_reader.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "tests/support/house.h"

using namespace griddle;
using namespace griddle::primitives;
using namespace griddle::testing;

TEST_CASE("each calls a native function once for every element of any storage form") {
  House h;
  Value each = h.with(h.native(increment), U'¨');
  for (ElementType t :
       {ElementType::bit, ElementType::i8, ElementType::i16, ElementType::i32, ElementType::f64, ElementType::boxed}) {
    calls = 0;
    Value x = converted(h.cx.heap, h.numbers({0, 1, 1}).array(), t);
    CHECK(h.shown(call(h.cx, each, x)) == "⟨ 1 2 2 ⟩");
    CHECK(calls == 3);
  }
}

TEST_CASE("a call that fails half way leaves a shared argument as it was") {
  House h;
  Value each = h.with(h.native(fail_at_two), U'¨');
  Value x = h.values({make_string(h.cx.heap, std::string_view("ab")), Value(2)});
  CHECK_THROWS_AS(call(h.cx, each, x), Error);
  CHECK(h.shown(x) == "⟨ \"ab\" 2 ⟩");
}

TEST_CASE("the handler of catch sees the message, and nobody after it") {
  House h;
  Value handler = h.native([](Context& cx, const Function&, Value) { return cx.current_error; });
  Value f = h.with(h.native(fail_at_two), U'⎊', handler);
  CHECK(h.shown(call(h.cx, f, Value(2))) == "\"two\"");
  CHECK(h.cx.current_error.is_absent());
}
