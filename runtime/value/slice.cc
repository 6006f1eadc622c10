// Other shapes, and pieces, of the elements of an array: copied where they are few, shared where they are many.
#include <algorithm>
#include <cassert>

#include "runtime/value/array_layout.h"
#include "runtime/value/checkpoint.h"
#include "runtime/value/copy_few.h"
#include "runtime/value/fill.h"

namespace griddle {

namespace {

const Value no_value;

}  // namespace

Array* table_view_at_hand(Heap& heap, const Array& a, std::size_t offset, std::size_t rows, std::size_t columns) {
  if (a.fill_kind() == FillKind::nested || a.data.elsewhere()) return nullptr;
  void* memory = heap.allocate_at_hand(sizeof(Array) + 3 * sizeof(std::size_t));
  if (memory == nullptr) [[unlikely]]
    return nullptr;
  Object* owner = a.is_view() ? a.owner() : const_cast<Array*>(&a);
  retain(owner);
  const auto flags = static_cast<std::uint8_t>(Array::view_flag | (a.flags & Array::fill_mask));
  Array* table = place_array(memory, array_description(a.type(), 2, flags), rows * columns,
                             a.data.here() + bytes_of_elements(a.type(), offset));
  std::size_t* at = trailing_of(table);
  at[0] = reinterpret_cast<std::size_t>(owner);
  at[Array::per_slot] = rows;
  at[Array::per_slot + 1] = columns;
  return table;
}

Value with_shape(Heap& heap, Value v, std::span<const std::size_t> shape) {
  Array& a = v.array();
  assert(product(shape) == a.length && shape.size() <= max_rank);
  bool nested = a.fill_kind() == FillKind::nested;
  if (a.unique()) {
    std::size_t* at = trailing_of(&a) + Array::per_slot * (a.is_view() + nested);
    const std::uint8_t* end = a.is_view() ? reinterpret_cast<const std::uint8_t*>(&a) + Heap::usable_size(&a) : a.data;
    if (shape.size() < 2 || reinterpret_cast<const std::uint8_t*>(at + shape.size()) <= end) {
      if (shape.size() >= 2) std::memmove(at, shape.data(), shape.size_bytes());
      a.set_rank(shape.size());
      // Rows in order say nothing about the elements in a row.
      a.forget_order();
      return v;
    }
  }
  if (Array* table = shape.size() == 2 ? table_view_at_hand(heap, a, 0, shape[0], shape[1]) : nullptr) return Value(table);
  Shape kept(shape);  // `shape` may lie inside the array that is given away
  FillKind kind = a.fill_kind();
  Value fill = nested ? a.nested_fill() : Value();
  std::uint8_t* data = a.data.elsewhere() ? nullptr : a.data.here();  // on a device they stay
  ElementType type = a.type();
  std::size_t length = a.length;
  return Value(make_view(heap, view_owner(std::move(v)), data, type, kept, length, kind, fill));
}

namespace {

// Brings the elements here first. Apart, so that others need no frame.
[[gnu::noinline]] Array* view_brought_here(Heap& heap, const Array& a, std::size_t offset, std::size_t length) {
  static_cast<void>(a.data.get());
  return list_view_at_hand(heap, a, offset, length);
}

}  // namespace

Array* list_view_at_hand(Heap& heap, const Array& a, std::size_t offset, std::size_t length) {
  if (a.data.elsewhere()) [[unlikely]]
    return view_brought_here(heap, a, offset, length);
  void* memory = heap.allocate_at_hand(sizeof(Array) + sizeof(Object*));
  if (memory == nullptr) [[unlikely]]
    return nullptr;
  Object* owner = a.is_view() ? a.owner() : const_cast<Array*>(&a);
  retain(owner);
  const auto flags = static_cast<std::uint8_t>(Array::view_flag | (a.flags & Array::fill_mask));
  std::uint8_t* const first = a.data.here() + bytes_of_elements(a.type(), offset);
  Array* piece = place_array(memory, array_description(a.type(), 1, flags), length, first);
  *trailing_of(piece) = reinterpret_cast<std::size_t>(owner);
  enlist_object(heap, piece);
  return piece;
}

namespace {

// Shows a long piece of whole plain elements as a list; null where that is not so simple.
[[gnu::always_inline]] inline Array* longer_piece(Heap& heap, const Array& a, std::size_t offset, std::size_t length) {
  const ElementType type = a.type();
  if (type == ElementType::bit || a.fill_kind() != plain_fill(type) || bytes_of_elements(type, length) <= copied_up_to_bytes)
    return nullptr;
  return list_view_at_hand(heap, a, offset, length);
}

// Copies few boxes as a list that has the fill of the array beside them; null where that is no array of its own.
Array* piece_with_fill(Heap& heap, const Value& v, std::size_t offset, std::size_t length) {
  const Array& a = v.array();
  const bool of_first = a.fill_kind() == FillKind::of_first && (offset != 0 || length == 0);
  if (!of_first && a.fill_kind() != FillKind::nested) return nullptr;
  const Value fill = of_first ? fill_of(heap, v) : a.nested_fill();
  if (!fill.is_array()) return nullptr;
  Ref<Array> piece = make_boxes_filled_with(heap, length, fill);
  // The zeros there need no release.
  for (std::size_t i = 0; i < length; i++) new (piece->as<Value>() + i) Value(a.as<Value>()[offset + i]);
  return piece.leak();
}

}  // namespace

Value slice(Heap& heap, const Value& v, std::size_t offset, std::span<const std::size_t> shape) {
  const Array& a = v.array();
  const ElementType type = a.type();
  if (shape.size() <= 1)
    if (Array* piece = short_piece(heap, a, offset, shape.empty() ? 1 : shape[0], shape.size())) return Value(piece);
  if (shape.size() == 1)
    if (Array* piece = longer_piece(heap, a, offset, shape[0])) return Value(piece);
  const std::size_t n = shape.size() == 1 ? shape[0] : product(shape);
  assert(offset + n <= a.length);
  const bool is_shared_table = shape.size() == 2 && type < ElementType::boxed && type != ElementType::bit &&
                               a.fill_kind() == plain_fill(type) && bytes_for(type, n) > copied_up_to_bytes;
  if (is_shared_table)
    if (Array* table = table_view_at_hand(heap, a, offset, shape[0], shape[1])) return Value(table);
  // A short piece of whole elements with the plain fill needs none of the questions below.
  if (type != ElementType::bit && a.fill_kind() == plain_fill(type) && bytes_for(type, n) <= copied_up_to_bytes) {
    Ref<Array> piece = make_array(heap, type, shape);
    std::memcpy(piece->data.here(), a.data + bytes_of_elements(type, offset), bytes_of_elements(type, n));
    if (type == ElementType::boxed)
      for (const Value& shared : piece->boxes())
        if (shared.is_object()) retain(shared.object());
    return to_value(std::move(piece));
  }
  constexpr std::size_t few_boxes = 8;
  if (type == ElementType::boxed && shape.size() == 1 && n <= few_boxes)
    if (Array* piece = piece_with_fill(heap, v, offset, n)) return Value(piece);
  if (a.fill_kind() == FillKind::of_first && (offset != 0 || n == 0)) {
    Value whole = with_fill(heap, v, fill_of(heap, v));
    return slice(heap, whole, offset, shape);
  }
  bool nested = a.fill_kind() == FillKind::nested;
  bool share = bytes_for(type, n) > copied_up_to_bytes && (type != ElementType::bit || offset % 64 == 0);
  if (share || nested) {
    std::uint8_t* data = a.data + offset * bits_of(type) / 8;
    if (type != ElementType::bit || offset % 64 == 0)
      return Value(make_view(heap, view_owner(v), data, type, shape, n, a.fill_kind(), nested ? a.nested_fill() : no_value));
  }
  Ref<Array> copy = make_array(heap, type, shape);
  copy_elements(*copy, 0, a, offset, n);
  copy->set_fill_kind(a.fill_kind());
  return to_value(std::move(copy));
}

void store_slices(Heap& heap, const Value& v, std::size_t length, Value* boxes, std::size_t count) {
  const Array& a = v.array();
  const ElementType type = a.type();
  const std::size_t bytes = bytes_of_elements(type, length);
  constexpr std::size_t most_bytes_at_hand = 64;
  if (type == ElementType::bit && a.fill_kind() == plain_fill(type) && length != 0 && length <= 8 * most_bytes_at_hand) {
    for (std::size_t i = 0; i < count; i++) {
      Array* list = make_list_at_hand(heap, type, length);
      if (list == nullptr) list = make_list(heap, type, length).leak();
      if (length <= 64) {
        *list->as<std::uint64_t>() = bits_from(a.as<std::uint64_t>(), i * length, length);
      } else {
        list->as<std::uint64_t>()[(length - 1) / 64] = 0;
        copy_bits(list->as<std::uint64_t>(), 0, a.as<std::uint64_t>(), i * length, length);
      }
      boxes[i] = Value(list);
    }
    return;
  }
  if (type == ElementType::bit || type == ElementType::boxed || a.fill_kind() != plain_fill(type) || length == 0) {
    for (std::size_t i = 0; i < count; i++) boxes[i] = slice(heap, v, i * length, length);
    return;
  }
  const std::uint8_t* from = a.data;
  if (bytes > copied_up_to_bytes) {
    in_pieces(count, [&](std::size_t i, std::size_t end) {
      for (; i < end; i++, from += bytes) {
        Array* const view = list_view_at_hand(heap, a, i * length, length);
        boxes[i] = Value(view != nullptr ? view
                                         : make_view(heap, view_owner(v), const_cast<std::uint8_t*>(from), type, {&length, 1},
                                                     length, a.fill_kind(), no_value));
      }
    });
    return;
  }
  RepeatedList lists{plain_lists[static_cast<int>(type)]};
  lists.resize(length);
  in_pieces(count, [&](std::size_t i, std::size_t end) {
    for (; i < end; i++, from += bytes) {
      Array* list = lists.make(heap);
      if (list == nullptr) [[unlikely]]
        list = make_plain_list(heap, type, length);
      copy_few(list->data.here(), from, bytes);
      boxes[i] = Value(list);
    }
  });
}

Array* piece_at_hand(Heap& heap, const Array& a, std::size_t offset, std::size_t length) {
  Array* const piece = short_piece(heap, a, offset, length, 1);
  return piece != nullptr ? piece : longer_piece(heap, a, offset, length);
}

Value slice(Heap& heap, const Value& v, std::size_t offset, std::size_t length) {
  if (Array* piece = piece_at_hand(heap, v.array(), offset, length)) return Value(piece);
  return slice(heap, v, offset, std::span<const std::size_t>(&length, 1));
}

Value foreign_list(Heap& heap, Ref<Object> owner, ElementType type, std::uint8_t* data, std::size_t length) {
  assert(type != ElementType::boxed);
  return Value(make_view(heap, owner.leak(), data, type, {&length, 1}, length, plain_fill(type), no_value));
}

Value ravel(Heap& heap, Value v) {
  if (!v.is_array()) {
    Value one[1] = {std::move(v)};
    return make_values(heap, one);
  }
  if (v.array().rank() == 1) return v;
  std::size_t n = v.array().length;
  return with_shape(heap, std::move(v), std::span<const std::size_t>(&n, 1));
}

}  // namespace griddle
