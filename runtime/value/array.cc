#include "runtime/value/array.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>

#include "runtime/value/fill.h"

namespace griddle {

namespace {

constexpr std::size_t alignment = element_alignment;
// Pieces up to this many bytes are cheaper to copy than to share.
constexpr std::size_t copied_up_to_bytes = 128;

constexpr FillKind plain_fill(ElementType t) {
  return is_number(t) ? FillKind::zero : is_character(t) ? FillKind::space : FillKind::none;
}

std::size_t bytes_of_elements(ElementType t, std::size_t n) { return n * (bits_of(t) / 8); }  // of whole bytes

std::size_t* trailing_of(Array* a) { return reinterpret_cast<std::size_t*>(a + 1); }

void set_fill_kind(Array& a, FillKind k) {
  a.flags = static_cast<std::uint8_t>((a.flags & ~Array::fill_mask) | static_cast<std::uint8_t>(k));
}

// Allocates an array that owns its elements, which are uninitialised.
Array* allocate_array(Heap& heap, ElementType type, std::span<const std::size_t> shape, std::size_t length,
                      std::size_t capacity) {
  assert(shape.size() <= max_rank);
  if (capacity > max_length) throw OutOfMemory(~std::size_t{0});
  std::size_t header = sizeof(Array) + (shape.size() >= 2 ? shape.size() * sizeof(std::size_t) : 0);
  std::size_t bytes = bytes_for(type, capacity);
  bool align = bytes >= aligned_from_bytes;
  void* memory = heap.allocate(header + bytes + (align ? alignment : 0));
  std::uintptr_t start = reinterpret_cast<std::uintptr_t>(memory) + header;
  if (align) start = (start + alignment - 1) & ~(alignment - 1);
  Array* a = new (memory) Array{{1, ObjectKind::array, static_cast<std::uint8_t>(type), static_cast<std::uint8_t>(shape.size()),
                                 static_cast<std::uint8_t>(plain_fill(type))},
                                length,
                                reinterpret_cast<std::uint8_t*>(start)};
  if (shape.size() >= 2) std::copy(shape.begin(), shape.end(), trailing_of(a));
  if (type == ElementType::boxed) {
    std::memset(static_cast<void*>(a->data), 0, bytes);  // all bits 0 are the number 0
  } else if (type == ElementType::bit && bytes) {
    std::memset(a->data + bytes - 8, 0, 8);
  }
  enlist_object(heap, a);
  return a;
}

// Makes an array that points into the memory of `owner`, whose reference it takes.
Array* make_view(Heap& heap, Object* owner, std::uint8_t* data, ElementType type, std::span<const std::size_t> shape,
                 std::size_t length, FillKind fill_kind, const Value& nested_fill) {
  bool nested = fill_kind == FillKind::nested;
  std::size_t header = sizeof(Array) + sizeof(std::size_t) * (1 + nested + (shape.size() >= 2 ? shape.size() : 0));
  void* memory;
  try {
    memory = heap.allocate(header);
  } catch (...) {
    release(owner);
    throw;
  }
  Array* a = new (memory) Array{{1, ObjectKind::array, static_cast<std::uint8_t>(type), static_cast<std::uint8_t>(shape.size()),
                                 static_cast<std::uint8_t>(Array::view_flag | static_cast<std::uint8_t>(fill_kind))},
                                length,
                                data};
  std::size_t* at = trailing_of(a);
  *at++ = reinterpret_cast<std::size_t>(owner);
  if (nested) new (at++) Value(nested_fill);
  if (shape.size() >= 2) std::copy(shape.begin(), shape.end(), at);
  enlist_object(heap, a);
  return a;
}

// Gives the object whose memory a view of `v`'s elements has to keep alive; takes over the value.
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

const Value no_value;

}  // namespace

void ElementPointer::fetch() const {
  constexpr std::size_t place = sizeof(Array) - sizeof(ElementPointer);  // it is an array's last member
  const Array& a = *reinterpret_cast<const Array*>(reinterpret_cast<const std::uint8_t*>(this) - place);
  assert(a.is_view() && a.owner()->kind == ObjectKind::native);
  p_ = static_cast<RemoteElements*>(a.owner())->fetch();
}

Ref<Array> make_remote_array(Heap& heap, Ref<RemoteElements> elements, ElementType type, std::span<const std::size_t> shape) {
  return make_view(heap, elements.leak(), nullptr, type, shape, product(shape), plain_fill(type), no_value);
}

Ref<Array> make_remote_boxes(Heap& heap, Ref<RemoteElements> elements, std::size_t length, const Value& fill) {
  return make_view(heap, elements.leak(), nullptr, ElementType::boxed, {&length, 1}, length, FillKind::nested, fill);
}

namespace {

// Makes a short list of boxes that hold nothing yet; whoever asks fills them before anything can fail.
Array* make_unset_boxes(Heap& heap, std::size_t length) {
  assert(length * sizeof(Value) < aligned_from_bytes);
  void* memory = heap.allocate(sizeof(Array) + length * sizeof(Value));
  Array* a = new (memory)
      Array{{1, ObjectKind::array, static_cast<std::uint8_t>(ElementType::boxed), 1, static_cast<std::uint8_t>(FillKind::none)},
            length,
            static_cast<std::uint8_t*>(memory) + sizeof(Array)};
  enlist_object(heap, a);
  return a;
}
constexpr std::size_t most_unset_boxes = 24;

}  // namespace

Ref<Array> make_long_list(Heap& heap, ElementType type, std::size_t length) {
  if (type == ElementType::boxed && length <= most_unset_boxes && length != 0) {
    Array* a = make_unset_boxes(heap, length);
    std::uint64_t* zeros = reinterpret_cast<std::uint64_t*>(a->data.here());
    for (std::size_t i = 0; i < length; i++) zeros[i] = 0;  // all bits 0 are the number 0
    return a;
  }
  const std::size_t bytes = bytes_for(type, length);
  // Lists of middling length are made as often as short ones.
  if (bytes != 0 && length <= max_length) [[likely]] {
    const std::size_t spare = bytes >= aligned_from_bytes ? alignment - 1 : 0;
    void* memory = heap.allocate(sizeof(Array) + bytes + (spare != 0 ? alignment : 0));
    std::uintptr_t start = (reinterpret_cast<std::uintptr_t>(memory) + sizeof(Array) + spare) & ~spare;
    Array* a = new (memory)
        Array{{1, ObjectKind::array, static_cast<std::uint8_t>(type), 1, static_cast<std::uint8_t>(plain_fill(type))},
              length,
              reinterpret_cast<std::uint8_t*>(start)};
    if (type == ElementType::bit) std::memset(a->data + bytes - 8, 0, 8);
    if (type == ElementType::boxed) std::memset(static_cast<void*>(a->data), 0, bytes);  // all bits 0 are the number 0
    enlist_object(heap, a);
    return a;
  }
  return allocate_array(heap, type, {&length, 1}, length, length);
}

Ref<Array> make_list_with_room(Heap& heap, ElementType type, std::size_t length, std::size_t capacity) {
  return allocate_array(heap, type, {&length, 1}, length, std::max(length, capacity));
}

Ref<Array> make_array(Heap& heap, ElementType type, std::span<const std::size_t> shape) {
  if (shape.size() == 1 && shape[0] <= max_length) return make_list(heap, type, shape[0]);
  std::size_t n = product(shape);
  return allocate_array(heap, type, shape, n, n);
}

Ref<Array> make_like(Heap& heap, ElementType type, const Array& like) {
  if (like.rank() == 1) return make_list(heap, type, like.length);
  return allocate_array(heap, type, like.shape(), like.length, like.length);
}

Value enclose(Heap& heap, Value v) {
  const ElementType t = element_type_of(v);
  void* memory = heap.allocate(sizeof(Array) + sizeof(std::uint64_t));
  const FillKind fill = t == ElementType::boxed ? FillKind::of_first : plain_fill(t);
  Array* a = new (memory) Array{{1, ObjectKind::array, static_cast<std::uint8_t>(t), 0, static_cast<std::uint8_t>(fill)},
                                1,
                                static_cast<std::uint8_t*>(memory) + sizeof(Array)};
  enlist_object(heap, a);
  if (t == ElementType::boxed || t == ElementType::f64) {
    *a->as<std::uint64_t>() = v.leak();
  } else {
    *a->as<std::uint64_t>() = 0;
    store(*a, 0, std::move(v));
  }
  return Value(a);
}

Value make_string(Heap& heap, std::u32string_view text) {
  char32_t widest = 0;
  for (char32_t c : text) widest |= c;
  ElementType t = widest < 0x100 ? ElementType::c8 : widest < 0x10000 ? ElementType::c16 : ElementType::c32;
  Ref<Array> a = make_list(heap, t, text.size());
  if (t == ElementType::c8)
    std::copy(text.begin(), text.end(), a->as<std::uint8_t>());
  else if (t == ElementType::c16)
    std::copy(text.begin(), text.end(), a->as<std::uint16_t>());
  else
    std::copy(text.begin(), text.end(), a->as<char32_t>());
  return to_value(std::move(a));
}

namespace {

// Calls f with each code point, U+FFFD for what is not well formed.
template <class F>
void each_code_point(std::string_view utf8, F f) {
  for (std::size_t i = 0; i < utf8.size();) {
    unsigned char c = static_cast<unsigned char>(utf8[i++]);
    if (c < 0x80) {
      f(char32_t{c});
      continue;
    }
    int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC2 ? 1 : -1;
    char32_t code = more == 3 ? c & 7u : more == 2 ? c & 15u : c & 31u;
    bool good = more > 0 && c <= 0xF4;
    std::size_t j = i;
    for (int k = 0; good && k < more; k++, j++) {
      if (j < utf8.size() && (static_cast<unsigned char>(utf8[j]) & 0xC0) == 0x80)
        code = code << 6 | (static_cast<unsigned char>(utf8[j]) & 0x3Fu);
      else
        good = false;
    }
    if (good &&
        ((more == 2 && code < 0x800) || (more == 3 && code < 0x10000) || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)))
      good = false;
    f(good ? code : char32_t{0xFFFD});
    if (good) i = j;
  }
}

template <class T>
void decode_into(T* to, std::string_view utf8) {
  each_code_point(utf8, [&](char32_t c) { *to++ = static_cast<T>(c); });
}

}  // namespace

Value make_string(Heap& heap, std::string_view utf8) {
  bool ascii = true;
  for (char c : utf8) ascii &= static_cast<signed char>(c) >= 0;
  if (ascii) {
    Ref<Array> a = make_list(heap, ElementType::c8, utf8.size());
    if (!utf8.empty()) std::memcpy(a->data, utf8.data(), utf8.size());
    return to_value(std::move(a));
  }
  constexpr std::size_t short_text = 256;
  if (utf8.size() <= short_text) {
    char32_t text[short_text];
    char32_t* end = text;
    each_code_point(utf8, [&](char32_t c) { *end++ = c; });
    return make_string(heap, std::u32string_view(text, end));
  }
  std::size_t count = 0;
  char32_t bits = 0;
  each_code_point(utf8, [&](char32_t c) {
    count++;
    bits |= c;
  });
  Ref<Array> a = make_list(heap, bits < 0x100 ? ElementType::c8 : bits < 0x10000 ? ElementType::c16 : ElementType::c32, count);
  if (a->type() == ElementType::c8)
    decode_into(a->as<std::uint8_t>(), utf8);
  else if (a->type() == ElementType::c16)
    decode_into(a->as<std::uint16_t>(), utf8);
  else
    decode_into(a->as<char32_t>(), utf8);
  return to_value(std::move(a));
}

Value make_numbers(Heap& heap, std::span<const std::size_t> numbers) {
  std::size_t widest = 0;
  for (std::size_t n : numbers) widest = std::max(widest, n);
  ElementType t = widest < 128          ? ElementType::i8
                  : widest < 32768      ? ElementType::i16
                  : widest < (1u << 31) ? ElementType::i32
                                        : ElementType::f64;
  Ref<Array> a = make_list(heap, t, numbers.size());
  with_type(t, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_arithmetic_v<T>)
      std::transform(numbers.begin(), numbers.end(), a->as<T>(), [](std::size_t n) { return static_cast<T>(n); });
  });
  return to_value(std::move(a));
}

Value make_numbers(Heap& heap, std::span<const double> numbers) {
  Ref<Array> a = make_list(heap, ElementType::f64, numbers.size());
  std::copy(numbers.begin(), numbers.end(), a->as<double>());
  return narrowed(heap, to_value(std::move(a)));
}

namespace {

// Makes a short list of integers; null where some value is none.
Ref<Array> make_integers(Heap& heap, std::span<const Value> values) {
  constexpr std::size_t most = 16;
  const std::size_t n = values.size();
  if (n > most) return {};
  std::int32_t integers[most];
  std::uint32_t wide = 0;  // the bits in which some value differs from its sign
  for (std::size_t k = 0; k < n; k++) {
    // Anything tagged is a NaN, which no comparison accepts.
    const double d = std::bit_cast<double>(values[k].bits());
    if (!(d >= -2147483648.0 && d <= 2147483647.0)) return {};
    const std::int32_t i = static_cast<std::int32_t>(d);
    if (i != d) return {};
    integers[k] = i;
    wide |= static_cast<std::uint32_t>(i ^ (i >> 31)) | (static_cast<std::uint32_t>(i) >> 31 << 1);
  }
  const auto list = [&]<class T>(ElementType type, T) {
    Ref<Array> a = make_list(heap, type, n);
    T* to = a->as<T>();
    for (std::size_t k = 0; k < n; k++) to[k] = static_cast<T>(integers[k]);
    return a;
  };
  if (wide >= 0x8000) return list(ElementType::i32, std::int32_t{});
  if (wide >= 0x80) return list(ElementType::i16, std::int16_t{});
  if (wide >= 2) return list(ElementType::i8, std::int8_t{});
  Ref<Array> bits = make_list(heap, ElementType::bit, n);
  std::uint64_t word = 0;
  for (std::size_t k = 0; k < n; k++) word |= static_cast<std::uint64_t>(integers[k]) << k;
  bits->as<std::uint64_t>()[0] = word;
  return bits;
}

}  // namespace

Value make_values(Heap& heap, std::span<Value> values) {
  if (values.empty()) {
    Ref<Array> a = make_list(heap, ElementType::f64, 0);
    set_fill_kind(*a, FillKind::none);
    return to_value(std::move(a));
  }
  if (values.size() == 2) {
    // Pairs of natural numbers are what most pairs are.
    const double first = std::bit_cast<double>(values[0].bits()), second = std::bit_cast<double>(values[1].bits());
    if (first >= 0 && first <= 2147483647.0 && second >= 0 && second <= 2147483647.0) {
      const std::int32_t i = static_cast<std::int32_t>(first), j = static_cast<std::int32_t>(second);
      const std::int32_t either = i | j;
      if (i == first && j == second && either >= 2) {
        const unsigned log = either < 128 ? 0 : either < 32768 ? 1 : 2;
        constexpr ElementType types[] = {ElementType::i8, ElementType::i16, ElementType::i32};
        Ref<Array> pair = make_list(heap, types[log], 2);
        // The memory of short lists has whole words.
        const std::uint64_t both = static_cast<std::uint64_t>(i) | static_cast<std::uint64_t>(j) << (8 << log);
        std::memcpy(pair->data.here(), &both, sizeof both);
        return to_value(std::move(pair));
      }
    }
  }
  const auto is_object = [](const Value& v) { return v.is_object(); };
  if (values.size() <= most_unset_boxes && std::any_of(values.begin(), values.end(), is_object)) {
    Array* a = make_unset_boxes(heap, values.size());
    Value* boxes = reinterpret_cast<Value*>(a->data.here());
    for (std::size_t i = 0; i < values.size(); i++) new (boxes + i) Value(std::move(values[i]));
    return Value(a);
  }
  if (values[0].is_number())
    if (Ref<Array> integers = make_integers(heap, values)) return to_value(std::move(integers));
  ElementType t = element_type_of(values[0]);
  for (std::size_t i = 1; i < values.size() && t != ElementType::boxed; i++) t = common_type(t, element_type_of(values[i]));
  Ref<Array> a = make_list(heap, t, values.size());
  if (t == ElementType::boxed) {
    // The zeros there need no release.
    for (std::size_t i = 0; i < values.size(); i++) new (a->as<Value>() + i) Value(std::move(values[i]));
  } else {
    for (std::size_t i = 0; i < values.size(); i++) store(*a, i, std::move(values[i]));
  }
  return to_value(std::move(a));
}

Value make_literal(Heap& heap, std::span<Value> values) {
  Value list = make_values(heap, values);
  if (is_character(list.array().type())) set_fill_kind(list.array(), FillKind::none);
  return list;
}

Value make_pair(Heap& heap, Value first, Value second) {
  Value both[2] = {std::move(first), std::move(second)};
  return make_values(heap, both);
}

Value with_shape(Heap& heap, Value v, std::span<const std::size_t> shape) {
  Array& a = v.array();
  assert(product(shape) == a.length && shape.size() <= max_rank);
  bool nested = a.fill_kind() == FillKind::nested;
  if (a.unique()) {
    std::size_t* at = trailing_of(&a) + a.is_view() + nested;
    const std::uint8_t* end = a.is_view() ? reinterpret_cast<const std::uint8_t*>(&a) + Heap::usable_size(&a) : a.data;
    if (shape.size() < 2 || reinterpret_cast<const std::uint8_t*>(at + shape.size()) <= end) {
      if (shape.size() >= 2) std::memmove(at, shape.data(), shape.size_bytes());
      a.b = static_cast<std::uint8_t>(shape.size());
      // Rows in order say nothing about the elements in a row.
      a.forget_order();
      return v;
    }
  }
  Shape kept(shape);  // `shape` may lie inside the array that is given away
  FillKind kind = a.fill_kind();
  Value fill = nested ? a.nested_fill() : Value();
  std::uint8_t* data = a.data;
  ElementType type = a.type();
  std::size_t length = a.length;
  return Value(make_view(heap, view_owner(std::move(v)), data, type, kept, length, kind, fill));
}

namespace {

// Copies at most 104 bytes; pieces overlap where their number does not fit.
void copy_few(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  if (bytes >= 8) {
    for (std::size_t i = 0; i < bytes - 8; i += 8) std::memcpy(to + i, from + i, 8);
    std::memcpy(to + bytes - 8, from + bytes - 8, 8);
  } else if (bytes >= 4) {
    std::uint32_t first, last;
    std::memcpy(&first, from, 4);
    std::memcpy(&last, from + bytes - 4, 4);
    std::memcpy(to, &first, 4);
    std::memcpy(to + bytes - 4, &last, 4);
  } else {
    for (std::size_t i = 0; i < bytes; i++) to[i] = from[i];
  }
}

// Lists of so many bytes are tiny objects, whose memory may be at hand.
constexpr std::size_t most_bytes_at_hand = Heap::largest_tiny - sizeof(Array);

// Copies a short piece of plain elements as an array of one axis or none; null where that is not so simple.
Array* short_piece(Heap& heap, const Array& a, std::size_t offset, std::size_t length, std::size_t rank) {
  const ElementType type = a.type();
  if (type == ElementType::bit || type == ElementType::boxed || a.fill_kind() != plain_fill(type)) return nullptr;
  const std::size_t bytes = bytes_of_elements(type, length);
  if (bytes > std::min(most_bytes_at_hand, copied_up_to_bytes)) return nullptr;
  Array* piece = make_list_at_hand(heap, type, length);
  if (piece == nullptr) return nullptr;
  piece->b = static_cast<std::uint8_t>(rank);
  copy_few(piece->data.here(), a.data + bytes_of_elements(type, offset), bytes);
  return piece;
}

}  // namespace

Value slice(Heap& heap, const Value& v, std::size_t offset, std::span<const std::size_t> shape) {
  const Array& a = v.array();
  const ElementType type = a.type();
  if (shape.size() <= 1)
    if (Array* piece = short_piece(heap, a, offset, shape.empty() ? 1 : shape[0], shape.size())) return Value(piece);
  std::size_t n = shape.size() == 1 ? shape[0] : product(shape);
  assert(offset + n <= a.length);
  // A short piece of whole elements with the plain fill needs none of the questions below.
  if (type != ElementType::bit && a.fill_kind() == plain_fill(type) && bytes_for(type, n) <= copied_up_to_bytes) {
    Ref<Array> piece = make_array(heap, type, shape);
    std::memcpy(piece->data.here(), a.data + bytes_of_elements(type, offset), bytes_of_elements(type, n));
    if (type == ElementType::boxed)
      for (const Value& shared : piece->boxes())
        if (shared.is_object()) retain(shared.object());
    return to_value(std::move(piece));
  }
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
  set_fill_kind(*copy, a.fill_kind());
  return to_value(std::move(copy));
}

void store_slices(Heap& heap, const Value& v, std::size_t length, Value* boxes, std::size_t count) {
  const Array& a = v.array();
  const ElementType type = a.type();
  const std::size_t bytes = bytes_of_elements(type, length);
  if (type == ElementType::bit || type == ElementType::boxed || a.fill_kind() != plain_fill(type) || length == 0) {
    for (std::size_t i = 0; i < count; i++) boxes[i] = slice(heap, v, i * length, length);
    return;
  }
  const std::uint8_t* from = a.data;
  if (bytes > copied_up_to_bytes) {
    for (std::size_t i = 0; i < count; i++, from += bytes)
      boxes[i] = Value(
          make_view(heap, view_owner(v), const_cast<std::uint8_t*>(from), type, {&length, 1}, length, a.fill_kind(), no_value));
    return;
  }
  constexpr std::size_t most_bytes_at_hand = 64;
  for (std::size_t i = 0; i < count; i++, from += bytes) {
    Array* list = bytes <= most_bytes_at_hand ? make_list_at_hand(heap, type, length) : nullptr;
    if (list == nullptr) list = make_list(heap, type, length).leak();
    std::memcpy(list->data.here(), from, bytes);
    boxes[i] = Value(list);
  }
}

Value slice(Heap& heap, const Value& v, std::size_t offset, std::size_t length) {
  if (Array* piece = short_piece(heap, v.array(), offset, length, 1)) return Value(piece);
  return slice(heap, v, offset, std::span<const std::size_t>(&length, 1));
}

Value foreign_list(Heap& heap, Ref<Object> owner, ElementType type, std::uint8_t* data, std::size_t length) {
  assert(type != ElementType::boxed && type != ElementType::bit);
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

std::string to_utf8(const Array& a) {
  if (a.type() == ElementType::c8) {
    bool ascii = true;
    for (std::size_t i = 0; i < a.length; i++) ascii &= a.as<std::uint8_t>()[i] < 0x80;
    if (ascii) return std::string(a.as<char>(), a.length);
  }
  const std::size_t most_bytes = a.type() == ElementType::c8 ? 2 : a.type() == ElementType::c16 ? 3 : 4;
  std::string s(a.length * most_bytes, '\0');
  char* out = s.data();
  for (std::size_t i = 0; i < a.length; i++) {
    const char32_t c = a.type() == ElementType::boxed ? a.boxes()[i].character() : character_at(a, i);
    if (c < 0x80) {
      *out++ = static_cast<char>(c);
    } else if (c < 0x800) {
      *out++ = static_cast<char>(0xC0 | c >> 6);
      *out++ = static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      *out++ = static_cast<char>(0xE0 | c >> 12);
      *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
      *out++ = static_cast<char>(0x80 | (c & 0x3F));
    } else {
      *out++ = static_cast<char>(0xF0 | c >> 18);
      *out++ = static_cast<char>(0x80 | (c >> 12 & 0x3F));
      *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
      *out++ = static_cast<char>(0x80 | (c & 0x3F));
    }
  }
  s.resize(static_cast<std::size_t>(out - s.data()));
  return s;
}

bool is_text(const Array& a) {
  if (is_character(a.type())) return true;
  if (a.length == 0) return a.fill_kind() == FillKind::space;
  if (a.type() != ElementType::boxed) return false;
  return std::all_of(a.boxes().begin(), a.boxes().end(), [](const Value& v) { return v.is_character(); });
}

// --- fills

Value fill_of(Heap& heap, const Value& v) {
  if (v.is_number()) return Value(0.0);
  if (v.is_character()) return Value::character(' ');
  if (!v.is_array()) return Value();
  const Array& a = v.array();
  switch (a.fill_kind()) {
    case FillKind::none: return Value();
    case FillKind::zero: return Value(0.0);
    case FillKind::space: return Value::character(' ');
    case FillKind::nested: return a.nested_fill();
    case FillKind::of_first: return a.length ? prototype(heap, element(a, 0)) : Value();
  }
  __builtin_unreachable();
}

Value with_fill(Heap& heap, Value v, const Value& fill) {
  Array& a = v.array();
  FillKind kind = fill.is_absent()      ? FillKind::none
                  : fill.is_number()    ? FillKind::zero
                  : fill.is_character() ? FillKind::space
                                        : FillKind::nested;
  if (kind != FillKind::nested) {
    if (a.fill_kind() == kind) return v;
    // Lent arrays keep their fill for the lender, should the call fail later.
    if (a.unique() && a.refs == 1 && a.fill_kind() != FillKind::nested) {
      set_fill_kind(a, kind);
      return v;
    }
  }
  Shape shape(a.shape());
  Value kept = fill;  // `fill` may be the one of the array that is given away
  std::uint8_t* data = a.data;
  ElementType type = a.type();
  std::size_t length = a.length;
  return Value(make_view(heap, view_owner(std::move(v)), data, type, shape, length, kind, kept));
}

}  // namespace griddle
