#include "primitives/kernels/elementwise/byte_map.h"

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

struct Bytes {
  std::uint8_t table[512];
  ByteSteps steps;
  std::vector<std::uint8_t> x;

  // Results change at any byte, or at a few bytes where kernels take steps.
  Bytes(Random& random, std::size_t n, bool to_bits) : x(n + 3) {
    for (std::uint8_t& byte : x) byte = static_cast<std::uint8_t>(random.next());
    for (std::uint8_t& byte : table) byte = static_cast<std::uint8_t>(random.next());
    if (!byte_maps().by_steps) return;
    const std::size_t changes = random.next() % (ByteSteps::most + 1);
    const bool kept = !to_bits && random.next() % 2 == 0;
    bool changed[256] = {};
    for (std::size_t k = 0; k < changes; k++) changed[random.next() % 256] = true;
    for (int i = 0, now = 7; i < 256; i++) {
      const int byte = i ^ 0x80;  // in their order, with a sign
      if (changed[byte]) now = now + 1 + static_cast<int>(random.next() % 200);
      table[byte] = static_cast<std::uint8_t>(to_bits ? 0x80 * now : now + kept * byte);
    }
    CHECK(steps.find(table, to_bits, ByteSteps::most));
  }
  const std::uint8_t* read_by_kernels() const {
    return byte_maps().by_steps ? reinterpret_cast<const std::uint8_t*>(&steps) : table;
  }
};

// Calls `check(bytes, elements, n)` for all lengths where there are such kernels.
template <class F>
void for_bytes(ByteMap ByteMaps::*map, F check) {
  on_every_target([&] {
    if (byte_maps().*map == nullptr) return;
    Random random;
    for_lengths([&](std::size_t n) {
      Bytes bytes(random, n, map == &ByteMaps::to_bits);
      check(byte_maps().*map, bytes, bytes.x.data() + n % 3, n);
    });
  });
}

}  // namespace

TEST_CASE("bytes become what a table has at their places, on every target") {
  for_bytes(&ByteMaps::to_bytes, [](ByteMap map, const Bytes& bytes, const std::uint8_t* x, std::size_t n) {
    Guarded<std::uint8_t> out(n, 1);
    map(out.start(), x, bytes.read_by_kernels(), n);
    CHECK(out.kept_outside(n));
    for (std::size_t i = 0; i < n; i++) CHECK(out.start()[i] == bytes.table[x[i]]);
  });
}

TEST_CASE("bytes become pairs of bytes of two tables, on every target") {
  for_bytes(&ByteMaps::to_pairs, [](ByteMap map, const Bytes& bytes, const std::uint8_t* x, std::size_t n) {
    Guarded<std::uint16_t> out(n, 1);
    map(out.start(), x, bytes.read_by_kernels(), n);
    CHECK(out.kept_outside(n));
    for (std::size_t i = 0; i < n; i++) CHECK(out.start()[i] == (bytes.table[x[i]] | bytes.table[256 + x[i]] << 8));
  });
}

TEST_CASE("bytes become the highest bits of a table, on every target") {
  for_bytes(&ByteMaps::to_bits, [](ByteMap map, const Bytes& bytes, const std::uint8_t* x, std::size_t n) {
    const std::size_t words = (n + 63) / 64;
    Guarded<std::uint64_t> out(words, 0);
    map(out.start(), x, bytes.read_by_kernels(), n);
    CHECK(out.kept_outside(words));
    for (std::size_t i = 0; i < n; i++) CHECK(bit_of(out.start(), i) == (bytes.table[x[i]] >= 0x80));
  });
}

TEST_CASE("what changes too often has no steps") {
  std::uint8_t table[256];
  ByteSteps steps;
  const auto fill = [&](int period) {
    for (int i = 0; i < 256; i++) table[i ^ 0x80] = static_cast<std::uint8_t>(i / period * 3);
  };
  fill(64);
  CHECK(steps.find(table, false, 3));
  CHECK(steps.count == 3);
  CHECK(!steps.find(table, false, 2));
  fill(16);
  CHECK(!steps.find(table, false, ByteSteps::most));
  CHECK(!steps.find(table, false, 100));
}
