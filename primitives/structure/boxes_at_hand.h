// What structure of short lists of boxes by the heap alone (box_structure.h) shares: boxes read, shared and made.
#pragma once

#include <bit>

#include "primitives/common/at_hand.h"
#include "primitives/structure/box_structure.h"

namespace griddle::primitives {

inline constexpr std::uint32_t any_fill = std::uint32_t{Array::fill_mask} << 24;
// What arrays of boxes are, apart from their fill: a list, and what one axis more adds.
inline constexpr std::uint32_t described_boxes = static_cast<std::uint32_t>(ElementType::boxed) << 8 | 1u << 16,
                               one_axis = 1u << 16;

// Gives the list of at least one box that a value is, or null.
[[gnu::always_inline]] inline const Array* box_list(std::uint64_t v) {
  const Array* const a = array_of(v);
  if (a == nullptr) [[unlikely]]
    return nullptr;
  const bool is_list = (PlainList::described(*a) & ~any_fill) == described_boxes;
  return is_list && a->length - 1 < most_boxes_at_hand && !a->data.elsewhere() ? a : nullptr;
}
inline const Array* box_table(std::uint64_t v) {
  const Array* const a = array_of(v);
  if (a == nullptr) return nullptr;
  const bool is_table = (PlainList::described(*a) & ~any_fill) == described_boxes + one_axis;
  return is_table && a->length - 1 < most_boxes_at_hand && !a->data.elsewhere() ? a : nullptr;
}

// Whether two values have one prototype. `no` also where one of them has none.
enum class Alike { no, yes, unknown };
// Looks so many levels deep.
Alike prototypes_alike(std::uint64_t v, std::uint64_t u, unsigned levels = 8);

// Makes an array of boxes that hold nothing yet, with the fill of a list or table whose element at `first` becomes its first one;
// null where memory is not at hand, or that fill is not.
[[gnu::always_inline]] inline Array* boxes_like(Heap& heap, const Array& like, std::size_t first, std::size_t rows,
                                                std::size_t columns, bool is_table) {
  const FillKind fill = like.fill_kind();
  if (fill == FillKind::of_first && first != 0 && prototypes_alike(words_of(&like)[0], words_of(&like)[first]) != Alike::yes)
    return nullptr;
  const bool nested = fill == FillKind::nested;
  const std::size_t length = rows * columns, trailing = nested + 2 * is_table;
  const std::size_t head = sizeof(Array) + trailing * sizeof(std::size_t), bytes = length * sizeof(Value);
  // As other arrays of boxes are laid out, whose memory this may have been.
  const std::size_t alignment = bytes >= aligned_from_bytes ? element_alignment : 0;
  void* const memory = heap.allocate_of_class(Heap::size_class_of(head + bytes + alignment));
  if (memory == nullptr) [[unlikely]]
    return nullptr;
  std::uintptr_t start = reinterpret_cast<std::uintptr_t>(memory) + head;
  if (alignment != 0) start = (start + alignment - 1) & ~(alignment - 1);
  const std::uint64_t described = described_boxes + is_table * one_axis + (static_cast<std::uint32_t>(fill) << 24);
  Array* const out =
      new (memory) Array{std::bit_cast<Object>(described << 32 | 1), length, reinterpret_cast<std::uint8_t*>(start)};
  std::size_t* at = reinterpret_cast<std::size_t*>(out + 1);
  if (nested) *at++ = shared(like.nested_fill().bits());
  if (is_table) at[0] = rows, at[1] = columns;
  return out;
}
// Makes a short list of boxes that hold nothing yet, with a fill that no memory is needed for.
inline Array* list_of_boxes(Heap& heap, FillKind fill, std::size_t length) {
  void* const memory = heap.allocate_at_hand(sizeof(Array) + length * sizeof(Value));
  if (memory == nullptr) [[unlikely]]
    return nullptr;
  const std::uint64_t described = described_boxes + (static_cast<std::uint32_t>(fill) << 24);
  return new (memory)
      Array{std::bit_cast<Object>(described << 32 | 1), length, static_cast<std::uint8_t*>(memory) + sizeof(Array)};
}
inline Array* box_list_like(Heap& heap, const Array& like, std::size_t first, std::size_t length) {
  return boxes_like(heap, like, first, length, 1, false);
}

// What is longer stays where it is, if it keeps its order.
inline constexpr std::size_t most_copied = copied_up_to_bytes / sizeof(Value);

inline std::uint64_t shared_box(std::uint64_t v) {
  if (v >= Value::first_object) retain(reinterpret_cast<Object*>(v & Value::pointer_mask));
  return v;
}
inline void share_boxes(std::uint64_t* to, const std::uint64_t* from, std::size_t count) {
  for (std::size_t i = 0; i < count; i++) to[i] = shared_box(from[i]);
}

}  // namespace griddle::primitives
