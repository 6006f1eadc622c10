#include "runtime/value/fill.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace griddle;

TEST_CASE("the fill of an enclosed value is its prototype") {
  Heap heap;
  Value inner = make_pair(heap, make_string(heap, "ab"), Value(7.0));
  Value fill = fill_of(heap, enclose(heap, inner));
  REQUIRE(fill.is_array());
  CHECK(to_utf8(element(fill.array(), 0).array()) == "  ");
  CHECK(element(fill.array(), 1).number() == 0);
  CHECK(fill_of(heap, make_string(heap, "x")).character() == U' ');
  Value of_mark = enclose(heap, make_pair(heap, Value(1.0), Value()));
  CHECK(fill_of(heap, of_mark).is_absent());
}

TEST_CASE("a fill is kept where both have it, and replaced where asked") {
  Heap heap;
  const Value text = make_string(heap, "ab"), numbers = make_numbers(heap, std::vector<double>{1, 2});
  CHECK(common_fill(heap, text, make_string(heap, "")).character() == U' ');
  CHECK(common_fill(heap, text, numbers).is_absent());
  CHECK(fill_of(heap, with_fill_like(heap, text, numbers)).number() == 0);
  CHECK(fill_of(heap, with_fill(heap, text, Value())).is_absent());
  CHECK(fill_of(heap, with_fill(heap, text, numbers)).bits() == numbers.bits());
  CHECK(fill_of(heap, text).character() == U' ');
}

TEST_CASE("a shape is filled with any value") {
  Heap heap;
  const std::size_t shape[] = {2, 3};
  for (const Value& v : {Value(1), Value(300), Value(0.5), Value::character('x'), make_string(heap, "box")}) {
    const Value all = filled(heap, shape, v);
    CHECK(same_shape(all.array().shape(), shape));
    for (std::size_t i = 0; i < 6; i++) CHECK(element(all.array(), i).bits() == v.bits());
  }
}
