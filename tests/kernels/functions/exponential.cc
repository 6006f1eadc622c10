#include "primitives/kernels/functions/exponential.h"

#include "primitives/kernels/functions/power.h"
#include "primitives/kernels/functions/trigonometry.h"

#include <algorithm>
#include <cmath>

#include "tests/support/accuracy.h"
#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

TEST_CASE("exponentials and logarithms are well within a unit in the last place") {
  Random random;
  const std::vector<double> x = numbers_of_all_sizes(random, 200'000);
  on_every_target([&] {
    const ExponentialKernels& k = exponentials();
    // A result below the normal numbers is rounded twice.
    CHECK(worst_of(
              k.exponential, [](Wide v) { return std::exp(v); }, x) < 0.75);
    CHECK(worst_of(
              k.logarithm, [](Wide v) { return std::log(v); }, x) < 0.6);
    CHECK(worst_of(
              k.logarithm_2, [](Wide v) { return std::log2(v); }, x) < 0.6);
    CHECK(worst_of(
              k.logarithm_10, [](Wide v) { return std::log10(v); }, x) < 0.9);
    CHECK(worst_of(
              k.exponential_less_1, [](Wide v) { return std::expm1(v); }, x) < 0.9);
    CHECK(worst_of(
              k.logarithm_plus_1, [](Wide v) { return std::log1p(v); }, x) < 0.9);
  });
}

TEST_CASE("cube roots are within 0.52 units in the last place, and exact where they are doubles") {
  Random random;
  const std::vector<double> x = numbers_of_all_sizes(random, 200'000);
  on_every_target([&] {
    const Monad root = exponentials().cube_root;
    CHECK(worst_of(
              root, [](Wide v) { return std::cbrt(v); }, x) < 0.52);
    for (double v = 0; v <= 200'000; v += 37) {
      CHECK(of_one(root, v * v * v) == v);
      CHECK(of_one(root, -v * v * v) == -v);
    }
  });
}

namespace {

double worst_of_powers(const std::vector<double>& w, const std::vector<double>& x) {
  std::vector<double> out(w.size());
  powers().power[array_array](out.data(), w.data(), x.data(), w.size());
  double worst = 0;
  for (std::size_t i = 0; i < w.size(); i++) {
    const double off = units_off(out[i], std::pow(Wide{w[i] + 0.0}, Wide{x[i]}));
    if (off > worst) {
      // A result below the normal numbers is rounded twice.
      if (std::fabs(out[i]) >= 0x1p-1022) worst = off;
      INFO(w[i], " to the power ", x[i], " gave ", out[i]);
      CHECK(off <= 1);
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("powers are within 0.75 units in the last place") {
  Random random;
  const std::vector<double> w = numbers_of_all_sizes(random, 200'000);
  std::vector<double> x = numbers_of_all_sizes(random, 200'000);
  for (std::size_t i = 40; i < x.size(); i++) {
    // Exponents that keep the result in range, and integers.
    if (i % 3 == 0)
      x[i] = (static_cast<double>(random.next() % 2000) - 1000) / std::fmax(std::fabs(std::log2(std::fabs(w[i]))), 1);
    if (i % 5 == 0) x[i] = std::round(x[i]);
  }
  on_every_target([&] {
    for (const std::size_t turn : {0, 1, 7, 13}) {
      std::rotate(x.begin(), x.begin() + turn, x.begin() + 31);
      CHECK(worst_of_powers(w, x) <= 0.75);
    }
  });
}

TEST_CASE("powers of bases near 1 are as near when they come to the ends of the range") {
  Random random;
  const auto fraction = [&] { return static_cast<double>(random.next() % 1'000'000) * 1e-6; };
  std::vector<double> w(200'000), x(w.size());
  for (std::size_t i = 0; i < w.size(); i++) {
    const double distance = i % 2 == 0 ? fraction() * 0.04 : std::exp2(-4 - 30 * fraction());
    w[i] = i % 3 == 0 ? 1 - distance : 1 + distance;
    x[i] = (fraction() < 0.5 ? -1 : 1) * (600 + 108 * fraction()) / std::log(w[i]);
  }
  on_every_target([&] { CHECK(worst_of_powers(w, x) <= 0.75); });
}

TEST_CASE("powers of few steps are what they are among others, and of all numbers") {
  Random random;
  std::vector<double> w = numbers_of_all_sizes(random, 3000);
  on_every_target([&] {
    for (const double exponent : {-1.0, 0.5, 2.0, 3.0}) {
      std::vector<double> x(w.size(), exponent), alone(w.size()), among(w.size());
      CHECK(worst_of_powers(w, x) <= 0.75);
      powers().power[array_scalar](alone.data(), w.data(), &exponent, w.size());
      for (std::size_t i = 0; i < x.size(); i += 3) x[i] = 1.25;
      powers().power[array_array](among.data(), w.data(), x.data(), w.size());
      bool agrees = true;
      for (std::size_t i = 0; i < w.size(); i++) agrees = agrees && (i % 3 == 0 || same(alone[i], among[i]));
      CHECK(agrees);
    }
  });
}

TEST_CASE("powers that are doubles are exact") {
  on_every_target([] {
    for (double w = -40; w <= 40; w++) {
      double exact = 1;
      for (double x = 0; std::fabs(exact) <= 0x1p53; x++, exact *= w) {
        CHECK(power(w, x) == exact);
        if (x >= 1 && w > 0) CHECK(of_one(exponentials().logarithm_2, std::exp2(x)) == x);
        if (x > 60) break;
      }
    }
    double ten = 1;
    for (int x = 0; x <= 22; x++, ten *= 10) {
      CHECK(power(10, x) == ten);
      CHECK(of_one(exponentials().logarithm_10, ten) == x);
    }
    for (int x = -1074; x <= 1023; x++) CHECK(power(2, x) == std::ldexp(1.0, x));
    for (double x = 0; x < 2000; x++) {
      CHECK(power(x * x, 0.5) == x);
      CHECK(root(2, x * x) == x);
      CHECK(root(2, x) == std::sqrt(x));
    }
  });
}

TEST_CASE("lists of integers to natural powers are exact while the results are, whatever lies beside them") {
  on_every_target([] {
    for (const std::size_t length : {2, 3, 5, 8, 9, 31, 300}) {
      // `odd` is where an exponent, or a base, is none that squaring takes; `length` is nowhere.
      for (const std::size_t odd : {length, length - 1, length / 2}) {
        std::vector<double> w(length), x(length), out(length), exact(length);
        for (std::size_t i = 0; i < length; i++) {
          w[i] = static_cast<double>(i % 9) - 4;
          x[i] = static_cast<double>(i * 5 % (i % 9 == 3 || i % 9 == 4 || i % 9 == 5 ? 64 : 27));
          exact[i] = 1;
          for (double k = 0; k < x[i]; k++) exact[i] *= w[i];
        }
        if (w[0] == -4) w[0] = -0.0, exact[0] = x[0] == 0;
        if (odd < length) w[odd] = 2.5, x[odd] = 70, exact[odd] = std::pow(2.5, 70);
        powers().power[array_array](out.data(), w.data(), x.data(), length);
        for (std::size_t i = 0; i < length; i++) CHECK(units_off(out[i], exact[i]) <= (i == odd ? 1 : 0));
        const double base = -3, exponent = 5;
        for (std::size_t i = 0; i < length; i++) x[i] = static_cast<double>(i % 33);
        powers().power[scalar_array](out.data(), &base, x.data(), length);
        for (std::size_t i = 0; i < length; i++) CHECK(out[i] == power(base, x[i]));
        powers().power[array_scalar](out.data(), w.data(), &exponent, length);
        for (std::size_t i = 0; i < length; i++) CHECK(out[i] == power(w[i], exponent));
        // In place
        powers().power[array_scalar](w.data(), w.data(), &exponent, length);
        CHECK(w == out);
      }
    }
  });
}

TEST_CASE("powers of special numbers follow the standard of C") {
  const std::vector<double> special = {0,    1,   -1,  2,   -2,   0.5,      -0.5,      3,   -3,        1e300,     -1e300,
                                       1e17, 2.5, 1e9, NAN, 1e-9, INFINITY, -INFINITY, 700, 0x1p-1074, -0x1p-1074};
  on_every_target([&] {
    for (const double w : special)
      for (const double x : special) {
        const double expected = std::pow(w, x), result = power(w, x);
        INFO(w, " to the power ", x, ": ", result, " instead of ", expected);
        CHECK(units_off(result, expected) <= 1);
      }
  });
}

TEST_CASE("an element alone gives what it gives among others, in place as well") {
  Random random;
  const std::vector<double> x = numbers_of_all_sizes(random, 300);
  on_every_target([&] {
    const ExponentialKernels& k = exponentials();
    for (const Monad kernel : {k.exponential, k.exponential_less_1, k.logarithm, k.logarithm_2, k.logarithm_10,
                               k.logarithm_plus_1, trigonometry().sine, trigonometry().cosine}) {
      for_lengths([&](std::size_t n) {
        if (n > x.size()) return;
        Guarded<double> out(n, n % 3);
        kernel(out.start(), x.data(), n);
        CHECK(out.kept_outside(n));
        bool agrees = true;
        for (std::size_t i = 0; i < n; i++) agrees = agrees && same(out.start()[i], of_one(kernel, x[i]));
        CHECK(agrees);
        std::vector<double> own(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
        kernel(own.data(), own.data(), n);
        for (std::size_t i = 0; i < n; i++) agrees = agrees && same(out.start()[i], own[i]);
        CHECK(agrees);
      });
    }
    for (const DyadForms& forms : {powers().power, powers().root})
      for (std::size_t n = 1; n < 40; n++) {
        Guarded<double> left(n, 1), right(n, 0), both(n, 2);
        forms[scalar_array](left.start(), &x[n], x.data(), n);
        forms[array_scalar](right.start(), x.data(), &x[n], n);
        forms[array_array](both.start(), x.data(), x.data() + n, n);
        CHECK((left.kept_outside(n) && right.kept_outside(n) && both.kept_outside(n)));
        bool agrees = true;
        for (std::size_t i = 0; i < n; i++) {
          double one;
          const auto alone = [&](double w, double v) { return forms[array_array](&one, &w, &v, 1), one; };
          agrees = agrees && same(left.start()[i], alone(x[n], x[i])) && same(right.start()[i], alone(x[i], x[n])) &&
                   same(both.start()[i], alone(x[i], x[i + n]));
        }
        CHECK(agrees);
      }
  });
}
