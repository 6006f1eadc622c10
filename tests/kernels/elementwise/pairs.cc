#include "primitives/kernels/elementwise/pairs.h"

#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

double applied(int function, double a, double b) {
  switch (static_cast<PairFunction>(function)) {
    case PairFunction::add: return a + b;
    case PairFunction::subtract: return a - b;
    case PairFunction::from: return b - a;
    case PairFunction::multiply: return a * b;
  }
  return 0;
}
bool alike(double a, double b) { return a == b ? std::signbit(a) == std::signbit(b) : a != a && b != b; }

// Compares both kernels, of which the rooted one gives square roots, with the functions one after the other.
void check_pairs(const PairKernels& kernels, bool rooted) {
  const auto result = [=](double r) { return rooted ? std::sqrt(r) : r; };
  Random random;
  for (std::size_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 1000}) {
    const Elements<double> a(random, n, n % 3, false), b(random, n, 1, false), c(random, n, 0, false);
    for (int first = 0; first < pair_function_count; first++)
      for (int single_b = 0; single_b < 2; single_b++) {
        const auto between = [&](std::size_t i) { return applied(first, a.start[i], b.start[single_b ? 0 : i]); };
        for (int second = 0; second < pair_function_count; second++)
          for (int single_c = 0; single_c < 2; single_c++) {
            INFO(n, " elements, functions ", first, " and ", second, ", single: ", single_b, " ", single_c);
            Guarded<double> out(n, 1);
            const Pair kernel = (single_c ? kernels.of_single : kernels.of_array)[first][single_b][second];
            kernel(out.start(), a.start, b.start, c.start, n);
            bool as_wanted = true;
            for (std::size_t i = 0; i < n; i++)
              as_wanted &= alike(out.start()[i], result(applied(second, between(i), c.start[single_c ? 0 : i])));
            CHECK(as_wanted);
            CHECK(out.kept_outside(n));
            std::vector<double> in_place(a.start, a.start + n);
            kernel(in_place.data(), in_place.data(), b.start, c.start, n);
            for (std::size_t i = 0; i < n; i++) as_wanted &= alike(in_place[i], out.start()[i]);
            CHECK(as_wanted);
          }
        Guarded<double> squares(n, 2);
        kernels.squares[first][single_b](squares.start(), a.start, b.start, nullptr, n);
        bool as_wanted = true;
        for (std::size_t i = 0; i < n; i++) as_wanted &= alike(squares.start()[i], result(between(i) * between(i)));
        CHECK(as_wanted);
        CHECK(squares.kept_outside(n));
      }
  }
}

}  // namespace

TEST_CASE("two functions of doubles in one pass give what they give one after the other") {
  on_every_target([] { check_pairs(pairs(), false); });
}

TEST_CASE("square roots of two functions in one pass give what they give one after the other") {
  on_every_target([] { check_pairs(rooted_pairs(), true); });
}
