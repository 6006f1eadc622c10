#include <doctest/doctest.h>

#include "primitives/functions.h"
#include "tests/support/cell_samples.h"

using namespace griddle;
using namespace griddle::test;
namespace p = griddle::primitives;

TEST_CASE("find marks the beginnings of copies along trailing axes") {
  CellSamples s;
  struct Case {
    Lengths text, pattern;
    std::size_t from;
  };
  const std::vector<Case> cases = {{{300}, {1}, 5},           {{300}, {3}, 97},      {{700}, {9}, 500},
                                   {{2000}, {100}, 1000},     {{5}, {7}, 0},         {{20}, {0}, 0},
                                   {{12, 40}, {2}, 3},        {{12, 70}, {3, 4}, 1}, {{9, 8}, {2, 0}, 0},
                                   {{4, 6, 7}, {2, 2, 2}, 9}, {{3, 3}, {1, 1}, 4},   {{1500}, {700}, 97}};
  for (const Case& c : cases)
    for (const Value& boxed : s.samples(c.text)) {
      const Array& text = boxed.array();
      std::size_t rank = c.text.size(), lead = rank - c.pattern.size();
      // Takes the pattern out of the text, where it is large enough.
      Ref<Array> pattern = make_array(s.cx.heap, ElementType::boxed, c.pattern);
      Lengths place(rank, 0), shape = c.text;
      for (std::size_t k = 0; k < c.pattern.size(); k++)
        shape[lead + k] = c.text[lead + k] + 1 > c.pattern[k] ? c.text[lead + k] + 1 - c.pattern[k] : 0;
      auto element_at = [&](const Lengths& start, std::size_t i) {
        std::size_t at = 0;
        Lengths inner(rank, 0);
        for (std::size_t k = rank; k-- > lead;) {
          inner[k] = i % c.pattern[k - lead];
          i /= c.pattern[k - lead];
        }
        for (std::size_t k = 0; k < rank; k++) at = at * c.text[k] + start[k] + inner[k];
        return at;
      };
      std::size_t left = c.from;
      for (std::size_t k = rank; k-- > 0;) {
        if (shape[k] == 0) continue;
        place[k] = left % shape[k];
        left /= shape[k];
      }
      bool fits = product(shape) > 0;
      for (std::size_t i = 0; i < pattern->length; i++)
        pattern->as<Value>()[i] = fits ? text.boxes()[element_at(place, i)] : Value(0);
      std::vector<std::size_t> found;
      Lengths start(rank, 0);
      for (std::size_t n = 0; n < product(shape); n++) {
        bool all = true;
        for (std::size_t i = 0; all && i < pattern->length; i++)
          all = s.same(text.boxes()[element_at(start, i)], pattern->boxes()[i]);
        found.push_back(all);
        for (std::size_t k = rank; k-- > 0 && ++start[k] == shape[k];) start[k] = 0;
      }
      Value w = to_value(std::move(pattern)), wanted = with_shape(s.cx.heap, s.numbers(found), shape);
      for (const Value& x : s.forms(boxed)) {
        CAPTURE(name_of(x.array().type()));
        CAPTURE(shape_text(x));
        CAPTURE(shape_text(w));
        CHECK(s.same(p::find(s.cx, w, x), wanted));
        CHECK(s.same(p::find(s.cx, narrowed(s.cx.heap, w), x), wanted));
      }
    }
}
