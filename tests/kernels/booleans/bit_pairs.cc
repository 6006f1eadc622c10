#include "primitives/kernels/booleans/bit_pairs.h"

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

TEST_CASE("each bit is followed by its neighbour, and the last pair by 0s, on every target") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      const std::size_t words = n / 64 + 1, written = (2 * n + 63) / 64;
      std::vector<std::uint64_t> bits(words), expected(written);
      for (std::uint64_t& word : bits)
        word = std::uint64_t{random.next()} << 40 ^ std::uint64_t{random.next()} << 20 ^ random.next();
      for (std::size_t i = 0; i < 2 * n; i++) expected[i / 64] |= std::uint64_t{bit_of(bits.data(), i / 2 + i % 2)} << i % 64;
      Guarded<std::uint64_t> out(written, 0);
      pair_bits(out.start(), bits.data(), n);
      CHECK(out.kept_outside(written));
      CHECK(std::equal(expected.begin(), expected.end(), out.start()));
    });
  });
}
