#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("primitives give the same on arguments that others need and on their own") {
  Machinery m;
  for (const char32_t glyph : {U'⌽', U'-', U'⊏', U'∾', U'≠', U'⊢', U'⍋', U'⊣', U'<'}) {
    const PrimitiveFunctionEntry& entry = primitive_entry_of(primitive(m.cx, glyph).function());
    for (const char* source : {"1‿2‿3", "\"ab\"", "2‿2⥊↕4", "⟨1,\"x\"⟩"}) {
      const Value kept = m.run(source);
      const auto result = [&](auto f) -> std::string {
        try {
          return std::string(display_text(m.cx, f()));
        } catch (const Error&) {
          return "fails";
        }
      };
      const std::string borrowed = result([&] { return call_primitive(m.cx, entry, kept); });
      CHECK(result([&] { return call_primitive(m.cx, entry, m.run(source)); }) == borrowed);
      CHECK(std::string(display_text(m.cx, kept)) == m(source));
      const Value two(2);
      CHECK(result([&] { return call_primitive(m.cx, entry, Value(2), m.run(source)); }) ==
            result([&] { return call_primitive(m.cx, entry, two, kept); }));
    }
  }
}

TEST_CASE("what is no function is called as a constant, and a modifier is not") {
  Machinery m;
  CHECK(m("a←⟨5,\"text\"⟩ ⋄ {F←𝕏 ⋄ F 1}¨a") == "⟨ 5 \"text\" ⟩");
  CHECK(m("{𝕏 1}⊑⟨¨⟩").substr(0, 1) == "!");
  CHECK(m("{3 𝕏 1}4") == "4");
}
