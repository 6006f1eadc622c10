// What all kernels share: plain pointers and lengths in, plain pointers out. Kernels neither throw, allocate nor print;
// what they call between two pieces of their work may throw (pieces.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Says which operand of a two-argument kernel is an array; the other one points to a single element.
enum Form { array_array, array_scalar, scalar_array };
inline constexpr int form_count = 3;

// Both kinds give the number of leading elements whose results are stored. It is below `n` where a result near that place does
// not fit the output type; from there on, nothing has been written if `out` is an input, and else anything may have been. `out`
// may be one of the inputs where the element widths agree (same start), and else overlaps nothing. No alignment is asked for; but
// where `out` begins at a multiple of 8 bytes, the 8 in which the last result lies are its own, and anything may be written
// there.
using Dyad = std::size_t (*)(void* out, const void* w, const void* x, std::size_t n);
using Monad = std::size_t (*)(void* out, const void* x, std::size_t n);

// Results from here on are written past the caches, to new memory: what they displace is worth more. Where the third-level cache
// has 32 MB, lists of doubles are copied as fast in either way when they have 12 to 14 MB.
inline constexpr std::size_t streamed_from_bytes = std::size_t{16} << 20;

// Folds n ≥ 1 elements, or packed bits, from the right to one number.
using Fold = double (*)(const void* x, std::size_t n);

// Gives for n ≥ 1 elements, or packed bits, the results of folding all up to each. False where some do not fit; what is written
// then is unspecified. `out` may be x where the types agree.
using Scan = bool (*)(void* out, const void* x, std::size_t n);

// Computes on each of `rows` elements at w with each of n ≥ 1 at x, row after row. False where some results do not fit; what is
// written then is unspecified. `out` overlaps nothing.
using Table = bool (*)(void* out, const void* w, std::size_t rows, const void* x, std::size_t n);

struct DyadForms {
  Dyad by_form[form_count];
  Table table = nullptr;  // null where there is none, as the others
  // Compute on each of the elements with the n of its own row, which stand on the right, or on the left.
  Table rows = nullptr, rows_left = nullptr;
  Dyad operator[](Form f) const { return by_form[f]; }
};

// Places of the number types in kernel tables.
enum Lane { lane_i8, lane_i16, lane_i32, lane_f64 };
inline constexpr int lane_count = 4;

}  // namespace griddle::kernels
