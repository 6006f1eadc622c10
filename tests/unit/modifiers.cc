#include <doctest/doctest.h>

#include "primitives/common/element_reader.h"
#include "primitives/inverse/replace_cells.h"
#include "primitives/inverse/undo.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "tests/support/house.h"

using namespace griddle;
using namespace griddle::primitives;
using namespace griddle::testing;

namespace {

int calls = 0;

Value increment(Context&, const Function&, Value x) {
  calls++;
  return Value(x.number() + 1);
}
Value fail_at_two(Context& cx, const Function&, Value x) {
  if (x.is_number() && x.number() == 2) fail(cx, "two");
  return x;
}

}  // namespace

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

TEST_CASE("under changes an unshared list in place") {
  House h;
  Value pick_second = h.with(Value(1), U'⊸', h.glyph(U'⊑'));
  Value under = h.with(h.native(increment), U'⌾', pick_second);
  Value x = h.numbers({100, 50, 7});
  const Array* before = &x.array();
  Value result = call(h.cx, under, std::move(x));
  CHECK(&result.array() == before);
  CHECK(h.shown(result) == "⟨ 100 51 7 ⟩");
}

TEST_CASE("under leaves a shared list alone") {
  House h;
  Value pick_second = h.with(Value(1), U'⊸', h.glyph(U'⊑'));
  Value under = h.with(h.native(increment), U'⌾', pick_second);
  Value x = h.numbers({100, 50, 7});
  CHECK(h.shown(call(h.cx, under, x)) == "⟨ 100 51 7 ⟩");
  CHECK(h.shown(x) == "⟨ 100 50 7 ⟩");
}

TEST_CASE("replacing cells checks places named twice") {
  House h;
  std::vector<std::size_t> places{1, 1};
  CHECK(h.shown(replace_cells(h.cx, h.numbers({1, 2, 3}), 1, places, h.numbers({9, 9}))) == "⟨ 1 9 3 ⟩");
  CHECK_THROWS_AS(replace_cells(h.cx, h.numbers({1, 2, 3}), 1, places, h.numbers({8, 9})), Error);
}

TEST_CASE("native functions are undone by the codes in their state") {
  House h;
  auto codes = make_native<UndoCodes>(h.cx.heap);
  codes->undo = [](Context&, const Function&, Value x) { return Value(x.number() - 1); };
  Value f = make_native_function(h.cx.heap, "•test", increment, no_dyad, Ref<NativeObject>(codes.leak()));
  CHECK(undo_call(h.cx, f, Value(5)).number() == 4);
  CHECK_THROWS_AS(undo_call(h.cx, f, Value(1), Value(5)), Error);
  CHECK(call(h.cx, h.with(h.with(f, U'∘', h.glyph(U'-')), U'⁼'), Value(5)).number() == -4);
}

TEST_CASE("the handler of catch sees the message, and nobody after it") {
  House h;
  Value handler = h.native([](Context& cx, const Function&, Value) { return cx.current_error; });
  Value f = h.with(h.native(fail_at_two), U'⎊', handler);
  CHECK(h.shown(call(h.cx, f, Value(2))) == "\"two\"");
  CHECK(h.cx.current_error.is_absent());
}
