#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/zeros_and_ones.h"

using namespace griddle;
using namespace griddle::testing;

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
