#include "primitives/kernels/moves/select.h"

#include <cstring>

#include "primitives/kernels/moves/gather.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

bool bit_at(const std::uint8_t* bits, std::size_t i) { return bits[i / 8] >> i % 8 & 1; }

// Gathers elements where the processor can, and compares them with those that were selected.
void check_gathered(unsigned width, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices,
                    const std::uint8_t* selected) {
  const std::size_t bytes = width == 1 ? (indices.count + 63) / 64 * 8 : indices.count * width / 8;
  Guarded<std::uint8_t> out(bytes, 0);
  if (width == 1) std::memset(out.start(), 0, bytes);
  if (!gather(width, out.start(), from, from_bit, n, indices)) return;
  CHECK(out.kept_outside(bytes));
  CHECK(std::memcmp(out.start(), selected, bytes) == 0);
}

// Takes elements by indices that are looked at on the way, and compares them with those that were selected.
void check_below(unsigned width, const void* from, std::size_t n, const Indices& indices, const std::uint8_t* selected) {
  const std::size_t bytes = indices.count * width / 8;
  Guarded<std::uint8_t> out(bytes, 0);
  const bool done = select_below(width, out.start(), from, n, indices);
  CHECK(done == !indices.negative);
  CHECK(out.kept_outside(bytes));
  if (done) CHECK(std::memcmp(out.start(), selected, bytes) == 0);
}

// Selects cells of random elements by random indices, one or both signs, and looks at each of them.
template <class I>
void check(Random& random, ElementType type, std::size_t count, std::size_t n, bool negative) {
  std::vector<I> index(count);
  for (I& i : index) {
    const auto place = static_cast<std::int64_t>(random.next() % n);
    i = static_cast<I>(negative && random.next() % 2 ? place - static_cast<std::int64_t>(n) : place);
  }
  Indices indices{type, index.data(), count};
  REQUIRE(first_bad_index(indices, n) == count);
  for (unsigned width : {1, 8, 16, 32, 64})
    for (std::size_t cell : {1, 3, 4, 5}) {
      const std::size_t bits = width * cell;
      std::vector<std::uint64_t> from(n * bits / 64 + 3);
      for (std::uint64_t& word : from) word = random.next();
      const auto* in = reinterpret_cast<const std::uint8_t*>(from.data());
      const std::size_t bytes = width == 1 ? (count * bits + 63) / 64 * 8 : count * bits / 8;
      Guarded<std::uint8_t> out(bytes, 0);
      if (width == 1) std::memset(out.start(), 0, bytes);
      const std::size_t from_bit = width == 1 ? random.next() % 64 : 0;
      select_cells(width, out.start(), 0, from.data(), from_bit, n, cell, indices);
      CHECK(out.kept_outside(bytes));
      bool right = true;
      for (std::size_t k = 0; k < count; k++) {
        const std::size_t place = static_cast<std::size_t>(index[k] < 0 ? index[k] + static_cast<double>(n) : index[k]);
        if (width == 1)
          for (std::size_t j = 0; j < cell; j++)
            right &= bit_at(out.start(), k * cell + j) == bit_at(in, from_bit + place * cell + j);
        else
          right &= std::memcmp(out.start() + k * bits / 8, in + place * bits / 8, bits / 8) == 0;
      }
      CHECK(right);
      if (cell == 1) check_gathered(width, from.data(), from_bit, n, indices, out.start());
      if (cell == 1 && width != 1 && type <= ElementType::i32) check_below(width, from.data(), n, indices, out.start());
    }
  if (count == 0) return;
  // The first one out of range is found, on either side.
  const std::size_t bad = random.next() % count;
  for (const double outside : {static_cast<double>(n), -1 - static_cast<double>(n)}) {
    index[bad] = static_cast<I>(outside);
    if (static_cast<double>(index[bad]) != outside) continue;
    CHECK(first_bad_index(indices, n) == bad);
    const std::vector<std::uint32_t> from(n);
    Guarded<std::uint8_t> out(4 * count, 0);
    if (type <= ElementType::i32) CHECK(!select_below(32, out.start(), from.data(), n, indices));
    CHECK(out.kept_outside(4 * count));
  }
}

}  // namespace

TEST_CASE("cells are selected by indices of every type, on every target") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t count) {
      if (count > 600) return;
      for (const bool negative : {false, true})
        for (std::size_t n : {1, 2, 7, 16, 17, 33, 100, 127, 128}) {
          check<std::int8_t>(random, ElementType::i8, count, n, negative);
          check<std::int16_t>(random, ElementType::i16, count, 3 * n, negative);
          check<std::int32_t>(random, ElementType::i32, count, 5 * n, negative);
          check<double>(random, ElementType::f64, count, n, negative);
        }
    });
  });
}

TEST_CASE("tables that just fit into registers, or just do not, are looked up in on every target") {
  on_every_target([] {
    Random random;
    for (const std::size_t count : {1, 40, 64, 65, 127, 130, 1000})
      for (const bool negative : {false, true})
        for (std::size_t room = 16; room <= 2048; room *= 2)
          for (const std::size_t n : {room - 1, room, room + 1}) {
            if (n <= 128) check<std::int8_t>(random, ElementType::i8, count, n, negative);
            check<std::int16_t>(random, ElementType::i16, count, n, negative);
            check<std::int32_t>(random, ElementType::i32, count, n, negative);
          }
  });
}

TEST_CASE("elements are gathered from words that begin before them, on every target") {
  on_every_target([] {
    Random random;
    std::vector<std::uint8_t> bytes(4096);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    std::vector<std::int32_t> index(100), places(100);
    for (const unsigned width : {8, 16})
      for (std::size_t first = 0; first < 4; first += width / 8) {
        const std::size_t n = 500;
        for (std::size_t i = 0; i < index.size(); i++) {
          places[i] = static_cast<std::int32_t>(random.next() % n);
          index[i] = random.next() % 2 ? places[i] : places[i] - static_cast<std::int32_t>(n);
        }
        std::vector<std::uint8_t> expected(index.size() * width / 8);
        for (std::size_t i = 0; i < expected.size(); i++) {
          const std::size_t element = 8 * i / width, byte = i % (width / 8);
          expected[i] = bytes[first + static_cast<std::size_t>(places[element]) * (width / 8) + byte];
        }
        check_gathered(width, bytes.data() + first, 0, n, {ElementType::i32, index.data(), index.size()}, expected.data());
      }
  });
}
