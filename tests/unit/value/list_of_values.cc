#include "runtime/value/array.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace griddle;

TEST_CASE("a list of values has the narrowest type that holds all") {
  Heap heap;
  const auto type_of = [&](std::vector<Value> values) { return make_values(heap, values).array().type(); };
  CHECK(type_of({0, 1}) == ElementType::bit);
  CHECK(type_of({0, -1}) == ElementType::i8);
  CHECK(type_of({1, 200}) == ElementType::i16);
  CHECK(type_of({1, 1e6}) == ElementType::i32);
  CHECK(type_of({1, 0.5}) == ElementType::f64);
  CHECK(type_of({Value::character('a'), Value::character(0xE9)}) == ElementType::c8);
  CHECK(type_of({Value::character('a'), Value::character(0x1D569)}) == ElementType::c32);
  CHECK(type_of({1, Value::character('a')}) == ElementType::boxed);
  CHECK(make_values(heap, {}).array().fill_kind() == FillKind::none);
}

TEST_CASE("values come out as they went in, however many there are") {
  Heap heap;
  for (std::size_t n : {1, 2, 3, 8, 31, 64, 65, 200}) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < n; i++) values.push_back(i % 3 == 2 ? make_string(heap, "box") : Value(static_cast<double>(i)));
    const std::vector<Value> wanted = values;
    const Value list = make_values(heap, values);
    REQUIRE(list.array().length == n);
    bool same = true;
    for (std::size_t i = 0; i < n; i++) same &= element(list.array(), i).bits() == wanted[i].bits();
    CHECK(same);
  }
}

TEST_CASE("a literal of characters brings no fill along") {
  Heap heap;
  std::vector<Value> letters = {Value::character('a'), Value::character('b')};
  CHECK(make_literal(heap, letters).array().fill_kind() == FillKind::none);
  letters = {Value::character('a'), Value::character('b')};
  CHECK(make_values(heap, letters).array().fill_kind() == FillKind::space);
}

TEST_CASE("few integers have the narrowest type") {
  Heap heap;
  const std::int32_t bits[] = {0, 1}, bytes[] = {-128, 127}, wide[] = {1, 70000};
  CHECK(make_few_integers(heap, bits)->type() == ElementType::bit);
  CHECK(make_few_integers(heap, bytes)->type() == ElementType::i8);
  Ref<Array> a = make_few_integers(heap, wide);
  CHECK(a->type() == ElementType::i32);
  CHECK(number_at(*a, 1) == 70000);
}
