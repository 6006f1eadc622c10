#include "primitives/kernels/search/hash_bytes.h"

#include <algorithm>

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

HashSums sums_of(const std::vector<std::uint8_t>& bytes, std::size_t stripes, std::uint64_t place) {
  HashSums sums{};
  add_stripes()(sums, bytes.data(), stripes, place);
  return sums;
}

}  // namespace

TEST_CASE("sums of bytes are the same on every target, at once and in parts, and know places") {
  constexpr std::size_t most = 20;
  std::vector<std::uint8_t> bytes(most * hash_stripe + 1);
  for (std::size_t i = 0; i < bytes.size(); i++) bytes[i] = static_cast<std::uint8_t>(i * i * 37 >> 3);
  std::vector<HashSums> expected;
  for (std::size_t n = 0; n <= most; n++) expected.push_back(sums_of(bytes, n, 0));
  on_every_target([&] {
    for (std::size_t n = 0; n <= most; n++) {
      CHECK(sums_of(bytes, n, 0) == expected[n]);
      HashSums sums{};
      for (std::size_t i = 0; i < n; i++) add_stripes()(sums, bytes.data() + i * hash_stripe, 1, i);
      CHECK(sums == expected[n]);
    }
    CHECK(sums_of(bytes, 1, 1) != expected[1]);
    // Two stripes do not trade places unseen, nor does a changed bit.
    std::vector<std::uint8_t> other(bytes);
    std::swap_ranges(other.begin(), other.begin() + hash_stripe, other.begin() + hash_stripe);
    CHECK(sums_of(other, 2, 0) != expected[2]);
    for (std::size_t bit = 0; bit < hash_stripe * 8; bit++) {
      std::vector<std::uint8_t> changed(bytes);
      changed[bit / 8] ^= static_cast<std::uint8_t>(1 << (bit % 8));
      CHECK(sums_of(changed, 1, 0) != expected[1]);
    }
  });
}
