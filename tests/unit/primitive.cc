#include "runtime/primitive.h"

#include <doctest/doctest.h>

#include <string_view>

#include "runtime/vm/scalar.h"
#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("every glyph of the table has its role and its place, and nothing else has") {
  Machinery m;
  const PrimitiveTable& table = primitive_table();
  int place = 0;
  for (const PrimitiveFunctionEntry& entry : table.functions) {
    CHECK(glyph_role(entry.glyph) == GlyphRole::function);
    CHECK(primitive_index(entry.glyph) == place);
    const Value& f = m.cx.primitives[place++];
    REQUIRE(f.is_function());
    CHECK(static_cast<const PrimitiveFunction&>(f.function()).entry == &entry);
    CHECK(f.function().is_pure());
  }
  for (const PrimitiveModifierEntry& entry : table.modifiers) {
    CHECK(glyph_role(entry.glyph) == (entry.operands == 1 ? GlyphRole::modifier1 : GlyphRole::modifier2));
    CHECK(primitive_index(entry.glyph) == place);
    CHECK(m.cx.primitives[place++].is_modifier());
  }
  for (const char32_t c : {U'a', U'𝕩', U'·', U'←', U'0', U'⟨', char32_t{0}, char32_t{0x10FFFF}}) {
    CHECK(glyph_role(c) == GlyphRole::none);
    CHECK(primitive_index(c) == -1);
  }
}

TEST_CASE("the table without fast paths has the same glyphs") {
  const PrimitiveTable &table = primitive_table(), &general = primitive_table(true);
  REQUIRE(table.functions.size() == general.functions.size());
  REQUIRE(table.modifiers.size() == general.modifiers.size());
  for (std::size_t i = 0; i < table.functions.size(); i++) {
    CHECK(table.functions[i].glyph == general.functions[i].glyph);
    CHECK(std::string_view(table.functions[i].dyad_name) == general.functions[i].dyad_name);
  }
}

TEST_CASE("what the table says of functions is what they do") {
  Machinery m;
  const double numbers[] = {3, 1, 2};
  const Value list = make_numbers(m.cx.heap, std::span<const double>(numbers)), atom(5.0);
  for (const PrimitiveFunctionEntry& f : primitive_table().functions) {
    CAPTURE(static_cast<int>(f.name));
    for (unsigned w : {0, 1})
      for (unsigned x : {0, 1}) {
        const auto result = [&] { return call_primitive(m.cx, f, Value(double(w)), Value(double(x))).number(); };
        if (const double n = scalar_numbers(f.scalar, w, x); n == n) CHECK(result() == n);
        if (f.truth != 0) CHECK(result() == (f.truth >> (2 * w + x) & 1));
      }
    if (f.one.of_atom != OfAtom::unknown) {
      const Value of = call_primitive(m.cx, f, atom);
      const bool is_array = f.one.of_atom == OfAtom::unit || f.one.of_atom == OfAtom::list;
      REQUIRE(of.is_array() == is_array);
      if (is_array) CHECK(rank_of(of) == (f.one.of_atom == OfAtom::list ? 1 : 0));
      if (!is_array) CHECK(of.number() == (f.one.of_atom == OfAtom::itself ? 5 : f.one.of_atom == OfAtom::one ? 1 : 0));
    }
    if (f.one.orders == Orders::sorts || f.one.orders == Orders::grades) {
      const Value first = element(call_primitive(m.cx, f, list).array(), 0);
      // Of 3 1 2, the least is 1, at the place 1; the greatest is 3, at the place 0.
      const double greatest = f.one.orders == Orders::sorts ? 3 : 0;
      CHECK(first.number() == (f.one.down ? greatest : 1));
    }
  }
}
