// Random numbers and draws where the device is the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "gpu/cuda/random_derivation.h"
#include "tests/gpu/host_elements.h"

namespace host_device {

inline griddle_status random(griddle_device*, const griddle_random* r, void* out, uint64_t length) {
  namespace derivation = griddle::random_derivation;
  for (std::uint64_t i = 0; i < length; i++) {
    const auto below = [&]<int bits>(std::integral_constant<int, bits>) {
      constexpr std::uint64_t in_block = 128 / bits;
      const std::uint64_t position = r->position + i / in_block;
      return static_cast<double>(derivation::below<bits>(derivation::block_at(r->key, position, 0), r->key, position,
                                                         static_cast<int>(i % in_block), r->limit,
                                                         derivation::threshold_of<bits>(r->limit)));
    };
    const derivation::Block block = derivation::block_at(r->key, r->position + i / 2, 0, r->use);
    const std::uint64_t half = block.half(static_cast<int>(i % 2));
    switch (r->kind) {
      case griddle_random_words: static_cast<std::uint64_t*>(out)[i] = half; break;
      case griddle_random_fractions: write(out, griddle_device_f64, i, derivation::fraction(half)); break;
      case griddle_random_exponentials: write(out, griddle_device_f64, i, derivation::exponential(half)); break;
      case griddle_random_normals:
        write(out, griddle_device_f64, i, derivation::normals(block.half(0), block.half(1)).of[i % 2]);
        break;
      case griddle_random_below_16: write(out, griddle_device_i8, i, below(std::integral_constant<int, 16>())); break;
      case griddle_random_below_32:
        write(out, r->limit <= 1 << 15 ? griddle_device_i16 : griddle_device_i32, i, below(std::integral_constant<int, 32>()));
        break;
      case griddle_random_below_64:
        write(out, r->limit <= std::uint64_t{1} << 31 ? griddle_device_i32 : griddle_device_f64, i,
              below(std::integral_constant<int, 64>()));
        break;
      case griddle_random_gammas:
        write(out, griddle_device_f64, i,
              derivation::gamma(r->key, r->position + i, static_cast<const double*>(r->table)[i % r->table_length]));
        break;
      case griddle_random_aliases:
        write(out,
              r->limit <= 1 << 7    ? griddle_device_i8
              : r->limit <= 1 << 15 ? griddle_device_i16
                                    : griddle_device_i32,
              i, derivation::alias(static_cast<const std::uint64_t*>(r->table), r->limit, half));
        break;
    }
  }
  return griddle_done;
}

// Draws by the sums that the library makes on the host (primitives/kernels/random/draw_products.h), number by number.
inline double sum_of_8(const double* x) { return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7])); }
inline std::uint64_t first_above(const double* numbers, std::uint64_t n, double wanted, double& before) {
  double sum = before;
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < n; i++) {
    sum += numbers[i];
    if (sum > wanted) return i;
    before = sum;
    if (numbers[i] > 0) last = i;
  }
  return last;
}
inline griddle_status draw_products(griddle_device*, const griddle_product_draws* p, int32_t* out, int* fault) {
  namespace derivation = griddle::random_derivation;
  *fault = 0;
  for (int k = 0; k < 2; k++)
    for (std::uint64_t i = 0; i < p->rows[k] * p->length; i++)
      if (!(p->tables[k][i] >= 0 && p->tables[k][i] < std::numeric_limits<double>::infinity())) *fault = 1;
  const std::uint64_t blocks = (p->length + 63) / 64;
  std::vector<double> products(blocks * 64), sums(blocks), pieces(8);
  for (std::uint64_t i = 0; i < p->count && *fault == 0; i++) {
    const double* rows[2];
    for (int k = 0; k < 2; k++) {
      if (p->at[k][i] < 0 || static_cast<std::uint64_t>(p->at[k][i]) >= p->rows[k]) {
        *fault = 1;
        return griddle_done;
      }
      rows[k] = p->tables[k] + static_cast<std::uint64_t>(p->at[k][i]) * p->length;
    }
    for (std::uint64_t k = 0; k < p->length; k++) products[k] = rows[0][k] * rows[1][k];
    const auto sums_of_pieces = [&](std::uint64_t block) {
      for (std::uint64_t k = 0; k < 8; k++) pieces[k] = sum_of_8(&products[block * 64 + k * 8]);
    };
    for (std::uint64_t b = 0; b < blocks; b++) {
      double added[8];
      for (std::uint64_t c = 0; c < 8; c++) {
        added[c] = products[b * 64 + c];
        for (std::uint64_t k = 1; k < 8; k++) added[c] += products[b * 64 + k * 8 + c];
      }
      sums[b] = sum_of_8(added);
    }
    sums_of_pieces(0);
    double total = 0, before = 0;
    for (std::uint64_t b = 0; b < (blocks > 1 ? blocks : 8); b++) total += blocks > 1 ? sums[b] : pieces[b];
    if (!(total > 0 && total < std::numeric_limits<double>::infinity())) *fault = 1;
    const std::uint64_t half = derivation::block_at(p->key, p->position + i / 2, 0).half(static_cast<int>(i % 2));
    const double wanted = derivation::fraction(half) * total;
    std::uint64_t place = 0;
    if (blocks > 1) {
      place = 64 * first_above(sums.data(), blocks, wanted, before);
      sums_of_pieces(place / 64);
    }
    place += 8 * first_above(pieces.data(), 8, wanted, before);
    place += first_above(&products[place], 8, wanted, before);
    out[i] = static_cast<int32_t>(place);
  }
  return griddle_done;
}

// Shuffles `length` of all integers, from `start` on, in the words of the specification.
inline void shuffle(std::uint64_t key, std::uint64_t position, std::uint32_t use, int32_t* all, std::uint64_t start,
                    std::uint64_t length) {
  namespace derivation = griddle::random_derivation;
  int32_t* part = all + start;
  if (length <= 1 << 17) {
    for (std::uint64_t i = 0; i < length; i++) {
      const std::uint64_t piece = start + i, at = position + piece / 4, limit = length - i;
      const std::uint64_t r = derivation::below<32>(derivation::block_at(key, at, 0, use), key, at, static_cast<int>(piece % 4),
                                                    limit, derivation::threshold_of<32>(limit), use);
      std::swap(part[i], part[i + r]);
    }
    return;
  }
  std::vector<std::vector<int32_t>> parts(256);
  for (std::uint64_t i = 0; i < length; i++) {
    const std::uint64_t piece = start + i;
    parts[derivation::byte_of(derivation::block_at(key, position + piece / 16, 0, use), static_cast<int>(piece % 16))].push_back(
        part[i]);
  }
  for (const std::vector<int32_t>& p : parts) {
    std::copy(p.begin(), p.end(), all + start);
    shuffle(key, position, use + 1, all, start, p.size());
    start += p.size();
  }
}
inline griddle_status deal(griddle_device*, uint64_t key, uint64_t position, uint64_t limit, int32_t* out) {
  for (std::uint64_t i = 0; i < limit; i++) out[i] = static_cast<int32_t>(i);
  shuffle(key, position, 0, out, 0, limit);
  return griddle_done;
}

}  // namespace host_device
