// Tables that say where each byte of a shuffled vector comes from, the same for every target.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// The places of the ones of each byte, a byte each, lowest first.
struct PlacesOfOnes {
  std::uint64_t of[256] = {};
  constexpr PlacesOfOnes() {
    for (unsigned byte = 0; byte < 256; byte++)
      for (unsigned place = 0, count = 0; place < 8; place++)
        if (byte >> place & 1) of[byte] |= std::uint64_t{place} << (8 * count++);
  }
};
inline constexpr PlacesOfOnes places_of_ones_in;

// The same as places of the bytes of elements of two bytes.
struct PairsOfOnes {
  alignas(16) std::uint8_t of[256][16] = {};
  constexpr PairsOfOnes() {
    for (unsigned byte = 0; byte < 256; byte++)
      for (unsigned k = 0; k < 8; k++) {
        const auto place = static_cast<std::uint8_t>(places_of_ones_in.of[byte] >> (8 * k));
        of[byte][2 * k] = static_cast<std::uint8_t>(2 * place), of[byte][2 * k + 1] = static_cast<std::uint8_t>(2 * place + 1);
      }
  }
};
inline constexpr PairsOfOnes pairs_of_ones_in;

// For four counts below 4, two bits each, the places of up to 12 results among four elements, and how many there are in the last
// byte.
struct RunsOfFour {
  alignas(16) std::uint8_t of[256][16] = {};
  constexpr RunsOfFour() {
    for (unsigned counts = 0; counts < 256; counts++) {
      std::uint8_t all = 0;
      for (unsigned k = 0; k < 4; k++)
        for (unsigned t = 0; t < (counts >> 2 * k & 3); t++) of[counts][all++] = static_cast<std::uint8_t>(k);
      of[counts][15] = all;
    }
  }
};
inline constexpr RunsOfFour runs_of_four;

// Elements repeated from twice up to so many times are shuffled.
inline constexpr std::size_t most_repeated = 16;

// Tells, for a vector of elements of `width` bytes that becomes several, each element `times` times: of which `window` bytes of
// the source each of them is made, and of which byte of these each byte.
template <std::size_t bytes, std::size_t width, std::size_t window = 16>
struct RepeatedSources {
  struct Sources {
    alignas(bytes) std::uint8_t places[most_repeated][bytes] = {};
    std::uint8_t start[most_repeated] = {};
  };
  Sources by_times[most_repeated + 1] = {};
  constexpr RepeatedSources() {
    for (std::size_t times = 2; times <= most_repeated; times++)
      for (std::size_t t = 0; t < times; t++) {
        // The window stays within the vector.
        const std::size_t start = std::min(t * bytes / width / times * width, bytes - window);
        by_times[times].start[t] = static_cast<std::uint8_t>(start);
        for (std::size_t i = 0; i < bytes; i++)
          by_times[times].places[t][i] = static_cast<std::uint8_t>((t * bytes + i) / width / times * width + i % width - start);
      }
  }
};
template <std::size_t bytes, std::size_t width, std::size_t window = 16>
inline constexpr RepeatedSources<bytes, width, window> repeated_sources;

// Bits repeated two to eight times are looked up a byte at a time: each byte of the result shows at most 4 of them. Tells how 64
// bytes of bits become `times` vectors of 64 bytes. For each of these: which 8 bytes of the source the bits of each word come
// from; where among these the bits of each byte begin; and how many copies of the first of them came before, by which and by the
// 4 bits `bytes_of` is looked up.
template <std::size_t times>
struct RepeatedBits {
  struct Vector {
    alignas(64) std::uint8_t sources[64] = {}, starts[64] = {}, phases[64] = {};
  };
  Vector vectors[times] = {};
  alignas(64) std::uint8_t bytes_of[128] = {};
  constexpr RepeatedBits() {
    for (std::size_t i = 0; i < 64 * times; i++) {
      Vector& v = vectors[i / 64];
      const std::size_t first_byte = i / 8 * 64 / times / 8, first_bit = 8 * i / times;
      v.sources[i % 64] = static_cast<std::uint8_t>(std::min<std::size_t>(first_byte + i % 8, 63));
      v.starts[i % 64] = static_cast<std::uint8_t>(first_bit - 8 * first_byte);
      v.phases[i % 64] = static_cast<std::uint8_t>((8 * i - first_bit * times) << 4);
    }
    for (std::size_t phase = 0; phase < times; phase++)
      for (std::size_t bits = 0; bits < 16; bits++)
        for (std::size_t k = 0; k < 8; k++)
          bytes_of[phase << 4 | bits] |= static_cast<std::uint8_t>((bits >> (phase + k) / times & 1) << k);
  }
};
template <std::size_t times>
inline constexpr RepeatedBits<times> repeated_bits;

}  // namespace griddle::kernels
