#include "primitives/kernels/elementwise/truth_table.h"

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

TEST_CASE("bits become what a truth table has for them, on every target") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      const std::size_t words = (n + 63) / 64;
      std::vector<std::uint64_t> bits[3];
      for (auto& list : bits)
        for (std::size_t i = 0; i < words; i++)
          list.push_back(std::uint64_t{random.next()} << 40 ^ std::uint64_t{random.next()} << 20 ^ random.next());
      for (const bool three : {false, true}) {
        const std::uint8_t table = static_cast<std::uint8_t>(random.next());
        Guarded<std::uint64_t> out(words, 0);
        (three ? truth_tables().of_three : truth_tables().of_two)(out.start(), bits[0].data(), bits[1].data(),
                                                                  three ? bits[2].data() : nullptr, table, n);
        CHECK(out.kept_outside(words));
        for (std::size_t i = 0; i < n; i++) {
          const int row = bit_of(bits[0].data(), i) + 2 * bit_of(bits[1].data(), i) + (three ? 4 * bit_of(bits[2].data(), i) : 0);
          CHECK(bit_of(out.start(), i) == (table >> row & 1));
        }
      }
    });
  });
}
