// The same as list_structure.h for tables of plain elements, and for lists that become tables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/value/heap.h"

namespace griddle::primitives {

std::uint64_t reverse_table(Heap&, std::uint64_t x);
std::uint64_t nudge_table(Heap&, std::uint64_t x, bool front);
std::uint64_t transpose_table(Heap&, std::uint64_t x);
std::uint64_t keep_rows(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t rows_at(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t join_tables(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t windows_of_list(Heap&, std::uint64_t w, std::uint64_t x);

}  // namespace griddle::primitives
