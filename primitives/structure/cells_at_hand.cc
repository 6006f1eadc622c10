#include "primitives/structure/cells_at_hand.h"

namespace griddle::primitives {

namespace {

Alike flat_alike(const Array& a, const Array& b) {
  // Arrays of no elements match.
  if (a.length == 0) return a.fill_kind() == b.fill_kind() ? Alike::yes : Alike::unknown;
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

std::uint64_t element_of_unit(std::uint64_t v) {
  const Array* const unit = array_of(v);
  if (unit == nullptr || unit->rank() != 0 || unit->data.elsewhere()) return declined;
  return unit->type() == ElementType::boxed ? *words_of(unit) : plain_element(*unit, 0).bits();
}

namespace {

// Gives what an atom, or an array without axes that holds one value, stands for; declined for any other value.
std::uint64_t one_box(std::uint64_t v) {
  if (array_of(v) == nullptr) return v >> 48 == Value::mark_tag ? declined : v;
  return element_of_unit(v);
}

}  // namespace

Joined::Joined(std::uint64_t v) : list(box_list(v)), one(declined), length(0) {
  if (list == nullptr) list = plain_list(v);
  if (list == nullptr) one = one_box(v);
  length = list != nullptr ? list->length : one != declined;
}

void Joined::share_with(std::uint64_t* to) const {
  if (length == 0) return;
  if (list == nullptr)
    *to = shared_box(one);
  else if (list->type() == ElementType::boxed)
    share_boxes(to, words_of(list), length);
  else
    for (std::size_t i = 0; i < length; i++) to[i] = plain_element(*list, i).bits();
}

std::uint64_t with_box(Heap& heap, std::uint64_t x, std::size_t place, std::uint64_t v) {
  const Array* const a = box_list(x);
  if (a == nullptr || a->fill_kind() == FillKind::of_first) return declined;
  Array* const out = boxes_like(heap, *a, 0, a->length, 1, false);
  if (out == nullptr) return declined;
  share_boxes(words_of(out), words_of(a), place);
  words_of(out)[place] = shared_box(v);
  share_boxes(words_of(out) + place + 1, words_of(a) + place + 1, a->length - place - 1);
  return bits_of_array(out);
}

void JoinedFill::Side::note(std::uint64_t element) {
  if (array_of(element) != nullptr)
    of = Of::arrays;
  else if (element < Value::first_tagged)
    of = Of::numbers;
  else if (element >> 48 == Value::character_tag)
    of = Of::characters;
}

JoinedFill::Side::Side(std::uint64_t v) {
  const Array* const a = array_of(v);
  if (a == nullptr) {
    note(v);
    return;
  }
  switch (a->fill_kind()) {
    case FillKind::none: of = Of::nothing; return;
    case FillKind::zero: of = Of::numbers; return;
    case FillKind::space: of = Of::characters; return;
    case FillKind::nested: return;
    case FillKind::of_first:
      if (a->length != 0 && !a->data.elsewhere()) note(like = *words_of(a));
  }
}

void JoinedFill::add(std::uint64_t next) {
  if (side_.of == Of::nothing) return;
  const Side side(next);
  if (side.of == Of::nothing) {
    side_.of = Of::nothing;
  } else if (side.of == Of::unknown) {
    side_.of = Of::unknown;
  } else if (side_.of != Of::unknown && side.of != side_.of) {
    side_.of = Of::nothing;
  } else if (side_.of == Of::arrays) {
    const Alike alike = prototypes_alike(side_.like, side.like);
    if (alike != Alike::yes) side_.of = alike == Alike::no ? Of::nothing : Of::unknown;
  }
}

}  // namespace griddle::primitives
