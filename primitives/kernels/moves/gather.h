// Takes elements by index with instructions that load from many places at once.
#pragma once

#include "primitives/kernels/moves/select.h"

namespace griddle::kernels {

// Tells whether such an instruction takes less time on this processor than loads one after another. On most it does not.
bool gathers_are_quick();

// Does what `select_cells` does with cells of one element, bits being written from the start of a word, and from_bit + n below
// 2⋆31; false, with nothing done, where this processor has no such instructions, the indices are no integers, or too few.
bool gather(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices&);

}  // namespace griddle::kernels
