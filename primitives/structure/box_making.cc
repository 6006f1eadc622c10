// Lists and tables of boxes made of others: shifted, joined, merged and in another shape.
#include "primitives/structure/boxes_at_hand.h"

namespace griddle::primitives {

namespace {

Alike flat_alike(const Array& a, const Array& b) {
  if (a.length == 0 && a.fill_kind() != b.fill_kind()) return Alike::unknown;
  return is_number(a.type()) == is_number(b.type()) ? Alike::yes : Alike::no;
}

}  // namespace

Alike prototypes_alike(std::uint64_t v, std::uint64_t u, unsigned levels) {
  const Array *const a = array_of(v), *const b = array_of(u);
  if (a == nullptr || b == nullptr) {
    const bool numbers = v < Value::first_tagged && u < Value::first_tagged;
    const bool characters = v >> 48 == Value::character_tag && u >> 48 == Value::character_tag;
    return numbers || characters ? Alike::yes : Alike::no;
  }
  if (a->rank() != b->rank() || a->length != b->length || (a->rank() > 1 && !same_shape(a->shape(), b->shape())))
    return Alike::no;
  const bool boxed = a->type() == ElementType::boxed;
  if (boxed != (b->type() == ElementType::boxed) || levels == 0) return Alike::unknown;
  if (!boxed) return flat_alike(*a, *b);
  if (a->length == 0 || a->data.elsewhere() || b->data.elsewhere()) return Alike::unknown;
  bool known = true;
  for (std::size_t i = 0; i < a->length; i++) {
    const Alike one = prototypes_alike(words_of(a)[i], words_of(b)[i], levels - 1);
    if (one == Alike::no) return one;
    known &= one == Alike::yes;
  }
  return known ? Alike::yes : Alike::unknown;
}

namespace {

// Gives the element that moves in where nothing else does; declined where it must be worked out.
std::uint64_t fill_at_hand(const Array& a) {
  switch (a.fill_kind()) {
    case FillKind::none:
    case FillKind::zero: return Value(0.0).bits();
    case FillKind::space: return Value::character(' ').bits();
    case FillKind::nested: return a.nested_fill().bits();
    default: return declined;
  }
}

// Gives what an atom, or an array without axes that holds one value, stands for; declined for any other value.
std::uint64_t one_box(std::uint64_t v) {
  const Array* const unit = array_of(v);
  if (unit == nullptr) return v >> 48 == Value::mark_tag ? declined : v;
  if (unit->rank() != 0 || unit->data.elsewhere()) return declined;
  return unit->type() == ElementType::boxed ? *words_of(unit) : plain_element(*unit, 0).bits();
}

// One side of a join, or what moves in: boxes, plain elements, or a single value.
struct Joined {
  const Array* list;
  std::uint64_t one;
  std::size_t length;

  explicit Joined(std::uint64_t v) : list(box_list(v)), one(declined), length(0) {
    if (list == nullptr) list = plain_list(v);
    if (list == nullptr) one = one_box(v);
    length = list != nullptr ? list->length : one != declined;
  }
  bool has_no_fill() const {
    return list != nullptr && list->type() == ElementType::boxed && list->fill_kind() == FillKind::none;
  }
  void share_with(std::uint64_t* to) const {
    if (list == nullptr)
      *to = shared_box(one);
    else if (list->type() == ElementType::boxed)
      share_boxes(to, words_of(list), length);
    else
      for (std::size_t i = 0; i < length; i++) to[i] = plain_element(*list, i).bits();
  }
};

// Moves all elements on by one.
std::uint64_t boxes_moved_by_one(Heap& heap, const Array& a, std::uint64_t entering, bool front) {
  Array* const out = box_list_like(heap, a, 0, a.length);
  if (out == nullptr) return declined;
  share_boxes(words_of(out) + front, words_of(&a) + !front, a.length - 1);
  words_of(out)[front ? 0 : a.length - 1] = shared_box(entering);
  return bits_of_array(out);
}

}  // namespace

std::uint64_t nudge_boxes(Heap& heap, std::uint64_t x, bool front) {
  const Array* const a = box_list(x);
  const std::uint64_t entering = a != nullptr ? fill_at_hand(*a) : declined;
  return entering == declined ? declined : boxes_moved_by_one(heap, *a, entering, front);
}

std::uint64_t shift_boxes(Heap& heap, std::uint64_t w, std::uint64_t x, bool front) {
  const Array* const a = box_list(x);
  // Where one argument has no fill, the result has none.
  if (a == nullptr || a->fill_kind() != FillKind::none) return declined;
  const Joined entering(w);
  if (entering.length == 0 || entering.length > a->length) return declined;
  Array* const out = box_list_like(heap, *a, 0, a->length);
  if (out == nullptr) return declined;
  const std::size_t kept = a->length - entering.length;
  share_boxes(words_of(out) + (front ? entering.length : 0), words_of(a) + (front ? 0 : entering.length), kept);
  entering.share_with(words_of(out) + (front ? 0 : kept));
  return bits_of_array(out);
}

std::uint64_t pair_of_arrays(Heap& heap, std::uint64_t one, std::uint64_t other) {
  const Alike alike = prototypes_alike(one, other);
  if (alike == Alike::unknown) return declined;
  Array* const out = list_of_boxes(heap, alike == Alike::yes ? FillKind::of_first : FillKind::none, 2);
  if (out == nullptr) return declined;
  words_of(out)[0] = shared_box(one);
  words_of(out)[1] = shared_box(other);
  return bits_of_array(out);
}

namespace {

bool is_boxed_unit(std::uint64_t v) {
  const Array* const a = array_of(v);
  return a != nullptr && a->rank() == 0 && a->type() == ElementType::boxed && a->fill_kind() == FillKind::of_first &&
         !a->data.elsewhere();
}

}  // namespace

std::uint64_t join_two_boxed(Heap& heap, std::uint64_t w, std::uint64_t x) {
  if (is_boxed_unit(w) && is_boxed_unit(x)) return pair_of_arrays(heap, *words_of(array_of(w)), *words_of(array_of(x)));
  const Joined left(w), right(x);
  if (left.length == 0 || right.length == 0 || left.length + right.length > most_boxes_at_hand) return declined;
  // Where one of them has no fill, the result has none.
  const Array* const like = left.has_no_fill() ? left.list : right.has_no_fill() ? right.list : nullptr;
  if (like == nullptr) return declined;
  Array* const out = box_list_like(heap, *like, 0, left.length + right.length);
  if (out == nullptr) return declined;
  left.share_with(words_of(out));
  right.share_with(words_of(out) + left.length);
  return bits_of_array(out);
}

std::uint64_t join_all_boxes(Heap& heap, std::uint64_t x) {
  const Array* const a = box_list(x);
  // Plain lists join in another way.
  if (a == nullptr || (plain_list(words_of(a)[0]) != nullptr && plain_list(words_of(a)[a->length - 1]) != nullptr))
    return declined;
  const Array* like = nullptr;
  std::size_t total = 0;
  for (std::size_t i = 0; i < a->length; i++) {
    const Joined one(words_of(a)[i]);
    if (one.length == 0) return declined;
    // Where one of them has no fill, the result has none.
    if (one.has_no_fill()) like = one.list;
    total += one.length;
  }
  if (like == nullptr || total > most_boxes_at_hand) return declined;
  Array* const out = box_list_like(heap, *like, 0, total);
  if (out == nullptr) return declined;
  std::uint64_t* to = words_of(out);
  for (std::size_t i = 0; i < a->length; i++) {
    const Joined one(words_of(a)[i]);
    one.share_with(to);
    to += one.length;
  }
  return bits_of_array(out);
}

std::uint64_t merge_boxes(Heap& heap, std::uint64_t x) {
  const Array* const a = box_list(x);
  const Array* const first = a == nullptr ? nullptr : box_list(*words_of(a));
  // The fill of the first element, none, is that of all.
  if (first == nullptr || first->fill_kind() != FillKind::none || a->length * first->length > most_boxes_at_hand) return declined;
  for (std::size_t i = 1; i < a->length; i++) {
    const Array* const list = box_list(words_of(a)[i]);
    if (list == nullptr || list->length != first->length) return declined;
  }
  Array* const out = boxes_like(heap, *first, 0, a->length, first->length, true);
  if (out == nullptr) return declined;
  for (std::size_t i = 0; i < a->length; i++)
    share_boxes(words_of(out) + i * first->length, words_of(array_of(words_of(a)[i])), first->length);
  return bits_of_array(out);
}

std::uint64_t windows_of_boxes(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = box_list(x);
  std::int32_t n;
  if (a == nullptr || !read_integer(w, n) || n < 1 || static_cast<std::size_t>(n) > a->length) return declined;
  const std::size_t size = static_cast<std::size_t>(n), count = a->length - size + 1;
  if (size * count > most_boxes_at_hand) return declined;
  Array* const out = boxes_like(heap, *a, 0, count, size, true);
  if (out == nullptr) return declined;
  for (std::size_t i = 0; i < count; i++) share_boxes(words_of(out) + i * size, words_of(a) + i, size);
  return bits_of_array(out);
}

std::uint64_t ravel_of_boxes(Heap& heap, std::uint64_t x) {
  const Array* const a = box_table(x);
  if (a == nullptr || a->length > most_copied) return declined;
  Array* const out = box_list_like(heap, *a, 0, a->length);
  if (out != nullptr) share_boxes(words_of(out), words_of(a), a->length);
  return bits_of_array(out);
}

std::uint64_t table_of_boxes(Heap& heap, std::uint64_t x, std::size_t rows, std::size_t columns) {
  const Array* const a = box_list(x);
  if (a == nullptr || a->length > most_copied || a->length != rows * columns) return declined;
  Array* const out = boxes_like(heap, *a, 0, rows, columns, true);
  if (out != nullptr) share_boxes(words_of(out), words_of(a), a->length);
  return bits_of_array(out);
}

std::uint64_t transpose_boxes(Heap& heap, std::uint64_t x) {
  const Array* const a = box_table(x);
  if (a == nullptr) return declined;
  const std::size_t rows = a->shape()[0], columns = a->shape()[1];
  Array* const out = boxes_like(heap, *a, 0, columns, rows, true);
  if (out == nullptr) return declined;
  for (std::size_t i = 0; i < columns; i++)
    for (std::size_t j = 0; j < rows; j++) words_of(out)[i * rows + j] = shared_box(words_of(a)[j * columns + i]);
  return bits_of_array(out);
}

}  // namespace griddle::primitives
