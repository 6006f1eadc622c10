// Array: shape and elements.
//
//   8 bytes   header: refs, kind, a = ElementType, b = rank, flags
//   8 bytes   length: number of elements
//   8 bytes   data: first element
//   then, each present by flag or rank, in this order, the first two 8 bytes each:
//             owner   (flag view)      the object whose memory `data` points into
//             fill    (fill == nested) the fill, where it is not plain 0 or ' '
//             shape   (rank >= 2)      one std::size_t an axis, and room up to a multiple of 8 bytes
//   then the elements, unless this is a view: 64-byte aligned from 256 bytes on, else 8-byte; the last 8 bytes are its own.
//
// Elements are immutable while anyone else can see them: change them only under `writable()`.
// Bits beyond `length` in the last word of a bit array are unspecified; readers mask them.
#pragma once

#include <cstring>
#include <iosfwd>  // declares std::string
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

#include "runtime/value/element_type.h"
#include "runtime/value/heap.h"
#include "runtime/value/remote.h"
#include "runtime/value/shape.h"
#include "runtime/value/value.h"

namespace griddle {

// `of_first` means the prototype of the first element, worked out when somebody asks: what `<` makes of any value.
enum class FillKind : std::uint8_t { none = 0, zero = 1, space = 2, nested = 3, of_first = 8 };

// Points to an array's first element. Null where the elements are on a device alone: whoever reads it makes them come, so that no
// reader needs to know. Only ever a member of an Array.
class alignas(8) ElementPointer {
 public:
  ElementPointer(std::uint8_t* p) : p_(p) {}
  ElementPointer(std::nullptr_t) = delete;
  // A copy is no member of the array: it takes the elements that have come.
  ElementPointer(const ElementPointer& o) : p_(o.get()) {}
  ElementPointer& operator=(const ElementPointer& o) {
    p_ = o.get();
    return *this;
  }
  operator std::uint8_t*() const { return get(); }
  std::uint8_t* get() const {
    if (p_ == nullptr) [[unlikely]]
      fetch();
    return p_;
  }
  bool elsewhere() const { return p_ == nullptr; }
  // Gives the pointer of an array that has memory of its own.
  std::uint8_t* here() const { return p_; }

 private:
  void fetch() const;
  mutable std::uint8_t* p_;
};

struct Array : Object {
  // How many lengths of axes take as much room as an owner or a fill.
  static constexpr std::size_t per_slot = sizeof(Value) / sizeof(std::size_t);
  // Gives the bytes that the lengths of axes take behind the header.
  static constexpr std::size_t bytes_of_axes(std::size_t rank) { return rank < 2 ? 0 : (rank * sizeof(std::size_t) + 7) / 8 * 8; }

  static constexpr std::uint8_t fill_mask = 0x0B;
  static constexpr std::uint8_t view_flag = 0x04;
  static constexpr std::uint8_t ascending_flag = gc_visited;
  static constexpr std::uint8_t descending_flag = gc_in_use;

  alignas(8) std::size_t length;
  ElementPointer data;

  ElementType type() const { return static_cast<ElementType>(a); }
  unsigned rank() const { return b; }
  bool is_list() const { return b == 1; }
  bool is_view() const { return flags & view_flag; }
  FillKind fill_kind() const { return static_cast<FillKind>(flags & fill_mask); }

  std::span<const std::size_t> shape() const {
    if (b == 1) return {&length, 1};
    if (b == 0) return {};
    return {trailing() + per_slot * (is_view() + (fill_kind() == FillKind::nested)), b};
  }
  // Gives the number of major cells; 1 for a unit.
  std::size_t cells() const { return b == 0 ? 1 : b == 1 ? length : shape()[0]; }
  // Gives the number of elements in one major cell (of a unit: 1).
  std::size_t cell_length() const { return b <= 1 ? 1 : product(shape().subspan(1)); }

  template <class T>
  T* as() {
    return reinterpret_cast<T*>(data.get());
  }
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data.get());
  }
  // Elements of a boxed array.
  std::span<Value> boxes() { return {as<Value>(), length}; }
  std::span<const Value> boxes() const { return {as<Value>(), length}; }
  bool bit(std::size_t i) const { return as<std::uint64_t>()[i >> 6] >> (i & 63) & 1; }

  // Tells whether the elements may be changed in place. Where they may, forgets their order, because the caller will. What a
  // native object owns, a device's copy above all, others may read.
  bool writable() {
    if (!unique() || (is_view() && (!owner()->unique() || owner()->kind == ObjectKind::native))) return false;
    forget_order();
    return true;
  }

  // Remembers that the elements are in order, so that nobody needs to look again. Only flat arrays with memory of their own can:
  // they are never part of a cycle, and what marks other objects for the cycle collector means order here.
  void note_order(bool down) {
    if (!is_view() && type() != ElementType::boxed) change_flags(0, down ? descending_flag : ascending_flag);
  }
  void forget_order() {
    if (flags & (ascending_flag | descending_flag)) change_flags(ascending_flag | descending_flag, 0);
  }
  // Sets how many axes there are, whose lengths somebody else writes.
  void set_rank(std::size_t rank) {
    describe((description() & ~(0xFFu << b_shift)) | static_cast<std::uint32_t>(rank) << b_shift);
  }
  void set_fill_kind(FillKind kind) { change_flags(fill_mask, static_cast<std::uint8_t>(kind)); }
  bool has_noted_order(bool down) const {
    return !is_view() && type() != ElementType::boxed && flags & (down ? descending_flag : ascending_flag);
  }
  Object* owner() const { return reinterpret_cast<Object*>(trailing()[0]); }
  const Value& nested_fill() const { return *reinterpret_cast<const Value*>(trailing() + per_slot * is_view()); }
  // Gives the bytes from `data` on that may be used by growing in place (0 for a view).
  std::size_t capacity_bytes() const {
    if (is_view()) return 0;
    return static_cast<std::size_t>(reinterpret_cast<const std::uint8_t*>(this) + Heap::usable_size(this) - data.here());
  }

 private:
  const std::size_t* trailing() const { return reinterpret_cast<const std::size_t*>(this + 1); }
};
static_assert(sizeof(Array) == 24);

// Elements that take this many bytes or more are aligned.
inline constexpr std::size_t aligned_from_bytes = 256;
inline constexpr std::size_t element_alignment = 64;

// Gives the description of an array's header.
constexpr std::uint32_t array_description(ElementType type, std::size_t rank, std::uint8_t flags) {
  return static_cast<std::uint32_t>(ObjectKind::array) | static_cast<std::uint32_t>(type) << Object::a_shift |
         static_cast<std::uint32_t>(rank) << Object::b_shift | static_cast<std::uint32_t>(flags) << Object::flags_shift;
}
constexpr std::uint32_t array_description(ElementType type, std::size_t rank, FillKind fill) {
  return array_description(type, rank, static_cast<std::uint8_t>(fill));
}
// Gives the fill that elements have without being told.
constexpr FillKind plain_fill(ElementType t) {
  return is_number(t) ? FillKind::zero : is_character(t) ? FillKind::space : FillKind::none;
}
// Places an array in memory of its own. One store, since put together from its parts the first word takes longer to write than
// all else.
[[gnu::always_inline]] inline Array* place_headed(void* memory, std::uint64_t head, std::size_t length, std::uint8_t* data) {
  Array* const a = new (memory) Array{{}, length, data};
  std::memcpy(static_cast<void*>(a), &head, sizeof head);
  return a;
}
[[gnu::always_inline]] inline Array* place_array(void* memory, std::uint32_t description, std::size_t length,
                                                 std::uint8_t* data) {
  return place_headed(memory, std::uint64_t{description} << 32 | 1, length, data);
}

// --- making arrays. Elements are uninitialised, but boxes start as the number 0 and the padding of bits as 0.
// Numbers start with fill 0, characters with ' ', boxes without a fill. Throw OutOfMemory.
Ref<Array> make_long_list(Heap&, ElementType, std::size_t length);
inline Ref<Array> make_list(Heap& heap, ElementType type, std::size_t length) {
  // Short lists of plain elements need no alignment.
  constexpr std::size_t short_list = 32;
  if (length >= short_list || type == ElementType::boxed) [[unlikely]]
    return make_long_list(heap, type, length);
  void* memory = heap.allocate(sizeof(Array) + bytes_for(type, length));
  // The padding of bits is 0. Even a list of none has memory for a word.
  static_assert(Heap::granule == 16 && sizeof(Array) % Heap::granule == 8);
  if (type == ElementType::bit) std::memset(static_cast<std::uint8_t*>(memory) + sizeof(Array), 0, sizeof(std::uint64_t));
  Array* a = place_array(memory, array_description(type, 1, plain_fill(type)), length,
                         static_cast<std::uint8_t*>(memory) + sizeof(Array));
  enlist_object(heap, a);
  return a;
}
// Makes a list of plain elements that fits the smallest class of memory, where memory is at hand; gives null where it is not.
// Fills in no padding.
inline Array* make_list_at_hand(Heap& heap, ElementType type, std::size_t length) {
  void* memory = heap.allocate_at_hand(sizeof(Array) + bytes_for(type, length));
  if (memory == nullptr) [[unlikely]]
    return nullptr;
  return place_array(memory, array_description(type, 1, plain_fill(type)), length,
                     static_cast<std::uint8_t*>(memory) + sizeof(Array));
}
// What all lists of plain elements of one type have in common, worked out beforehand: the first word, with one reference and the
// fill that such elements have without being told, and the logarithm of the bits of an element.
struct PlainList {
  std::uint64_t head = 0;
  std::uint64_t log2_bits = 0;

  PlainList() = default;
  constexpr explicit PlainList(ElementType type)
      : head(1 | std::uint64_t{described(type)} << 32), log2_bits(log2_bits_of(type)) {}
  ElementType type() const { return static_cast<ElementType>(std::bit_cast<Object>(head).a); }
  std::uint32_t description() const { return static_cast<std::uint32_t>(head >> 32); }
  // Gives the description of such a list.
  static constexpr std::uint32_t described(ElementType type) {
    return array_description(type, 1, is_number(type) ? FillKind::zero : FillKind::space);
  }
  // Gives that of any array, without what says nothing about its elements.
  static std::uint32_t described(const Array& a) {
    constexpr std::uint32_t kept = 0x00FFFFFF | std::uint32_t{Array::fill_mask} << 24;
    return a.description() & kept;
  }
};
static_assert(std::endian::native == std::endian::little && offsetof(Object, kind) == 4 && offsetof(Object, flags) == 7);

inline constexpr PlainList plain_lists[] = {PlainList(ElementType::bit), PlainList(ElementType::i8),  PlainList(ElementType::i16),
                                            PlainList(ElementType::i32), PlainList(ElementType::f64), PlainList(ElementType::c8),
                                            PlainList(ElementType::c16), PlainList(ElementType::c32)};

// Makes a list of plain elements, placed as other lists are, where memory is at hand; gives null where it is not. Fills in no
// padding.
[[gnu::always_inline]] inline Array* list_at_hand(Heap& heap, const PlainList& plain, std::size_t length) {
  const std::size_t bytes = sizeof(Array) + ((length << plain.log2_bits) + 63) / 64 * 8;  // whole words, as bits need them
  constexpr std::size_t before = element_alignment - 1;
  const bool tiny = bytes <= Heap::largest_tiny;
  if (bytes + before > Heap::largest_small) [[unlikely]]
    return nullptr;
  void* memory = tiny ? heap.allocate_at_hand(bytes) : heap.allocate_middling_at_hand(bytes + before);
  if (memory == nullptr) [[unlikely]]
    return nullptr;
  std::uintptr_t start = reinterpret_cast<std::uintptr_t>(memory) + sizeof(Array);
  if (!tiny) start = (start + before) & ~before;
  return place_headed(memory, plain.head, length, reinterpret_cast<std::uint8_t*>(start));
}
// The same wherever the memory is.
Array* make_list_anywhere(Heap&, const PlainList&, std::size_t length);
[[gnu::always_inline]] inline Array* make_list_of(Heap& heap, const PlainList& plain, std::size_t length) {
  Array* a = list_at_hand(heap, plain, length);
  return a != nullptr ? a : make_list_anywhere(heap, plain, length);
}
// Makes lists of one length again and again, in memory of one size, as make_list_of would.
struct RepeatedList {
  PlainList plain;
  std::size_t length = 0;
  std::uint32_t size_class = 0;
  std::uint32_t before = 0;  // the alignment of elements, less one

  // Gets ready for lists of at least one element. Gives false where they do not lie in small memory.
  bool resize(std::size_t n) {
    const std::size_t bytes = sizeof(Array) + ((n << plain.log2_bits) + 63) / 64 * 8;
    const std::uint32_t alignment = bytes <= Heap::largest_tiny ? 1 : element_alignment;
    if (n == 0 || n > Heap::largest_small || bytes + alignment - 1 > Heap::largest_small) return false;
    length = n;
    before = alignment - 1;
    size_class = Heap::size_class_of(bytes + before);
    return true;
  }
  // Gives null where no memory is at hand.
  Array* make(Heap& heap) const {
    void* memory = heap.allocate_of_class(size_class);
    if (memory == nullptr) [[unlikely]]
      return nullptr;
    const std::uintptr_t start = (reinterpret_cast<std::uintptr_t>(memory) + sizeof(Array) + before) & ~std::uintptr_t{before};
    return place_headed(memory, plain.head, length, reinterpret_cast<std::uint8_t*>(start));
  }
};
// Lays a table out in memory that has room for its elements to be aligned.
inline Array* place_table(void* memory, const PlainList& plain, std::size_t rows, std::size_t columns) {
  constexpr std::size_t before = element_alignment - 1, head = sizeof(Array) + 2 * sizeof(std::size_t);
  constexpr std::uint64_t one_axis_more = std::uint64_t{1} << (32 + Object::b_shift);
  const std::uintptr_t start = (reinterpret_cast<std::uintptr_t>(memory) + head + before) & ~before;
  Array* a = place_headed(memory, plain.head + one_axis_more, rows * columns, reinterpret_cast<std::uint8_t*>(start));
  std::size_t* shape = reinterpret_cast<std::size_t*>(a + 1);
  shape[0] = rows;
  shape[1] = columns;
  return a;
}
// Gives the memory that a table takes: never that of tiny objects, so that there is one kind of memory to look in.
inline std::size_t bytes_of_table(const PlainList& plain, std::size_t rows, std::size_t columns) {
  constexpr std::size_t before = element_alignment - 1, head = sizeof(Array) + 2 * sizeof(std::size_t);
  const std::size_t bytes = ((rows * columns << plain.log2_bits) + 63) / 64 * 8;
  return std::max(head + bytes + before, Heap::largest_tiny + 1);
}
// Makes a table of plain elements in the same way.
[[gnu::always_inline]] inline Array* table_at_hand(Heap& heap, const PlainList& plain, std::size_t rows, std::size_t columns) {
  const std::size_t total = bytes_of_table(plain, rows, columns);
  if (total > Heap::largest_small) [[unlikely]]
    return nullptr;
  void* memory = heap.allocate_middling_at_hand(total);
  if (memory == nullptr) [[unlikely]]
    return nullptr;
  return place_table(memory, plain, rows, columns);
}
// The same wherever the memory is.
Array* make_table_anywhere(Heap&, const PlainList&, std::size_t rows, std::size_t columns);
[[gnu::always_inline]] inline Array* make_plain_table(Heap& heap, ElementType type, std::size_t rows, std::size_t columns) {
  const PlainList& plain = plain_lists[static_cast<int>(type)];
  Array* a = table_at_hand(heap, plain, rows, columns);
  return a != nullptr ? a : make_table_anywhere(heap, plain, rows, columns);
}
inline Array* make_plain_list(Heap& heap, ElementType type, std::size_t length) {
  return make_list_of(heap, plain_lists[static_cast<int>(type)], length);
}
Ref<Array> make_array(Heap&, ElementType, std::span<const std::size_t> shape);
// Makes an array of the same shape.
Ref<Array> make_like(Heap&, ElementType, const Array& shape_of);
// Makes a list of boxes, the number 0 as yet, whose fill is an array.
Ref<Array> make_boxes_filled_with(Heap&, std::size_t length, const Value& fill);
// Makes a list with room for `capacity` elements, to be grown by appending.
Ref<Array> make_list_with_room(Heap&, ElementType, std::size_t length, std::size_t capacity);

// Makes an array whose elements are where `elements` says; nobody has read them yet.
Ref<Array> make_remote_array(Heap&, Ref<RemoteElements>, ElementType, std::span<const std::size_t> shape);

// Makes a list of boxes that somebody makes when they are read. `fill` is an array.
Ref<Array> make_remote_boxes(Heap&, Ref<RemoteElements>, std::size_t length, const Value& fill);

inline Value to_value(Ref<Array> a) { return Value(a.leak()); }

// Encloses any value in a rank-0 array of the narrowest type; fill is the value's prototype.
Value enclose(Heap&, Value);
// Makes a list of characters from UTF-8; invalid sequences become U+FFFD.
Value make_string(Heap&, std::string_view utf8);
Value make_string(Heap&, std::u32string_view);
// Makes a list in the narrowest integer type.
Value make_numbers(Heap&, std::span<const std::size_t>);
Value make_numbers(Heap&, std::span<const double>);
// Makes a list of any values in the narrowest type. Takes the values. A list of none has no fill.
Value make_values(Heap&, std::span<Value>);
// Makes a list of at most 64 integers in the narrowest type.
Ref<Array> make_few_integers(Heap&, std::span<const std::int32_t>);
// Makes what a list in the source text makes: the same, but characters bring no fill along.
Value make_literal(Heap&, std::span<Value>);
Value make_pair(Heap&, Value, Value);

// --- other shapes of the same elements (the product must be the length; checked by assert only). Fill is kept.
Value with_shape(Heap&, Value array, std::span<const std::size_t> shape);
// Shares `length` elements from `offset` on, as a list or in the given shape. Copies small or bit-misaligned pieces.
Value slice(Heap&, const Value& array, std::size_t offset, std::size_t length);
Value slice(Heap&, const Value& array, std::size_t offset, std::span<const std::size_t> shape);
// Does so for a list where that is simple and memory is at hand; gives null elsewhere.
Array* piece_at_hand(Heap&, const Array&, std::size_t offset, std::size_t length);
// Shares elements of whole bytes as a list; gives null where no memory is at hand.
Array* list_view_at_hand(Heap&, const Array&, std::size_t offset, std::size_t length);
// Pieces up to this many bytes are cheaper to copy than to share.
inline constexpr std::size_t copied_up_to_bytes = 128;
// Shares such elements as a table; null where no memory is at hand, or the fill is a value of its own.
Array* table_view_at_hand(Heap&, const Array&, std::size_t offset, std::size_t rows, std::size_t columns);
// Stores the lists that lie one after the other in an array, each of `length` elements, as `count` boxes that hold nothing yet.
void store_slices(Heap&, const Value& array, std::size_t length, Value* boxes, std::size_t count);
// Shows memory that an object keeps as a list of plain elements. The memory may be changed while only this list shows it.
Value foreign_list(Heap&, Ref<Object> owner, ElementType, std::uint8_t* data, std::size_t length);
Value ravel(Heap&, Value array);  // the elements as a list; an atom becomes a list of one

// --- reading
Value plain_element(const Array&, std::size_t i);  // any type but boxed
inline Value element(const Array& a, std::size_t i) {
  assert(i < a.length);
  return a.type() == ElementType::boxed ? a.as<Value>()[i] : plain_element(a, i);
}
double number_at(const Array&, std::size_t i);       // numeric types
char32_t character_at(const Array&, std::size_t i);  // character types
// Of all characters, or of so many: of character types, or boxed with only characters.
std::string to_utf8(const Array& characters, std::size_t most = ~std::size_t{0});
std::size_t utf8_bytes(const Array& characters, std::size_t most = ~std::size_t{0});
void write_utf8(char* to, const Array& characters, std::size_t most = ~std::size_t{0});  // utf8_bytes of them
template <class Text>
void append_utf8(Text& out, const Array& characters, std::size_t most = ~std::size_t{0}) {
  const std::size_t before = out.size(), bytes = utf8_bytes(characters, most);
  if (bytes == std::min(characters.length, most) && characters.type() == ElementType::c8) {
    out.append(characters.as<char>(), bytes);  // ASCII
    return;
  }
  out.resize(before + bytes);
  write_utf8(out.data() + before, characters, most);
}
// Tells whether every element is a character (an empty array: whether its fill is a space or its type is a character type).
bool is_text(const Array&);

// --- storage forms
// Converts to a wider or equal type of the same family, or to boxed; same object if it already has the type.
Value widened(Heap&, Value array, ElementType);
// Converts to any type that is known to hold every element (f64 to i8 after a range check, say).
Value converted(Heap&, const Array&, ElementType);
// Gives the elements in the narrowest type that holds them (boxed arrays of numbers become numeric, f64 of integers integer ...).
Value narrowed(Heap&, Value array);
// Tells the narrowest type that holds every element.
ElementType narrowest(const Array&);
// Copies elements between arrays of any types, converting; the target's type must hold them.
void copy_elements(Array& to, std::size_t to_index, const Array& from, std::size_t from_index, std::size_t count);
// Copies elements of any type to boxes that hold no objects yet.
void box_elements(Array& to, std::size_t to_index, const Array& from, std::size_t from_index, std::size_t count);
// Copies bits at any alignment.
void copy_bits(std::uint64_t* to, std::size_t to_bit, const std::uint64_t* from, std::size_t from_bit, std::size_t count);
// Turn bytes 0 and 1 into bits, and back. The bits are whole words; those beyond n become 0.
void pack_bits(std::uint64_t* to, const std::uint8_t* from, std::size_t n);
void unpack_bits(std::uint8_t* to, const std::uint64_t* from, std::size_t n);
// Gives an array whose elements may be changed: this one if writable, else a copy.
Ref<Array> make_writable(Heap&, Value array);
// Stores an element of a type that the array holds (boxed arrays take anything).
void store(Array& to, std::size_t i, Value);
// Stores an element and takes the value, if the array's type holds it.
bool try_store(Array& to, std::size_t i, Value&);

// Gives the narrowest type that holds the value as an element.
ElementType element_type_of(const Value&);
// Gives the narrowest type that holds elements of both.
ElementType common_type(ElementType, ElementType);

// Calls f with std::type_identity<T> of the type's C++ element: bit is `Bit`, boxed is Value.
struct Bit {};
template <class F>
decltype(auto) with_type(ElementType t, F&& f) {
  switch (t) {
    case ElementType::bit: return f(std::type_identity<Bit>{});
    case ElementType::i8: return f(std::type_identity<std::int8_t>{});
    case ElementType::i16: return f(std::type_identity<std::int16_t>{});
    case ElementType::i32: return f(std::type_identity<std::int32_t>{});
    case ElementType::f64: return f(std::type_identity<double>{});
    case ElementType::c8: return f(std::type_identity<std::uint8_t>{});
    case ElementType::c16: return f(std::type_identity<std::uint16_t>{});
    case ElementType::c32: return f(std::type_identity<char32_t>{});
    case ElementType::boxed: return f(std::type_identity<Value>{});
  }
  __builtin_unreachable();
}

// --- where host and device meet: whoever asks a device asks one of these first. False where there is none.

// Tells whether anything can be on a device, or is to go there: it is open, or what it can do shall be done there.
inline bool uses_device(const Context& cx) { return cx.device != nullptr && cx.device->used; }

// Tells whether functions of these values are for the device, which has one of them already, or is to get all that it can use.
inline bool belongs_to_device(const Context& cx, const std::same_as<Value> auto&... values) {
  const auto belongs = [&cx](const Value& v) {
    if (!v.is_array()) return false;
    const Array& a = v.array();
    return a.data.elsewhere() || (a.is_view() && a.owner()->kind == ObjectKind::native) ||
           (cx.device->forced && a.length >= cx.device->from);
  };
  return cx.device != nullptr && (belongs(values) || ...);
}

// Tells whether the device is to be asked about a function that may be worth sending its arguments for.
inline bool moves_to_device(const Context& cx, const std::same_as<Value> auto&... values) {
  const auto moves = [&cx](const Value& v) {
    return v.is_array() && (v.array().length >= cx.device->from || v.array().data.elsewhere());
  };
  return cx.device != nullptr && (moves(values) || ...);
}

// The same about a function that by itself never is: of what is not there it hears where that is large.
inline bool concerns_device(const Context& cx, const std::same_as<Value> auto&... values) {
  const auto concerns = [&cx](const Value& v) { return v.array().length >= cx.device->large_from || belongs_to_device(cx, v); };
  return moves_to_device(cx, values...) && ((values.is_array() && concerns(values)) || ...);
}

// Shape of any value; atoms have the empty shape.
inline std::span<const std::size_t> shape_of(const Value& v) {
  return v.is_array() ? v.array().shape() : std::span<const std::size_t>{};
}
inline unsigned rank_of(const Value& v) { return v.is_array() ? v.array().rank() : 0; }
inline std::size_t length_of(const Value& v) { return v.is_array() ? v.array().length : 1; }

}  // namespace griddle
