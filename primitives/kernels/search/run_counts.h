// Counts of numbers in order, from where runs of equal ones end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/value/element_type.h"

namespace griddle::kernels {

// counts[numbers[k]] = ends[k] - ends[k - 1] for ascending numbers (i8, i16, i32 or f64), each below `length`; ends[-1] is known,
// too. Bytes from the first number on are 0 before. Gives the bits that occur in these counts, of which a byte keeps the lowest.
std::size_t write_run_counts(std::int8_t* counts, std::size_t length, ElementType type, const void* numbers,
                             const std::int32_t* ends, std::size_t runs);

}  // namespace griddle::kernels
