// Choosing few numbers, or some of few: what deal.cc and subset.cc do for many, in memory of the processor's own. The same
// numbers come out either way.
#pragma once

#include "runtime/system/random/generator.h"

namespace griddle::random_functions {

// Deals out the first `count` of ↕limit, for which few blocks suffice.
Value shuffle_few(Context&, RandomState&, std::size_t count, std::size_t limit);

// Draws different numbers, so many at most, below a limit of up to 2^26.
inline constexpr std::size_t most_drawn_few = 16;
Value draw_few_different(Context&, RandomState&, std::size_t count, std::size_t limit);

// Chooses `count` of up to bits_of_block; `drawn` of them, or those that are left out, are drawn one by one if `is_sparse`.
inline constexpr std::size_t bits_of_block = 128;
Value draw_sorted_in_block(Context&, RandomState&, std::size_t count, std::size_t limit, std::size_t drawn, bool is_sparse);

// Writes bits, of which each is 1 with a chance of so many 256ths. What each place draws has a use of its own.
void draw_bits(std::uint64_t* out, kernels::RandomPlace place, std::size_t words, unsigned chance);

}  // namespace griddle::random_functions
