#include "primitives/kernels/functions/trigonometry.h"

#include "primitives/kernels/functions/arcs.h"
#include "primitives/kernels/functions/exponential.h"
#include "primitives/kernels/functions/hyperbolic.h"
#include "tests/support/accuracy.h"

using namespace griddle::kernels;
using namespace griddle::testing;

TEST_CASE("sines, cosines and tangents are well within a unit in the last place") {
  Random random;
  std::vector<double> x = numbers_of_all_sizes(random, 200'000);
  // Numbers about whole quarter turns, where nearly nothing is left.
  for (int i = 0; i < 1300; i++)
    for (int k = -2; k <= 2; k++) x.push_back(i * std::acos(0.0) * (1 + k * 0x1p-52));
  // Beyond, the reference itself reduces its argument with too few bits.
  std::erase_if(x, [](double v) { return std::fabs(v) > 1000; });
  on_every_target([&] {
    CHECK(worst_of(
              trigonometry().sine, [](Wide v) { return std::sin(v); }, x) < 0.8);
    CHECK(worst_of(
              trigonometry().cosine, [](Wide v) { return std::cos(v); }, x) < 0.8);
    CHECK(worst_of(
              trigonometry().tangent, [](Wide v) { return std::tan(v); }, x) < 0.95);
    CHECK(of_one(trigonometry().sine, 1e22) == std::sin(1e22));
    CHECK(of_one(trigonometry().cosine, -1e22) == std::cos(1e22));
    CHECK(std::isnan(of_one(trigonometry().sine, INFINITY)));
  });
}

namespace {

struct Compared {
  Monad kernel;
  Wide (*exact)(Wide);
};

// Numbers of all sizes, near 0 and, on either side, near 1.
std::vector<double> numbers_about_1(Random& random) {
  std::vector<double> x = numbers_of_all_sizes(random, 100'000);
  for (int i = 0; i < 60'000; i++) {
    const double small = std::exp2(-40.0 * (random.next() % 100'000) * 1e-5);
    for (const double v : {small, 1 - small, 1 + small}) {
      x.push_back(v);
      x.push_back(-v);
    }
  }
  return x;
}

}  // namespace

TEST_CASE("arcs and hyperbolic functions are well within a unit in the last place") {
  Random random;
  const std::vector<double> x = numbers_about_1(random);
  on_every_target([&] {
    const ArcKernels& a = arcs();
    const HyperbolicKernels& h = hyperbolic();
    const Compared functions[] = {
        {a.sine, [](Wide v) { return std::asin(v); }},
        {a.cosine, [](Wide v) { return std::acos(v); }},
        {a.tangent, [](Wide v) { return std::atan(v); }},
        {h.sine, [](Wide v) { return std::sinh(v); }},
        {h.cosine, [](Wide v) { return std::cosh(v); }},
        {h.tangent, [](Wide v) { return std::tanh(v); }},
        {h.inverse_sine, [](Wide v) { return std::asinh(v); }},
        {h.inverse_cosine, [](Wide v) { return std::acosh(v); }},
        {h.inverse_tangent, [](Wide v) { return std::atanh(v); }},
    };
    for (const Compared& f : functions) {
      CAPTURE(&f - functions);
      // The largest numbers are left to the mathematical library.
      CHECK(worst_of(f.kernel, f.exact, x) < 1);
      std::vector<double> out(x.begin(), x.begin() + 300);
      f.kernel(out.data(), out.data(), out.size());
      bool agrees = true;
      for (std::size_t i = 0; i < out.size(); i++) agrees = agrees && same(out[i], of_one(f.kernel, x[i]));
      CHECK(agrees);
    }
  });
}

TEST_CASE("angles and distances of points are well within a unit in the last place") {
  Random random;
  std::vector<double> w = numbers_of_all_sizes(random, 100'000), x = w, out(w.size());
  std::reverse(x.begin(), x.end());
  // Points of all directions, on the axes and the diagonals
  for (std::size_t i = 0; i < w.size(); i += 2) w[i] = x[i] * (static_cast<double>(random.next() % 4001) - 2000) * 1e-3;
  for (std::size_t i = 0; i < 31; i++)
    for (std::size_t k = 0; k < 31; k++) w[31 * i + k] = w[i], x[31 * i + k] = w[k];
  const auto worst = [&](const DyadForms& forms, Wide (*exact)(Wide, Wide)) {
    forms[array_array](out.data(), w.data(), x.data(), w.size());
    double most = 0;
    for (std::size_t i = 0; i < w.size(); i++) {
      const double off = units_off(out[i], exact(w[i] + 0.0, x[i] + 0.0));
      INFO(w[i], " and ", x[i], " gave ", out[i]);
      CHECK(off <= 1);
      most = std::max(most, off);
    }
    return most;
  };
  on_every_target([&] {
    CHECK(worst(arcs().angle, [](Wide a, Wide b) { return std::atan2(b, a); }) < 0.9);
    CHECK(worst(arcs().distance, [](Wide a, Wide b) { return std::hypot(a, b); }) <= 1);
    for (const DyadForms& forms : {arcs().angle, arcs().distance})
      for (std::size_t n = 1; n < 40; n++) {
        Guarded<double> left(n, 1), right(n, 0);
        forms[scalar_array](left.start(), &w[n], x.data() + 5000, n);
        forms[array_scalar](right.start(), x.data() + 5000, &w[n], n);
        bool agrees = left.kept_outside(n) && right.kept_outside(n);
        for (std::size_t i = 0; i < n; i++) {
          double one;
          const auto alone = [&](double a, double b) { return forms[array_array](&one, &a, &b, 1), one; };
          agrees = agrees && same(left.start()[i], alone(w[n], x[5000 + i])) && same(right.start()[i], alone(x[5000 + i], w[n]));
        }
        CHECK(agrees);
      }
  });
}
