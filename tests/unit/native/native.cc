#include "runtime/native/native.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>

#include "tests/support/host.h"
#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("blocks are translated once they have run often") {
  Machinery m;
  m.cx.translates_after = 10;
  const auto find = [&](const std::string& source) {
    Ref<Code> program = m.code(source);
    m.vm->run(*program);
    bool translated = false;
    each_inner_block(*program, [&](const Code& inner) { translated |= inner.native.places != nullptr; });
    return translated;
  };
  CHECK(!find("{𝕊: s←0 ⋄ {𝕊 i: s+↩i ⋄ s}¨↕4}@"));
  CHECK(find("{𝕊: s←0 ⋄ {𝕊 i: s+↩i ⋄ s}¨↕400}@"));
  m.cx.translates_after = Context::never_translates;
  CHECK(!find("{𝕊: s←0 ⋄ {𝕊 i: s+↩i ⋄ s}¨↕400}@"));
}

TEST_CASE("what runs within Catch is machine code, but where it fails often") {
  Machinery m;
  m.cx.translates_after = 10;
  const auto find = [&](const std::string& source, const std::string& expected) {
    Ref<Code> program = m.code(source);
    CHECK(std::string(display_text(m.cx, m.vm->run(*program))) == expected);
    int translated = 0, failed = 0;
    std::function<void(const Code&)> look = [&](const Code& inner) {
      translated += inner.native.places != nullptr;
      failed += inner.native.fails_often();
      each_inner_block(inner, look);
    };
    each_inner_block(*program, look);
    return std::pair(translated > 0, failed > 0);
  };
  // Blocks that use what changes are no constants, so that they are found.
  CHECK(find("y←0 ⋄ y↩y ⋄ {𝕊: s←y ⋄ {𝕊 i: s+↩i ⋄ s}¨↕400 ⋄ s}⎊0@", "79800") == std::pair(true, false));
  CHECK(find("y←300 ⋄ y↩y ⋄ F←{𝕩>y? !0 ; 𝕩} ⋄ {+´{F 𝕩}¨↕𝕩}⎊¯1¨30‿3‿400‿3", "⟨ 435 3 ¯1 3 ⟩") == std::pair(true, false));
  CHECK(find("y←3 ⋄ y↩y ⋄ F←{𝕩>y? 9⊑⟨𝕩,1⟩ ; 𝕩} ⋄ +´{F 𝕩}⎊¯1¨↕400", "¯390") == std::pair(true, true));
}

TEST_CASE("where memory for machine code is used up, old code makes room before the next program") {
  Machinery m;
  m.cx.translates_after = 0;
  // Each program has a block of its own, and all of them more than fits.
  std::string body = "x↩𝕩";
  for (int k = 0; k < 200; k++) body += " ⋄ x↩(x×" + std::to_string(k) + ")-x|7 ⋄ x↩x⌊1e9 ⋄ x↩¯5⌈x";
  const std::string program = "x←0 ⋄ F←{" + body + "} ⋄ F 3 ⋄ x";
  const std::string expected = m(program);
  int translated = 0;
  for (int run = 0; run < 200; run++) {
    Ref<Code> code = m.code(program);
    const Value result = m.vm->run(*code);
    CHECK(std::string(display_text(m.cx, result)) == expected);
    each_inner_block(*code, [&](const Code& inner) { translated += inner.native.places != nullptr; });
  }
  // One of them found no room, and those after it did.
  CHECK(translated > 50);
  CHECK(translated < 200);
  Ref<Code> last = m.code(program);
  CHECK(std::string(display_text(m.cx, m.vm->run(*last))) == expected);
  each_inner_block(*last, [&](const Code& inner) { CHECK(inner.native.places != nullptr); });
}

TEST_CASE("machine code counts steps and ends where the host asks") {
  Options options;
  options.machine_code = MachineCode::always;
  options.step_limit = 1000;
  testing::Host limited{Interpreter(options)};
  CHECK(limited("n←0 ⋄ {𝕊: n+↩1}•_while_{𝕊:n<100}@ ⋄ n") == "100");
  CHECK(limited("n←0 ⋄ {𝕊: n+↩1}•_while_{𝕊:1}@").substr(0, 1) == "!");

  // As many steps as are interpreted.
  for (const char* program :
       {"{𝕩<2?𝕩;(𝕊 𝕩-1)+𝕊 𝕩-2}12", "n←0 ⋄ {𝕊: n+↩1 ⋄ {𝕊: {n+𝕩}¨↕3}@}•_while_{𝕊:n<30}@", "s←0 ⋄ {{𝕊: s+↩𝕩}⍟3 𝕩}¨↕20",
        "F←{𝕨𝕊0:𝕨;(𝕨+1)𝕊 𝕩-1} ⋄ 0 F 50", "{𝕎𝕩}´⟨{{𝕩+1}⍟5 𝕩},4⟩", "a←{𝕩◶⟨{𝕊:2},{𝕊:3}⟩@}¨0‿1‿1 ⋄ {𝕊:a↩⌽a}⍟7 0"}) {
    std::uint64_t left[2];
    for (const MachineCode use : {MachineCode::always, MachineCode::never}) {
      options.machine_code = use;
      Interpreter counted(options);
      REQUIRE(counted.eval(program));
      left[use == MachineCode::never] = counted.steps_left();
    }
    INFO(program);
    CHECK(left[0] == left[1]);
  }

  options.machine_code = MachineCode::always;
  options.step_limit = 0;
  options.time_limit = 0.05;
  testing::Host hurried{Interpreter(options)};
  CHECK(hurried("n←0 ⋄ {𝕊: n+↩1}•_while_{𝕊:1}@").substr(0, 1) == "!");
  CHECK(hurried("{𝕊 𝕩+1}⎊{𝕊:{𝕊:1}•_while_{𝕊:1}@} 0").substr(0, 1) == "!");
  CHECK(hurried("1+1") == "2");
}
