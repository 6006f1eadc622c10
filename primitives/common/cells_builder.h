// CellsBuilder: merges result cells of equal shape into one array, in the narrowest type so far.
#pragma once

#include <optional>

#include "runtime/value/array.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

class CellsBuilder {
 public:
  // `name` is what errors call the modifier. The frame must have at least one element.
  CellsBuilder(Context& cx, const char* name, Shape frame) : cx_(cx), name_(name), frame_(std::move(frame)) {}
  // Fails if the cell's shape is not that of the cells before.
  void push(Value cell);
  // Tells whether the cells, of which one at least is in, have no elements. Then no more need be pushed.
  bool cells_are_empty() const { return !units_ && cell_length_ == 0; }
  // To be called when as many cells as the frame has elements are in.
  Value finish();

 private:
  void start(const Value& first);
  Context& cx_;
  const char* name_;
  Shape frame_;
  Shape cell_shape_;
  std::size_t count_ = 0;
  std::size_t cell_length_ = 0;
  std::optional<ArrayBuilder> units_;  // collects where cells are units
  Value result_;                       // collects where cells have axes
  Value first_;                        // the first cell, where it is boxed and has a fill
  bool has_no_fill_ = false;           // some cell holds characters without a fill
  Value fill_;                         // the fill that all boxed cells so far have in common
};

}  // namespace griddle::primitives
