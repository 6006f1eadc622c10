// Searches over every storage form, against comparing all pairs.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "primitives/functions.h"
#include "tests/support/cell_samples.h"

using namespace griddle;
using namespace griddle::test;
namespace p = griddle::primitives;

namespace {

std::size_t first_match(CellSamples& s, const std::vector<Value>& cells, const Value& v, const std::vector<bool>& used = {}) {
  for (std::size_t i = 0; i < cells.size(); i++)
    if ((used.empty() || !used[i]) && s.same(cells[i], v)) return i;
  return cells.size();
}

const std::vector<Lengths> shapes = {{0}, {1}, {2}, {65}, {300}, {0, 3}, {3, 0}, {40, 2}, {30, 9}, {9, 2, 3}};

}  // namespace

TEST_CASE("searches of one argument number, count, mark and keep its different cells") {
  CellSamples s;
  for (const Lengths& shape : shapes)
    for (const Value& boxed : s.samples(shape)) {
      std::vector<Value> cells = s.cells(boxed), different;
      std::vector<std::size_t> classes, counts, marks, firsts, seen;
      for (std::size_t i = 0; i < cells.size(); i++) {
        std::size_t k = first_match(s, different, cells[i]);
        bool fresh = k == different.size();
        if (fresh) {
          different.push_back(cells[i]);
          firsts.push_back(i);
          seen.push_back(0);
        }
        classes.push_back(k);
        counts.push_back(seen[k]++);
        marks.push_back(fresh);
      }
      for (const Value& x : s.forms(boxed)) {
        CAPTURE(name_of(x.array().type()));
        CAPTURE(shape_text(x));
        CHECK(s.same(p::classify(s.cx, x), s.numbers(classes)));
        CHECK(s.same(p::occurrence_count(s.cx, x), s.numbers(counts)));
        CHECK(s.same(p::mark_firsts(s.cx, x), s.numbers(marks)));
        CHECK(s.same(p::deduplicate(s.cx, x), s.cells_at(boxed, firsts)));
      }
    }
}

TEST_CASE("searches of two arguments find matching cells") {
  CellSamples s;
  for (const Lengths& shape : shapes) {
    Lengths other_shape = shape;
    other_shape[0] = 50;
    std::vector<Value> all = s.samples(shape), others = s.samples(other_shape);
    for (std::size_t k = 0; k < all.size(); k++)
      for (std::size_t other : {k, (k + 1) % all.size()}) {
        std::vector<Value> cells = s.cells(all[k]);
        std::vector<std::size_t> index, member, progressive;
        std::vector<bool> used(cells.size() + 1);
        for (const Value& v : s.cells(others[other])) {
          index.push_back(first_match(s, cells, v));
          member.push_back(index.back() < cells.size());
          progressive.push_back(first_match(s, cells, v, used));
          if (progressive.back() < cells.size()) used[progressive.back()] = true;
        }
        Value x = narrowed(s.cx.heap, others[other]);
        for (const Value& w : s.forms(all[k])) {
          CAPTURE(name_of(w.array().type()));
          CAPTURE(name_of(x.array().type()));
          CAPTURE(shape_text(w));
          CHECK(s.same(p::index_of(s.cx, w, x), s.numbers(index)));
          CHECK(s.same(p::member_of(s.cx, x, w), s.numbers(member)));
          CHECK(s.same(p::progressive_index_of(s.cx, w, x), s.numbers(progressive)));
        }
      }
  }
}

TEST_CASE("a small set of each width is found among many elements") {
  CellSamples s;
  for (std::size_t few : {1, 2, 5, 16, 17, 40})
    for (std::size_t many : {1, 63, 64, 200, 1025}) {
      std::vector<Value> sets = s.samples({few}), lists = s.samples({many});
      for (std::size_t k = 0; k < sets.size(); k++) {
        std::vector<Value> cells = s.cells(sets[k]);
        std::vector<std::size_t> index, member;
        for (const Value& v : s.cells(lists[k])) {
          index.push_back(first_match(s, cells, v));
          member.push_back(index.back() < few);
        }
        Value x = narrowed(s.cx.heap, lists[k]);
        for (const Value& w : s.forms(sets[k])) {
          CAPTURE(name_of(w.array().type()));
          CAPTURE(few);
          CAPTURE(many);
          CHECK(s.same(p::index_of(s.cx, w, x), s.numbers(index)));
          CHECK(s.same(p::member_of(s.cx, x, w), s.numbers(member)));
        }
      }
    }
}

namespace {

// Checks searches of a list, and of half of it and more among it, against a map.
template <class T>
void check_long_list(CellSamples& s, ElementType type, std::size_t n, std::uint64_t kinds, T step) {
  // Integers wrap.
  const auto times_step = [&](std::uint64_t kind) {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(kind) * step;
    else
      return static_cast<T>(kind * static_cast<std::uint64_t>(step));
  };
  const auto list = [&](std::size_t length, std::uint64_t from) {
    Ref<Array> a = make_list(s.cx.heap, type, length);
    for (std::size_t i = 0; i < length; i++) a->as<T>()[i] = times_step((i * i * 2654435761u + i * from) % kinds);
    return to_value(std::move(a));
  };
  const Value w = list(n, 7), x = list(n / 2 + 3, 11);
  const T *left = w.array().as<T>(), *right = x.array().as<T>();
  std::map<T, std::size_t> places, classes;
  std::vector<std::size_t> numbers, marks, index, member;
  for (std::size_t i = 0; i < n; i++) {
    marks.push_back(places.emplace(left[i], i).second);
    numbers.push_back(classes.emplace(left[i], classes.size()).first->second);
  }
  for (std::size_t i = 0; i < x.array().length; i++) {
    const auto at = places.find(right[i]);
    index.push_back(at == places.end() ? n : at->second);
    member.push_back(at != places.end());
  }
  CAPTURE(name_of(type));
  CAPTURE(n);
  CAPTURE(kinds);
  CHECK(s.same(p::mark_firsts(s.cx, w), s.numbers(marks)));
  CHECK(s.same(p::classify(s.cx, w), s.numbers(numbers)));
  CHECK(s.same(p::index_of(s.cx, w, x), s.numbers(index)));
  CHECK(s.same(p::member_of(s.cx, x, w), s.numbers(member)));
  CHECK(p::deduplicate(s.cx, w).array().length == places.size());
}

}  // namespace

TEST_CASE("long lists of every type are searched, whatever tables suit them") {
  CellSamples s;
  for (std::size_t n : {64, 65, 127, 128, 300, 2048, 2049, 4096, 4097, 9000, 70001})
    for (std::uint64_t kinds : {1, 40, 3000, 1000003}) {
      check_long_list<std::int8_t>(s, ElementType::i8, n, kinds, 3);
      check_long_list<std::int16_t>(s, ElementType::i16, n, kinds, 1);
      check_long_list<std::int16_t>(s, ElementType::i16, n, kinds, 10007);
      check_long_list<std::int32_t>(s, ElementType::i32, n, kinds, 1);
      check_long_list<std::int32_t>(s, ElementType::i32, n, kinds, 7000001);
      check_long_list<double>(s, ElementType::f64, n, kinds, -1.0);
      check_long_list<double>(s, ElementType::f64, n, kinds, 1e-3);
      check_long_list<std::uint8_t>(s, ElementType::c8, n, kinds, 1);
      check_long_list<std::uint16_t>(s, ElementType::c16, n, kinds, 1);
      check_long_list<char32_t>(s, ElementType::c32, n, kinds, 1);
    }
  check_long_list<std::int16_t>(s, ElementType::i16, 530000, 1000003, 10007);
  check_long_list<std::int32_t>(s, ElementType::i32, 530000, 1000, 7000001);
  check_long_list<double>(s, ElementType::f64, 530000, 3000, 1e-3);
}

TEST_CASE("keys that come again later than the first of them tell are numbered") {
  CellSamples s;
  // The first keys are all different, or all equal.
  for (const std::size_t n : {600, 5000, 40000})
    for (const bool different : {false, true}) {
      Ref<Array> a = make_list(s.cx.heap, ElementType::i32, n);
      std::vector<std::size_t> numbers;
      const std::size_t half = n / 2;
      for (std::size_t i = 0; i < n; i++) {
        numbers.push_back(different ? i % half : i < half ? 0 : i - half + 1);
        a->as<std::int32_t>()[i] = static_cast<std::int32_t>(numbers.back() * 2654435761u);
      }
      CHECK(s.same(p::classify(s.cx, to_value(std::move(a))), s.numbers(numbers)));
    }
}

namespace {

template <class T>
void check_list_in_order(CellSamples& s, ElementType type, std::size_t n, std::size_t run, bool down) {
  Ref<Array> a = make_list(s.cx.heap, type, n);
  std::vector<std::size_t> numbers, marks;
  for (std::size_t i = 0; i < n; i++) {
    marks.push_back(i % run == 0);
    numbers.push_back(i / run);
    a->as<T>()[i] = static_cast<T>(down ? 100 - i / run : i / run);
  }
  const Value x = to_value(std::move(a));
  CAPTURE(name_of(type));
  CAPTURE(n);
  CHECK(s.same(p::mark_firsts(s.cx, x), s.numbers(marks)));
  CHECK(s.same(p::classify(s.cx, x), s.numbers(numbers)));
}

}  // namespace

TEST_CASE("elements of lists in order are told apart by those before them") {
  CellSamples s;
  for (std::size_t n : {1, 2, 63, 64, 65, 127, 128, 129, 1000})
    for (std::size_t run : {1, 10, 2000})
      for (bool down : {false, true}) {
        if (n / run > 100) continue;
        check_list_in_order<std::int8_t>(s, ElementType::i8, n, run, down);
        check_list_in_order<std::int16_t>(s, ElementType::i16, n, run, down);
        check_list_in_order<std::int32_t>(s, ElementType::i32, n, run, down);
        check_list_in_order<double>(s, ElementType::f64, n, run, down);
        check_list_in_order<std::uint8_t>(s, ElementType::c8, n, run, down);
        check_list_in_order<std::uint16_t>(s, ElementType::c16, n, run, down);
        check_list_in_order<char32_t>(s, ElementType::c32, n, run, down);
      }
  Ref<Array> a = make_list(s.cx.heap, ElementType::f64, 100);
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < 100; i++) {
    a->as<double>()[i] = i < 50 ? -0.0 : i < 90 ? 0.0 : 0.0 / 0.0;
    numbers.push_back(i < 90 ? 0 : i - 89);
  }
  CHECK(s.same(p::classify(s.cx, to_value(std::move(a))), s.numbers(numbers)));
}

TEST_CASE("a hundred short keys are found among many, rarely or always") {
  CellSamples s;
  for (const int spread : {1, 300})
    for (const std::size_t n : {300, 5000, 20000}) {
      Ref<Array> few = make_list(s.cx.heap, ElementType::i16, 100), many = make_list(s.cx.heap, ElementType::i16, n);
      std::vector<std::size_t> index, member;
      for (std::size_t k = 0; k < 100; k++) few->as<std::int16_t>()[k] = static_cast<std::int16_t>(320 * k - 15000);
      for (std::size_t i = 0; i < n; i++) {
        const std::size_t k = i * 7 % 101 + i % static_cast<std::size_t>(spread);
        many->as<std::int16_t>()[i] = static_cast<std::int16_t>(320 * (k % 100) + k / 100 - 15000);
        index.push_back(k < 100 ? k : 100);
        member.push_back(k < 100);
      }
      const Value w = to_value(std::move(few)), x = to_value(std::move(many));
      CHECK(s.same(p::index_of(s.cx, w, x), s.numbers(index)));
      CHECK(s.same(p::member_of(s.cx, x, w), s.numbers(member)));
    }
}

TEST_CASE("nothing is a member of no cells, not even where cells have no elements") {
  CellSamples s;
  Value none = to_value(make_array(s.cx.heap, ElementType::i8, Lengths{0, 0}));
  Value two = to_value(make_array(s.cx.heap, ElementType::i8, Lengths{2, 0}));
  CHECK(s.same(p::member_of(s.cx, two, none), s.numbers({0, 0})));
  CHECK(s.same(p::member_of(s.cx, two, two), s.numbers({1, 1})));
  CHECK(s.same(p::index_of(s.cx, none, two), s.numbers({0, 0})));
}

TEST_CASE("NaN matches nothing, and the two zeros match") {
  CellSamples s;
  Ref<Array> a = make_list(s.cx.heap, ElementType::f64, 4);
  double* d = a->as<double>();
  d[0] = d[2] = 0.0 / 0.0;
  d[1] = 0;
  d[3] = -0.0;
  Value x = to_value(std::move(a));
  CHECK(s.same(p::classify(s.cx, x), s.numbers({0, 1, 2, 1})));
  CHECK(s.same(p::index_of(s.cx, x, x), s.numbers({4, 1, 4, 1})));
  CHECK(s.same(p::member_of(s.cx, x, x), s.numbers({0, 1, 0, 1})));
}
