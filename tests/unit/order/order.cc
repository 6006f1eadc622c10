// The total order of values.
#include "primitives/order/order.h"

#include <doctest/doctest.h>

#include <cmath>

#include "runtime/vm/error.h"

using namespace griddle;
using griddle::primitives::Ordering;

namespace {

struct Fixture {
  Context cx;
  Ordering order{cx, "Sort Up"};
  Fixture() { set_stack_limit(cx); }
  Value text(const char* s) { return make_string(cx.heap, s); }
  Value zeros(std::initializer_list<std::size_t> shape) {
    Ref<Array> a = make_array(cx.heap, ElementType::f64, Shape(shape).view());
    for (std::size_t i = 0; i < a->length; i++) a->as<double>()[i] = 0;
    return to_value(std::move(a));
  }
  // Checks that values given in order compare so both ways.
  void ascending(const std::vector<Value>& values) {
    for (std::size_t i = 0; i < values.size(); i++)
      for (std::size_t j = 0; j < values.size(); j++) {
        CAPTURE(i);
        CAPTURE(j);
        int c = order.compare(values[i], values[j]);
        CHECK((c > 0) - (c < 0) == (i > j) - (i < j));
      }
  }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "numbers come before characters, and NaN after infinity") {
  ascending({Value(-INFINITY), Value(-1), Value(0.5), Value(INFINITY), Value(NAN), Value::character('A'), Value::character('a')});
  CHECK(order.compare(Value(0.0), Value(-0.0)) == 0);
}

TEST_CASE_FIXTURE(Fixture, "an atom comes just before its enclosure and lists that begin with it") {
  Value one = Value(1);
  ascending({one, enclose(cx.heap, one), make_pair(cx.heap, one, one)});
  ascending({zeros({0}), Value(-5), zeros({1})});
}

TEST_CASE_FIXTURE(Fixture, "an empty array comes first, and prefixes before longer lists") {
  ascending({text(""), text("a"), text("ab"), text("b")});
}

TEST_CASE_FIXTURE(Fixture, "shapes decide from the last axis on, then rank") {
  ascending({zeros({3, 0}), zeros({0, 3})});
  ascending({zeros({2}), zeros({1, 2}), zeros({2, 2}), zeros({3, 3})});
}

TEST_CASE_FIXTURE(Fixture, "storage forms do not matter") {
  Value narrow = make_numbers(cx.heap, std::vector<std::size_t>{1, 0, 1});
  for (int t = 0; t <= static_cast<int>(ElementType::f64); t++) {
    Value other = converted(cx.heap, narrow.array(), static_cast<ElementType>(t));
    CHECK(order.compare(narrow, other) == 0);
    CHECK(order.compare(other, converted(cx.heap, narrow.array(), ElementType::boxed)) == 0);
  }
}
