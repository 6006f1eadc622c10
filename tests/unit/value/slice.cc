#include "runtime/value/array.h"

#include <doctest/doctest.h>

#include "runtime/value/array_layout.h"
#include "runtime/value/fill.h"
#include "tests/support/zeros_and_ones.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("a slice equals the copied elements, whatever it shares") {
  Heap heap;
  for (ElementType t : all_types) {
    Value whole = to_value(zeros_and_ones(heap, t, 500, 9));
    for (std::size_t offset : {0, 1, 64, 100}) {
      for (std::size_t n : {0, 1, 65, 300}) {
        Value part = slice(heap, whole, offset, n);
        bool same = part.array().length == n && part.array().type() == t;
        for (std::size_t i = 0; i < n && same; i++) same = element(part.array(), i).same(element(whole.array(), offset + i));
        CHECK(same);
      }
    }
  }
}

TEST_CASE("a view is writable only when nobody else holds what it shares") {
  Heap heap;
  Value whole = to_value(zeros_and_ones(heap, ElementType::f64, 500, 9));
  Value part = slice(heap, whole, 100, std::size_t{300});
  CHECK(part.array().is_view());
  CHECK(!part.array().writable());
  whole = Value();
  CHECK(part.array().writable());
}

TEST_CASE("a few boxes cut out of others keep the fill of those") {
  Heap heap;
  const auto text = [&](const char* s) { return make_string(heap, s); };
  Value boxes = to_value(make_boxes_filled_with(heap, 12, text("fill")));
  for (std::size_t i = 0; i < 12; i++) boxes.array().boxes()[i] = text("abcdefghijkl" + i);
  Value first = to_value(make_list(heap, ElementType::boxed, 12));
  for (std::size_t i = 0; i < 12; i++) first.array().boxes()[i] = text("abcdefghijkl" + i);
  first.array().set_fill_kind(FillKind::of_first);
  for (const Value& v : {boxes, first})
    for (std::size_t offset = 0; offset <= 12; offset++)
      for (std::size_t n = 0; n <= 12 - offset; n++) {
        const Value piece = slice(heap, v, offset, n);
        REQUIRE(piece.array().length == n);
        for (std::size_t i = 0; i < n; i++) CHECK(piece.array().boxes()[i].bits() == v.array().boxes()[offset + i].bits());
        const Value fill = fill_of(heap, piece), whole = fill_of(heap, v);
        REQUIRE(fill.is_array());
        CHECK(fill.array().length == whole.array().length);
        CHECK(fill.array().type() == whole.array().type());
      }
}
