// Whether two runs of bytes are equal.
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

}  // namespace griddle::kernels
