// How random numbers follow from their places (spec/system/random.md), one at a time. No step is fused, so that every processor
// gives the same bits. Compiles for the host too, where tests compare it with the library's kernels.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define GRIDDLE_EITHER __host__ __device__ __forceinline__
#else
#define GRIDDLE_EITHER inline
#endif

namespace griddle::random_derivation {

// --- arithmetic that is rounded after each step

#ifdef __CUDA_ARCH__
GRIDDLE_EITHER double times(double a, double b) { return __dmul_rn(a, b); }
GRIDDLE_EITHER double plus(double a, double b) { return __dadd_rn(a, b); }
GRIDDLE_EITHER double minus(double a, double b) { return __dsub_rn(a, b); }
GRIDDLE_EITHER double over(double a, double b) { return __ddiv_rn(a, b); }
GRIDDLE_EITHER double root(double a) { return __dsqrt_rn(a); }
GRIDDLE_EITHER std::uint64_t bits_of(double a) { return static_cast<std::uint64_t>(__double_as_longlong(a)); }
GRIDDLE_EITHER double from_bits(std::uint64_t a) { return __longlong_as_double(static_cast<long long>(a)); }
GRIDDLE_EITHER std::uint64_t upper_half(std::uint64_t a, std::uint64_t b) { return __umul64hi(a, b); }
#else
GRIDDLE_EITHER double times(double a, double b) { return a * b; }
GRIDDLE_EITHER double plus(double a, double b) { return a + b; }
GRIDDLE_EITHER double minus(double a, double b) { return a - b; }
GRIDDLE_EITHER double over(double a, double b) { return a / b; }
GRIDDLE_EITHER double root(double a) { return std::sqrt(a); }
GRIDDLE_EITHER std::uint64_t bits_of(double a) {
  std::uint64_t bits;
  std::memcpy(&bits, &a, sizeof bits);
  return bits;
}
GRIDDLE_EITHER double from_bits(std::uint64_t a) {
  double d;
  std::memcpy(&d, &a, sizeof d);
  return d;
}
GRIDDLE_EITHER std::uint64_t upper_half(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
}
#endif

// Gives the polynomial with these coefficients, the constant first.
GRIDDLE_EITHER double polynomial(double, double constant) { return constant; }
template <class... Rest>
GRIDDLE_EITHER double polynomial(double x, double constant, Rest... rest) {
  return plus(times(polynomial(x, rest...), x), constant);
}

// --- blocks

struct Block {
  std::uint32_t words[4];
  GRIDDLE_EITHER std::uint64_t half(int i) const { return words[2 * i] | static_cast<std::uint64_t>(words[2 * i + 1]) << 32; }
};
GRIDDLE_EITHER std::uint8_t byte_of(const Block& b, int i) { return static_cast<std::uint8_t>(b.words[i / 4] >> i % 4 * 8); }

// Philox 4×32-10.
GRIDDLE_EITHER Block block_at(std::uint64_t key, std::uint64_t position, std::uint32_t attempt, std::uint32_t use = 0) {
  std::uint32_t c0 = static_cast<std::uint32_t>(position), c1 = static_cast<std::uint32_t>(position >> 32), c2 = attempt,
                c3 = use;
  std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int round = 0; round < 10; round++) {
    const std::uint64_t a = static_cast<std::uint64_t>(c0) * 0xD2511F53, b = static_cast<std::uint64_t>(c2) * 0xCD9E8D57;
    c0 = static_cast<std::uint32_t>(b >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(b);
    c2 = static_cast<std::uint32_t>(a >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(a);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return {{c0, c1, c2, c3}};
}

// --- numbers

GRIDDLE_EITHER double fraction(std::uint64_t v) { return times(static_cast<double>(v >> 11), 0x1p-53); }

// Gives ln x for x that is normal and above 0, within a unit in the last place.
GRIDDLE_EITHER double logarithm(double x) {
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCD, one = std::uint64_t{1023} << 52;
  const std::uint64_t shifted = bits_of(x) + (one - root_half);
  const double k = minus(from_bits(shifted >> 52 | 0x4330000000000000), 0x1p52 + 1023);
  const double f = minus(from_bits((shifted & 0x000FFFFFFFFFFFFF) + root_half), 1.0);
  const double s = over(f, plus(f, 2.0)), z = times(s, s), z2 = times(z, z);
  const double low = polynomial(z2, 0x1.5555555555555p-1, 0x1.2492492476a1ap-2, 0x1.745cf8e4bba1bp-3, 0x1.0fbde0f4ad17bp-3);
  const double high = polynomial(z2, 0x1.9999999999a39p-2, 0x1.c71c7201a55d7p-3, 0x1.3b1c3c1c81c8fp-3, 0x1.0c0aff044a970p-3);
  const double r = times(z, plus(times(high, z), low));
  const double square = times(times(f, 0.5), f);
  const double rest = plus(times(s, plus(square, r)), times(k, 0x1.3de6af278ece6p-42));
  return minus(times(k, 0x1.62e42fefa3000p-1), minus(minus(square, rest), f));
}
GRIDDLE_EITHER double fraction_logarithm(std::uint64_t v) { return logarithm(plus(fraction(v), 0x1p-53)); }

GRIDDLE_EITHER double exponential(std::uint64_t v) { return minus(0.0, fraction_logarithm(v)); }

// Box and Muller: a radius from one half, a direction from the other.
struct TwoNormals {
  double of[2];
};
GRIDDLE_EITHER TwoNormals normals(std::uint64_t first, std::uint64_t last) {
  const double radius = root(times(-2.0, fraction_logarithm(first)));
  const double quarters = times(fraction(last), 4.0), shifted = plus(quarters, 0x1.8p52);
  const double t = minus(quarters, minus(shifted, 0x1.8p52)), z = times(t, t);
  const std::uint64_t quadrant = bits_of(shifted);
  const double s =
      times(t, polynomial(z, 0x1.921fb54442d18p+0, -0x1.4abbce625be53p-1, 0x1.466bc6775aad9p-4, -0x1.32d2cce62ac22p-8,
                          0x1.50783485cbd83p-13, -0x1.e3074b4ff3058p-19, 0x1.e8eed12ee00a3p-25, -0x1.6c5b875d4e739p-31));
  const double c = polynomial(z, 1.0, -0x1.3bd3cc9be45dep+0, 0x1.03c1f081b5aacp-2, -0x1.55d3c7e3c90f8p-6, 0x1.e1f5068355e15p-11,
                              -0x1.a6d1ec7906c20p-16, 0x1.f9cc41140bb60p-22, -0x1.b264ba152378ap-28);
  const bool swapped = quadrant & 1;
  const double cosine = from_bits(bits_of(swapped ? s : c) ^ ((quadrant + 1) & 2) << 62);
  const double sine = from_bits(bits_of(swapped ? c : s) ^ (quadrant & 2) << 62);
  return {{times(radius, cosine), times(radius, sine)}};
}

// Gives e⋆x for x from -746 to 0.
GRIDDLE_EITHER double exponential_of(double x) {
  const double integer = plus(times(x, 0x1.71547652b82fep+0), 0x1.8p52), k = minus(integer, 0x1.8p52);
  const double a = minus(x, times(k, 0x1.62e42fefa3000p-1)), b = minus(0.0, times(k, 0x1.3de6af278ece6p-42));
  const double r = plus(a, b), r_low = plus(minus(a, r), b);
  // Half the square of r, exactly
  const double half = times(r, 0.5), square = times(half, r), square_low = fma(half, r, -square);
  const double r2 = plus(square, square), r4 = times(r2, r2);
  const double q0 = polynomial(r, 0x1.5555555555556p-3, 0x1.5555555555555p-5);
  const double q1 = polynomial(r, 0x1.11111111109b3p-7, 0x1.6c16c16c167e1p-10);
  const double q2 = polynomial(r, 0x1.a01a01a7c41d5p-13, 0x1.a01a01a47b054p-16);
  const double q3 = polynomial(r, 0x1.71de0dae63bb3p-19, 0x1.27e4e1f48534fp-22);
  const double q4 = polynomial(r, 0x1.af38a9b0ec855p-26, 0x1.1f66df7fca49fp-29);
  const double low = plus(times(q1, r2), q0), high = plus(times(q3, r2), q2);
  const double q = plus(times(plus(times(q4, r4), high), r4), low);
  const double rest = plus(times(times(r2, r), q), plus(square_low, plus(times(r_low, r), r_low)));
  const double first = plus(1.0, r), first_low = plus(minus(1.0, first), r);
  const double sum = plus(first, square), sum_low = plus(minus(first, sum), square);
  const double mantissa = plus(sum, plus(plus(first_low, sum_low), rest));
  // Times 2⋆k, in two steps: the result may be tiny.
  const std::uint64_t bits = bits_of(integer), part = bits >> 1;
  return times(times(mantissa, from_bits((part + 1023) << 52)), from_bits((bits - part + 1023) << 52));
}

// Gives the gamma distributed number that follows from a position (Marsaglia and Tsang).
GRIDDLE_EITHER double gamma(std::uint64_t key, std::uint64_t position, double shape) {
  const double base = minus(shape < 1 ? plus(shape, 1.0) : shape, 1.0 / 3), deviation = root(times(9.0, base));
  for (std::uint32_t attempt = 0;; attempt++) {
    const Block first = block_at(key, position, attempt), second = block_at(key, position, attempt, 1);
    const double x = normals(first.half(0), first.half(1)).of[0], t = plus(1.0, over(x, deviation));
    const double cube = times(times(t, t), t);
    if (!(cube > 0x1p-1022)) continue;
    const double bound = plus(times(times(x, x), 0.5), times(base, plus(minus(1.0, cube), logarithm(cube))));
    if (!(fraction_logarithm(second.half(0)) < bound)) continue;
    const double value = times(base, cube);
    if (!(shape < 1)) return value;
    const double exponent = over(fraction_logarithm(second.half(1)), shape);
    return times(value, exponential_of(exponent > -746.0 ? exponent : -746.0));
  }
}

// Gives the integer below the limit that follows from piece `in` of a block, of so many bits each; where its product does not
// count, from the same piece of the next attempt.
template <int bits>
GRIDDLE_EITHER std::uint64_t below(const Block& first, std::uint64_t key, std::uint64_t position, int in, std::uint64_t limit,
                                   std::uint64_t threshold, std::uint32_t use = 0) {
  Block block = first;
  for (std::uint32_t attempt = 1;; attempt++) {
    if constexpr (bits == 64) {
      const std::uint64_t piece = block.half(in);
      if (piece * limit >= threshold) return upper_half(piece, limit);
    } else {
      constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
      const std::uint64_t piece = block.words[in * bits / 32] >> in * bits % 32 & mask, product = piece * limit;
      if ((product & mask) >= threshold) return product >> bits;
    }
    block = block_at(key, position, attempt, use);
  }
}
// What is left of all pieces when they are dealt out evenly.
template <int bits>
GRIDDLE_EITHER std::uint64_t threshold_of(std::uint64_t limit) {
  if constexpr (bits == 64)
    return -limit % limit;
  else
    return (std::uint64_t{1} << bits) % limit;
}

// Gives the place that a word draws from a table of aliases of that length (primitives/kernels/random/alias.h).
GRIDDLE_EITHER std::uint32_t alias(const std::uint64_t* table, std::uint64_t length, std::uint64_t word) {
  const std::uint64_t place = (word >> 32) * length + ((word & 0xFFFFFFFF) * length >> 32), entry = table[place >> 32];
  return static_cast<std::uint32_t>((place & 0xFFFFFFFF) < (entry & 0xFFFFFFFF) ? place >> 32 : entry >> 32);
}

}  // namespace griddle::random_derivation
