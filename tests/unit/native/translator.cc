#include "runtime/native/translator.h"

#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

namespace {

// Runs a program whose blocks are translated after so many calls and rounds.
std::string after(std::int64_t calls, const char* program) {
  Machinery m;
  m.cx.translates_after = calls;
  return m(program);
}

}  // namespace

TEST_CASE("a block becomes machine code between any two of its rounds") {
  for (const char* program : {"s←0 ⋄ {𝕊 i: s↩s+i×i}¨↕30 ⋄ s", "{𝕩<2?𝕩;(𝕊 𝕩-1)+𝕊 𝕩-2}12", "x←3 ⋄ {𝕊: x↩101|7×x}⍟40 0 ⋄ x",
                              "l←⟨⟩ ⋄ {𝕊 i: l∾↩⟨i,i∾l⟩}¨↕6 ⋄ l", "{𝕩⊑⟨1,'a',\"bc\",2.5⟩}¨12⥊↕4"}) {
    const std::string expected = after(Context::never_translates, program);
    INFO(program);
    for (int calls = 0; calls < 45; calls++) CHECK(after(calls, program) == expected);
  }
}

TEST_CASE("what gives arrays unforeseen is translated anew") {
  Machinery m;
  m.cx.translates_after = 2;
  // Numbers first, then lists, characters and numbers again.
  CHECK(m("F←{a←𝕩+1 ⋄ b←a-1 ⋄ b} ⋄ ∾{F¨𝕩}¨⟨↕40,20⥊⟨1‿2⟩,\"characters\",↕40⟩") == m("∾⟨↕40,20⥊⟨1‿2⟩,\"characters\",↕40⟩"));
}
