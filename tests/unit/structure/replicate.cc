#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/both_ways.h"
#include "tests/support/structure_model.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("replicate repeats by mask, counts and constants") {
  Bench b;
  auto repeat = [](const Model& m, const std::vector<std::size_t>& counts) {
    Model out{{0}, {}};
    for (std::size_t i = 0; i < counts.size(); i++)
      for (std::size_t k = 0; k < counts[i]; k++) out.elements.push_back(m.elements[i]);
    out.shape[0] = out.elements.size();
    return out;
  };
  for (std::size_t n : lengths)
    for (const Model& m : samples({n}))
      for (std::size_t most : {2ul, 4ul, 70ul}) {
        std::vector<std::size_t> counts;
        Model w{{n}, {}};
        for (std::size_t i = 0; i < n; i++) counts.push_back(i * 13 % 7 * i % most), w.elements.push_back(Value(counts.back()));
        if (n == 0) continue;
        for (const Value& form : b.forms(w))
          check(
              m, [&](Context&, Value x) { return p::replicate(b.cx, form, std::move(x)); }, repeat(m, counts));
        check(
            m, [&](Context& cx, Value x) { return p::replicate(cx, Value(most), std::move(x)); },
            repeat(m, std::vector<std::size_t>(n, most)));
      }
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      check(
          m, [&](Context& cx, Value x) { return p::replicate(cx, Value(3), std::move(x)); },
          make_model({3 * s[0], s[1], s[2]}, [&](const Lengths& i) {
            return at(m, {i[0] / 3, i[1], i[2]});
          }));
      check(
          m,
          [&](Context& cx, Value x) {
            std::vector<double> once(s[0], 1), twice(s[1], 2);
            Value axes[2] = {list_of(cx, once), list_of(cx, twice)};
            return p::replicate(cx, make_values(cx.heap, axes), std::move(x));
          },
          make_model({s[0], 2 * s[1], s[2]}, [&](const Lengths& i) {
            return at(m, {i[0], i[1] / 2, i[2]});
          }));
    }
}

TEST_CASE("indices repeat each place as often as its count says, and undo counts them") {
  for (std::size_t n : lengths) {
    Model m{{n}, {}}, wanted{{0}, {}};
    for (std::size_t i = 0; i < n; i++) {
      std::size_t count = i * 7 % 4 + (i + 1 == n);
      m.elements.push_back(Value(count));
      for (std::size_t k = 0; k < count; k++) wanted.elements.push_back(Value(i));
    }
    wanted.shape[0] = wanted.elements.size();
    check(m, p::indices, wanted);
    check(wanted, p::undo_indices, m);
    Model bits{{n}, {}}, places{{0}, {}};
    for (std::size_t i = 0; i < n; i++) {
      bits.elements.push_back(Value(i * i % 3 == 1));
      if (i * i % 3 == 1) places.elements.push_back(Value(i));
    }
    places.shape[0] = places.elements.size();
    check(bits, p::indices, places);
  }
}

TEST_CASE("rows of every few bytes are kept where they are few and where they are many") {
  griddle::testing::BothWays ways;
  for (const char* rows : {"1", "2", "63", "64", "65", "130", "1000"})
    for (const char* columns : {"1", "2", "3", "4", "5", "6", "7", "9"})
      for (const char* marks : {"1‿0", "1‿0‿0‿0‿0", "1", "0", "1‿1‿1‿1‿1‿1‿1‿0"})
        for (const char* elements : {"100|7×↕", "1000|7×↕", "0.5×↕", "'a'+26|↕"})
          ways.agree("(" + std::string(rows) + "⥊" + marks + "){𝕨/𝕩}" + rows + "‿" + columns + "⥊" + elements + "10000");
}
