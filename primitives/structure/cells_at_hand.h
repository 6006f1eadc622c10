// Lists and tables of plain elements or of boxes, as ways meet them (primitives/common/ways.h): their cells, arrays like them in
// memory at hand, and copies of their elements.
#pragma once

#include <bit>

#include "primitives/common/elements.h"
#include "primitives/common/tuning.h"
#include "primitives/common/ways.h"
#include "primitives/kernels/moves/move.h"
#include "runtime/value/array_layout.h"

namespace griddle::primitives {

inline constexpr std::uint32_t any_fill = std::uint32_t{Array::fill_mask} << 24;
// What arrays of boxes are, apart from their fill: a list, and what one axis more adds.
inline constexpr std::uint32_t described_boxes = static_cast<std::uint32_t>(ElementType::boxed) << 8 | 1u << 16,
                               one_axis = 1u << 16;

// Give the list, or the table, of at least one box that a value is, or null.
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
using Boxes = Of<box_list>;
using BoxTable = Of<box_table>;

template <class A>
constexpr bool holds_boxes = std::is_same_v<A, Boxes> || std::is_same_v<A, BoxTable>;
template <class A>
constexpr bool is_table = std::is_same_v<A, Table> || std::is_same_v<A, BoxTable>;

// Give the number of cells, and of elements in each.
template <class A>
std::size_t cells_of(A a) {
  return is_table<A> ? a->shape()[0] : a->length;
}
template <class A>
std::size_t cell_length_of(A a) {
  return is_table<A> ? a->shape()[1] : 1;
}

// Whether two values have one prototype. `no` also where one of them has none.
enum class Alike { no, yes, unknown };
// Looks so many levels deep.
Alike prototypes_alike(std::uint64_t v, std::uint64_t u, unsigned levels = 8);

// Makes a list or table of boxes that hold nothing yet. Where the fill is told by a value, that is the one of `like`.
[[gnu::always_inline]] inline Array* boxes_with_fill(Heap& heap, FillKind fill, const Array* like, std::size_t rows,
                                                     std::size_t columns, bool is_table) {
  const bool nested = fill == FillKind::nested;
  const std::size_t length = rows * columns, bytes = length * sizeof(Value);
  const std::size_t head = sizeof(Array) + nested * sizeof(Value) + is_table * Array::bytes_of_axes(2);
  // As other arrays of boxes are laid out, whose memory this may have been.
  const std::size_t alignment = bytes >= aligned_from_bytes ? element_alignment : 0;
  void* const memory = heap.allocate(head + bytes + alignment);
  std::uintptr_t start = reinterpret_cast<std::uintptr_t>(memory) + head;
  if (alignment != 0) start = (start + alignment - 1) & ~(alignment - 1);
  const std::uint32_t described = described_boxes + is_table * one_axis + (static_cast<std::uint32_t>(fill) << 24);
  Array* const out = place_array(memory, described, length, reinterpret_cast<std::uint8_t*>(start));
  std::size_t* at = reinterpret_cast<std::size_t*>(out + 1);
  if (nested) {
    *reinterpret_cast<std::uint64_t*>(at) = shared(like->nested_fill().bits());
    at += Array::per_slot;
  }
  if (is_table) at[0] = rows, at[1] = columns;
  enlist_object(heap, out);
  return out;
}
// The same with the fill of a list or table whose element at `first` becomes its first one; null where that is not known at once.
[[gnu::always_inline]] inline Array* boxes_like(Heap& heap, const Array& like, std::size_t first, std::size_t rows,
                                                std::size_t columns, bool is_table) {
  const FillKind fill = like.fill_kind();
  if (fill == FillKind::of_first && first != 0 && prototypes_alike(words_of(&like)[0], words_of(&like)[first]) != Alike::yes)
    return nullptr;
  return boxes_with_fill(heap, fill, &like, rows, columns, is_table);
}
// Lays out a short array of boxes that hold nothing yet, of no axis or one, with a fill that no memory is needed for.
inline Array* place_boxes(void* memory, FillKind fill, std::size_t length, unsigned rank) {
  const std::uint32_t described = described_boxes - one_axis + rank * one_axis + (static_cast<std::uint32_t>(fill) << 24);
  return place_array(memory, described, length, static_cast<std::uint8_t*>(memory) + sizeof(Array));
}
// Makes such an array.
inline Array* new_boxes(Heap& heap, FillKind fill, std::size_t length, unsigned rank = 1) {
  Array* const out = place_boxes(heap.allocate(sizeof(Array) + length * sizeof(Value)), fill, length, rank);
  enlist_object(heap, out);
  return out;
}

// Make an array like another one, of so many cells as long as its own, or as told, where the element at `first` of that becomes
// the first one. Null where boxes have a fill that is not known at once.
template <class A>
[[gnu::always_inline]] inline Array* cells_like(Heap& heap, A a, std::size_t first, std::size_t cells) {
  if constexpr (holds_boxes<A>) return boxes_like(heap, a, first, cells, cell_length_of(a), is_table<A>);
  if constexpr (is_table<A>) return make_plain_table(heap, a->type(), cells, cell_length_of(a));
  return make_list_of(heap, plain_of(a), cells);
}
template <class A>
[[gnu::always_inline]] inline Array* table_like(Heap& heap, A a, std::size_t rows, std::size_t columns) {
  if constexpr (holds_boxes<A>) return boxes_like(heap, a, 0, rows, columns, true);
  return make_plain_table(heap, a->type(), rows, columns);
}

// Bits may be more than other elements at hand: to move so many takes no longer than those.
inline constexpr std::size_t most_bits_moved = 64 * longest_at_hand;
[[gnu::always_inline]] inline const Array* long_bit_list(std::uint64_t v) {
  const Array* const a = long_plain_list(v);
  return a != nullptr && a->type() == ElementType::bit && a->length <= most_bits_moved ? a : nullptr;
}
using LongBits = Of<long_bit_list>;

// What is longer stays where it is, if it keeps its order.
inline constexpr std::size_t most_copied = copied_up_to_bytes / sizeof(Value);

inline std::uint64_t shared_box(std::uint64_t v) {
  if (v >= Value::first_object) retain(reinterpret_cast<Object*>(v & Value::pointer_mask));
  return v;
}
inline void share_boxes(std::uint64_t* to, const std::uint64_t* from, std::size_t count) {
  for (std::size_t i = 0; i < count; i++) to[i] = shared_box(from[i]);
}
// Copies elements of one array to new places of another of its type. They may be one of many pieces, of `whole` elements
// together.
template <class A>
[[gnu::always_inline]] inline void copy_elements_of(Array* to, std::size_t at, A a, std::size_t from, std::size_t count,
                                                    std::size_t whole = 0) {
  if constexpr (holds_boxes<A>) return share_boxes(words_of(to) + at, words_of(a.array) + from, count);
  const std::size_t log2_bits = plain_of(a).log2_bits;
  if (log2_bits == 0) return kernels::copy_bits(words_of(to), at, words_of(a.array), from, count);
  const std::size_t shift = log2_bits - 3;
  copy_piece(to->data.here() + (at << shift), a->data.here() + (from << shift), count << shift, whole << shift);
}

inline std::uint64_t shared(const Array& a) { return shared(bits_of_array(&a)); }

// Reads a list of two integers of 32 bits.
inline bool read_two_integers(List list, std::int32_t (&read)[2]) {
  return list->length == 2 && read_integer(element_bits(*list.array, 0), read[0]) &&
         read_integer(element_bits(*list.array, 1), read[1]);
}

// Gives what an array without axes holds, which it goes on holding; declined for any other value.
std::uint64_t element_of_unit(std::uint64_t v);

// One side of a join, or what moves in: boxes, plain elements, or a single value. Of no length where it is none of these.
struct Joined {
  const Array* list;
  std::uint64_t one;
  std::size_t length;

  explicit Joined(std::uint64_t v);
  bool has_boxes() const {
    return list != nullptr ? list->type() == ElementType::boxed : length != 0 && one >= Value::first_object;
  }
  // Writes its elements to boxes.
  void share_with(std::uint64_t* to) const;
};

// The fill that boxes joined from several sides have: that which all sides have. Known where some side has none or sides differ,
// so that they have none, and where each has that of its first element.
class JoinedFill {
 public:
  explicit JoinedFill(std::uint64_t first) : side_(first) {}
  void add(std::uint64_t next);
  bool is_known() const { return side_.of == Of::nothing || side_.of == Of::arrays; }
  FillKind kind() const { return side_.of == Of::nothing ? FillKind::none : FillKind::of_first; }

 private:
  enum class Of : std::uint8_t { nothing, numbers, characters, arrays, unknown };
  struct Side {
    Of of = Of::unknown;
    std::uint64_t like = declined;  // where the fill is an array, an element whose prototype it is
    explicit Side(std::uint64_t v);
    void note(std::uint64_t element);
  };
  Side side_;
};

// Gives `count` elements of a plain list, of which there is one, from `start` on (take.cc).
std::uint64_t piece_of(Heap&, const Array&, std::size_t start, std::size_t count);
// Gives a list of boxes with another value at a place; declines as ways do.
std::uint64_t with_box(Heap&, std::uint64_t x, std::size_t place, std::uint64_t v);

}  // namespace griddle::primitives
