#include "runtime/value/array.h"

#include <doctest/doctest.h>

#include <random>
#include <utility>
#include <vector>

#include "runtime/value/array_builder.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/fill.h"

using namespace griddle;

namespace {

constexpr ElementType all_types[] = {ElementType::bit, ElementType::i8,  ElementType::i16, ElementType::i32,  ElementType::f64,
                                     ElementType::c8,  ElementType::c16, ElementType::c32, ElementType::boxed};

// Makes a list of 0 and 1 (or characters of those codes) in the given storage form.
Ref<Array> zeros_and_ones(Heap& heap, ElementType t, std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  Ref<Array> a = make_list(heap, t, n);
  for (std::size_t i = 0; i < n; i++) {
    unsigned v = random() & 1;
    store(*a, i, is_character(t) ? Value::character(v) : Value(static_cast<double>(v)));
  }
  return a;
}

}  // namespace

TEST_CASE("elements survive every conversion that can hold them") {
  Heap heap;
  for (ElementType from : all_types) {
    for (ElementType to : all_types) {
      if (is_character(from) != is_character(to) && from != ElementType::boxed && to != ElementType::boxed) continue;
      if (from == ElementType::boxed && is_character(to)) continue;
      for (std::size_t n : {0, 1, 7, 63, 64, 65, 200}) {
        Ref<Array> a = zeros_and_ones(heap, from, n, 5);
        Value b = converted(heap, *a, to);
        CHECK(b.array().type() == to);
        bool same = b.array().length == n;
        for (std::size_t i = 0; i < n && same; i++) same = element(b.array(), i).same(element(*a, i));
        CHECK(same);
      }
    }
  }
}

TEST_CASE("narrowed finds the narrowest form") {
  Heap heap;
  struct Case {
    std::vector<double> values;
    ElementType expected;
  };
  for (const Case& c : std::initializer_list<Case>{{{0, 1, 1}, ElementType::bit},
                                                   {{0, 2}, ElementType::i8},
                                                   {{-128, 127}, ElementType::i8},
                                                   {{-129, 0}, ElementType::i16},
                                                   {{32767, -32768}, ElementType::i16},
                                                   {{32768}, ElementType::i32},
                                                   {{2147483647.0, -2147483648.0}, ElementType::i32},
                                                   {{2147483648.0}, ElementType::f64},
                                                   {{0.5}, ElementType::f64}}) {
    CHECK(make_numbers(heap, c.values).array().type() == c.expected);
    Ref<Array> boxed = make_list(heap, ElementType::boxed, c.values.size());
    for (std::size_t i = 0; i < c.values.size(); i++) store(*boxed, i, Value(c.values[i]));
    CHECK(narrowed(heap, to_value(std::move(boxed))).array().type() == c.expected);
  }
}

TEST_CASE("bits are copied at every alignment and nothing beside them") {
  std::mt19937_64 random(1);
  std::uint64_t source[6], target[6], expected[6];
  for (std::size_t from = 0; from < 70; from += 3) {
    for (std::size_t to = 0; to < 70; to++) {
      for (std::size_t n : {0, 1, 5, 63, 64, 65, 127, 128, 200}) {
        for (int i = 0; i < 6; i++) source[i] = random(), target[i] = expected[i] = random();
        for (std::size_t i = 0; i < n; i++) {
          std::uint64_t bit = source[(from + i) / 64] >> (from + i) % 64 & 1;
          std::uint64_t& word = expected[(to + i) / 64];
          word = (word & ~(std::uint64_t{1} << (to + i) % 64)) | bit << (to + i) % 64;
        }
        copy_bits(target, to, source, from, n);
        REQUIRE(std::equal(target, target + 6, expected));
      }
    }
  }
}

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

TEST_CASE("text goes through UTF-8 and back") {
  Heap heap;
  for (const char* text : {"", "plain", "naïve", "𝕨⌾𝕩", "日本語"}) CHECK(to_utf8(make_string(heap, text).array()) == text);
  CHECK(character_at(make_string(heap,
                                 "a\xFF"
                                 "b")
                         .array(),
                     1) == 0xFFFD);
}

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

TEST_CASE("a few boxes cut out of others keep the fill of those") {
  Heap heap;
  const auto text = [&](const char* s) { return make_string(heap, s); };
  Value boxes = to_value(make_boxes_filled_with(heap, 12, text("fill")));
  for (std::size_t i = 0; i < 12; i++) boxes.array().boxes()[i] = text("abcdefghijkl" + i);
  Value first = to_value(make_list(heap, ElementType::boxed, 12));
  for (std::size_t i = 0; i < 12; i++) first.array().boxes()[i] = text("abcdefghijkl" + i);
  set_fill_kind(first.array(), FillKind::of_first);
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

TEST_CASE("a short list of lengths keeps them when it grows, moves and is assigned to itself") {
  for (std::size_t n = 0; n < 40; n++) {
    Shape lengths;
    for (std::size_t i = 0; i < n; i++) lengths.push_back(i * i);
    const auto holds_all = [&](const Shape& s) {
      bool same = s.size() == n;
      for (std::size_t i = 0; i < n && same; i++) same = s[i] == i * i;
      return same;
    };
    REQUIRE(holds_all(lengths));
    Shape copy(lengths), longer{1, 2, 3}, shorter;
    shorter.resize(20, 7);
    copy = std::as_const(copy);
    CHECK(holds_all(copy));
    longer = lengths;
    shorter = lengths;
    CHECK(holds_all(longer));
    CHECK(holds_all(shorter));
    Shape& same = copy;
    copy = std::move(same);
    CHECK(holds_all(copy));
    Shape moved(std::move(copy));
    CHECK(holds_all(moved));
    CHECK(copy.empty());
    copy.push_back(5);
    CHECK(copy[0] == 5);
    copy = std::move(moved);
    CHECK(holds_all(copy));
    copy.append(lengths.view());
    CHECK(copy.size() == 2 * n);
    copy.resize(n, 0);
    CHECK(holds_all(copy));
    copy.resize(n + 9, 3);
    CHECK(copy[n + 8] == 3);
  }
}
