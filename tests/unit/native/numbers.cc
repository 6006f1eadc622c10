#include <doctest/doctest.h>

#include <string>

#include "tests/support/native_and_interpreted.h"

using namespace griddle;

namespace {

// Numbers at the limits of what machine code computes itself, and what is no number.
constexpr std::initializer_list<const char*> operands = {
    "0",      "1", "¯1", "0.5",  "¯0.5", "7",   "¯7",    "64",    "2147483647", "¯2147483648", "2147483648", "4294967297", "1e15",
    "¯1e300", "∞", "¯∞", "0÷¯1", "'a'",  "'λ'", "1‿0‿1", "3‿1‿4", "\"abc\"",    "⟨1,\"ab\"⟩",  "2‿2⥊↕4",     "⟨⟩"};

}  // namespace

TEST_CASE("machine code computes on two operands as the loop does") {
  testing::NativeAndInterpreted both;
  std::string all;
  for (const char* operand : operands) all += std::string(",(") + operand + ")";
  for (const char* f : {"+", "-", "×", "÷", "|", "⌊", "⌈", "∧", "∨", "<", "≤", "=", "≥", ">", "≠", "≡", "≢"}) {
    const std::string body = std::string("a←𝕨 ⋄ b←𝕩 ⋄ ({𝕊:a") + f + "b}⎊\"error\")¨↕2";
    // Each pair of some with code that has met no other operands, and all pairs one after the other.
    both.agree_on(body, {"1", "¯7", "2147483648", "∞", "'a'", "3‿1‿4", "\"abc\""});
    both.agree("⥊{" + body + "}⌜˜⟨" + all.substr(1) + "⟩");
  }
}

TEST_CASE("machine code computes with constants and on one operand as the loop does") {
  testing::NativeAndInterpreted both;
  for (const char* x : operands) {
    for (const char* f : {"𝕩+3",          "𝕩-3", "3-𝕩",   "3×𝕩", "𝕩÷4",   "3÷𝕩",   "8|𝕩", "7|𝕩",  "0|𝕩",      "2.5|𝕩",
                          "3000000000|𝕩", "𝕩⌊3", "𝕩⌈'b'", "𝕩<3", "'b'>𝕩", "𝕩='a'", "3≠𝕩", "-𝕩",   "¬𝕩",       "|𝕩",
                          "⌊𝕩",           "√𝕩",  "÷𝕩",    "×𝕩",  "⊑𝕩",    "≠𝕩",    "0⊑𝕩", "¯1⊑𝕩", "(1+𝕩)⊑↕9", "0.5⊑𝕩"})
      both.agree(std::string("{") + f + "}⎊\"error\"¨⟨" + x + "," + x + "⟩");
    for (const char* test : {"𝕩<3", "𝕩≤'a'", "𝕩=7", "𝕩≥0", "𝕩>∞", "𝕩≠1", "𝕩"})
      both.agree(std::string("{") + test + "?\"yes\";\"no\"}⎊\"error\"¨⟨" + x + "," + x + "⟩");
  }
}

TEST_CASE("registers hold more values than there are") {
  testing::NativeAndInterpreted both;
  std::string names, sum = "0";
  for (char c = 'a'; c <= 'w'; c++) {
    names += std::string(1, c) + "←𝕩×" + std::to_string(c - 'a' + 2) + " ⋄ ";
    sum = std::string("(") + c + "-" + sum + ")";
  }
  both.agree("F←{" + names + sum + "}\nF¨↕40");
  both.agree("F←{" + names + sum + "}\n(F 2)∾F¨⟨1,\"ab\"-@,2‿3⟩");
}
