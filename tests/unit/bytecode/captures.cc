#include "runtime/bytecode/captures.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

namespace {

// Tells how often an instruction stands in the blocks of a program.
int count_of(const std::string& name, const char* program) {
  Machinery m;
  int count = 0;
  const auto look = [&](const auto& again, const Code& code) -> void {
    const std::string text = disassemble(code);
    for (std::size_t at = text.find("\t" + name); at != text.npos; at = text.find("\t" + name, at + 1)) count++;
    each_inner_block(code, [&](const Code& inner) { again(again, inner); });
  };
  look(look, *m.code(program));
  return count;
}

}  // namespace

TEST_CASE("a block that is called where it stands captures nothing") {
  CHECK(count_of("closure", "F←{n←𝕩 ⋄ {𝕊: m←n+1 ⋄ {𝕊: m>3 ? n↩m ; n↩2}@}⍟9 0 ⋄ n} ⋄ F 1") == 0);
  CHECK(count_of("environment", "F←{n←𝕩 ⋄ {𝕊: m←n+1 ⋄ {𝕊: {𝕊: n↩m}@}@}⍟5 0 ⋄ n} ⋄ F 1") == 0);
  // One that is kept, or called from elsewhere, does.
  CHECK(count_of("environment", "F←{n←𝕩 ⋄ {𝕊: m←n+1 ⋄ G←{m+𝕩} ⋄ n↩G¨⟨n⟩}⍟5 0 ⋄ n} ⋄ F 1") != 0);
}

TEST_CASE("variables of loops are new in each round") {
  Machinery m;
  CHECK(m("fs←⟨⟩ ⋄ {𝕊 i: m←i ⋄ {𝕊: fs∾↩⟨{m+𝕩}⟩}@}¨↕4 ⋄ {𝕏 10}¨fs") == "⟨ 10 11 12 13 ⟩");
  CHECK(m("F←{n←𝕩 ⋄ l←⟨⟩ ⋄ {𝕊: m←n ⋄ {𝕊: m>2 ? l∾↩m ; l∾↩-m}@ ⋄ n+↩1}⍟5 0 ⋄ l} ⋄ F 0") == "⟨ 0 ¯1 ¯2 3 4 ⟩");
  CHECK(m("F←{𝕊: r←⟨⟩ ⋄ {𝕊 a: b←a×2 ⋄ {𝕊 c: d←c+b ⋄ {𝕊: r∾↩a+b+c+d}@}a}¨↕3 ⋄ r} ⋄ F@") == "⟨ 0 7 14 ⟩");
  // Deeper than there are levels.
  std::string open, close;
  for (int k = 0; k < 80; k++) open += "{v" + std::to_string(k) + "←𝕩 ⋄ ", close += "}1";
  std::string sum = "0";
  for (int k = 0; k < 80; k++) sum += "+v" + std::to_string(k);
  CHECK(m(open + sum + close) == "80");
}
