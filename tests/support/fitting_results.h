// What tests of kernels check that store results as long as they fit the type.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "primitives/kernels/elementwise/arithmetic.h"
#include "tests/support/arithmetic_reference.h"
#include "tests/support/kernel_cases.h"

namespace griddle::testing {

// Compares what a kernel stored with `expected(i)`, which is absent where the result does not fit.
template <class Out, class F>
void check_results(Guarded<Out>& out, std::size_t done, std::size_t n, F expected, bool own_words = false) {
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
  CHECK(out.kept_outside(n, own_words));
}

// Results may own the words that they lie in.
template <class T, class Out>
void check_monad(kernels::Monad kernel, double of(double), bool own_words = false) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (bool small : {true, false})
      for (const std::size_t offset : {0, 1}) {
        const Elements<T> x(random, n, n % 3 * offset, small);
        Guarded<Out> out(n, offset);
        INFO("length ", n, " small ", small, " offset ", offset);
        const std::size_t done = kernel(out.start(), x.start, n);
        const auto expected = [&](std::size_t i) { return reference::fitting<Out>(of(x.start[i])); };
        check_results(out, done, n, expected, own_words);
      }
  });
}

// Puts each number among others that fit, at several places.
template <class To>
void check_ends(kernels::Monad kernel, double of(double)) {
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

}  // namespace griddle::testing
