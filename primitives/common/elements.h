// What the structural primitives share: reading lengths and indices, and moving elements without looking at them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "primitives/common/small_integer.h"
#include "primitives/common/tuning.h"
#include "primitives/kernels/moves/axis_order.h"
#include "primitives/kernels/moves/move.h"
#include "runtime/value/array.h"
#include "runtime/value/copy_few.h"
#include "runtime/value/few.h"
#include "runtime/value/fill.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

using kernels::BoxAxis;

// --- arguments

// Gives an array: an atom is enclosed.
inline Value as_array(Heap& heap, Value x) { return x.is_array() ? std::move(x) : enclose(heap, std::move(x)); }

// Gives the integers of a number, a unit or a list; fails otherwise. `who` starts the message: "Take: 𝕨".
Few<std::int64_t> read_integers(Context&, const char* who, const Value&);
// The same for natural numbers.
Few<std::size_t> read_naturals(Context&, const char* who, const Value&);
// Gives one natural number.
std::size_t read_natural(Context&, const char* who, const Value&);
// Says that a value is none; absent where it is one.
Value natural_refusal(Context&, const char* who, const Value&);
// Says that a value has no cells; absent where its rank is at least 1.
Value cells_refusal(Context&, const char* name, const Value& x);

// Gives the product of the lengths; fails where no array can have that shape. `name` is the primitive's: "Take".
std::size_t checked_length(Context&, const char* name, std::span<const std::size_t> shape);

// Spells a value for the end of an error message: numbers as such, arrays by kind and shape.
std::string offender(const Value&);

// --- elements

// Gives an array in which elements of both can be stored.
inline ElementType common_type(const Value& a, const Value& b) {
  auto type = [](const Value& v) { return v.is_array() ? v.array().type() : element_type_of(v); };
  return griddle::common_type(type(a), type(b));
}

// Gives the fill to use where one is needed: 0 where it is unknown.
inline Value fill_or_zero(Heap& heap, const Value& x) {
  Value f = fill_of(heap, x);
  return f.is_absent() ? Value(0) : f;
}

// Tells whether a value holds numbers or characters, and no boxes.
inline bool is_flat(const Value& v) {
  return v.is_array() ? v.array().type() != ElementType::boxed : v.is_number() || v.is_character();
}
inline bool is_numeric(const Value& v) { return v.is_array() ? is_number(v.array().type()) : v.is_number(); }
inline bool is_boxed(const Value& v) { return v.is_array() && v.array().type() == ElementType::boxed; }
// Gives boxes that hold numbers alone, or characters alone, as these; gives any other array as it is.
Value flattened(Heap&, Value);

// Gives a cell of an array of rank 1 or more, or `count` of its cells from `start` on.
inline Value cell_at(Heap& heap, const Value& x, std::size_t i) {
  const Array& a = x.array();
  return slice(heap, x, i * a.cell_length(), a.shape().subspan(1));
}
inline Value cells_from(Heap& heap, const Value& x, std::size_t start, std::size_t count) {
  const Array& a = x.array();
  if (a.is_list()) return slice(heap, x, start, count);
  Shape shape(a.shape());
  shape[0] = count;
  return slice(heap, x, start * a.cell_length(), shape);
}

// Gives what ↑, or else ↓, keeps of so many cells by a number, as far as there are some: to take from the front is to drop from
// the back.
struct KeptCells {
  std::size_t start, count;
};
inline KeptCells kept_cells(bool takes, std::int64_t n, std::size_t cells) {
  const std::size_t size = std::min(magnitude(n), cells), count = takes ? size : cells - size;
  return {(n < 0) == takes ? cells - count : 0, count};
}

// Copies bytes without overlap, few of them without a call; they may be one of many pieces, of `whole` bytes together.
inline void copy_piece(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, std::size_t whole = 0) {
  if (bytes <= few_copied_bytes)
    copy_few(to, from, bytes);
  else
    kernels::copy_part(to, from, bytes, std::max(bytes, whole));
}

// Copies elements of `from` to new places of `to`, which has the same type and holds no objects there yet.
void copy_box(Array& to, std::size_t to_start, const Array& from, std::size_t from_start, std::span<const BoxAxis>);
// Takes a share of each object among the elements of a boxed array that were copied as plain words.
void share_elements(Array&, std::size_t start, std::size_t count);
// Elements that a kernel copies as plain words to new places of an array. Those of boxes are the array's once share() is done;
// where the evaluation ends before, the array forgets them.
class CopiedElements {
 public:
  explicit CopiedElements(Array& to) : CopiedElements(to, 0, to.length) {}
  CopiedElements(Array& to, std::size_t start, std::size_t count)
      : to_(to), start_(start), left_(to.type() == ElementType::boxed ? count : 0) {}
  ~CopiedElements() {
    if (left_ != 0) std::memset(static_cast<void*>(to_.boxes().data() + start_), 0, left_ * sizeof(Value));
  }
  CopiedElements(const CopiedElements&) = delete;
  CopiedElements& operator=(const CopiedElements&) = delete;
  void share() {
    if (left_ != 0) share_all();
  }

 private:
  void share_all();
  Array& to_;
  std::size_t start_, left_;
};
// Stores `v` in a run of elements. Its type must fit; boxed places hold no objects yet.
void fill_run(Array& to, std::size_t start, std::size_t count, const Value& v);
// Stores an atom as an element of a type that is plain and no bit, and tells whether the type holds it.
bool store_atom(ElementType, unsigned char* to, const Value&);
// Puts numbers that lie in boxes side by side; gives false where there are none, or others too.
bool unbox_numbers(Heap&, Value&);
// Repeats the first `period` bytes up to `count` of them.
void repeat_bytes(std::uint8_t* to, std::size_t period, std::size_t count);
// Repeats the elements of `from`, with which `to` begins, up to `count` elements. Boxed places after those hold no objects yet.
void repeat_run(Array& to, const Array& from, std::size_t count);
// Copies a run between arrays, converting; a boxed target holds no objects there yet.
void copy_run(Array& to, std::size_t to_start, const Array& from, std::size_t from_start, std::size_t count);

// Packs an array of i8 that are all 0 and 1 as bits; gives any other value as it is.
Value packed_if_boolean(Heap&, Value);
// Does the same for integers of any width.
Value bits_if_boolean(Heap&, Value);
// Gives an array of f64 that are all integers, and not few, in the narrowest type; gives any other value as it is.
bool has_whole_ends(const Array&);  // and some between; few of those have a fraction elsewhere
Value narrowed_if_whole(Heap&, Value array);
inline Value integers_if_whole(Heap& heap, Value v) {
  return v.is_array() && v.array().length >= tuning().few_whole_doubles && has_whole_ends(v.array())
             ? narrowed_if_whole(heap, std::move(v))
             : v;
}

// Gives the distances between neighbours along each axis, in elements. Where there are no elements, lengths may multiply to any
// number.
inline void row_major(std::span<const std::size_t> shape, std::ptrdiff_t* strides) {
  std::size_t step = 1;
  for (std::size_t k = shape.size(); k-- > 0;) {
    strides[k] = static_cast<std::ptrdiff_t>(step);
    step *= shape[k];
  }
}

}  // namespace griddle::primitives
