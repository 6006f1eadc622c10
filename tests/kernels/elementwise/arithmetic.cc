#include "primitives/kernels/elementwise/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "primitives/kernels/elementwise/count.h"
#include "primitives/kernels/folds/dot.h"
#include "primitives/kernels/shared/convert.h"
#include "tests/support/arithmetic_reference.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// Compares what a kernel stored with `expected(i)`, which is absent where the result does not fit.
template <class Out, class F>
void check_results(Guarded<Out>& out, std::size_t done, std::size_t n, F expected) {
  std::size_t first_misfit = n;
  std::size_t wrong = n;
  for (std::size_t i = n; i-- > 0;) {
    const std::optional<Out> e = expected(i);
    if (!e)
      first_misfit = i;
    else if (i < done && !same(*e, out.start()[i]))
      wrong = i;
  }
  CHECK(wrong == n);
  CHECK(done <= first_misfit);
  if (first_misfit == n)
    CHECK(done == n);
  else
    CHECK((first_misfit - done) * sizeof(Out) <= 4096);  // at most one chunk of vectors is given up
  CHECK(out.kept_outside(n));
}

template <class W, class X, class Out, class F>
void check_dyad(const DyadForms& forms, F of) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (bool small : {true, false})
      for (int form = 0; form < form_count; form++) {
        const std::size_t offset = n % 3;
        const Elements<W> w(random, n, offset, small);
        const Elements<X> x(random, n, 1 - offset % 2, small);
        Guarded<Out> out(n, offset);
        INFO("length ", n, " form ", form, " small ", small);
        const std::size_t done = forms[static_cast<Form>(form)](out.start(), w.start, x.start, n);
        check_results(out, done, n, [&](std::size_t i) {
          return of(w.start[form == scalar_array ? 0 : i], x.start[form == array_scalar ? 0 : i]);
        });
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

template <class T, class Out>
void check_monad(Monad kernel, double of(double)) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (bool small : {true, false}) {
      const Elements<T> x(random, n, n % 3, small);
      Guarded<Out> out(n, 1);
      INFO("length ", n, " small ", small);
      const std::size_t done = kernel(out.start(), x.start, n);
      check_results(out, done, n, [&](std::size_t i) { return reference::fitting<Out>(of(x.start[i])); });
    }
  });
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
    check_monad<std::int8_t, std::int8_t>(k.negate[lane_i8], reference::negate);
    check_monad<std::int16_t, std::int16_t>(k.negate[lane_i16], reference::negate);
    check_monad<std::int32_t, std::int32_t>(k.negate[lane_i32], reference::negate);
    check_monad<double, double>(k.negate[lane_f64], reference::negate);
    check_monad<std::int8_t, std::int8_t>(k.magnitude[lane_i8], reference::magnitude);
    check_monad<std::int16_t, std::int16_t>(k.magnitude[lane_i16], reference::magnitude);
    check_monad<std::int32_t, std::int32_t>(k.magnitude[lane_i32], reference::magnitude);
    check_monad<double, double>(k.magnitude[lane_f64], reference::magnitude);
    check_monad<std::int8_t, std::int8_t>(k.sign[lane_i8], reference::sign);
    check_monad<std::int16_t, std::int8_t>(k.sign[lane_i16], reference::sign);
    check_monad<std::int32_t, std::int8_t>(k.sign[lane_i32], reference::sign);
    check_monad<double, std::int8_t>(k.sign[lane_f64], reference::sign);
    check_monad<double, std::int8_t>(k.floor_to[kernels::lane_i8], reference::floor);
    check_monad<double, std::int16_t>(k.floor_to[kernels::lane_i16], reference::floor);
    check_monad<double, std::int32_t>(k.floor_to[kernels::lane_i32], reference::floor);
    check_monad<double, std::int8_t>(k.ceiling_to[kernels::lane_i8], reference::ceiling);
    check_monad<double, std::int16_t>(k.ceiling_to[kernels::lane_i16], reference::ceiling);
    check_monad<double, std::int32_t>(k.ceiling_to[kernels::lane_i32], reference::ceiling);
    check_monad<double, double>(k.floor_f64, reference::floor);
    check_monad<double, double>(k.ceiling_f64, reference::ceiling);
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

namespace {

template <class From, class To>
void check_conversion(ElementType from, ElementType to) {
  const int f = static_cast<int>(from), t = static_cast<int>(to);
  if (const Monad widen = convert().widen[f][t]) check_monad<From, To>(widen, reference::keep);
  if (const Monad narrow = convert().narrow[f][t]) check_monad<From, To>(narrow, reference::keep);
}

template <class T>
void check_expansion(ElementType type) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (std::size_t offset : {0, 1, 63, 64, 100}) {
      const Elements<std::uint64_t> bits(random, (n + offset) / 64 + 1, 0, false);
      Guarded<T> out(n, 1);
      convert().expand[static_cast<int>(type)](out.start(), bits.start, offset, n);
      bool right = true;
      for (std::size_t i = 0; i < n; i++)
        right &= out.start()[i] == static_cast<T>(bits.start[(i + offset) / 64] >> (i + offset) % 64 & 1);
      CHECK(right);
      CHECK(out.kept_outside(n));
    }
  });
}

}  // namespace

namespace {

// Puts each number among others that fit, at several places.
template <class To>
void check_ends(Monad kernel, double of(double)) {
  const double least = std::numeric_limits<To>::min(), greatest = std::numeric_limits<To>::max();
  for (const double v :
       {least - 1, least - 0.5, least, least + 0.5, -0.5, -0.0, 5e-324, -5e-324, greatest - 0.5, greatest, greatest + 0.5,
        greatest + 1, 4503599627370496.0, -4503599627370496.0, 9007199254740992.0, 1e300, -1e300})
    for (const std::size_t place : {0, 1, 31, 32, 63, 98, 99}) {
      std::vector<double> x(100, 1);
      x[place] = v;
      std::vector<To> out(x.size());
      const std::optional<To> expected = reference::fitting<To>(of(v));
      const std::size_t done = kernel(out.data(), x.data(), x.size());
      INFO("number ", v, " place ", place);
      CHECK(expected.has_value() == (done == x.size()));
      CHECK(done <= (expected ? x.size() : place));
      for (std::size_t i = 0; i < done; i++) CHECK(out[i] == (i == place ? *expected : To{1}));
    }
}

}  // namespace

TEST_CASE("integers next to the ends of a narrower type become such only where they fit") {
  on_every_target([] {
    const auto check = []<class From, class To>(From, To, ElementType from, ElementType to) {
      const Monad kernel = convert().narrow[static_cast<int>(from)][static_cast<int>(to)];
      constexpr std::int64_t least = std::numeric_limits<To>::min(), greatest = std::numeric_limits<To>::max();
      for (const std::int64_t v :
           {least - 1, least, least + 1, greatest - 1, greatest, greatest + 1, std::int64_t{std::numeric_limits<From>::min()},
            std::int64_t{std::numeric_limits<From>::max()}, 2 * greatest + 2})
        for (const std::size_t place : {0, 1, 31, 32, 63, 98, 99}) {
          std::vector<From> x(100, From{1});
          x[place] = static_cast<From>(v);
          std::vector<To> out(x.size());
          const bool fits = x[place] == static_cast<To>(x[place]);
          const std::size_t done = kernel(out.data(), x.data(), x.size());
          INFO("number ", v, " place ", place);
          CHECK(fits == (done == x.size()));
          CHECK(done <= (fits ? x.size() : place));
          for (std::size_t i = 0; i < done; i++) CHECK(out[i] == x[i]);
        }
    };
    check(std::int16_t{}, std::int8_t{}, ElementType::i16, ElementType::i8);
    check(std::int32_t{}, std::int8_t{}, ElementType::i32, ElementType::i8);
    check(std::int32_t{}, std::int16_t{}, ElementType::i32, ElementType::i16);
  });
}

TEST_CASE("doubles next to the ends of a type become integers only where they fit") {
  on_every_target([] {
    const ArithmeticKernels& k = arithmetic();
    const auto from_f64 = convert().narrow[static_cast<int>(ElementType::f64)];
    check_ends<std::int8_t>(k.floor_to[lane_i8], reference::floor);
    check_ends<std::int16_t>(k.floor_to[lane_i16], reference::floor);
    check_ends<std::int32_t>(k.floor_to[lane_i32], reference::floor);
    check_ends<std::int8_t>(k.ceiling_to[lane_i8], reference::ceiling);
    check_ends<std::int16_t>(k.ceiling_to[lane_i16], reference::ceiling);
    check_ends<std::int32_t>(k.ceiling_to[lane_i32], reference::ceiling);
    check_ends<std::int8_t>(from_f64[static_cast<int>(ElementType::i8)], reference::keep);
    check_ends<std::int16_t>(from_f64[static_cast<int>(ElementType::i16)], reference::keep);
    check_ends<std::int32_t>(from_f64[static_cast<int>(ElementType::i32)], reference::keep);
  });
}

TEST_CASE("conversions keep every value") {
  on_every_target([] {
    using E = ElementType;
    check_conversion<std::int8_t, std::int16_t>(E::i8, E::i16);
    check_conversion<std::int8_t, std::int32_t>(E::i8, E::i32);
    check_conversion<std::int8_t, double>(E::i8, E::f64);
    check_conversion<std::int16_t, std::int32_t>(E::i16, E::i32);
    check_conversion<std::int16_t, double>(E::i16, E::f64);
    check_conversion<std::int32_t, double>(E::i32, E::f64);
    check_conversion<std::uint8_t, std::uint16_t>(E::c8, E::c16);
    check_conversion<std::uint8_t, std::uint32_t>(E::c8, E::c32);
    check_conversion<std::uint16_t, std::uint32_t>(E::c16, E::c32);
    check_conversion<double, std::int32_t>(E::f64, E::i32);
    check_conversion<double, std::int16_t>(E::f64, E::i16);
    check_conversion<double, std::int8_t>(E::f64, E::i8);
    check_conversion<std::int32_t, std::int16_t>(E::i32, E::i16);
    check_conversion<std::int32_t, std::int8_t>(E::i32, E::i8);
    check_conversion<std::int16_t, std::int8_t>(E::i16, E::i8);
    check_expansion<std::int8_t>(E::i8);
    check_expansion<std::int16_t>(E::i16);
    check_expansion<std::int32_t>(E::i32);
    check_expansion<double>(E::f64);
  });
}

namespace {

template <class T>
void check_bits_with(ElementType type, Lane lane) {
  Random random;
  for_lengths([&](std::size_t n) {
    const Elements<std::uint64_t> bits(random, n / 64 + 1, 0, false);
    const Elements<T> two(random, 2, 0, false);
    const auto bit = [&](std::size_t i) { return bits.start[i / 64] >> (i % 64) & 1; };
    Guarded<T> chosen(n, 1), range(n, 1);
    convert().choose[static_cast<int>(type)](chosen.start(), bits.start, n, two.start, two.start + 1);
    const Elements<T> before(random, n, 0, false);
    Guarded<T> overwritten(n, 1);
    std::copy_n(before.start, n, overwritten.start());
    convert().overwrite[static_cast<int>(type)](overwritten.start(), bits.start, n, two.start);
    const double first = n < 100 ? 7 : 0;
    if (sizeof(T) > 1 || n < 100) convert().range[lane](range.start(), first, n);
    bool correct = true;
    for (std::size_t i = 0; i < n; i++) {
      correct &= same(chosen.start()[i], two.start[bit(i)]);
      correct &= same(overwritten.start()[i], bit(i) ? two.start[0] : before.start[i]);
      if (sizeof(T) > 1 || n < 100) correct &= range.start()[i] == static_cast<T>(first + static_cast<double>(i));
    }
    INFO("length ", n, " type ", name_of(type));
    CHECK(correct);
    CHECK(chosen.kept_outside(n));
    CHECK(overwritten.kept_outside(n));
    CHECK(range.kept_outside(sizeof(T) > 1 || n < 100 ? n : 0));
  });
}

}  // namespace

TEST_CASE("bits choose, overwrite and count up") {
  on_every_target([] {
    check_bits_with<std::int8_t>(ElementType::i8, lane_i8);
    check_bits_with<std::int16_t>(ElementType::i16, lane_i16);
    check_bits_with<std::int32_t>(ElementType::i32, lane_i32);
    check_bits_with<double>(ElementType::f64, lane_f64);
  });
}

TEST_CASE("bits are added and subtracted to bytes") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      const Elements<std::uint64_t> w(random, n / 64 + 1, 0, false), x(random, n / 64 + 1, 1, false);
      const auto bit = [](const std::uint64_t* bits, std::size_t i) { return static_cast<int>(bits[i / 64] >> (i % 64) & 1); };
      Guarded<std::int8_t> sum(n, 1), difference(n, 0);
      convert().sum_of_bits(sum.start(), w.start, x.start, n);
      convert().difference_of_bits(difference.start(), w.start, x.start, n);
      bool correct = true;
      for (std::size_t i = 0; i < n; i++) {
        correct &= sum.start()[i] == bit(w.start, i) + bit(x.start, i);
        correct &= difference.start()[i] == bit(w.start, i) - bit(x.start, i);
      }
      CHECK(correct);
      CHECK(sum.kept_outside(n));
      CHECK(difference.kept_outside(n));
    });
  });
}

TEST_CASE("sums of products of integers are exact") {
  on_every_target([] {
    Random random;
    const auto check = [&]<class T>(T, Count dot) {
      for_lengths([&](std::size_t n) {
        const Elements<T> w(random, n, n % 3, false), x(random, n, 1, n % 4 == 0);
        std::int64_t expected = 0;
        for (std::size_t i = 0; i < n; i++) expected += std::int64_t{w.start[i]} * x.start[i];
        CHECK(dot(w.start, x.start, n) == expected);
      });
      const std::vector<T> least(65536, std::numeric_limits<T>::min()), greatest(65536, std::numeric_limits<T>::max());
      const std::int64_t low = least[0], high = greatest[0];
      CHECK(dot(least.data(), least.data(), least.size()) == 65536 * low * low);
      CHECK(dot(least.data(), greatest.data(), least.size()) == 65536 * low * high);
      CHECK(dot(greatest.data(), greatest.data(), least.size()) == 65536 * high * high);
    };
    check(std::int8_t{}, dot_i8);
    check(std::int16_t{}, dot_i16);
  });
}
