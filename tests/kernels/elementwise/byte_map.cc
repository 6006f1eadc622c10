#include "primitives/kernels/elementwise/byte_map.h"

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

struct Bytes {
  std::uint8_t table[512];
  std::vector<std::uint8_t> x;

  Bytes(Random& random, std::size_t n) : x(n + 3) {
    for (std::uint8_t& byte : table) byte = static_cast<std::uint8_t>(random.next());
    for (std::uint8_t& byte : x) byte = static_cast<std::uint8_t>(random.next());
  }
};

// Calls `check(bytes, elements, n)` for all lengths where there are such kernels.
template <class F>
void for_bytes(ByteMap ByteMaps::*map, F check) {
  on_every_target([&] {
    if (byte_maps().*map == nullptr) return;
    Random random;
    for_lengths([&](std::size_t n) {
      Bytes bytes(random, n);
      check(byte_maps().*map, bytes, bytes.x.data() + n % 3, n);
    });
  });
}

}  // namespace

TEST_CASE("bytes become what a table has at their places, on every target") {
  for_bytes(&ByteMaps::to_bytes, [](ByteMap map, const Bytes& bytes, const std::uint8_t* x, std::size_t n) {
    Guarded<std::uint8_t> out(n, 1);
    map(out.start(), x, bytes.table, n);
    CHECK(out.kept_outside(n));
    for (std::size_t i = 0; i < n; i++) CHECK(out.start()[i] == bytes.table[x[i]]);
  });
}

TEST_CASE("bytes become pairs of bytes of two tables, on every target") {
  for_bytes(&ByteMaps::to_pairs, [](ByteMap map, const Bytes& bytes, const std::uint8_t* x, std::size_t n) {
    Guarded<std::uint16_t> out(n, 1);
    map(out.start(), x, bytes.table, n);
    CHECK(out.kept_outside(n));
    for (std::size_t i = 0; i < n; i++) CHECK(out.start()[i] == (bytes.table[x[i]] | bytes.table[256 + x[i]] << 8));
  });
}

TEST_CASE("bytes become the highest bits of a table, on every target") {
  for_bytes(&ByteMaps::to_bits, [](ByteMap map, const Bytes& bytes, const std::uint8_t* x, std::size_t n) {
    const std::size_t words = (n + 63) / 64;
    Guarded<std::uint64_t> out(words, 0);
    map(out.start(), x, bytes.table, n);
    CHECK(out.kept_outside(words));
    for (std::size_t i = 0; i < n; i++) CHECK(bit_of(out.start(), i) == (bytes.table[x[i]] >= 0x80));
  });
}
