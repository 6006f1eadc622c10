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
  std::string shown(const Value& v) { return display_text(cx, v); }
};

}  // namespace griddle::testing
