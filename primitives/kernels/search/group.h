// Group: counting and distributing by group numbers, which come in any integer storage form; -1 drops, where `drops` says that
// there are such.
#pragma once

#include <cstddef>
#include <cstdint>

#include "primitives/kernels/shared/bounds.h"
#include "runtime/value/element_type.h"

namespace griddle::kernels {

// Finds the least and the greatest of n numbers; -1 where there are none. The least of bits is taken to be 0.
Bounds group_bounds(ElementType type, const void* groups, std::size_t n);

// Writes how many cells come in groups before each of `count` groups, and the number of all kept cells at the end.
// Numbers lie in [-1, count).
void count_groups(ElementType type, const void* groups, std::size_t n, bool drops, std::size_t count, std::uint32_t* starts);

// Writes the places of cells group by group as i8, i16, i32 or f64. `next` says where each group begins, and where it ends
// afterwards.
void group_places(ElementType type, const void* groups, std::size_t n, bool drops, std::uint32_t* next, ElementType to_type,
                  void* to);

// Writes elements of `width` bits (1, 8, 16, 32, 64) group by group. Bits must be 0 in `to` beforehand.
void group_elements(ElementType type, const void* groups, std::size_t n, bool drops, std::uint32_t* next, unsigned width,
                    const void* from, void* to);

// Folds the elements of each group into folded[group], from right to left; what is there is what the folds begin with. Cells of
// one group may lie `in_runs`. Doubles are none of them NaN for extremes; integers, which may be bits, do not exceed 64 bits.
enum class GroupFold : std::uint8_t { add, minimum, maximum };
void fold_groups(GroupFold, ElementType type, const void* groups, std::size_t n, bool in_runs, const double* x, double* folded);
void fold_groups(GroupFold, ElementType type, const void* groups, std::size_t n, bool in_runs, ElementType of_elements,
                 const void* x, std::int64_t* folded);

// Writes cells of so many bytes group by group. `next` says where each group begins, and where it ends afterwards.
void distribute_cells(ElementType type, const void* groups, std::size_t n, bool drops, std::size_t bytes, const void* from,
                      std::uint8_t** next);

}  // namespace griddle::kernels
