#include "runtime/value/array.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/value/array_layout.h"
#include "runtime/value/fill.h"

using namespace griddle;

TEST_CASE("a lent array is unique although two hold it") {
  Heap heap;
  Value a = to_value(make_list(heap, ElementType::f64, 10));
  Value b = a;
  CHECK(!a.array().unique());
  a.array().flags |= Object::lent;
  CHECK(a.array().unique());
  Value c = a;
  CHECK(!a.array().unique());
  a.array().flags &= static_cast<std::uint8_t>(~Object::lent);
}

TEST_CASE("a shape change keeps elements and fill, and shares where others look on") {
  Heap heap;
  std::size_t shape[] = {4, 5};
  Value list = make_string(heap, "abcdefghijklmnopqrst");
  Value table = with_shape(heap, list, shape);
  CHECK(list.array().rank() == 1);
  CHECK(same_shape(table.array().shape(), shape));
  CHECK(table.array().fill_kind() == FillKind::space);
  CHECK(character_at(table.array(), 19) == U't');
  Array* before = &list.array();
  table = Value();
  list = with_shape(heap, std::move(list), shape);
  CHECK(list.array().rank() == 2);
  (void)before;
}

TEST_CASE("boxes with an array as their fill keep it beside their elements") {
  Heap heap;
  for (std::size_t n : {0, 1, 2, 23, 24, 25, 100}) {
    const Value fill = make_string(heap, "ab");
    Value v = to_value(make_boxes_filled_with(heap, n, fill));
    REQUIRE(v.array().length == n);
    CHECK(fill_of(heap, v).bits() == fill.bits());
    for (std::size_t i = 0; i < n; i++) {
      CHECK(v.array().boxes()[i].bits() == Value(0).bits());
      v.array().boxes()[i] = make_string(heap, "an element");
    }
    const Value copy = to_value(make_writable(heap, v));
    CHECK(fill_of(heap, copy).bits() == fill.bits());
    for (std::size_t i = 0; i < n; i++) CHECK(to_utf8(copy.array().boxes()[i].array()) == "an element");
    const Value shaped = with_shape(heap, std::move(v), Shape{n, 1});
    CHECK(shaped.array().rank() == 2);
    CHECK(fill_of(heap, shaped).bits() == fill.bits());
    for (std::size_t i = 0; i < n; i++) CHECK(to_utf8(element(shaped.array(), i).array()) == "an element");
  }
}

TEST_CASE("memory that was fetched for a list or table is at hand for the next one") {
  if (Heap::verifies()) return;
  for (const PlainList& plain : plain_lists) {
    for (std::size_t n = 1; n < 300; n++) {
      Heap heap;
      release(make_list_anywhere(heap, plain, n));
      Array* const list = list_at_hand(heap, plain, n);
      REQUIRE(list != nullptr);
      release(list);
      for (std::size_t rows : {std::size_t{1}, std::size_t{2}, n}) {
        Heap fresh;
        release(make_table_anywhere(fresh, plain, rows, n));
        Array* const table = table_at_hand(fresh, plain, rows, n);
        // Large ones are never at hand.
        REQUIRE((table != nullptr) == (bytes_of_table(plain, rows, n) <= Heap::largest_small));
        if (table != nullptr) release(table);
      }
    }
  }
}
