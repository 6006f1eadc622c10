// Sort, grade and bins over every storage form, against a stable sort by the order of values.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "primitives/functions.h"
#include "tests/support/both_ways.h"
#include "tests/support/model_grade.h"

using namespace griddle;
using namespace griddle::test;
namespace p = griddle::primitives;

TEST_CASE("sort and grade put the cells of every storage form in order") {
  CellSamples s;
  for (const Lengths& shape : cell_shapes)
    for (const Value& boxed : s.samples(shape))
      for (bool down : {false, true}) {
        std::vector<std::size_t> places = model_grade(s, boxed, down);
        Value sorted = s.cells_at(boxed, places), grade = s.numbers(places);
        for (const Value& x : s.forms(boxed)) {
          CAPTURE(name_of(x.array().type()));
          CAPTURE(shape_text(x));
          CHECK(s.same(down ? p::grade_down(s.cx, x) : p::grade_up(s.cx, x), grade));
          CHECK(s.same(down ? p::sort_down(s.cx, x) : p::sort_up(s.cx, x), sorted));
          CHECK(s.same(x, boxed));
          Value own = converted(s.cx.heap, x.array(), x.array().type());
          CHECK(s.same(down ? p::sort_down(s.cx, std::move(own)) : p::sort_up(s.cx, std::move(own)), sorted));
          CHECK(s.same(down ? p::sort_down(s.cx, sorted) : p::sort_up(s.cx, sorted), sorted));
        }
      }
}

namespace {

// Gives lists of values that agree in what they begin with, or nearly do: of one family each, and of all.
std::vector<Value> lists_of_values(CellSamples& s, std::size_t n) {
  const auto numbers = [&s](std::size_t k, ElementType type, double first) {
    Ref<Array> a = make_list(s.cx.heap, ElementType::f64, k % 11);
    for (std::size_t i = 0; i < a->length; i++) a->as<double>()[i] = i == k % 5 ? first : static_cast<double>((i + k / 40) % 2);
    return converted(s.cx.heap, *a, type);
  };
  const auto text = [&s](std::size_t k) {
    std::u32string letters(k % 13, k % 5 == 0 ? U'∘' : U'b');
    return make_string(s.cx.heap, letters.append(k % 3, static_cast<char32_t>(U'a' + k % 7)));
  };
  const auto narrow = [=](std::size_t k) { return numbers(k, k % 2 ? ElementType::i8 : ElementType::i16, k % 7 - 3.0); };
  const auto whole = [=](std::size_t k) { return numbers(k, k % 2 ? ElementType::i8 : ElementType::i32, 50.0 - k % 99); };
  const auto fractions = [=](std::size_t k) {
    return numbers(k, ElementType::f64, k % 4 == 0 ? -0.0 : k % 4 == 1 ? 0.0 / 0.0 : 0.25 * static_cast<double>(k % 9) - 1);
  };
  const auto nested = [&, numbers](std::size_t k) {
    if (k % 4 == 0) return Value(static_cast<int>(k % 5) - 2);
    if (k % 4 == 1) return Value::character(static_cast<char32_t>('a' + k % 3));
    return make_pair(s.cx.heap, k % 3 == 0 ? text(k) : fractions(k), enclose(s.cx.heap, whole(k)));
  };
  std::vector<Value> lists;
  for (const std::function<Value(std::size_t)>& element : std::vector<std::function<Value(std::size_t)>>{
           [=](std::size_t k) { return numbers(k, ElementType::bit, k % 2); },
           [&](std::size_t k) { return make_string(s.cx.heap, std::string(8 + k % 13, 'b') + std::string(k % 2, 'a')); },
           [&](std::size_t k) {
             const std::size_t n[] = {1, 1, 1, 1, k % 3 * 300, k % 50};
             return make_numbers(s.cx.heap, std::span(n).first(4 + k % 3));
           },
           narrow, whole, fractions, text, nested,
           [=](std::size_t k) { return k % 3 == 0   ? nested(k)
                                       : k % 3 == 1 ? text(k)
                                                    : whole(k); }}) {
    Ref<Array> a = make_list(s.cx.heap, ElementType::boxed, n);
    for (std::size_t i = 0; i < n; i++) a->as<Value>()[i] = element((i * i * 31 + i * 7) % 997);
    lists.push_back(to_value(std::move(a)));
  }
  return lists;
}

}  // namespace

TEST_CASE("boxes are graded by all that they hold") {
  CellSamples s;
  for (const std::size_t n : {2, 9, 30, 300})
    for (const Value& x : lists_of_values(s, n))
      for (bool down : {false, true}) {
        CAPTURE(n);
        CHECK(s.same(down ? p::grade_down(s.cx, x) : p::grade_up(s.cx, x), s.numbers(model_grade(s, x, down))));
      }
}

TEST_CASE("NaN is sorted behind infinity") {
  CellSamples s;
  Ref<Array> a = make_list(s.cx.heap, ElementType::f64, 100);
  for (std::size_t i = 0; i < 100; i++)
    a->as<double>()[i] = i % 3 == 0 ? -(0.0 / 0.0) : i % 3 == 1 ? 1.0 / 0.0 : static_cast<double>(i);
  Value sorted = p::sort_up(s.cx, to_value(std::move(a)));
  for (std::size_t i = 0; i < 100; i++) CHECK((number_at(sorted.array(), i) != number_at(sorted.array(), i)) == (i >= 66));
}

TEST_CASE("numbers of 16 bits in a wide range are graded as doubles are") {
  griddle::testing::Host host;
  for (const char* n : {"600", "5001", "70000"})
    for (const char* range : {"8192", "8193", "65536"})
      for (const char* same : {"{(⍋𝕩)≡⍋0.5+𝕩}", "{(⍒𝕩)≡⍒0.5+𝕩}", "{(⍋𝕩)≡⍋𝕩+@}", "{(⍒𝕩)≡⍒𝕩+@}"}) {
        CAPTURE(n);
        CAPTURE(range);
        const std::string numbers = std::string(range) + "|7919×⌊0.7×↕" + n;
        CHECK(host(std::string(same) + numbers) == "1");
        CHECK(host(std::string("{(⍋𝕩)≡⍋0.5+𝕩}¯32768+") + numbers) == "1");
      }
}

TEST_CASE("bytes of few and of many kinds are graded in order") {
  griddle::testing::Host host;
  for (const char* n : {"511", "512", "3001", "70000"})
    for (const char* kinds : {"1", "2", "64", "65", "200", "256"}) {
      const std::string bytes = std::string(kinds) + "|7919×⌊0.7×↕" + n;
      for (const char* same : {"{(⍋𝕩-128)≡⍋0.5+𝕩}", "{(⍒𝕩-128)≡⍒0.5+𝕩}", "{(⍋@+𝕩)≡⍋0.5+𝕩}", "{(⍒@+𝕩)≡⍒0.5+𝕩}"}) {
        CAPTURE(n);
        CAPTURE(kinds);
        CHECK(host(std::string(same) + bytes) == "1");
      }
    }
}
