// Lists that grow by one item after the other at either end, and become shorter again.
#pragma once

#include "runtime/value/array.h"

namespace griddle {

// Appends an atom, or the elements of a unit or a list, to a list of which this is the only reference, as ∾ does, or few cells to
// such a table: in place while there is room, else in memory with more room than needed. Gives false, and changes neither, where
// the list is not of that kind or joining anew is as cheap. What is left of `item` afterwards is only good for being dropped.
// Throws OutOfMemory.
bool append(Heap&, Value& list, Value& item);

// Does the same before a list of some length that nobody else changes, of a type and a fill that stay as they are: where that was
// done before, there is room.
bool prepend(Heap&, Value& item, Value& list);
// Tells whether so many elements may be worth that. More are no sign of growing step by step, and shorter lists are joined anew.
constexpr bool is_prepended(std::size_t more, std::size_t length) { return length >= 256 && more <= length / 8; }

// Tells whether an array is better made anew than changed in memory of its own. Where that is short, call sites know the way to a
// new one, and copying costs next to nothing; boxes that are copied are counted. Measured in tests/bench/TUNING.md.
inline bool is_remade(const Array& a) {
  constexpr std::size_t most_boxes = 8, most = 256;
  return a.length <= (a.type() == ElementType::boxed ? most_boxes : most);
}

// Keeps the first elements, of which there are some, of a list that nobody else sees, as ↑ and ↓ do, and leaves the
// memory of the others for what may be appended. Gives false, and changes nothing, where the list is not of that kind or would
// hold much more memory than it needs.
bool keep_first(Value& list, std::size_t count);

}  // namespace griddle
