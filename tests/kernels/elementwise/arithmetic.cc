#include "primitives/kernels/elementwise/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/arithmetic_reference.h"
#include "tests/support/fitting_results.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class W, class X, class Out, class F>
void check_dyad(const DyadForms& forms, F of) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (bool small : {true, false})
      for (bool in_words : {true, false})
        for (int form = 0; form < form_count; form++) {
          const std::size_t offset = in_words ? 0 : n % 3;
          const Elements<W> w(random, n, offset, small);
          const Elements<X> x(random, n, in_words ? 0 : 1 - offset % 2, small);
          Guarded<Out> out(n, offset);
          INFO("length ", n, " form ", form, " small ", small, " in words ", in_words);
          const std::size_t done = forms[static_cast<Form>(form)](out.start(), w.start, x.start, n);
          const auto expected = [&](std::size_t i) {
            return of(w.start[form == scalar_array ? 0 : i], x.start[form == array_scalar ? 0 : i]);
          };
          check_results(out, done, n, expected, true);
          // In place.
          if constexpr (sizeof(W) == sizeof(Out)) {
            if (form == scalar_array) continue;
            Guarded<Out> own(n, offset);
            if (n != 0) std::memcpy(own.start(), w.start, n * sizeof(W));
            const std::size_t done_in_place = forms[static_cast<Form>(form)](own.start(), own.start(), x.start, n);
            CHECK(done_in_place >= done);
            bool right = true;
            for (std::size_t i = 0; i < done_in_place; i++) {
              const std::optional<Out> e = of(w.start[i], x.start[form == array_scalar ? 0 : i]);
              right &= e && same(*e, own.start()[i]);
            }
            CHECK(right);
            const std::size_t kept = (n - done_in_place) * sizeof(W);
            CHECK((kept == 0 || std::memcmp(own.start() + done_in_place, w.start + done_in_place, kept) == 0));
          }
        }
  });
}

template <class T, class Out = T>
void check_numbers(const DyadForms& forms, double of(double, double)) {
  check_dyad<T, T, Out>(forms, [of](T w, T x) { return reference::fitting<Out>(of(w, x)); });
}
void check_lanes(const DyadForms* lanes, double of(double, double)) {
  check_numbers<std::int8_t>(lanes[lane_i8], of);
  check_numbers<std::int16_t>(lanes[lane_i16], of);
  check_numbers<std::int32_t>(lanes[lane_i32], of);
  check_numbers<double>(lanes[lane_f64], of);
}
void check_widening(const DyadForms* lanes, double of(double, double)) {
  check_numbers<std::int8_t, std::int16_t>(lanes[lane_i8], of);
  check_numbers<std::int16_t, std::int32_t>(lanes[lane_i16], of);
  check_numbers<std::int32_t, double>(lanes[lane_i32], of);
}

// Integer lanes stop at w = 0, where the result is no integer.
template <class T>
std::optional<T> modulus_of(T w, T x) {
  if (w == 0) return std::nullopt;
  return reference::fitting<T>(reference::modulus(w, x));
}

template <class Character, class Integer>
void check_characters(const ArithmeticKernels& k, int width) {
  const auto character = [](double code) { return code > 0x10FFFF ? std::nullopt : reference::fitting<Character>(code); };
  // Four-byte elements stand for characters only up to the last code point.
  const auto code_of = [](Character c) {
    return sizeof(Character) == 4 ? static_cast<double>(c & 0xFFFFF) : static_cast<double>(c);
  };
  if constexpr (sizeof(Character) < 4) {
    check_dyad<Character, Integer, Character>(k.character_up[width],
                                              [&](Character w, Integer x) { return character(code_of(w) + x); });
    check_dyad<Integer, Character, Character>(k.up_character[width],
                                              [&](Integer w, Character x) { return character(w + code_of(x)); });
    check_dyad<Character, Integer, Character>(k.character_down[width],
                                              [&](Character w, Integer x) { return character(code_of(w) - x); });
    check_dyad<Character, Character, Integer>(k.character_distance[width], [&](Character w, Character x) {
      return reference::fitting<Integer>(code_of(w) - code_of(x));
    });
  }
}

}  // namespace

TEST_CASE("arithmetic kernels store what fits, and stop before what does not") {
  on_every_target([] {
    const ArithmeticKernels& k = arithmetic();
    check_lanes(k.add, reference::add);
    check_lanes(k.subtract, reference::subtract);
    check_lanes(k.multiply, reference::multiply);
    check_lanes(k.minimum, reference::minimum);
    check_lanes(k.maximum, reference::maximum);
    check_widening(k.add_widening, reference::add);
    check_widening(k.subtract_widening, reference::subtract);
    check_widening(k.multiply_widening, reference::multiply);
    check_numbers<double>(k.divide_f64, reference::divide);
    check_numbers<std::int32_t, double>(k.divide_i32, reference::divide);
    check_dyad<std::int8_t, std::int8_t, std::int8_t>(k.modulus[lane_i8], modulus_of<std::int8_t>);
    check_dyad<std::int16_t, std::int16_t, std::int16_t>(k.modulus[lane_i16], modulus_of<std::int16_t>);
    check_dyad<std::int32_t, std::int32_t, std::int32_t>(k.modulus[lane_i32], modulus_of<std::int32_t>);
  });
}

namespace {

template <class T>
void check_tables(const DyadForms& forms, double of(double, double)) {
  Random random;
  for (const std::size_t rows : {1, 2, 3, 16, 40})
    for (const std::size_t n : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200})
      for (const bool small : {true, false}) {
        const Elements<T> w(random, rows, 1, small), x(random, n, n % 2, small);
        Guarded<T> out(rows * n, 1);
        bool fits = true, right = true;
        const bool done = forms.table(out.start(), w.start, rows, x.start, n);
        for (std::size_t i = 0; i < rows * n; i++) {
          const std::optional<T> e = reference::fitting<T>(of(w.start[i / n], x.start[i % n]));
          fits &= e.has_value();
          right &= e && same(*e, out.start()[i]);
        }
        INFO("rows ", rows, " of ", n, " small ", small);
        CHECK(done == fits);
        CHECK((!done || right));
        CHECK(out.kept_outside(rows * n));
      }
}
void check_all_tables(const DyadForms* lanes, double of(double, double)) {
  check_tables<std::int8_t>(lanes[lane_i8], of);
  check_tables<std::int16_t>(lanes[lane_i16], of);
  check_tables<std::int32_t>(lanes[lane_i32], of);
  check_tables<double>(lanes[lane_f64], of);
}

}  // namespace

TEST_CASE("tables hold what each pair of elements gives") {
  on_every_target([] {
    const ArithmeticKernels& k = arithmetic();
    check_all_tables(k.add, reference::add);
    check_all_tables(k.subtract, reference::subtract);
    check_all_tables(k.multiply, reference::multiply);
    check_all_tables(k.minimum, reference::minimum);
    check_all_tables(k.maximum, reference::maximum);
    check_tables<double>(k.divide_f64, reference::divide);
  });
}

TEST_CASE("remainders by one number are those of each pair") {
  on_every_target([] {
    const auto check = []<class T>(const DyadForms& forms, const std::vector<T>& divisors, const std::vector<T>& x) {
      std::vector<T> out(x.size());
      for (const T w : divisors) {
        const std::size_t done = forms[scalar_array](out.data(), &w, x.data(), x.size());
        REQUIRE(done == (w == 0 ? 0 : x.size()));
        for (std::size_t i = 0; i < done; i++) REQUIRE(out[i] == reference::modulus(w, x[i]));
      }
    };
    std::vector<std::int8_t> bytes;
    std::vector<std::int16_t> shorts;
    for (int i = -128; i < 128; i++) bytes.push_back(static_cast<std::int8_t>(i));
    for (int i = -32768; i < 32768; i++) shorts.push_back(static_cast<std::int16_t>(i));
    check(arithmetic().modulus[lane_i8], bytes, bytes);
    check(arithmetic().modulus[lane_i16],
          {-32768, -32767, -181, -7, -1, 0, 1, 3, 7, 64, 181, 4096, 10923, 21845, 21846, 32766, 32767}, shorts);
    constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    std::vector<std::int32_t> ends;
    for (int i = 0; i < 1000; i++) ends.insert(ends.end(), {least + i, most - i, i - 500, 46341 * i});
    check(arithmetic().modulus[lane_i32],
          {least, least + 1, -46341, -3, -1, 0, 1, 3, 1000, 65536, 715827883, 1431655765, 1431655766, most - 1, most}, ends);
  });
}

TEST_CASE("the remainder of doubles is exact or left to others") {
  on_every_target([] {
    const DyadForms& forms = arithmetic().modulus[lane_f64];
    if (forms.by_form[0] == nullptr) return;
    Random random;
    for (int round = 0; round < 200000; round++) {
      const double w = std::ldexp(static_cast<int>(random.next() % 2000) - 1000, static_cast<int>(random.next() % 40) - 20);
      const double x = std::ldexp(static_cast<double>(random.next()) - 8e6, static_cast<int>(random.next() % 60) - 30);
      double out = 0;
      if (forms[array_array](&out, &w, &x, 1) == 1) REQUIRE(same(out, reference::modulus(w, x)));
    }
  });
}

TEST_CASE("remainders of doubles by one number are those of each pair") {
  Random random;
  std::vector<double> x = {0.0, -0.0, NAN, 1, -1, 3.7, -3.7, 7.4, 1e-300, -1e-300, 0x1p-1074, -0x1p-1074};
  while (x.size() < 3000) {
    const double v = (static_cast<double>(random.next()) - 8e6) * std::exp2(-static_cast<double>(random.next() % 40));
    x.push_back(v);
    x.push_back(std::round(v) * 3.7);
  }
  on_every_target([&] {
    const DyadForms& forms = arithmetic().modulus[lane_f64];
    if (forms.by_form[0] == nullptr) return;
    for (const double w : {1.0, 0.5, 1024.0, 3.7, 0.1, 7.0, 1e9, 1 / 3.0, -3.7, -1.0}) {
      std::vector<double> out(x.size()), pairs(x.size());
      const std::vector<double> all(x.size(), w);
      REQUIRE(forms[scalar_array](out.data(), &w, x.data(), x.size()) == x.size());
      REQUIRE(forms[array_array](pairs.data(), all.data(), x.data(), x.size()) == x.size());
      for (std::size_t i = 0; i < x.size(); i++) {
        INFO(w, " and ", x[i], " gave ", out[i]);
        REQUIRE((std::isnan(x[i]) ? std::isnan(out[i]) : same(out[i], pairs[i])));
      }
    }
    std::vector<double> large(100, 1e300), out(100);
    const double one = 1;
    CHECK(forms[scalar_array](out.data(), &one, large.data(), large.size()) < large.size());
  });
}

TEST_CASE("quotients of integers by one number are rounded once") {
  Random random;
  const auto integer = [&] { return static_cast<std::int32_t>(random.next() << 12 ^ random.next()) >> random.next() % 31; };
  std::vector<std::int32_t> x = {0, 1, -1, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
  while (x.size() < 1000) x.push_back(integer());
  on_every_target([&] {
    for (int round = 0; round < 200; round++) {
      const std::int32_t by = round < 5 ? x[static_cast<std::size_t>(round)] : integer();
      std::vector<double> out(x.size());
      REQUIRE(arithmetic().divide_i32[array_scalar](out.data(), x.data(), &by, x.size()) == x.size());
      for (std::size_t i = 0; i < x.size(); i++) {
        const double exact = static_cast<double>(x[i]) / by;
        REQUIRE((std::isnan(exact) ? std::isnan(out[i]) : same(out[i], exact)));
      }
    }
  });
}

TEST_CASE("quotients by powers of two are exact, however large or small") {
  std::vector<double> x = {0.0,     -0.0,   1,      -3,           1e308,
                           -1e-308, 5e-324, 3e-320, std::nan(""), std::numeric_limits<double>::infinity()};
  Random random;
  while (x.size() < 200)
    x.push_back(static_cast<double>(random.next()) * std::pow(2.0, static_cast<int>(random.next() % 2000) - 1030));
  on_every_target([&] {
    for (int exponent = -1074; exponent <= 1024; exponent++)
      for (const double sign : {1.0, -1.0, 1.0000000000000002}) {
        const double by = sign * std::pow(2.0, exponent);
        std::vector<double> out(x.size());
        REQUIRE(arithmetic().divide_f64[array_scalar](out.data(), x.data(), &by, x.size()) == x.size());
        bool right = true;
        for (std::size_t i = 0; i < x.size(); i++) {
          const double exact = x[i] / by;
          right &= std::isnan(exact) ? std::isnan(out[i]) : same(out[i], exact);
        }
        INFO("by ", by);
        REQUIRE(right);
      }
  });
}

TEST_CASE("character kernels keep to their range") {
  on_every_target([] {
    check_characters<std::uint8_t, std::int8_t>(arithmetic(), 0);
    check_characters<std::uint16_t, std::int16_t>(arithmetic(), 1);
    const std::int32_t characters[] = {0, 'a', 0x10FFFF, 0x10FFFF, 0}, steps[] = {0, 1, 1, -0x10FFFF, -1};
    for (int i = 0; i < 5; i++) {
      std::int32_t out = 0;
      const std::int64_t expected = std::int64_t{characters[i]} + steps[i];
      const bool fits = expected >= 0 && expected <= 0x10FFFF;
      CHECK(arithmetic().character_up[2][array_array](&out, characters + i, steps + i, 1) == fits);
      if (fits) CHECK(out == expected);
    }
  });
}

TEST_CASE("monads store what fits, and stop before what does not") {
  on_every_target([] {
    const ArithmeticKernels& k = arithmetic();
    check_monad<std::int8_t, std::int8_t>(k.negate[lane_i8], reference::negate, true);
    check_monad<std::int16_t, std::int16_t>(k.negate[lane_i16], reference::negate, true);
    check_monad<std::int32_t, std::int32_t>(k.negate[lane_i32], reference::negate, true);
    check_monad<double, double>(k.negate[lane_f64], reference::negate, true);
    check_monad<std::int8_t, std::int8_t>(k.magnitude[lane_i8], reference::magnitude, true);
    check_monad<std::int16_t, std::int16_t>(k.magnitude[lane_i16], reference::magnitude, true);
    check_monad<std::int32_t, std::int32_t>(k.magnitude[lane_i32], reference::magnitude, true);
    check_monad<double, double>(k.magnitude[lane_f64], reference::magnitude, true);
    check_monad<std::int8_t, std::int8_t>(k.sign[lane_i8], reference::sign, true);
    check_monad<std::int16_t, std::int8_t>(k.sign[lane_i16], reference::sign, true);
    check_monad<std::int32_t, std::int8_t>(k.sign[lane_i32], reference::sign, true);
    check_monad<double, std::int8_t>(k.sign[lane_f64], reference::sign, true);
    check_monad<double, std::int8_t>(k.floor_to[kernels::lane_i8], reference::floor);
    check_monad<double, std::int16_t>(k.floor_to[kernels::lane_i16], reference::floor);
    check_monad<double, std::int32_t>(k.floor_to[kernels::lane_i32], reference::floor);
    check_monad<double, std::int8_t>(k.ceiling_to[kernels::lane_i8], reference::ceiling);
    check_monad<double, std::int16_t>(k.ceiling_to[kernels::lane_i16], reference::ceiling);
    check_monad<double, std::int32_t>(k.ceiling_to[kernels::lane_i32], reference::ceiling);
    check_monad<double, double>(k.floor_f64, reference::floor, true);
    check_monad<double, double>(k.ceiling_f64, reference::ceiling, true);
    const auto check_real = [](const Monad* lanes, double of(double)) {
      check_monad<std::int8_t, double>(lanes[lane_i8], of);
      check_monad<std::int16_t, double>(lanes[lane_i16], of);
      check_monad<std::int32_t, double>(lanes[lane_i32], of);
      check_monad<double, double>(lanes[lane_f64], of);
    };
    check_real(k.square_root, reference::square_root);
    check_real(k.reciprocal, reference::reciprocal);
  });
}

TEST_CASE("doubles next to the ends of a type are rounded to it only where they fit") {
  on_every_target([] {
    const ArithmeticKernels& k = arithmetic();
    check_ends<std::int8_t>(k.floor_to[lane_i8], reference::floor);
    check_ends<std::int16_t>(k.floor_to[lane_i16], reference::floor);
    check_ends<std::int32_t>(k.floor_to[lane_i32], reference::floor);
    check_ends<std::int8_t>(k.ceiling_to[lane_i8], reference::ceiling);
    check_ends<std::int16_t>(k.ceiling_to[lane_i16], reference::ceiling);
    check_ends<std::int32_t>(k.ceiling_to[lane_i32], reference::ceiling);
  });
}
