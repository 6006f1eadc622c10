// Group over every storage form, against collecting cells one by one.
#include <doctest/doctest.h>

#include "primitives/functions.h"
#include "primitives/inverse/undo.h"
#include "tests/support/both_ways.h"
#include "tests/support/cell_samples.h"

using namespace griddle;
using namespace griddle::test;
using griddle::testing::BothWays;
namespace p = griddle::primitives;

namespace {

// Gives group numbers -1 to `groups` - 1 for n cells: mixed up, or ascending and without -1.
Value assignment(CellSamples& s, std::size_t n, std::size_t groups, bool ascending) {
  Ref<Array> a = make_list(s.cx.heap, ElementType::boxed, n);
  for (std::size_t i = 0; i < n; i++)
    a->as<Value>()[i] = ascending ? Value(i * groups / n) : Value(static_cast<double>((i * i * 7 + i) % (groups + 1)) - 1);
  return to_value(std::move(a));
}

}  // namespace

TEST_CASE("group collects the cells of every storage form") {
  CellSamples s;
  for (const Lengths& shape :
       {Lengths{0}, Lengths{1}, Lengths{7}, Lengths{300}, Lengths{2000}, Lengths{40, 2}, Lengths{3, 0}, Lengths{9, 2, 3}})
    for (bool ascending : {false, true})
      for (std::size_t groups : {1, 2, 50}) {
        Value numbers = assignment(s, shape[0], groups, ascending);
        std::size_t count = 0;
        for (std::size_t i = 0; i < shape[0]; i++)
          count = std::max(count, static_cast<std::size_t>(numbers.array().boxes()[i].number() + 1));
        std::vector<std::vector<std::size_t>> places(count);
        for (std::size_t i = 0; i < shape[0]; i++) {
          double g = numbers.array().boxes()[i].number();
          if (g >= 0) places[static_cast<std::size_t>(g)].push_back(i);
        }
        for (const Value& boxed : s.samples(shape))
          for (const Value& x : s.forms(boxed))
            for (const Value& w : s.forms(numbers)) {
              if (is_character(w.array().type())) continue;
              CAPTURE(name_of(x.array().type()));
              CAPTURE(name_of(w.array().type()));
              CAPTURE(shape_text(x));
              Value result = p::group(s.cx, w, x);
              REQUIRE(result.array().length == count);
              for (std::size_t g = 0; g < count; g++) CHECK(s.same(result.array().boxes()[g], s.cells_at(boxed, places[g])));
            }
        Value indices = p::group_indices(s.cx, numbers);
        REQUIRE(indices.array().length == count);
        for (std::size_t g = 0; g < count; g++) CHECK(s.same(indices.array().boxes()[g], s.numbers(places[g])));
      }
}

TEST_CASE("groups of plain elements are not boxed") {
  CellSamples s;
  Value result = p::group(s.cx, s.numbers({0, 1, 0}), make_string(s.cx.heap, "abc"));
  for (const Value& g : result.array().boxes()) CHECK(g.array().type() == ElementType::c8);
}

TEST_CASE("group is undone by the same numbers") {
  CellSamples s;
  for (const Lengths& shape : {Lengths{7}, Lengths{300}, Lengths{40, 2}})
    for (const Value& boxed : s.samples(shape)) {
      Value w = assignment(s, shape[0], 5, true);
      Value mixed = p::rotate(s.cx, Value(3), w);
      CHECK(s.same(p::undo_group(s.cx, mixed, p::group(s.cx, mixed, boxed)), boxed));
      CHECK(s.same(p::undo_group_indices(s.cx, p::group_indices(s.cx, mixed)), mixed));
    }
}

TEST_CASE("short lists are grouped as longer ones are") {
  BothWays ways;
  for (const char* function : {"(4|↕≠𝕩)⊔𝕩", "(2|↕≠𝕩)⊔𝕩", "(¯1+3|↕≠𝕩)⊔𝕩", "(⌊2÷˜↕≠𝕩)⊔𝕩", "((5×≠𝕩)∾˜0×↕≠𝕩)⊔𝕩"})
    ways.on_lists(function);
  for (const char* program :
       {"⊔3‿1‿¯1‿1", "⊔⟨⟩", "⊔0‿1‿1‿0", "⊔¯1‿¯1", "⊔0‿5∾0‿1", "0‿1⊔\"ab\"", "0‿1‿7⊔\"ab\"", "0‿¯1⊔⟨\"ab\",3⟩", "2⊔1‿2",
        "0‿¯2⊔\"ab\"", "0‿1⊔\"abc\"", "⊔64⥊↕3", "⊔65⥊↕3", "(64⥊↕3)⊔64⥊\"abc\"", "3↑0‿2⊔⟨1‿2,3‿4⟩"})
    ways.agree(program);
}
