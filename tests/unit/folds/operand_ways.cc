#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "primitives/modifiers.h"
#include "runtime/value/array.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "tests/support/same_elements.h"

using namespace griddle;
using griddle::testing::same_elements;

namespace {

using Type = ElementType;

struct Folding {
  Context cx;
  std::uint32_t seed = 1;
  Folding() {
    set_stack_limit(cx);
    make_primitives(cx);
  }
  std::uint32_t random() { return (seed = seed * 1664525u + 1013904223u) >> 8; }
  // `spread` 0: values that keep small; 1: the whole type; 2: doubles that are no integers, NaN and infinities among them.
  double number_of(Type t, int spread) {
    const std::uint32_t r = random();
    if (t == Type::bit) return spread == 0 ? r & 1 : spread == 1 ? 1 : r % 50 != 0;
    if (spread == 0) return static_cast<int>(r % 5) - 2;
    if (t == Type::i8) return static_cast<int>(r % 256) - 128;
    if (t == Type::i16) return static_cast<int>(r % 65536) - 32768;
    if (t == Type::i32) return static_cast<std::int32_t>(r * 2654435761u);
    if (spread == 2 && r % 97 == 0) return r % 2 ? NAN : INFINITY;
    return spread == 1 ? r * 1e6 - 8e12 : (static_cast<double>(r % 4000) - 2000) / 7;
  }
  Value list_of(Type t, std::size_t n, int spread) {
    Ref<Array> a = make_list(cx.heap, t, n);
    for (std::size_t i = 0; i < n; i++) store(*a, i, number_of(t, spread));
    return to_value(std::move(a));
  }
  Value table_of(Type t, std::size_t rows, std::size_t columns, int spread) {
    return with_shape(cx.heap, list_of(t, rows * columns, spread), Shape{rows, columns});
  }
};

constexpr char32_t glyphs[] = U"+-×∧∨⌊⌈=≠<≤>≥";
constexpr Type types[] = {Type::bit, Type::i8, Type::i16, Type::i32, Type::f64};

// Calls `each(function, glyph, type, spread)` for everything that may be fused.
template <class F>
void for_all(Folding& in, char32_t modifier, F each) {
  for (const char32_t* g = glyphs; *g; g++) {
    const Value f = derive1(in.cx, primitive(in.cx, modifier), primitive(in.cx, *g));
    for (Type t : types)
      for (int spread = 0; spread < 3; spread++) {
        INFO("glyph ", static_cast<int>(g - glyphs), " ", std::string(name_of(t)), " spread ", spread);
        each(f, t, spread);
      }
  }
}

constexpr std::size_t lengths[] = {1, 2, 3, 7, 63, 64, 65, 127, 128, 129, 700, 5000};

}  // namespace

TEST_CASE("fused folds equal folds one by one") {
  Folding in;
  for_all(in, U'´', [&](const Value& f, Type t, int spread) {
    for (std::size_t n : lengths) {
      INFO(n);
      const Value x = in.list_of(t, n, spread);
      CHECK(same_elements(in.cx, call(in.cx, f, x), primitives::fold_monad(in.cx, f.function(), x)));
      for (double w : {0.0, 1.0, -3.0, 0.5, 1e16})
        CHECK(same_elements(in.cx, call(in.cx, f, w, x), primitives::fold_dyad(in.cx, f.function(), w, x)));
    }
  });
}

TEST_CASE("products that keep small, reach 0 or leave all bounds equal those one by one") {
  Folding in;
  const Value f = derive1(in.cx, primitive(in.cx, U'´'), primitive(in.cx, U'×'));
  for (Type t : {Type::i8, Type::i16, Type::i32})
    for (std::size_t n : {15, 16, 17, 79, 80, 81, 335, 336, 337, 900})
      for (int kind = 0; kind < 4; kind++) {
        INFO(std::string(name_of(t)), " ", n, " ", kind);
        Ref<Array> a = make_list(in.cx.heap, t, n);
        const double factor = kind == 3 ? 3 : kind == 2 ? 100 : 1;
        for (std::size_t i = 0; i < n; i++) store(*a, i, in.random() % 2 == 0 ? factor : -1.0);
        if (kind == 1) store(*a, in.random() % n, 0.0);
        if (kind == 2 && in.random() % 2 == 0) store(*a, 0, 0.0);
        const Value x = to_value(std::move(a));
        CHECK(same_elements(in.cx, call(in.cx, f, x), primitives::fold_monad(in.cx, f.function(), x)));
      }
}

TEST_CASE("booleans with their first 1 or 0 anywhere fold alike") {
  Folding in;
  for_all(in, U'´', [&](const Value& f, Type t, int) {
    if (t != Type::bit) return;
    for (std::size_t n : {1, 2, 63, 64, 65, 130})
      for (std::size_t place = 0; place <= n; place++)
        for (bool before : {false, true}) {
          Ref<Array> a = make_list(in.cx.heap, Type::bit, n);
          for (std::size_t i = 0; i < n; i++) store(*a, i, i < place ? before : i == place ? !before : in.random() % 2 == 1);
          const Value x = to_value(std::move(a));
          CHECK(same_elements(in.cx, call(in.cx, f, x), primitives::fold_monad(in.cx, f.function(), x)));
        }
  });
}

TEST_CASE("large sums are exact as long as one by one sums are") {
  Folding in;
  const Value f = derive1(in.cx, primitive(in.cx, U'´'), primitive(in.cx, U'+'));
  for (Type t : types) {
    const Value x = in.list_of(t, 1200000, t == Type::f64 ? 2 : 1);
    CHECK(same_elements(in.cx, call(in.cx, f, x), primitives::fold_monad(in.cx, f.function(), x)));
  }
}

TEST_CASE("fused inserts equal inserts row by row") {
  Folding in;
  for_all(in, U'˝', [&](const Value& f, Type t, int spread) {
    for (std::size_t rows : {1, 2, 3, 9, 70, 300})
      for (std::size_t columns : {1, 2, 3, 8, 15, 16, 24, 32, 33, 64, 100, 130}) {
        INFO(rows, " ", columns);
        const Value x = in.table_of(t, rows, columns, spread);
        CHECK(same_elements(in.cx, call(in.cx, f, x), primitives::insert_monad(in.cx, f.function(), x)));
      }
  });
}

TEST_CASE("fused scans equal scans one by one") {
  Folding in;
  for_all(in, U'`', [&](const Value& f, Type t, int spread) {
    for (std::size_t n : lengths) {
      INFO(n);
      Value x = in.list_of(t, n, spread);
      const Value expected = primitives::scan_monad(in.cx, f.function(), x);
      CHECK(same_elements(in.cx, call(in.cx, f, x), expected));
      for (double w : {0.0, 1.0, -3.0, 100.0, -32000.0, 2147483647.0, 0.5, 1e16})
        CHECK(same_elements(in.cx, call(in.cx, f, w, x), primitives::scan_dyad(in.cx, f.function(), w, x)));
      CHECK(same_elements(in.cx, call(in.cx, f, std::move(x)), expected));
    }
    for (std::size_t rows : {1, 2, 9, 70})
      for (std::size_t columns : {1, 3, 8, 24, 64, 100, 128, 150}) {
        INFO(rows, " ", columns);
        const Value x = in.table_of(t, rows, columns, spread);
        CHECK(same_elements(in.cx, call(in.cx, f, x), primitives::scan_monad(in.cx, f.function(), x)));
      }
  });
}

TEST_CASE("fused folds and scans of rows equal those row by row") {
  Folding in;
  for (char32_t modifier : {U'´', U'˝', U'`'})
    for_all(in, modifier, [&](const Value& inner, Type t, int spread) {
      const Value f = derive1(in.cx, primitive(in.cx, U'˘'), inner);
      for (std::size_t rows : {1, 2, 9, 70, 130})
        for (std::size_t columns : {1, 2, 3, 7, 8, 24, 31, 40, 64, 100, 128, 150}) {
          INFO(rows, " ", columns);
          const Value x = in.table_of(t, rows, columns, spread);
          CHECK(same_elements(in.cx, call(in.cx, f, x), primitives::cells_monad(in.cx, f.function(), x)));
        }
    });
}

TEST_CASE("products of rows are right where few of them leave floats or doubles") {
  Folding in;
  const Value f = derive1(in.cx, primitive(in.cx, U'˘'), derive1(in.cx, primitive(in.cx, U'´'), primitive(in.cx, U'×')));
  for (Type t : {Type::i8, Type::i16, Type::i32})
    for (std::size_t columns : {2, 3, 7, 12, 16, 24, 33, 64, 100})
      for (std::size_t rows : {5, 70, 1500})
        for (std::size_t great : {std::size_t{0}, rows / 2, rows}) {
          INFO(std::string(name_of(t)), " ", rows, " ", columns, " ", great);
          Value x = in.table_of(t, rows, columns, 1);
          for (std::size_t i = 0; i < rows * columns; i++)
            if (i / columns != great) store(x.array(), i, i % 5 == 0 ? 3.0 : i % 7 == 0 ? -2.0 : 1.0);
          CHECK(same_elements(in.cx, call(in.cx, f, x), primitives::cells_monad(in.cx, f.function(), x)));
        }
}
