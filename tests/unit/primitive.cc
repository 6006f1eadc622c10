#include "runtime/primitive.h"

#include <doctest/doctest.h>

#include <string_view>

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
