#include "runtime/value/array_builder.h"

#include <doctest/doctest.h>

#include <string>

using namespace griddle;

TEST_CASE("the builder keeps the narrowest type and every element") {
  Heap heap;
  ArrayBuilder numbers(heap);
  for (int i = 0; i < 70000; i++) numbers.push(Value(i));
  Value v = numbers.finish();
  CHECK(v.array().type() == ElementType::i32);
  CHECK(v.array().length == 70000);
  CHECK(number_at(v.array(), 40000) == 40000);

  ArrayBuilder mixed(heap);
  for (int i = 0; i < 100; i++) mixed.push(Value(i));
  mixed.push(make_string(heap, "text"));
  mixed.push(Value::character('x'));
  Value m = mixed.finish();
  CHECK(m.array().type() == ElementType::boxed);
  CHECK(element(m.array(), 57).number() == 57);
  CHECK(to_utf8(element(m.array(), 100).array()) == "text");

  ArrayBuilder nothing(heap);
  CHECK(nothing.finish().array().fill_kind() == FillKind::none);
}

TEST_CASE("boxes are taken as bits as long as there are some, and room") {
  Heap heap;
  const Value text = make_string(heap, "text");
  ArrayBuilder builder(heap, 8);
  const auto next = [&](std::size_t i) { return i == 3 ? Value::absent_bits : Value(text).leak(); };
  CHECK(builder.push_boxes(7, next) == 0);
  builder.push(text);
  CHECK(builder.push_boxes(20, next) == 0);
  CHECK(builder.push_boxes(7, next) == 3);
  builder.push(Value(5));
  CHECK(builder.push_boxes(2, next) == 2);
  const Value list = builder.finish();
  CHECK(list.array().length == 7);
  CHECK(element(list.array(), 4).number() == 5);
  CHECK(text.object()->refs == 7);
}
