// Arrays put one after the other, as ∾ > ≍ do: what they have in common, and copies of their elements.
#pragma once

#include "primitives/common/plain.h"
#include "primitives/structure/cells_at_hand.h"

namespace griddle::primitives {

// What flat lists of one family with the plain fill have in common.
struct FlatLists {
  ElementType type = ElementType::bit;  // that holds all elements
  bool of_one_type = true;
  std::size_t total = 0;
  std::size_t first = 0;  // length of the first one
  bool of_equal_length = true;
};

// Looks over a list of such lists; false where something else is among them.
bool survey_flat_lists(std::span<const Value> lists, FlatLists&);
// Copies them one after the other to an array of that type and of as many elements.
void lay_out(Array& to, std::span<const Value> lists, const FlatLists&);
// Looks over many lists and copies them while they are near, as long as all are of the type and length of the first that
// FlatLists tells; false where some are not.
bool lay_out_alike(Array& to, std::span<const Value> lists, const FlatLists&);

// Tells whether a device is to be asked for all of a list of arrays: where the first is there, or, of few, any. Each of the
// others is sent by itself.
bool some_list_is_there(Context&, const Array& lists);

inline ElementType type_of(const Value& v) { return v.is_array() ? v.array().type() : element_type_of(v); }
// Copies the elements of a value, an atom being one element. Boxed targets hold no objects there yet.
void copy_value(Array& to, std::size_t at, const Value& v);

// Finds the type and the fill that elements of many values have in common. The values outlive it.
class Common {
 public:
  // `passes_over_nothing`: empty arrays that could hold numbers as well as nothing known have no say, unless they come first.
  explicit Common(Heap& heap, bool passes_over_nothing = false) : heap_(heap), passes_over_nothing_(passes_over_nothing) {}
  void add(const Value& v);
  ElementType type() const { return type_; }
  Value fill() const {
    if (kind_ == FillKind::none) return Value();
    return fill_.is_absent() ? fill_of(heap_, *first_) : fill_;
  }

 private:
  Heap& heap_;
  bool passes_over_nothing_;
  const Value* first_ = nullptr;
  bool typed_ = false;
  ElementType type_ = ElementType::bit;
  FillKind kind_ = FillKind::none;
  Value fill_;  // absent where it is that of the first
};

// Puts the elements of two values one after the other, in an array of a shape that has room for both.
Value put_together(Context&, const Value& w, const Value& x, const Shape& shape);

// Tells whether arrays hold plain elements of one type, with the plain fill, and lie in memory here; and puts such together.
inline bool are_plain_alike(const Array& a, const Array& b) {
  return a.type() == b.type() && a.type() != ElementType::boxed && has_plain_fill(a) && has_plain_fill(b) &&
         !a.data.elsewhere() && !b.data.elsewhere();
}
Value put_plainly(Context&, const Array& w, const Array& x, const Shape& shape);

// Copies a list behind the first elements of another one, which may be of a wider type. What follows in that is written
// afterwards.
[[gnu::always_inline]] inline void copy_behind(Array& to, std::size_t at, List from) {
  if (to.type() != from->type()) return copy_elements(to, at, from, 0, from->length);
  const std::size_t log2_bits = plain_of(from).log2_bits;
  if (log2_bits == 0) return kernels::copy_bits(words_of(&to), at, words_of(from.array), 0, from->length);
  const std::size_t shift = log2_bits - 3, bytes = from->length << shift;
  if (at == 0 && bytes <= sizeof(std::uint64_t) && !from->is_view())
    copy_word(to.data.here(), from->data.here(), bytes);
  else
    copy_piece(to.data.here() + (at << shift), from->data.here(), bytes, to.length << shift);
}

}  // namespace griddle::primitives
