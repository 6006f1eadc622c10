// Data of the host as arrays, and arrays as data of the host.
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "runtime/api/interpreter_state.h"
#include "runtime/value/fill.h"

using namespace griddle;

namespace {

constexpr double exact_integer = 9007199254740992;  // 2⋆53: below it every integer is a double
// Elements between two looks at an interrupt.
constexpr std::size_t piece = std::size_t{1} << 20;

// What an element type of the interface is in C++. Bits and values are done by themselves.
template <class F>
bool with_host_type(griddle_type type, F f) {
  switch (type) {
    case griddle_i8: return f(std::int8_t{});
    case griddle_i16: return f(std::int16_t{});
    case griddle_i32: return f(std::int32_t{});
    case griddle_f64: return f(double{});
    case griddle_bool:
    case griddle_u8:
    case griddle_c8: return f(std::uint8_t{});
    case griddle_u16:
    case griddle_c16: return f(std::uint16_t{});
    case griddle_u32:
    case griddle_c32: return f(std::uint32_t{});
    case griddle_i64: return f(std::int64_t{});
    case griddle_u64: return f(std::uint64_t{});
    case griddle_f32: return f(float{});
    default: return false;
  }
}

bool is_character_type(griddle_type type) { return type == griddle_c8 || type == griddle_c16 || type == griddle_c32; }

// --- in

template <class To, class From>
void convert(To* to, const From* from, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) to[i] = static_cast<To>(from[i]);
}

// There is one NaN only.
template <class From>
void convert_to_doubles(double* to, const From* from, std::size_t n) {
  if constexpr (std::is_floating_point_v<From>) {
    const double nan = Value(std::nan("")).number();
    for (std::size_t i = 0; i < n; i++) to[i] = from[i] == from[i] ? static_cast<double>(from[i]) : nan;
  } else {
    convert(to, from, n);
  }
}

// Tells the storage form of elements; fails for what BQN does not have.
template <class From>
ElementType form_of(Context& cx, const From* from, std::size_t n) {
  From least = 0, most = 0;
  for (std::size_t i = 0; i < n; i++) {
    least = from[i] < least ? from[i] : least;
    most = from[i] > most ? from[i] : most;
  }
  if (std::cmp_greater_equal(least, std::numeric_limits<std::int32_t>::min()) &&
      std::cmp_less_equal(most, std::numeric_limits<std::int32_t>::max()))
    return ElementType::i32;
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (std::cmp_less(least, -exact) || std::cmp_greater(most, exact))
    fail(cx, "An integer is too large for a number of BQN (beyond 2⋆53)");
  return ElementType::f64;
}

template <class T>
void require_code_points(Context& cx, const T* from, std::size_t n) {
  bool good = true;
  for (std::size_t i = 0; i < n; i++) {
    const std::uint32_t c = from[i];
    good &= c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
  }
  if (!good) fail(cx, "A character is no code point (beyond 0x10FFFF, or a surrogate)");
}

void require_code_points(Context& cx, griddle_type type, const void* elements, std::size_t n) {
  if (type == griddle_c16) require_code_points(cx, static_cast<const std::uint16_t*>(elements), n);
  if (type == griddle_c32) require_code_points(cx, static_cast<const std::uint32_t*>(elements), n);
}

// Takes every byte but 0 for 1.
void pack_truths(std::uint64_t* to, const std::uint8_t* from, std::size_t n) {
  std::uint8_t truths[4096];
  for (std::size_t i = 0; i < n; i += sizeof truths) {
    const std::size_t count = std::min(sizeof truths, n - i);
    for (std::size_t k = 0; k < count; k++) truths[k] = from[i + k] != 0;
    pack_bits(to + i / 64, truths, count);
  }
}

Value values_array(griddle_interpreter& bqn, const griddle_value* elements, std::size_t n, std::span<const std::size_t> shape) {
  std::vector<Value> values;
  values.reserve(n);
  for (std::size_t i = 0; i < n; i++) {
    values.push_back(bqn.share(elements[i]));
    if (values.back().is_absent()) fail(bqn.cx, "An element is no value");
  }
  return with_shape(bqn.cx.heap, make_values(bqn.cx.heap, values), shape);
}

// Copies elements into an array of one type.
template <class To, class From>
Ref<Array> copied_as(Heap& heap, ElementType type, const From* from, std::span<const std::size_t> shape, std::size_t n) {
  Ref<Array> a = make_array(heap, type, shape);
  if constexpr (std::is_same_v<To, double>)
    convert_to_doubles(a->as<double>(), from, n);
  else if (n > 0)
    convert(a->as<To>(), from, n);
  return a;
}

// Gives elements at an address that is right for their type: others may have them anywhere.
const void* aligned(Context& cx, griddle_type type, const void* elements, std::size_t n, std::vector<std::uint64_t>& room) {
  std::size_t width = 1, bytes = 0;
  with_host_type(type, [&]<class T>(T) { return width = sizeof(T), true; });
  if (reinterpret_cast<std::uintptr_t>(elements) % width == 0) return elements;
  if (__builtin_mul_overflow(n, width, &bytes)) throw std::bad_alloc();
  cx.heap.check_limit(bytes);
  room.resize((bytes + sizeof room[0] - 1) / sizeof room[0]);
  if (bytes > 0) std::memcpy(room.data(), elements, bytes);
  return room.data();
}

Value copied_array(griddle_interpreter& bqn, griddle_type type, const void* elements, std::span<const std::size_t> shape) {
  if (shape.size() > max_rank) fail(bqn.cx, "No array has so many axes (" + std::to_string(shape.size()) + ")");
  std::size_t n = 1;
  for (const std::size_t length : shape)
    if (__builtin_mul_overflow(n, length, &n)) fail(bqn.cx, "No array has such a shape (" + shape_text(shape) + ")");
  if (elements == nullptr && n > 0) fail(bqn.cx, "There are no elements");
  Heap& heap = bqn.cx.heap;
  std::vector<std::uint64_t> room;
  elements = aligned(bqn.cx, type, elements, n, room);
  require_code_points(bqn.cx, type, elements, n);
  switch (type) {
    case griddle_any: return values_array(bqn, static_cast<const griddle_value*>(elements), n, shape);
    case griddle_bit:
    case griddle_i8:
    case griddle_i16:
    case griddle_i32:
    case griddle_c8:
    case griddle_c16:
    case griddle_c32: {
      Ref<Array> a = make_array(heap, static_cast<ElementType>(type), shape);
      if (n > 0) std::memcpy(a->data, elements, bytes_for(a->type(), n));
      return to_value(std::move(a));
    }
    case griddle_bool: {
      Ref<Array> a = make_array(heap, ElementType::bit, shape);
      pack_truths(a->as<std::uint64_t>(), static_cast<const std::uint8_t*>(elements), n);
      return to_value(std::move(a));
    }
    case griddle_u8:
      return to_value(copied_as<std::int16_t>(heap, ElementType::i16, static_cast<const std::uint8_t*>(elements), shape, n));
    case griddle_u16:
      return to_value(copied_as<std::int32_t>(heap, ElementType::i32, static_cast<const std::uint16_t*>(elements), shape, n));
    case griddle_f64: return to_value(copied_as<double>(heap, ElementType::f64, static_cast<const double*>(elements), shape, n));
    case griddle_f32: return to_value(copied_as<double>(heap, ElementType::f64, static_cast<const float*>(elements), shape, n));
    default: break;
  }
  const auto integers = [&](auto from) {
    if (form_of(bqn.cx, from, n) == ElementType::i32)
      return to_value(copied_as<std::int32_t>(heap, ElementType::i32, from, shape, n));
    return to_value(copied_as<double>(heap, ElementType::f64, from, shape, n));
  };
  switch (type) {
    case griddle_u32: return integers(static_cast<const std::uint32_t*>(elements));
    case griddle_i64: return integers(static_cast<const std::int64_t*>(elements));
    case griddle_u64: return integers(static_cast<const std::uint64_t*>(elements));
    default: fail(bqn.cx, "There is no such type of elements (" + std::to_string(type) + ")");
  }
}

// Keeps memory of the host while arrays show it.
struct BorrowedMemory final : NativeObject {
  BorrowedMemory(void (*drop)(void*), void* data) : drop(drop), data(data) {}
  ~BorrowedMemory() override {
    if (drop != nullptr) drop(data);
  }
  void (*drop)(void*);
  void* data;
};

// --- out

template <class To, class From>
bool convert_exactly(To* to, const From* from, std::size_t n) {
  bool good = true;
  for (std::size_t i = 0; i < n; i++) {
    const From v = from[i];
    if constexpr (std::is_floating_point_v<To>) {
      to[i] = static_cast<To>(v);
    } else if constexpr (std::is_floating_point_v<From>) {
      constexpr double lowest = static_cast<double>(std::numeric_limits<To>::min());
      // One more than the most, which a double may not hold itself.
      constexpr double beyond = 2.0 * static_cast<double>(std::numeric_limits<To>::max() / 2 + 1);
      const bool fits = v >= lowest && v < beyond;
      const To whole = fits ? static_cast<To>(v) : To{};
      good &= fits && static_cast<From>(whole) == v;
      to[i] = whole;
    } else {
      good &= std::in_range<To>(v);
      to[i] = static_cast<To>(v);
    }
  }
  return good;
}

template <class To>
bool unpack(To* to, const Array& a) {
  if constexpr (sizeof(To) == 1) {
    unpack_bits(reinterpret_cast<std::uint8_t*>(to), a.as<std::uint64_t>(), a.length);
  } else {
    for (std::size_t i = 0; i < a.length; i++) to[i] = static_cast<To>(a.bit(i));
  }
  return true;
}

template <class To>
bool copy_boxes(To* to, const Array& a, bool characters) {
  for (std::size_t i = 0; i < a.length; i++) {
    const Value& v = a.boxes()[i];
    if (characters ? !v.is_character() : !v.is_number()) return false;
    const double d = characters ? v.character() : v.number();
    if (!convert_exactly(to + i, &d, 1)) return false;
  }
  return true;
}

template <class To>
bool copy_elements_as(Context& cx, To* to, const Array& a, bool characters) {
  const auto by_pieces = [&](const auto* from) {
    bool good = true;
    for (std::size_t i = 0; i < a.length && good; i += piece) {
      cx.check_interrupt();
      good = convert_exactly(to + i, from + i, std::min(piece, a.length - i));
    }
    return good;
  };
  if (a.length == 0) return true;
  if (a.type() == ElementType::boxed) return copy_boxes(to, a, characters);
  if (characters != is_character(a.type())) return false;
  switch (a.type()) {
    case ElementType::bit: return unpack(to, a);
    case ElementType::i8: return by_pieces(a.as<std::int8_t>());
    case ElementType::i16: return by_pieces(a.as<std::int16_t>());
    case ElementType::i32: return by_pieces(a.as<std::int32_t>());
    case ElementType::f64: return by_pieces(a.as<double>());
    case ElementType::c8: return by_pieces(a.as<std::uint8_t>());
    case ElementType::c16: return by_pieces(a.as<std::uint16_t>());
    case ElementType::c32: return by_pieces(a.as<std::uint32_t>());
    case ElementType::boxed: break;
  }
  return false;
}

bool copy_truths(Context& cx, std::uint8_t* to, const Array& a) {
  if (!copy_elements_as(cx, to, a, false)) return false;
  std::uint8_t most = 0;
  for (std::size_t i = 0; i < a.length; i++) most |= to[i];
  return most <= 1;
}

bool copy_bits_out(Context& cx, std::uint64_t* to, const Array& a) {
  cx.heap.check_limit(a.length);
  std::vector<std::uint8_t> bytes(a.length);
  if (!copy_truths(cx, bytes.data(), a)) return false;
  pack_bits(to, bytes.data(), a.length);
  return true;
}

bool copy_out(griddle_interpreter& bqn, const Value& v, griddle_type type, void* to) {
  // An atom counts as an array that holds it.
  const Value whole = v.is_array() ? v : enclose(bqn.cx.heap, v);
  const Array& a = whole.array();
  if (type == griddle_any) {
    for (std::size_t i = 0; i < a.length; i++) static_cast<griddle_value*>(to)[i] = bqn.wrap(element(a, i));
    return true;
  }
  if (type < griddle_any && a.type() == static_cast<ElementType>(type)) {
    if (a.length > 0) std::memcpy(to, a.data, bytes_for(a.type(), a.length));
    return true;
  }
  if (type == griddle_bit) return copy_bits_out(bqn.cx, static_cast<std::uint64_t*>(to), a);
  if (type == griddle_bool) return copy_truths(bqn.cx, static_cast<std::uint8_t*>(to), a);
  return with_host_type(type,
                        [&]<class T>(T) { return copy_elements_as(bqn.cx, static_cast<T*>(to), a, is_character_type(type)); });
}

const char* name_of(griddle_type type) {
  switch (type) {
    case griddle_bit:
    case griddle_bool: return "0 or 1";
    case griddle_i8: return "an integer of 8 bits";
    case griddle_i16: return "an integer of 16 bits";
    case griddle_i32: return "an integer of 32 bits";
    case griddle_i64: return "an integer of 64 bits";
    case griddle_u8: return "a natural number of 8 bits";
    case griddle_u16: return "a natural number of 16 bits";
    case griddle_u32: return "a natural number of 32 bits";
    case griddle_u64: return "a natural number of 64 bits";
    case griddle_c8:
    case griddle_c16:
    case griddle_c32: return "a character of that size";
    default: return "a number";
  }
}

}  // namespace

griddle_value griddle_make_list(griddle_interpreter* bqn, griddle_type type, const void* elements, size_t length,
                                griddle_failure** failure) {
  return griddle_make_array(bqn, type, elements, &length, 1, failure);
}

griddle_value griddle_make_array(griddle_interpreter* bqn, griddle_type type, const void* elements, const size_t* shape,
                                 size_t rank, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, "There is no interpreter");
  return bqn->made(failure, [&] { return copied_array(*bqn, type, elements, {shape, rank}); });
}

griddle_value griddle_borrow_array(griddle_interpreter* bqn, griddle_type type, const void* elements, const size_t* shape,
                                   size_t rank, void (*drop)(void*), void* data, griddle_failure** failure) {
  // Whatever goes wrong, the memory is given up once.
  Ref<BorrowedMemory> memory;
  const auto give_up = [&] {
    if (!memory && drop != nullptr) drop(data);
  };
  if (bqn == nullptr) {
    give_up();
    return nothing_to_call(failure, "There is no interpreter");
  }
  return bqn->made(failure, [&] {
    Value result;
    try {
      const bool is_plain = type < griddle_any;
      const std::size_t alignment = !is_plain ? 1 : type == griddle_bit ? 8 : bytes_for(static_cast<ElementType>(type), 1);
      const bool is_aligned = reinterpret_cast<std::uintptr_t>(elements) % alignment == 0;
      const std::span<const std::size_t> axes(shape, rank);
      std::size_t n = 1;
      for (const std::size_t length : axes)
        if (__builtin_mul_overflow(n, length, &n)) fail(bqn->cx, "No array has such a shape (" + shape_text(axes) + ")");
      if (!is_plain || !is_aligned || n == 0 || rank > max_rank) {
        result = copied_array(*bqn, type, elements, axes);
      } else {
        if (elements == nullptr) fail(bqn->cx, "There are no elements");
        require_code_points(bqn->cx, type, elements, n);
        memory = make_native<BorrowedMemory>(bqn->cx.heap, drop, data);
        auto* start = static_cast<std::uint8_t*>(const_cast<void*>(elements));
        result = foreign_list(bqn->cx.heap, Ref<Object>(Ref(memory).leak()), static_cast<ElementType>(type), start, n);
        if (rank != 1) result = with_shape(bqn->cx.heap, std::move(result), axes);
      }
    } catch (...) {
      give_up();
      throw;
    }
    give_up();
    return result;
  });
}

int griddle_copy(griddle_value value, griddle_type as, void* elements, griddle_failure** failure) {
  if (value.interpreter == nullptr) return nothing_to_call(failure, "There is no value"), 0;
  return value.interpreter->done(failure, [&] {
    if (!copy_out(*value.interpreter, *Lent(value.bits), as, elements))
      fail(value.interpreter->cx, std::string("An element is not ") + name_of(as));
  });
}
