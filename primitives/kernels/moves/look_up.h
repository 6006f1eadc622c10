// Takes elements by index from a table that stays in registers.
#pragma once

#include "primitives/kernels/moves/select.h"

namespace griddle::kernels {

// Does what `select_cells` does with cells of one element, bits being written from the start of a word; false, with nothing done,
// where the table is too long for the registers of this processor, the indices too few, or of a type that no shuffle takes.
bool look_up(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices&);

}  // namespace griddle::kernels
