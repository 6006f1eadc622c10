// Boxes: how values that take several rows are laid out (spec/display.md has the rules).
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "runtime/format/style.h"
#include "runtime/value/array.h"
#include "runtime/value/context.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

// A list stands on one row where its brackets, with those within, are no deeper than this.
inline constexpr std::string_view open_bracket = "⟨", close_bracket = "⟩";
inline constexpr std::ptrdiff_t deepest_brackets = 2;

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
  TextAlign align = TextAlign::usual;  // in its column
  bool is_number = false;
  bool is_row = false;  // the box takes one row
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

// Steps through the rows of an array whose last axis runs across and the others down; of a large one, through the first rows and
// columns.
class RowAxes {
 public:
  explicit RowAxes(const Array& a) : shape_(a.shape()), columns_(shape_.empty() ? 1 : shape_.back()) {
    for (std::size_t axis = 0; axis + 1 < shape_.size(); axis++) rows_ *= shape_[axis];
  }
  // Leaves out what lies beyond so many rows and columns.
  RowAxes within(std::size_t rows, std::size_t columns) const;
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  // Gives the index of an element, and how many blank rows are above a row: one where a 2-cell begins, two where a 3-cell does.
  std::size_t index(std::size_t row, std::size_t column) const { return row * (shape_.empty() ? 1 : shape_.back()) + column; }
  std::size_t gap_before(std::size_t row) const;

 private:
  std::span<const std::size_t> shape_;
  std::size_t rows_ = 1;
  std::size_t columns_;
};

// How the elements of a column stand in it: numbers by their points, everything else by its style, or at the left.
class GridColumn {
 public:
  void add(const Piece&, const HeapText& pool);
  // Is called once all elements are added; the width may be wider than they need.
  void settle(std::size_t least_width = 0);
  std::size_t width() const { return width_; }
  // Gives the blanks before an element.
  std::size_t before(const Piece& p) const {
    return align_ == Align::left    ? 0
           : align_ == Align::point ? lead_ - p.lead
           : align_ == Align::right ? width_ - p.width
                                    : (width_ - p.width) / 2;
  }

 private:
  enum class Align : std::uint8_t { left, right, center, point };
  std::size_t width_ = 0, lead_ = 0, tail_ = 0;
  std::uint8_t exponent_bytes_ = 0;
  bool any_ = false, numbers_ = true, same_exponent_ = true;
  TextAlign style_ = TextAlign::usual;  // that of the first element counts for the whole column
  Align align_ = Align::left;
  char exponent_[12];  // of the first element
};

// The frame of a grid: its top row up to where blanks begin, with what that takes, and the mark at the left of its first row.
void append_frame_top(HeapText&, unsigned rank);
std::size_t frame_top_width(unsigned rank);
const char* frame_left_mark(unsigned rank);

// Makes a box in the heap.
template <class B, class... Parts>
std::unique_ptr<Box, DropBox> make_box(Heap& heap, Parts&&... parts) {
  static_assert(alignof(B) <= Heap::granule);
  void* const memory = heap.allocate(sizeof(B));
  try {
    return std::unique_ptr<Box, DropBox>(new (memory) B(std::forward<Parts>(parts)...));
  } catch (...) {
    Heap::free(memory);
    throw;
  }
}

// Each gives a piece that takes several rows. The array must outlive the piece.
// A rank-2 array of rows without columns.
Piece hollow_box(Heap&, std::size_t rows);
// Characters in rows, quoted at both ends.
// `sink`, where there is one, takes what a long row has so far.
Piece character_box(Heap&, const Array&, const RowAxes&, class TextSink* sink = nullptr);
// Elements in rows and columns; `pieces` are the elements, spelled into the pool. `widths` are the least ones of columns; there
// may be none.
Piece grid_box(Heap&, unsigned rank, const RowAxes&, HeapVector<Piece> pieces, std::span<const std::size_t> widths,
               const HeapText& pool);
// What the frame of a grid takes at its left, and above.
inline constexpr std::size_t grid_left = 2, grid_top = 1;

}  // namespace griddle
