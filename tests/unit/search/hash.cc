// Equality, hashes and the search among boxes: none of them may see how elements are stored.
#include "runtime/system/hash.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "primitives/functions.h"
#include "primitives/search/box_search.h"
#include "primitives/search/hash.h"
#include "tests/support/both_ways.h"
#include "tests/support/cell_samples.h"

using namespace griddle;
using namespace griddle::test;
using griddle::testing::BothWays;
namespace p = griddle::primitives;

namespace {

// Gives copies that differ from a boxed array in one element each.
std::vector<Value> near_misses(CellSamples& s, const Value& boxed) {
  std::vector<Value> out;
  for (const std::size_t place : {std::size_t{0}, boxed.array().length / 2, boxed.array().length - 1}) {
    Value copy = converted(s.cx.heap, boxed.array(), ElementType::boxed);
    Ref<Array> own = make_array(s.cx.heap, ElementType::boxed, copy.array().shape());
    copy_elements(*own, 0, copy.array(), 0, own->length);
    Value& v = own->boxes()[place];
    v = v.is_number() ? Value(v.number() == 1 ? 0 : 1) : Value::character(U'!');
    out.push_back(narrowed(s.cx.heap, to_value(std::move(own))));
  }
  return out;
}

const std::vector<Lengths> lengths = {{1},  {2},  {3},  {4},   {7},    {8},    {9},    {16},
                                      {17}, {33}, {65}, {300}, {1, 1}, {2, 2}, {3, 3}, {9, 8}};

}  // namespace

TEST_CASE("arrays match and hash alike in every form, and differ from all others") {
  CellSamples s;
  for (const Lengths& shape : lengths)
    for (const Value& boxed : s.samples(shape)) {
      const std::vector<Value> forms = s.forms(boxed), others = near_misses(s, boxed);
      for (const Value& form : forms) {
        CAPTURE(shape_text(form));
        CAPTURE(name_of(form.array().type()));
        CHECK(hash_of(s.cx, form) == hash_of(s.cx, boxed));
        CHECK(p::hash_value(s.cx, form).bits == p::hash_value(s.cx, boxed).bits);
        for (const Value& other : forms) CHECK(s.same(form, other));
        for (const Value& other : others) {
          CHECK(!s.same(form, other));
          CHECK(hash_of(s.cx, form) != hash_of(s.cx, other));
        }
      }
    }
}

TEST_CASE("arrays are found among boxes in every form") {
  CellSamples s;
  for (const Lengths& shape : lengths)
    for (const Value& boxed : s.samples(shape)) {
      std::vector<Value> values = near_misses(s, boxed);
      values.push_back(Value(1));
      values.push_back(make_string(s.cx.heap, ""));
      const std::vector<Value> forms = s.forms(boxed);
      for (const Value& form : forms)
        for (const Value& wanted : forms) {
          std::vector<Value> all = values;
          CHECK(p::place_among(s.cx, all, wanted) == all.size());
          all.push_back(form);
          all.push_back(wanted);
          CHECK(p::place_among(s.cx, all, wanted) == values.size());
        }
    }
}

TEST_CASE("lists of arrays are searched by what these hold, in every form") {
  CellSamples s;
  for (const Lengths& shape : lengths)
    for (const Value& boxed : s.samples(shape)) {
      std::vector<Value> all = near_misses(s, boxed);
      for (const Value& form : s.forms(boxed))
        if (form.array().type() != ElementType::boxed) all.push_back(form);
      const std::size_t kinds = all.size();
      for (std::size_t i = 0; i < 20; i++) all.push_back(all[i * i % kinds]);
      Ref<Array> list = make_list(s.cx.heap, ElementType::boxed, all.size());
      std::copy(all.begin(), all.end(), list->boxes().begin());
      const Value x = to_value(std::move(list));
      std::vector<std::size_t> places;
      for (const Value& v : all) places.push_back(p::place_among(s.cx, all, v));
      CHECK(s.same(p::index_of(s.cx, x, x), s.numbers(places)));
    }
}

TEST_CASE("nested lists match where their innermost elements do, at any depth") {
  CellSamples s;
  for (const Value& boxed : s.samples({5}))
    for (const unsigned depth : {1, 2, 7, 8, 9, 20}) {
      const auto nested = [&](Value v) {
        for (unsigned i = 0; i < depth; i++) v = make_pair(s.cx.heap, Value(1), v);
        return v;
      };
      const Value other = nested(near_misses(s, boxed)[2]);
      for (const Value& form : s.forms(boxed)) {
        CHECK(s.same(nested(form), nested(boxed)));
        CHECK(!s.same(nested(form), other));
      }
    }
}

TEST_CASE("long cells are told apart by all their elements") {
  BothWays ways;
  for (const char* program : {"⊐(60‿50⥊7|↕3000)∾60‿50⥊7|↕3000", "⍷(40‿100⥊\"ab\")∾40‿100⥊\"aba\"",
                              "(9‿300⥊11|↕2700)⊐⌽9‿300⥊11|↕2700", "⊐30‿40⥊0.5×13|↕1200"})
    ways.agree(program);
}
