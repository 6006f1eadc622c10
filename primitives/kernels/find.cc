#include "primitives/kernels/find.h"

#include <algorithm>
#include <cstring>

#include "primitives/kernels/bit_runs.h"

namespace griddle::kernels {
namespace {

constexpr std::size_t block = 512;

// Packs 64 bytes of 0 and 1 into a word.
std::uint64_t pack_flags(const std::uint8_t* flags) {
  std::uint64_t word = 0;
  for (unsigned k = 0; k < 8; k++) {
    std::uint64_t eight;
    std::memcpy(&eight, flags + 8 * k, 8);
    word |= (eight * 0x0102040810204080ull >> 56) << (8 * k);
  }
  return word;
}

bool any_flag(const std::uint8_t* flags, std::size_t n) {
  std::uint8_t all = 0;
  for (std::size_t i = 0; i < n; i++) all |= flags[i];
  return all;
}

template <class Key>
void find_row(const Key* w, std::size_t m, const Key* x, std::size_t count, std::uint64_t* out, std::size_t at) {
  std::uint8_t flags[block];
  for (std::size_t start = 0; start < count; start += block) {
    std::size_t n = std::min(block, count - start);
    const Key* p = x + start;
    if (n == block) {
      for (std::size_t i = 0; i < block; i++) flags[i] = p[i] == w[0];
      for (std::size_t j = 1; j < m; j++) {
        if (j % 4 == 2 && !any_flag(flags, block)) break;
        for (std::size_t i = 0; i < block; i++) flags[i] &= static_cast<std::uint8_t>(p[i + j] == w[j]);
      }
    } else {
      std::memset(flags, 0, sizeof(flags));
      for (std::size_t i = 0; i < n; i++) flags[i] = p[i] == w[0];
      for (std::size_t j = 1; j < m; j++)
        for (std::size_t i = 0; i < n; i++) flags[i] &= static_cast<std::uint8_t>(p[i + j] == w[j]);
    }
    for (std::size_t i = 0; i < n; i += 64)
      write_bits(out, at + start + i, std::min<std::size_t>(64, n - i), pack_flags(flags + i));
  }
}

}  // namespace

void find_keys(const std::uint8_t* w, std::size_t m, const std::uint8_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at) {
  find_row(w, m, x, count, out, at);
}
void find_keys(const std::uint16_t* w, std::size_t m, const std::uint16_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at) {
  find_row(w, m, x, count, out, at);
}
void find_keys(const std::uint32_t* w, std::size_t m, const std::uint32_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at) {
  find_row(w, m, x, count, out, at);
}
void find_keys(const std::uint64_t* w, std::size_t m, const std::uint64_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at) {
  find_row(w, m, x, count, out, at);
}

void find_bits(const std::uint64_t* w, std::size_t m, const std::uint64_t* x, std::size_t from, std::size_t count,
               std::uint64_t* out, std::size_t at) {
  for (std::size_t start = 0; start < count; start += 64) {
    std::size_t n = std::min<std::size_t>(64, count - start);
    std::uint64_t found = low_bits(n);
    for (std::size_t j = 0; j < m && found; j++) {
      std::uint64_t wanted = read_bit(w, j) ? 0 : ~std::uint64_t{0};
      found &= read_bits(x, from + start + j, n) ^ wanted;
    }
    write_bits(out, at + start, n, found);
  }
}

}  // namespace griddle::kernels
