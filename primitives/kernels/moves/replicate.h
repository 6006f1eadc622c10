// Replicate and indices: elements by mask, by constant count and by counts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/value/element_type.h"

namespace griddle::kernels {

// Calls f with a typed pointer to counts of one of the types i8, i16, i32 and f64.
template <class F>
auto with_counts(ElementType type, const void* counts, F f) {
  switch (type) {
    case ElementType::i8: return f(static_cast<const std::int8_t*>(counts));
    case ElementType::i16: return f(static_cast<const std::int16_t*>(counts));
    case ElementType::i32: return f(static_cast<const std::int32_t*>(counts));
    default: return f(static_cast<const double*>(counts));
  }
}

std::size_t count_ones(const std::uint64_t* bits, std::size_t n);

// Adds up n counts (i8, i16, i32 or f64). Gives the place of the first one that is no natural number, or n; the sum is exact
// up to 2^53 and only an estimate above.
std::size_t add_counts(ElementType type, const void* counts, std::size_t n, double* sum);

// A result with room for so many elements more, of `width` bits, is written in whole vectors nearly up to its end. What is kept
// of a short list is not worth the memory.
constexpr std::size_t spare_elements(unsigned width, std::size_t n) {
  constexpr std::size_t least = 8, vector_bits = 512, short_list = 64;
  return n <= short_list || width > vector_bits / least ? least : vector_bits / width;
}

// Writes the elements where the mask has a 1, one after the other, where there is room for at least so many; what is beyond them
// there has no meaning. `width` is 1, 8, 16, 32 or 64 bits; no overlap.
void compress(unsigned width, void* to, std::size_t room, const void* from, const std::uint64_t* mask, std::size_t n);

// Writes the cells of so many bytes, `total` in all, where the mask has a 1, one after the other. No overlap.
void compress_cells(std::size_t bytes, void* to, std::size_t total, const void* from, const std::uint64_t* mask, std::size_t n);

// Writes each element `times` times. Up to so many results, and those of up to 64 elements, are written without a checkpoint.
inline constexpr std::size_t unasked_results = std::size_t{1} << 22;
void repeat_each(unsigned width, void* to, const void* from, std::size_t n, std::size_t times);

// Writes each element as often as its count says, `total` in all. Counts are natural numbers in i8, i16, i32 or f64.
void repeat_by_counts(unsigned width, void* to, std::size_t total, const void* from, ElementType type, const void* counts,
                      std::size_t n);

// Writes the places of ones (ascending) as numbers of type i8, i16, i32 or f64, where there is room for at least so many.
void places_of_ones(ElementType to_type, void* to, std::size_t room, const std::uint64_t* bits, std::size_t n);

// Writes each place as often as its count says, `total` in all.
void places_by_counts(ElementType to_type, void* to, std::size_t total, ElementType type, const void* counts, std::size_t n);

}  // namespace griddle::kernels
