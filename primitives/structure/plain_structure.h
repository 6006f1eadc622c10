// > ∾ ⌽ ⍉ » « of lists and tables that stay where they are, whose elements are plain and have the fill of plain elements, and
// what such functions ask of their arguments. Absent for all else.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Tells whether a device has nothing to say about a value.
inline bool stays_here(const Context& cx, const Value& v) { return cx.device == nullptr || !concerns_device(cx, v); }

// Tells whether an array is a list, or a table, of plain elements with the fill that these have by themselves.
inline bool is_plain_list(const Array& a) {
  return a.type() != ElementType::boxed && PlainList::described(a) == PlainList::described(a.type());
}
inline bool is_plain_table(const Array& a) {
  constexpr std::uint32_t one_axis_more = 1u << 16;
  return a.type() != ElementType::boxed && PlainList::described(a) == PlainList::described(a.type()) + one_axis_more;
}

Value reverse_plainly(Context&, const Value& x);
Value transpose_plainly(Context&, const Value& x);
Value merge_plainly(Context&, const Value& x);  // primitives/structure/join.cc
Value join_plainly(Context&, const Value& x);
Value nudge_plainly(Context&, const Value& x);
Value nudge_back_plainly(Context&, const Value& x);
Value shift_before_plainly(Context&, const Value& w, const Value& x);
Value shift_after_plainly(Context&, const Value& w, const Value& x);

}  // namespace griddle::primitives
