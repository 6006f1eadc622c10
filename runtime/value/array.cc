#include "runtime/value/array.h"

#include <algorithm>
#include <cassert>

#include "runtime/value/array_layout.h"
#include "runtime/value/checkpoint.h"
#include "runtime/value/fill.h"

namespace griddle {

namespace {

constexpr std::size_t alignment = element_alignment;

// Makes boxes the number 0, all of whose bits are 0. Where there are so many that this takes long, it may end early, and the
// array, which has no length meanwhile, goes.
void set_zeros(Array& a, std::size_t count) {
  auto* const boxes = reinterpret_cast<std::uint64_t*>(a.data.here());
  const std::size_t length = std::exchange(a.length, 0);
  Ref<Array> kept(&a);
  in_pieces(count, [boxes](std::size_t i, std::size_t end) { std::fill(boxes + i, boxes + end, 0); });
  kept.leak()->length = length;
}

// Allocates an array that owns its elements, which are uninitialised.
Array* allocate_array(Heap& heap, ElementType type, std::span<const std::size_t> shape, std::size_t length,
                      std::size_t capacity) {
  assert(shape.size() <= max_rank);
  if (capacity > max_length) throw OutOfMemory(~std::size_t{0});
  std::size_t header = sizeof(Array) + Array::bytes_of_axes(shape.size());
  std::size_t bytes = bytes_for(type, capacity);
  bool align = bytes >= aligned_from_bytes;
  void* memory = heap.allocate(header + bytes + (align ? alignment : 0));
  std::uintptr_t start = reinterpret_cast<std::uintptr_t>(memory) + header;
  if (align) start = (start + alignment - 1) & ~(alignment - 1);
  const std::uint32_t description = array_description(type, shape.size(), plain_fill(type));
  Array* a = place_array(memory, description, length, reinterpret_cast<std::uint8_t*>(start));
  if (shape.size() >= 2)
    for (std::size_t i = 0; i < shape.size(); i++) trailing_of(a)[i] = shape[i];
  if (type == ElementType::bit && bytes) std::memset(a->data + bytes - 8, 0, 8);
  enlist_object(heap, a);
  if (type == ElementType::boxed) set_zeros(*a, capacity);
  return a;
}

// Makes a list, in straight code where its elements are plain.
[[gnu::always_inline]] inline Array* list_of_any(Heap& heap, ElementType type, std::size_t length) {
  if (type == ElementType::boxed || length > max_length) [[unlikely]]
    return make_long_list(heap, type, length).leak();
  Array* a = make_plain_list(heap, type, length);
  // The padding of bits is 0.
  if (type == ElementType::bit && length != 0) a->as<std::uint64_t>()[(length - 1) / 64] = 0;
  return a;
}

}  // namespace

Array* make_list_anywhere(Heap& heap, const PlainList& plain, std::size_t length) {
  const std::size_t bytes = sizeof(Array) + ((length << plain.log2_bits) + 63) / 64 * 8;
  const std::size_t before = bytes <= Heap::largest_tiny ? 0 : alignment - 1;
  void* memory = heap.allocate(bytes + before);
  const std::uintptr_t start = (reinterpret_cast<std::uintptr_t>(memory) + sizeof(Array) + before) & ~before;
  Array* a = place_headed(memory, plain.head, length, reinterpret_cast<std::uint8_t*>(start));
  enlist_object(heap, a);
  return a;
}

Array* make_table_anywhere(Heap& heap, const PlainList& plain, std::size_t rows, std::size_t columns) {
  void* memory = heap.allocate(bytes_of_table(plain, rows, columns));
  Array* a = place_table(memory, plain, rows, columns);
  enlist_object(heap, a);
  return a;
}

Array* make_view(Heap& heap, Object* owner, std::uint8_t* data, ElementType type, std::span<const std::size_t> shape,
                 std::size_t length, FillKind fill_kind, const Value& nested_fill) {
  bool nested = fill_kind == FillKind::nested;
  std::size_t header = sizeof(Array) + sizeof(Value) * (1 + nested) + Array::bytes_of_axes(shape.size());
  void* memory;
  try {
    memory = heap.allocate(header);
  } catch (...) {
    release(owner);
    throw;
  }
  const auto flags = static_cast<std::uint8_t>(Array::view_flag | static_cast<std::uint8_t>(fill_kind));
  Array* a = place_array(memory, array_description(type, shape.size(), flags), length, data);
  std::size_t* at = trailing_of(a);
  *at = reinterpret_cast<std::size_t>(owner);
  at += Array::per_slot;
  if (nested) {
    new (at) Value(nested_fill);
    at += Array::per_slot;
  }
  if (shape.size() >= 2) std::copy(shape.begin(), shape.end(), at);
  enlist_object(heap, a);
  return a;
}

Object* view_owner(Value v) {
  Array& a = v.array();
  if (!a.is_view()) {
    v.leak();
    return &a;
  }
  Object* owner = a.owner();
  retain(owner);
  return owner;
}

void ElementPointer::fetch() const {
  constexpr std::size_t place = sizeof(Array) - sizeof(ElementPointer);  // it is an array's last member
  const Array& a = *reinterpret_cast<const Array*>(reinterpret_cast<const std::uint8_t*>(this) - place);
  assert(a.is_view() && a.owner()->kind == ObjectKind::native);
  p_ = static_cast<RemoteElements*>(a.owner())->fetch();
}

Ref<Array> make_remote_array(Heap& heap, Ref<RemoteElements> elements, ElementType type, std::span<const std::size_t> shape) {
  return make_view(heap, elements.leak(), nullptr, type, shape, product(shape), plain_fill(type), Value());
}

Ref<Array> make_remote_boxes(Heap& heap, Ref<RemoteElements> elements, std::size_t length, const Value& fill) {
  return make_view(heap, elements.leak(), nullptr, ElementType::boxed, {&length, 1}, length, FillKind::nested, fill);
}

Ref<Array> make_long_list(Heap& heap, ElementType type, std::size_t length) {
  if (type == ElementType::boxed && length <= most_unset_boxes && length != 0) {
    Array* a = make_unset_boxes(heap, length);
    std::uint64_t* zeros = reinterpret_cast<std::uint64_t*>(a->data.here());
    for (std::size_t i = 0; i < length; i++) zeros[i] = 0;  // all bits 0 are the number 0
    return a;
  }
  if (type != ElementType::boxed && length <= max_length) return list_of_any(heap, type, length);
  return allocate_array(heap, type, {&length, 1}, length, length);
}

Ref<Array> make_list_with_room(Heap& heap, ElementType type, std::size_t length, std::size_t capacity) {
  return allocate_array(heap, type, {&length, 1}, length, std::max(length, capacity));
}

Ref<Array> make_boxes_filled_with(Heap& heap, std::size_t length, const Value& fill) {
  if (length > most_unset_boxes) {
    Value boxes = with_fill(heap, to_value(make_list(heap, ElementType::boxed, length)), fill);
    return Ref<Array>(reinterpret_cast<Array*>(boxes.leak() & Value::pointer_mask));
  }
  constexpr std::size_t header = sizeof(Array) + sizeof(Value);
  void* memory = heap.allocate(header + length * sizeof(Value));
  Array* a = place_array(memory, array_description(ElementType::boxed, 1, FillKind::nested), length,
                         static_cast<std::uint8_t*>(memory) + header);
  new (trailing_of(a)) Value(fill);
  std::fill_n(reinterpret_cast<std::uint64_t*>(a->data.here()), length, 0);  // all bits 0 are the number 0
  enlist_object(heap, a);
  return Ref<Array>(a);
}

Ref<Array> make_array(Heap& heap, ElementType type, std::span<const std::size_t> shape) {
  if (shape.size() == 1) return list_of_any(heap, type, shape[0]);
  std::size_t n = product(shape);
  return allocate_array(heap, type, shape, n, n);
}

Ref<Array> make_like(Heap& heap, ElementType type, const Array& like) {
  if (like.rank() == 1) return list_of_any(heap, type, like.length);
  return allocate_array(heap, type, like.shape(), like.length, like.length);
}

namespace {

// Lays out an array of one element and no axes, which that element goes into.
std::uint64_t& place_unit(Heap& heap, ElementType type, FillKind fill, Array*& unit) {
  void* const memory = heap.allocate(sizeof(Array) + sizeof(std::uint64_t));
  unit = place_array(memory, array_description(type, 0, fill), 1, static_cast<std::uint8_t*>(memory) + sizeof(Array));
  enlist_object(heap, unit);
  return *reinterpret_cast<std::uint64_t*>(unit->data.here());
}

}  // namespace

Value enclose(Heap& heap, Value v) {
  Array* unit;
  if (v.is_object()) {
    place_unit(heap, ElementType::boxed, FillKind::of_first, unit) = v.leak();
  } else if (v.is_number()) {
    const ElementType type = type_of_atom(v);
    // The first bytes of an integer are the narrower integer.
    place_unit(heap, type, FillKind::zero, unit) =
        type == ElementType::f64 ? v.bits() : static_cast<std::uint64_t>(static_cast<std::int64_t>(v.number()));
  } else {
    const ElementType type = element_type_of(v);
    const bool is_boxed = type == ElementType::boxed;
    place_unit(heap, type, is_boxed ? FillKind::of_first : plain_fill(type), unit) = is_boxed ? v.bits() : v.character();
  }
  return Value(unit);
}

Value plain_element(const Array& a, std::size_t i) {
  return with_type(a.type(), [&](auto tag) -> Value {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, Bit>)
      return Value(a.bit(i));
    else if constexpr (std::is_same_v<T, Value>)
      __builtin_unreachable();
    else if constexpr (std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t> || std::is_same_v<T, char32_t>)
      return Value::character(a.as<T>()[i]);
    else
      return Value(static_cast<double>(a.as<T>()[i]));
  });
}

double number_at(const Array& a, std::size_t i) {
  assert(i < a.length);
  switch (a.type()) {
    case ElementType::bit: return a.bit(i);
    case ElementType::i8: return a.as<std::int8_t>()[i];
    case ElementType::i16: return a.as<std::int16_t>()[i];
    case ElementType::i32: return a.as<std::int32_t>()[i];
    default: assert(a.type() == ElementType::f64); return a.as<double>()[i];
  }
}

char32_t character_at(const Array& a, std::size_t i) {
  assert(i < a.length);
  switch (a.type()) {
    case ElementType::c8: return a.as<std::uint8_t>()[i];
    case ElementType::c16: return a.as<std::uint16_t>()[i];
    default: assert(a.type() == ElementType::c32); return a.as<char32_t>()[i];
  }
}

}  // namespace griddle
