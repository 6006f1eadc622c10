// What Windows ↕ copies.
#pragma once

#include "runtime/value/array.h"

namespace griddle::primitives {

// Writes the windows of a list of whole bytes as rows of a table. Boxes are copied as words.
void copy_windows(Array& to, const Array& from, std::size_t size);

// Writes the windows of a list of bits.
void copy_bit_windows(std::uint64_t* to, const std::uint64_t* from, std::size_t size, std::size_t count);

// Writes the windows of a table of bits, each of which fits a word.
void copy_bit_table_windows(std::uint64_t* to, const Array& a, std::size_t rows, std::size_t columns);

}  // namespace griddle::primitives
