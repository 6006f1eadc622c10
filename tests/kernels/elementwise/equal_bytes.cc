#include "primitives/kernels/elementwise/equal_bytes.h"

#include <cmath>
#include <utility>
#include <vector>

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

TEST_CASE("runs of bytes are equal or differ at any one place, on every target") {
  on_every_target([] {
    for (std::size_t n : {128, 129, 191, 192, 255, 256, 257, 511, 640, 1000}) {
      for (std::size_t shift : {0, 1, 31}) {
        std::vector<unsigned char> a(n + 64, 7), b(n + 64, 7);
        CHECK(equal_vectors(a.data(), b.data() + shift, n));
        for (std::size_t place = 0; place < n; place++) {
          b[shift + place] = 135;
          if (equal_bytes(a.data(), b.data() + shift, n)) FAIL("bytes ", n, " shift ", shift, " place ", place);
          b[shift + place] = 7;
        }
        b[shift + n] = 1;  // no part of the run
        CHECK(equal_vectors(a.data(), b.data() + shift, n));
      }
    }
  });
}

TEST_CASE("doubles that are not equal as their bits are noticed at any place, on every target") {
  on_every_target([] {
    for (std::size_t n = 0; n < 40; n++) {
      std::vector<double> x(n + 1, 0.0);
      for (std::size_t i = 0; i < n; i++) x[i] = i % 3 == 0 ? 0.0 : i % 3 == 1 ? -1.5 : INFINITY;
      CHECK(equal_as_bits(x.data(), n));
      for (double odd : {-0.0, static_cast<double>(NAN), -static_cast<double>(NAN)}) {
        for (std::size_t place = 0; place < n; place++) {
          const double kept = std::exchange(x[place], odd);
          if (equal_as_bits(x.data(), n)) FAIL("length ", n, " place ", place);
          x[place] = kept;
        }
        x[n] = odd;  // not looked at
        CHECK(equal_as_bits(x.data(), n));
      }
    }
  });
}
