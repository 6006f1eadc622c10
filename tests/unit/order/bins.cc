// Bins over every storage form, against a count by the order of values.
#include <doctest/doctest.h>

#include <algorithm>

#include "primitives/functions.h"
#include "tests/support/model_grade.h"

using namespace griddle;
using namespace griddle::test;
namespace p = griddle::primitives;

TEST_CASE("bins count the cells that are not beyond") {
  CellSamples s;
  for (const Lengths& shape : {Lengths{0}, Lengths{1}, Lengths{9}, Lengths{300}, Lengths{40, 2}, Lengths{5, 0}}) {
    std::vector<Value> all = s.samples(shape), others = s.samples(shape.size() == 1 ? Lengths{65} : Lengths{7, shape[1]});
    p::Ordering order(s.cx, "model");
    for (std::size_t k = 0; k < all.size(); k++)
      for (bool down : {false, true}) {
        Value w = s.cells_at(all[k], model_grade(s, all[k], down));
        std::vector<Value> bins = s.cells(w);
        for (const Value& other : {all[k], others[k], others[(k + 1) % others.size()]}) {
          std::vector<std::size_t> counts;
          for (const Value& cell : s.cells(other))
            counts.push_back(static_cast<std::size_t>(std::count_if(bins.begin(), bins.end(), [&](const Value& bin) {
              int c = order.compare(bin, cell);
              return down ? c >= 0 : c <= 0;
            })));
          Value wanted = s.numbers(counts);
          for (const Value& form : s.forms(w)) {
            CAPTURE(name_of(form.array().type()));
            CAPTURE(k);
            CHECK(s.same(down ? p::bins_down(s.cx, form, other) : p::bins_up(s.cx, form, other), wanted));
            CHECK(s.same(
                down ? p::bins_down(s.cx, form, narrowed(s.cx.heap, other)) : p::bins_up(s.cx, form, narrowed(s.cx.heap, other)),
                wanted));
          }
        }
      }
  }
}

TEST_CASE("bins need a sorted left argument") {
  CellSamples s;
  Value w = s.numbers({3, 1});
  CHECK_THROWS_AS(p::bins_up(s.cx, w, Value(2)), Error);
  CHECK_NOTHROW(p::bins_down(s.cx, w, Value(2)));
}
