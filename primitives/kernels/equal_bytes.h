// Whether two runs of bytes are equal, and whether bytes tell equal numbers apart.
#pragma once

#include <cstddef>
#include <cstring>

namespace griddle::kernels {

// For many bytes. Stops early where they differ.
bool equal_vectors(const void* a, const void* b, std::size_t bytes);

inline bool equal_bytes(const void* a, const void* b, std::size_t bytes) {
  constexpr std::size_t few = 128;
  return bytes < few ? std::memcmp(a, b, bytes) == 0 : equal_vectors(a, b, bytes);
}

// Tells whether doubles are equal exactly where their bits are: none is ¯0 or NaN.
bool equal_as_bits(const double* x, std::size_t n);

}  // namespace griddle::kernels
