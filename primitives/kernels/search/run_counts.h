// Counts of numbers in order, from where runs of equal ones end, or number by number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/value/element_type.h"

namespace griddle::kernels {

// counts[numbers[k]] = ends[k] - ends[k - 1] for ascending numbers (i8, i16, i32 or f64), each below `length`; ends[-1] is known,
// too. Bytes from the first number on are 0 before. Gives the bits that occur in these counts, of which a byte keeps the lowest.
std::size_t write_run_counts(std::int8_t* counts, std::size_t length, ElementType type, const void* numbers,
                             const std::int32_t* ends, std::size_t runs);

// Counts n numbers in order, at least one, of which the first has come `before` times already. Gives bits that occur in what
// these counts are on the way, up to 255: at least one of the high bits where one passes 127, and 1 where all are 1.
std::size_t count_each_in_order(std::int8_t* counts, ElementType type, const void* numbers, std::size_t n, std::size_t before);
// Tells whether the target does so sooner than by where runs end, unless they are long.
bool counts_better_each();

}  // namespace griddle::kernels
