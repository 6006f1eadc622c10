// What kernels leave in the processor: instructions without vectors run slower while the upper halves of vector registers are in
// use, so that whoever used them has to clear them.
#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

// What a sanitizer adds to kernels does not count.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GRIDDLE_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define GRIDDLE_SANITIZED
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(GRIDDLE_SANITIZED)
#include <cpuid.h>

namespace {

// Tells whether the processor can say which registers are in use.
bool can_tell() {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX)) return false;
  return __get_cpuid_count(0xD, 1, &a, &b, &c, &d) && a & 4;
}
bool in_use() {
  unsigned low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  constexpr unsigned upper_halves = 4, upper_quarters = 64;
  return low & (upper_halves | upper_quarters);
}

}  // namespace

TEST_CASE("kernels clear the upper halves of vector registers") {
  if (!can_tell()) return;
  asm volatile("vpcmpeqd %%ymm0, %%ymm0, %%ymm0" ::: "xmm0");
  const bool before = in_use();
  asm volatile("vzeroupper");
  const bool after = in_use();
  REQUIRE(before);
  REQUIRE(!after);
  griddle::Interpreter bqn;
  const char* const lists[] = {"n⥊1‿0‿0‿1", "n⥊↕100", "n⥊100×↕300", "n⥊1e5×↕300", "0.5+n⥊↕300", "n⥊\"abcdef\""};
  const char* const functions[] = {
      "-x",          "|x",         "⌊x",       "√|x",     "⋆x",      "¬x",         "2×x",        "x+1",         "7|x",
      "x÷3",         "x<5",        "x=5",      "3⌊x",     "x+⌽x",    "x×x",        "x=⌽x",       "x≤⌽x",        "x⌈⌽x",
      "x∧x",         "+´x",        "⌈´x",      "×´x",     "∧´x",     "≠´x",        "∨´0×x",      "+`x",         "⌈`x",
      "∧`x",         "≠`x",        "⌽x",       "⍉2‿∘⥊x",  "(5>x)/x", "2/x",        "/5>x",       "⍋x",          "∧x",
      "x⊐x",         "⊐x",         "∊x",       "x⊏˜2|x",  "+˝∘‿2⥊x", "+´˘10‿40⥊x", "×´˘10‿12⥊x", "≠´˘10‿20⥊x",  "≠´˘10‿36⥊x",
      "+´˘10‿100⥊x", "⌈´˘10‿24⥊x", "+´˘∘‿2⥊x", "+`∘‿2⥊x", "x≡⌽x",    "⊔8|x",       "+´x×x",      "1+x×2+x×3+x", "'a'+x",
      "x-'a'",       "»x",         "3↑x"};
  std::string left;
  for (const char* const function : functions) {
    // What fails has used kernels, too.
    const griddle::Result f = bqn.eval(std::string("{𝕊 x: ") + function + "}⎊0");
    REQUIRE(f);
    for (const char* const list : lists)
      for (const char* const n : {"2", "16", "62", "1000", "20000"}) {
        const griddle::Result x = bqn.eval(std::string("n←") + n + " ⋄ " + list);
        REQUIRE(x);
        asm volatile("vzeroupper");
        const griddle::Result result = f(*x);
        if (in_use()) left += std::string(function) + " of " + n + ": " + list + "\n";
      }
  }
  CHECK(left == "");
}
#endif
