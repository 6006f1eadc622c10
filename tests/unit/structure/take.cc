#include <doctest/doctest.h>

#include "tests/support/both_ways.h"
#include "tests/support/structure_model.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("take keeps places from either end and pads with fills") {
  for (std::size_t n : lengths)
    for (const Model& m : samples({n}))
      for (std::size_t k : {0ul, 1ul, 5ul, 64ul, 200ul, 301ul}) {
        bool text = !m.elements.empty() && m.elements[0].is_character();
        if (n == 0 && k) continue;  // an empty model has no type that would tell its fill
        Value fill = text ? Value::character(' ') : Value(0);
        if (k > n && !m.elements.empty() && narrowest(Bench().boxed(m).array()) == ElementType::boxed) continue;
        auto from_front = make_model({k}, [&](const Lengths& i) { return i[0] < n ? at(m, i) : fill; });
        auto from_back = make_model({k}, [&](const Lengths& i) { return i[0] + n >= k ? at(m, {i[0] + n - k}) : fill; });
        auto typed = [&](double w) {
          return [=](Context& cx, Value x) { return p::take(cx, number(w), with_fill(cx.heap, std::move(x), fill)); };
        };
        check(m, typed(static_cast<double>(k)), from_front);
        check(m, typed(-static_cast<double>(k)), from_back);
      }
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      Value fill = !m.elements.empty() && m.elements[0].is_character() ? Value::character(' ') : Value(0);
      Model wanted = make_model({3, 2, s[2]}, [&](const Lengths& i) {
        bool inside = i[0] < s[0] && i[1] + s[1] >= 2;
        return inside ? at(m, {i[0], i[1] + s[1] - 2, i[2]}) : fill;
      });
      check(
          m,
          [&](Context& cx, Value x) {
            return p::take(cx, list_of(cx, {3, -2}), with_fill(cx.heap, std::move(x), fill));
          },
          wanted);
    }
}

TEST_CASE("drop leaves out places at either end and never pads") {
  for (std::size_t n : lengths)
    for (const Model& m : samples({n}))
      for (std::size_t k : {0ul, 1ul, 5ul, 64ul, 301ul}) {
        std::size_t rest = n - std::min(n, k);
        check(
            m, [&](Context& cx, Value x) { return p::drop(cx, Value(k), std::move(x)); },
            make_model({rest}, [&](const Lengths& i) { return at(m, {i[0] + k}); }));
        check(
            m, [&](Context& cx, Value x) { return p::drop(cx, Value(-static_cast<double>(k)), std::move(x)); },
            make_model({rest}, [&](const Lengths& i) { return at(m, i); }));
      }
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      auto less = [](std::size_t n) { return n ? n - 1 : 0; };
      check(
          m,
          [&](Context& cx, Value x) {
            return p::drop(cx, list_of(cx, {1, 0, -1}), std::move(x));
          },
          make_model({less(s[0]), s[1], less(s[2])}, [&](const Lengths& i) {
            return at(m, {i[0] + 1, i[1], i[2]});
          }));
    }
}

TEST_CASE("few pieces and rows beyond a table agree with what is done for any array") {
  griddle::testing::BothWays ways;
  for (const char* f : {"↑𝕩", "↓𝕩", "{r←↑𝕩 ⋄ (1+≠r)↑r} 𝕩", "{r←↓𝕩 ⋄ (1+≠r)↑r} 𝕩"}) {
    ways.on_lists(f);
    ways.on_tables(f);
  }
  for (const char* f : {"50↑𝕩", "¯50↑𝕩", "¯3↑(1+≠𝕩)↑𝕩"}) ways.on_tables(f);
  for (const char* program : {"↑⟨⟩", "↓\"\"", "↑⟨1,\"a\"⟩", "≢¨↑0‿3⥊0", "↑⟨⟨⟩,\"a\"⟩", "¯1↑↑\"ab\"‿\"c\""}) ways.agree(program);
}
