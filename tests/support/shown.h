// Values made in C++, as text.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/format/format.h"
#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::testing {

struct Shown {
  Context cx;
  std::string operator()(const Value& v) { return std::string(display_text(cx, v)); }
  std::string source(const Value& v) {
    HeapText out(cx.heap);
    CHECK(append_source(cx, out, v) == SourceProblem::none);
    return std::string(out);
  }
  Value list(std::vector<Value> v) { return make_values(cx.heap, v); }
  Value text(const char* s) { return make_string(cx.heap, s); }
  Value shaped(std::vector<std::size_t> shape, Value v) { return with_shape(cx.heap, std::move(v), shape); }
  Value range(std::size_t n) {
    std::vector<Value> v;
    for (std::size_t i = 0; i < n; i++) v.emplace_back(i);
    return list(v);
  }
};

}  // namespace griddle::testing
