#include "runtime/vm/scalar.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("numbers give what the primitive gives, or nothing") {
  Machinery m;
  for (const PrimitiveFunctionEntry& entry : primitive_table().functions) {
    if (entry.scalar == ScalarOp::none) continue;
    for (double w : {0.0, 1.0, -3.0, 0.5, 1e300})
      for (double x : {0.0, 1.0, 2.0, -7.0, 2.5}) {
        const double result = scalar_numbers(entry.scalar, w, x);
        if (std::isnan(result)) continue;
        INFO(w, " ", x, " ", entry.dyad_name);
        CHECK(result == call_primitive(m.cx, entry, Value(w), Value(x)).number());
      }
  }
  CHECK(integer_modulus(3, -1) == 2);
  CHECK(std::isnan(integer_modulus(0, 5)));
  CHECK(std::isnan(integer_modulus(2.5, 5)));
  CHECK(std::isnan(integer_modulus(1e10, 2.5)));
  CHECK(std::isnan(integer_modulus(3, 1e17)));
  CHECK(std::isnan(integer_modulus(4294967296, INFINITY)));
  // What fmod gives, turned to the sign of 𝕨.
  std::uint64_t seed = 1;
  for (int i = 0; i < 20000; i++) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    const double x = static_cast<double>(static_cast<std::int64_t>(seed) >> seed % 52);
    const double w = static_cast<double>(1 + (seed * 2862933555777941757 >> (13 + seed / 64 % 40)));
    const double rest = std::fmod(x, w);
    const double expected = rest < 0 ? rest + w : rest;
    CAPTURE(w);
    CAPTURE(x);
    const double found = integer_modulus(w, x);
    CHECK((std::isnan(found) || found == expected));
    if (w < 4e15 && std::fabs(x) < 4e15 * w) CHECK(!std::isnan(found));
  }
}

TEST_CASE("characters are moved and compared, and nothing else is done to them") {
  Value result;
  const Value a = Value::character('a'), b = Value::character('b');
  CHECK(scalar_atoms(ScalarOp::add, a, Value(1), result));
  CHECK(result.character() == U'b');
  CHECK(scalar_atoms(ScalarOp::subtract, b, a, result));
  CHECK(result.number() == 1);
  CHECK(scalar_atoms(ScalarOp::less, a, b, result));
  CHECK(result.number() == 1);
  CHECK(!scalar_atoms(ScalarOp::multiply, a, Value(2), result));
  CHECK(!scalar_atoms(ScalarOp::add, a, b, result));
}

TEST_CASE("trains of arithmetic are computed on a number, others are not") {
  Machinery m;
  const auto on = [&](const char* source, double x) { return arithmetic(m.run(source).function(), x); };
  CHECK(on("-", 5) == -5);
  CHECK(on("2⊸×", 5) == 10);
  CHECK(on("-⟜1", 5) == 4);
  CHECK(on("1+2×⊢", 5) == 11);
  CHECK(std::isnan(on("⌽", 5)));
  CHECK(std::isnan(on("1+≠", 5)));
}

TEST_CASE("what functions are computed to on numbers is what they do to lists of one") {
  Machinery m;
  const char* const parts[] = {"+", "-", "×", "÷", "√", "⌊", "|", "¬", "⊣", "≤", "2⊸|", "-⟜1", "(⌊-⊢)"};
  const char* const forms[] = {"F˜", "F∘G", "F○G", "F⊸G", "F⟜G", "F⊘G", "(F G)", "(F+G)", "(2-F)", "F⟜2", "(3⊸(F)∘G)"};
  const auto filled_in = [](std::string form, const std::string& f, const std::string& g) {
    for (std::size_t at = 0; (at = form.find_first_of("FG", at)) != std::string::npos;) {
      const std::string part = '(' + (form[at] == 'F' ? f : g) + ')';
      form.replace(at, 1, part);
      at += part.size();
    }
    return form;
  };
  std::size_t known = 0;
  for (const char* form : forms)
    for (const char* f : parts)
      for (const char* g : parts) {
        const std::string source = filled_in(form, f, g);
        const Value function = m.run(source);
        for (const auto& [text, x] : {std::pair{"0", 0.0}, {"4", 4.0}, {"¯3.5", -3.5}}) {
          INFO(source, " ", text);
          if (const double result = arithmetic(function.function(), x); !std::isnan(result)) {
            known++;
            CHECK(result == m.run("⊑(" + source + ")⋈" + text).number());
          }
          if (const double result = arithmetic(function.function(), 7, x); !std::isnan(result)) {
            known++;
            CHECK(result == m.run("⊑(⋈7)(" + source + ")⋈" + text).number());
          }
        }
      }
  CHECK(known > 6000);
}

TEST_CASE("functions nested deeper than numbers are computed on are called") {
  Machinery m;
  std::string deep = "-";
  for (int i = 0; i < 40; i++) deep = "(" + deep + ")∘(1⊸+)";
  CHECK(m.run("(" + deep + ")5").number() == -45);
  CHECK(m.run("F←" + deep + "\n{𝕊: F 𝕩}5").number() == -45);
}
