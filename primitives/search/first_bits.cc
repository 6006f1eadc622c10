#include "primitives/search/first_bits.h"

#include <algorithm>
#include <bit>

#include "primitives/kernels/shared/bit_runs.h"

namespace griddle::primitives {

namespace {

// Gives the place of the first bit that differs from the first of all, or how many there are.
std::size_t first_other_bit(const std::uint64_t* bits, std::size_t n) {
  const std::uint64_t flip = -(bits[0] & 1);
  for (std::size_t i = 0; i < n; i += 64)
    if (const std::uint64_t others = bits[i / 64] ^ flip; others != 0)
      return std::min(n, i + static_cast<std::size_t>(std::countr_zero(others)));
  return n;
}

}  // namespace

Array* marks_of_first_bits(Heap& heap, const Array& bits) {
  const std::size_t n = bits.length, other = first_other_bit(bits.as<std::uint64_t>(), n);
  Array* const marks = make_plain_list(heap, ElementType::bit, n);
  auto* const words = marks->as<std::uint64_t>();
  std::fill_n(words, (n + 63) / 64, std::uint64_t{0});
  words[0] = 1;
  if (other < n) kernels::write_bit(words, other, true);
  return marks;
}

Array* distinct_bits(Heap& heap, const Array& bits) {
  const bool first = bits.as<std::uint64_t>()[0] & 1, both = first_other_bit(bits.as<std::uint64_t>(), bits.length) < bits.length;
  return list_of_word(heap, both ? 2 : 1, both ? 2 - first : first);
}

}  // namespace griddle::primitives
