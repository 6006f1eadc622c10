#include "runtime/value/append.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace griddle;

TEST_CASE("items are appended in place while there is room, whatever their type") {
  Heap heap;
  Value list = make_numbers(heap, std::vector<double>{1, 0});
  std::vector<double> wanted = {1, 0};
  int in_place = 0;
  for (int i = 0; i < 3000; i++) {
    const double number = i % 1000 == 999 ? i * 1000.0 + 0.5 * (i > 2000) : i % 100;
    Value item(number);
    if (append(heap, list, item)) {
      in_place++;
    } else {
      // Joining anew is as cheap: so it is done here.
      Ref<Array> longer = make_list(heap, common_type(list.array().type(), element_type_of(Value(number))), wanted.size() + 1);
      copy_elements(*longer, 0, list.array(), 0, wanted.size());
      store(*longer, wanted.size(), Value(number));
      list = to_value(std::move(longer));
    }
    wanted.push_back(number);
  }
  REQUIRE(list.array().length == wanted.size());
  bool same = true;
  for (std::size_t i = 0; i < wanted.size(); i++) same &= number_at(list.array(), i) == wanted[i];
  CHECK(same);
  CHECK(in_place > 2900);
}

TEST_CASE("the elements of a list are appended, and a list that others hold is left alone") {
  Heap heap;
  Value list = to_value(make_list_with_room(heap, ElementType::c8, 0, 100)), item = make_string(heap, "abc");
  CHECK(append(heap, list, item));
  item = make_string(heap, "d");
  CHECK(append(heap, list, item));
  CHECK(to_utf8(list.array()) == "abcd");
  const Value other = list;
  item = Value::character('e');
  CHECK(!append(heap, list, item));
  CHECK(to_utf8(other.array()) == "abcd");
}

TEST_CASE("the first elements are kept, and room for others") {
  Heap heap;
  Value list = to_value(make_list_with_room(heap, ElementType::f64, 200, 400));
  for (std::size_t i = 0; i < 200; i++) store(list.array(), i, Value(i + 0.5));
  const Array* before = &list.array();
  REQUIRE(keep_first(list, 150));
  CHECK(list.array().length == 150);
  CHECK(&list.array() == before);
  CHECK(number_at(list.array(), 149) == 149.5);
  CHECK(!keep_first(list, 1));  // would hold much more memory than it needs
  const Value other = list;
  CHECK(!keep_first(list, 140));
}

TEST_CASE("items are put before a list where there is room, and others that hold it see nothing of that") {
  Heap heap;
  for (const ElementType type : {ElementType::i16, ElementType::f64, ElementType::c8, ElementType::boxed}) {
    Ref<Array> begun = make_list(heap, type, 300);
    for (std::size_t i = 0; i < 300; i++) store(*begun, i, type == ElementType::c8 ? Value::character('a') : Value(7));
    Value list = to_value(std::move(begun));
    int moved = 0;
    for (int i = 0; i < 2000; i++) {
      const Array* const before = &list.array();
      Value item = type == ElementType::c8 ? Value::character(static_cast<char32_t>(i % 256)) : Value(i);
      if (type == ElementType::boxed && i % 2) item = enclose(heap, make_string(heap, "abc"));
      REQUIRE(prepend(heap, item, list));
      moved += before != &list.array();
    }
    CHECK(moved < 40);
    REQUIRE(list.array().length == 2300);
    CHECK(element(list.array(), 2299).same(type == ElementType::c8 ? Value::character('a') : Value(7)));
    CHECK(element(list.array(), 1999).same(type == ElementType::c8 ? Value::character(0) : Value(0)));
    if (type == ElementType::boxed) {
      CHECK(to_utf8(element(list.array(), 0).array()) == "abc");
      continue;
    }
    const Value other = list;
    Value item = type == ElementType::c8 ? Value::character('b') : Value(1);
    CHECK(!prepend(heap, item, list));
    CHECK(other.array().length == 2300);
  }
}

TEST_CASE("a list of some elements is put before a list, unless its type or its length are others") {
  Heap heap;
  Value list = to_value(make_list(heap, ElementType::i8, 300)), item = make_numbers(heap, std::vector<double>{1, 2, 3});
  for (std::size_t i = 0; i < 300; i++) store(list.array(), i, Value(5));
  REQUIRE(prepend(heap, item, list));
  CHECK(number_at(list.array(), 0) == 1);
  CHECK(number_at(list.array(), 2) == 3);
  CHECK(number_at(list.array(), 3) == 5);
  for (Value other : {Value(1000), Value(0.5), Value::character('a'), to_value(make_list(heap, ElementType::i8, 60))})
    CHECK(!prepend(heap, other, list));
  CHECK(list.array().length == 303);
}
