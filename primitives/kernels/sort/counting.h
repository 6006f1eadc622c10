// Counts of elements that lie in a small range, for sorts and grades by counting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "primitives/kernels/search/byte_counts.h"
#include "primitives/kernels/shared/pieces.h"
#include "runtime/value/element_type.h"

namespace griddle::kernels {

template <class T>
struct TypeTag {
  using type = T;
};

// Calls f with a tag of the C++ type of integers or characters.
template <class F>
decltype(auto) with_integers(ElementType t, F f) {
  switch (t) {
    case ElementType::i8: return f(TypeTag<std::int8_t>());
    case ElementType::i16: return f(TypeTag<std::int16_t>());
    case ElementType::i32: return f(TypeTag<std::int32_t>());
    case ElementType::c8: return f(TypeTag<std::uint8_t>());
    case ElementType::c16: return f(TypeTag<std::uint16_t>());
    default: return f(TypeTag<std::uint32_t>());
  }
}

template <class T>
void count_elements(const T* x, std::size_t n, std::int64_t low, std::size_t range, std::uint32_t* counts) {
  if constexpr (sizeof(T) == 1) {
    // The last ones are those below 0.
    std::uint32_t of_bytes[most_counted_bytes];
    count_bytes(reinterpret_cast<const std::uint8_t*>(x), n, most_counted_bytes, of_bytes);
    const std::size_t first = static_cast<std::uint8_t>(low), before = std::min(range, most_counted_bytes - first);
    std::copy_n(of_bytes + first, before, counts);
    std::copy_n(of_bytes, range - before, counts + before);
    return;
  }
  std::memset(counts, 0, range * sizeof(*counts));
  if (range <= 256 && n >= 1024) {
    // Counts into four tables, so that runs of equal elements do not wait for each other.
    std::uint32_t more[3][256];
    std::memset(more, 0, sizeof(more));
    in_pieces(n, [&](std::size_t i, std::size_t end) {
      for (; i + 4 <= end; i += 4) {
        counts[static_cast<std::size_t>(x[i] - low)]++;
        more[0][static_cast<std::size_t>(x[i + 1] - low)]++;
        more[1][static_cast<std::size_t>(x[i + 2] - low)]++;
        more[2][static_cast<std::size_t>(x[i + 3] - low)]++;
      }
      for (; i < end; i++) counts[static_cast<std::size_t>(x[i] - low)]++;
    });
    for (std::size_t k = 0; k < range; k++) counts[k] += more[0][k] + more[1][k] + more[2][k];
    return;
  }
  in_pieces(n, [=](std::size_t i, std::size_t end) {
    for (; i < end; i++) counts[static_cast<std::size_t>(x[i] - low)]++;
  });
}

}  // namespace griddle::kernels
