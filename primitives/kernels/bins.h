// Bins: how many of some sorted elements come before or are equal to each of others.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Tells how many places `count_at_most` needs for its table, for `n` sorted elements and `count` to be looked up.
std::size_t bin_table_size(std::size_t n, std::size_t count);

// Writes for each x how many of n > 0 ascending w are at most x. `table` has `size` places (as bin_table_size said, a power of
// two). w holds no NaN; the result for a NaN is n.
void count_at_most(const std::int32_t* w, std::size_t n, const std::int32_t* x, std::size_t count, std::uint32_t* table,
                   std::size_t size, std::uint32_t* out);
void count_at_most(const double* w, std::size_t n, const double* x, std::size_t count, std::uint32_t* table, std::size_t size,
                   std::uint32_t* out);

}  // namespace griddle::kernels
