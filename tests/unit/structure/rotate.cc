#include <doctest/doctest.h>

#include "tests/support/both_ways.h"
#include "tests/support/structure_model.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("reverse exchanges the cells of every storage form") {
  for (std::size_t n : lengths)
    for (const Model& m : samples({n}))
      check(m, p::reverse, make_model(m.shape, [&](const Lengths& i) { return at(m, {n - 1 - i[0]}); }));
  for (const Lengths& s : tables)
    for (const Model& m : samples(s))
      check(m, p::reverse, make_model(s, [&](const Lengths& i) { return at(m, {s[0] - 1 - i[0], i[1]}); }));
}

TEST_CASE("rotate moves places round along one or more axes") {
  for (int by : {0, 1, -1, 5, -64, 1000}) {
    auto round = [](std::size_t i, int k, std::size_t n) {
      auto length = static_cast<std::ptrdiff_t>(n);
      return static_cast<std::size_t>(((static_cast<std::ptrdiff_t>(i) + k) % length + length) % length);
    };
    for (std::size_t n : lengths)
      for (const Model& m : samples({n})) {
        Model wanted = make_model(m.shape, [&](const Lengths& i) { return at(m, {round(i[0], by, n)}); });
        check(
            m, [&](Context& cx, Value x) { return p::rotate(cx, number(by), std::move(x)); }, wanted);
        check(
            wanted, [&](Context& cx, Value x) { return p::undo_rotate(cx, number(by), std::move(x)); }, m);
      }
    for (const Lengths& s : tables)
      for (const Model& m : samples(s))
        check(
            m,
            [&](Context& cx, Value x) {
              return p::rotate(cx, list_of(cx, {static_cast<double>(by), 3}), std::move(x));
            },
            make_model(s, [&](const Lengths& i) {
              return at(m, {round(i[0], by, s[0]), round(i[1], 3, s[1])});
            }));
  }
}

TEST_CASE("rotations of lists without elements are as in general") {
  BothWays ways;
  for (const char* x : {"⟨⟩", "\"\"", "⟨\"ab\"⟩↓˜1", "0⥊<2‿3", "⟨\"ab\"⟩", "1‿2", "0‿2⥊0", "@"})
    for (const char* w : {"0", "1", "¯3", "1e9", "0.5", "⟨⟩", "⟨1⟩", "@"}) {
      const std::string rotated = std::string("(") + w + ")⌽" + x;
      ways.agree(rotated);
      ways.agree("2↑" + rotated);
    }
}
