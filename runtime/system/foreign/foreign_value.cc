#include "runtime/system/foreign/foreign_value.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace griddle {

namespace {

using Kind = ForeignType::Kind;

[[noreturn]] void refuse_foreign(Context& cx, const Function& self, const ForeignType& type, const std::string& expected,
                                 const Value& got) {
  const std::string shown = got.is_number() ? number_text(got.number()) : "a " + kind_text(got);
  fail_in(cx, self, "Expected " + expected + " for " + type.text + " (got " + shown + ")");
}

template <class T>
void write_raw(void* to, T t) {
  std::memcpy(to, &t, sizeof t);
}
template <class T>
T read_raw(const void* from) {
  T t;
  std::memcpy(&t, from, sizeof t);
  return t;
}

// Calls f with std::type_identity of the C type of a number.
template <class F>
decltype(auto) with_number(const ForeignType& type, F&& f) {
  if (type.kind == Kind::real) return type.size == 4 ? f(std::type_identity<float>{}) : f(std::type_identity<double>{});
  const bool is_signed = type.kind == Kind::integer;
  switch (type.size) {
    case 1: return is_signed ? f(std::type_identity<std::int8_t>{}) : f(std::type_identity<std::uint8_t>{});
    case 2: return is_signed ? f(std::type_identity<std::int16_t>{}) : f(std::type_identity<std::uint16_t>{});
    case 4: return is_signed ? f(std::type_identity<std::int32_t>{}) : f(std::type_identity<std::uint32_t>{});
    default: return is_signed ? f(std::type_identity<std::int64_t>{}) : f(std::type_identity<std::uint64_t>{});
  }
}

template <class T>
void store_number(Context& cx, const Function& self, const ForeignType& type, double d, void* to) {
  if constexpr (std::is_floating_point_v<T>) {
    write_raw(to, static_cast<T>(d));
  } else {
    constexpr bool is_wide = sizeof(T) == 8;
    const double most = is_wide ? exact_limit - 1 : static_cast<double>(std::numeric_limits<T>::max());
    const double least = !std::is_signed_v<T> ? 0 : is_wide ? -most : static_cast<double>(std::numeric_limits<T>::min());
    if (!(d >= least && d <= most) || d != std::floor(d))
      refuse_foreign(cx, self, type, "an integer from " + number_text(least) + " to " + number_text(most), d);
    write_raw(to, static_cast<T>(d));
  }
}

template <class T>
double load_number(Context& cx, const Function& self, const ForeignType& type, const void* from) {
  const T t = read_raw<T>(from);
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const double d = static_cast<double>(t);
    if (std::fabs(d) >= exact_limit)
      fail_in(cx, self, "A result of type " + type.text + " is no exact number (" + std::to_string(t) + ")");
    return d;
  } else {
    return static_cast<double>(t);
  }
}

// Gives the element type of lists that lie in memory as C lays the type out; bit where there is none.
ElementType plain_element(const ForeignType& type) {
  if (type.converted) return type.as;
  if (type.kind == Kind::integer)
    return type.size == 1   ? ElementType::i8
           : type.size == 2 ? ElementType::i16
           : type.size == 4 ? ElementType::i32
                            : ElementType::bit;
  return type.kind == Kind::real && type.size == 8 ? ElementType::f64 : ElementType::bit;
}
bool has_plain_element(const ForeignType& type) { return type.converted || plain_element(type) != ElementType::bit; }

// Takes an array of any shape for the list of its elements.
const Array& elements_argument(Context& cx, const Function& self, const ForeignType& type, const Value& v) {
  if (!v.is_array()) refuse_foreign(cx, self, type, "a list", v);
  return v.array();
}
const Array& fields_argument(Context& cx, const Function& self, const ForeignType& type, const Value& v) {
  if (!v.is_array() || !v.array().is_list()) refuse_foreign(cx, self, type, "a list", v);
  if (v.array().length != type.fields.size())
    refuse_foreign(cx, self, type, "a list of " + std::to_string(type.fields.size()) + " elements", v);
  return v.array();
}

// Gives the elements of an array as an array of an element type, where that holds them.
Value converted_list(Context& cx, const Function& self, const ForeignType& type, const Value& v, ElementType wanted) {
  const Array& a = elements_argument(cx, self, type, v);
  if (a.type() == wanted) return v;
  if (a.length == 0) return to_value(make_list(cx.heap, wanted, 0));
  const ElementType narrow = narrowest(a);
  const bool fits = is_character(wanted) ? is_character(narrow) : is_number(narrow);
  if (!fits || narrow > wanted) {
    const char* expected = wanted == ElementType::bit   ? "a list of 0 and 1"
                           : wanted == ElementType::f64 ? "a list of numbers"
                           : is_character(wanted)       ? "a list of characters of this width"
                                                        : "a list of integers of this width";
    for (std::size_t i = 0; i < a.length; i++) {
      Value e = element(a, i);
      if (element_type_of(e) > wanted || is_character(element_type_of(e)) != is_character(wanted))
        refuse_foreign(cx, self, type, expected, e);
    }
    refuse_foreign(cx, self, type, expected, v);
  }
  return converted(cx.heap, a, wanted);
}

Value list_of(Context& cx, ElementType type, const void* from, std::size_t n) {
  Ref<Array> a = make_list(cx.heap, type, n);
  if (n > 0) std::memcpy(a->data, from, type == ElementType::bit ? (n + 7) / 8 : bytes_for(type, n));
  if (type == ElementType::f64)
    for (double& d : std::span(a->as<double>(), n)) d = Value(d).number();  // one NaN only
  if (type == ElementType::c32)
    for (char32_t c : std::span(a->as<char32_t>(), n))
      if (c > 0x10FFFF) fail(cx, "•FFI: A result is no character (" + std::to_string(static_cast<std::uint32_t>(c)) + ")");
  return to_value(std::move(a));
}

}  // namespace

std::uint8_t* CallMemory::allocate(std::size_t bytes) {
  blocks_.emplace_back(bytes / sizeof(std::max_align_t) + 1);
  return reinterpret_cast<std::uint8_t*>(blocks_.back().data());
}

std::uint8_t* store_foreign_list(Context& cx, const Function& self, const ForeignType& type, const Value& v, CallMemory& memory,
                                 bool may_share, std::size_t& n) {
  if (has_plain_element(type)) {
    const ElementType wanted = plain_element(type);
    Value list = converted_list(cx, self, type, v, wanted);
    const Array& a = list.array();
    const std::size_t bits = a.length * bits_of(wanted);
    if (bits % type.bits() != 0)
      fail_in(cx, self, "Expected a list of whole values for " + type.text + " (got a " + kind_text(v) + ")");
    n = bits / type.bits();
    std::uint8_t* data = a.data;
    if (!may_share || reinterpret_cast<std::uintptr_t>(data) % type.alignment != 0) {
      data = memory.allocate(n * type.size);
      if (n > 0) std::memcpy(data, a.data, n * type.size);
    }
    memory.keep(std::move(list));
    return data;
  }
  const Array& a = elements_argument(cx, self, type, v);
  n = a.length;
  if (n > 0 && type.size > ~std::size_t{0} / 2 / n) throw OutOfMemory(~std::size_t{0});
  std::uint8_t* data = memory.allocate(n * type.size);
  if (type.is_number() && is_number(a.type())) {
    with_number(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (std::size_t i = 0; i < n; i++) store_number<T>(cx, self, type, number_at(a, i), data + i * sizeof(T));
    });
  } else {
    for (std::size_t i = 0; i < n; i++) store_foreign(cx, self, type, element(a, i), data + i * type.size, &memory);
  }
  return data;
}

Value load_foreign_list(Context& cx, const Function& self, const ForeignTypeRef& type, const void* from, std::size_t n) {
  const auto* bytes = static_cast<const std::uint8_t*>(from);
  if (has_plain_element(*type)) return list_of(cx, plain_element(*type), from, type->converted ? type->parts(n) : n);
  if (type->is_number()) {
    std::vector<double> numbers(n);
    with_number(*type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (std::size_t i = 0; i < n; i++) numbers[i] = load_number<T>(cx, self, *type, bytes + i * sizeof(T));
    });
    return make_numbers(cx.heap, numbers);
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < n; i++) values.push_back(load_foreign(cx, self, type, bytes + i * type->size));
  return make_values(cx.heap, values);
}

void store_foreign(Context& cx, const Function& self, const ForeignType& type, const Value& v, void* to, CallMemory* memory) {
  cx.check_stack();
  auto* bytes = static_cast<std::uint8_t*>(to);
  const ForeignPointer* pointer = type.kind == Kind::pointer ? foreign_pointer(v) : nullptr;
  if (type.converted && !pointer) {
    Value list = converted_list(cx, self, type, v, type.as);
    if (list.array().length != type.parts())
      refuse_foreign(cx, self, type, "a list of " + std::to_string(type.parts()) + " elements", v);
    std::memcpy(to, list.array().data, type.size);
    return;
  }
  switch (type.kind) {
    case Kind::integer:
    case Kind::natural:
    case Kind::real:
      if (!v.is_number()) refuse_foreign(cx, self, type, "a number", v);
      with_number(type, [&](auto tag) { store_number<typename decltype(tag)::type>(cx, self, type, v.number(), to); });
      return;
    case Kind::bqn_value:
      assert(memory);
      write_raw(to, memory->give(v));
      return;
    case Kind::pointer: {
      if (pointer) {
        if (!are_compatible(type.element.get(), pointer->type.get()))
          fail_in(cx, self, "Expected a pointer for " + type.text + " (got one to " + pointer->type->text + ")");
        write_raw(to, pointer->address);
        return;
      }
      if (!type.element || !memory) refuse_foreign(cx, self, type, "a pointer object", v);
      std::size_t n;
      write_raw(to, store_foreign_list(cx, self, *type.element, v, *memory, true, n));
      return;
    }
    case Kind::array: {
      const Array& a = elements_argument(cx, self, type, v);
      const std::size_t expected = type.element->converted ? type.element->parts(type.count) : type.count;
      if (a.length != expected) refuse_foreign(cx, self, type, "a list of " + std::to_string(expected) + " elements", v);
      if (type.element->converted) {
        Value list = converted_list(cx, self, type, v, type.element->as);
        std::memcpy(to, list.array().data, type.size);
        return;
      }
      for (std::size_t i = 0; i < type.count; i++)
        store_foreign(cx, self, *type.element, element(a, i), bytes + i * type.element->size, memory);
      return;
    }
    case Kind::structure: {
      const Array& a = fields_argument(cx, self, type, v);
      for (std::size_t i = 0; i < type.fields.size(); i++)
        store_foreign(cx, self, *type.fields[i], element(a, i), bytes + type.offsets[i], memory);
      return;
    }
  }
}

Value load_foreign(Context& cx, const Function& self, const ForeignTypeRef& type, const void* from) {
  cx.check_stack();
  const auto* bytes = static_cast<const std::uint8_t*>(from);
  if (type->converted) return list_of(cx, type->as, from, type->parts());
  switch (type->kind) {
    case Kind::integer:
    case Kind::natural:
    case Kind::real:
      return with_number(*type,
                         [&](auto tag) -> Value { return load_number<typename decltype(tag)::type>(cx, self, *type, from); });
    case Kind::bqn_value: {
      Value v = Value::from_bits(read_raw<std::uint64_t>(from));
      if (v.is_mark()) fail_in(cx, self, "The function gave no value");
      return v;
    }
    case Kind::pointer:
      if (type->is_list_pointer()) fail_in(cx, self, "A list of unknown length cannot be read (type " + type->text + ")");
      return make_foreign_pointer(cx, read_raw<void*>(from), type->element);
    case Kind::array: return load_foreign_list(cx, self, type->element, from, type->count);
    case Kind::structure: {
      std::vector<Value> values;
      for (std::size_t i = 0; i < type->fields.size(); i++)
        values.push_back(load_foreign(cx, self, type->fields[i], bytes + type->offsets[i]));
      return make_values(cx.heap, values);
    }
  }
  __builtin_unreachable();
}

}  // namespace griddle
