// Functions made of primitives in C++, without programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/format/format.h"
#include "runtime/primitive.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle::testing {

[[noreturn]] inline Value no_dyad(Context& cx, const Function&, Value, Value) { fail(cx, "no dyad"); }

inline int calls = 0;

inline Value increment(Context&, const Function&, Value x) {
  calls++;
  return Value(x.number() + 1);
}
inline Value fail_at_two(Context& cx, const Function&, Value x) {
  if (x.is_number() && x.number() == 2) fail(cx, "two");
  return x;
}

struct House {
  Context cx;
  House() {
    make_primitives(cx);
    set_stack_limit(cx);
  }
  Value glyph(char32_t g) { return primitive(cx, g); }
  Value with(Value f, char32_t modifier) { return derive1(cx, glyph(modifier), std::move(f)); }
  Value with(Value f, char32_t modifier, Value g) { return derive2(cx, glyph(modifier), std::move(f), std::move(g)); }
  Value native(MonadCode code) { return make_native_function(cx.heap, "•test", code, no_dyad); }
  Value numbers(std::vector<double> v) { return make_numbers(cx.heap, std::span<const double>(v)); }
  Value values(std::vector<Value> v) { return make_values(cx.heap, v); }
  std::string shown(const Value& v) { return std::string(display_text(cx, v)); }
};

}  // namespace griddle::testing
