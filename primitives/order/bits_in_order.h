// Lists of at least one bit in order, and the places that put them so.
#pragma once

#include <cstring>

#include "primitives/common/at_hand.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

// Writes zeros and ones in order.
[[gnu::always_inline]] inline Array* sorted_bits(Heap& heap, const Array& bits, bool down) {
  Array* const out = make_list_of(heap, plain_of(bits), bits.length);
  const std::size_t ones = kernels::count_ones(bits.as<std::uint64_t>(), bits.length), first = down ? ones : bits.length - ones;
  const std::size_t whole = first / 64, words = (bits.length + 63) / 64;
  auto* const to = out->as<std::uint64_t>();
  const std::uint64_t before = down ? ~std::uint64_t{0} : 0;
  // Most lists are too short for calls that fill memory.
  constexpr std::size_t few = 32;
  if (words <= few) {
    for (std::size_t i = 0; i < words; i++) to[i] = i < whole ? before : ~before;
  } else {
    std::memset(to, static_cast<int>(before & 0xFF), whole * sizeof *to);
    std::memset(to + whole, static_cast<int>(~before & 0xFF), (words - whole) * sizeof *to);
  }
  if (first % 64 != 0) to[whole] ^= kernels::low_bits(first % 64);
  return out;
}

// Writes the places of one kind of bits, then those of the other. What is written too much for the first is written over.
// The type is one for places, and `zeros` has room for as many words as the bits.
[[gnu::always_inline]] inline Array* graded_bits(Heap& heap, const Array& bits, bool down, ElementType type,
                                                 std::uint64_t* zeros) {
  const auto* const ones = bits.as<std::uint64_t>();
  const std::size_t n = bits.length, words = (n + 63) / 64, count = kernels::count_ones(ones, n),
                    first = down ? count : n - count;
  const std::size_t spare = kernels::spare_elements(bits_of(type), n);
  for (std::size_t i = 0; i < words; i++) zeros[i] = ~ones[i];
  Ref<Array> out = make_plain_list(heap, type, n + spare);
  out->length = n;
  std::uint8_t *const to = out->data.here(), *const rest = to + first * (bits_of(type) / 8);
  kernels::places_of_ones(type, to, n + spare, down ? ones : zeros, n);
  kernels::places_of_ones(type, rest, n - first + spare, down ? zeros : ones, n);
  return out.leak();
}

}  // namespace griddle::primitives
