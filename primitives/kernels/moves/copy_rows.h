// Rows of bytes copied between places that lie apart.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Copies rows of `bytes`, at least 8, whose beginnings lie `to_step` and `from_step` bytes apart. No overlap.
void copy_rows(void* to, std::ptrdiff_t to_step, const void* from, std::ptrdiff_t from_step, std::size_t bytes, std::size_t rows);

}  // namespace griddle::kernels
