// Boxes: how values that take several rows are laid out (spec/display.md has the rules).
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/value/array.h"
#include "runtime/value/context.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

struct Box;
// Boxes lie in the heap.
struct DropBox {
  void operator()(Box*) const noexcept;
};

// One formatted element: a stretch of the pool (one row), or a box.
struct Piece {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::unique_ptr<Box, DropBox> box;
  // The greatest and the last number of brackets open after each character.
  std::ptrdiff_t peak = 0;
  std::ptrdiff_t balance = 0;
  bool is_number = false;
  unsigned lead = 0;
  unsigned exponent = 0;

  void bracket(std::ptrdiff_t step) {
    balance += step;
    if (balance > peak) peak = balance;
  }
  void append_brackets(const Piece& p) {
    if (balance + p.peak > peak) peak = balance + p.peak;
    balance += p.balance;
  }
};

// Anything that takes several rows. Rows are asked for once each, from the top.
struct Box {
  virtual ~Box() = default;
  virtual void next_row(Context&, const HeapText& pool, HeapText& out) = 0;
};

// Each gives a piece that takes several rows. The array must outlive the piece.
// A rank-2 array of rows without columns.
Piece hollow_box(Heap&, std::size_t rows);
// Characters in rows, quoted at both ends.
Piece character_box(Heap&, const Array&);
// Elements in rows and columns; `pieces` are the elements, spelled into the pool.
Piece grid_box(Heap&, const Array&, HeapVector<Piece> pieces, const HeapText& pool);

}  // namespace griddle
