#include "runtime/native/arena.h"

#include <doctest/doctest.h>

#include <cstring>

#include "tests/support/native_and_interpreted.h"

using namespace griddle;

TEST_CASE("memory for code is written, and then run") {
  CodeArena arena;
  REQUIRE(arena.usable());
  const std::size_t room = arena.room();
  REQUIRE(arena.write());
  // mov eax, 42; ret
  const std::uint8_t code[] = {0xB8, 42, 0, 0, 0, 0xC3};
  std::memcpy(arena.next(), code, sizeof code);
  int (*const run)() = reinterpret_cast<int (*)()>(reinterpret_cast<std::uintptr_t>(arena.next()));
  arena.keep(sizeof code);
  CHECK(arena.room() == room - 64);
  REQUIRE(arena.seal());
  CHECK(run() == 42);
}

TEST_CASE("errors leave machine code") {
  testing::NativeAndInterpreted both;
  both.agree("F←{𝕩>99?𝕩+\"ab\"‿5;𝕊 𝕩+1} ⋄ {F 𝕩}⎊{𝕊:•CurrentError @} 0");
  both.agree("F←{𝕩>99?𝕩+\"ab\"‿5;1+𝕊 𝕩+1} ⋄ F 0");
  both.agree("F←{! 𝕩<400 ⋄ 𝕩+1} ⋄ F⍟1000 0");
  both.agree("F←{n←0 ⋄ {𝕊: n↩{𝕩⊑↕300}n+1}•_while_{𝕊:1}@ ⋄ n} ⋄ F⎊(⊢) 5");
  both.agree("A←{𝕩=0?!\"deep\";1+B 𝕩-1} ⋄ B←{1+A 𝕩} ⋄ A⎊⟨•CurrentError @⟩ 800");
}
