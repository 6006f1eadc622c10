// Pointer objects: what •FFI gives for a pointer, and takes where one is expected
#include <cmath>
#include <cstring>

#include "runtime/system/foreign/foreign_value.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"

namespace griddle {

namespace {

using Kind = ForeignType::Kind;

const ForeignPointer& pointer_of(const Function& self) {
  return static_cast<const ForeignPointer&>(*static_cast<const NativeFunction&>(self).state);
}

Value make_pointer(Context& cx, std::uint8_t* address, ForeignTypeRef type, std::ptrdiff_t stride);

const ForeignPointer& typed_pointer(Context& cx, const Function& self) {
  const ForeignPointer& pointer = pointer_of(self);
  if (!pointer.type) fail_in(cx, self, "The pointer has no type");
  return pointer;
}

std::uint8_t* address_at(Context& cx, const Function& self, const Value& offset, const char* which, int sign = 1) {
  const ForeignPointer& pointer = typed_pointer(cx, self);
  std::int64_t n;
  if (!offset.is_number() || !offset.to_integer(n))
    fail_in(cx, self,
            std::string(which) + " must be an integer (got " +
                (offset.is_number() ? number_text(offset.number()) : "a " + kind_text(offset)) + ")");
  return pointer.address + sign * n * pointer.stride;
}

// Values are owned, and nobody knows by whom where a pointer points.
void check_has_no_values(Context& cx, const Function& self) {
  const ForeignPointer& pointer = typed_pointer(cx, self);
  if (pointer.type->holds_values())
    fail_in(cx, self, "Values cannot be read or written through a pointer (type " + pointer.type->text + ")");
}

Value read_there(Context& cx, const Function& self, Value x) {
  check_has_no_values(cx, self);
  const std::uint8_t* address = address_at(cx, self, x, "𝕩");
  return load_foreign(cx, self, pointer_of(self).type, address);
}

void write_there(Context& cx, const Function& self, std::uint8_t* address, const Value& v) {
  check_has_no_values(cx, self);
  store_foreign(cx, self, *pointer_of(self).type, v, address, nullptr);
}
Value write_here(Context& cx, const Function& self, Value x) {
  write_there(cx, self, address_at(cx, self, 0, "𝕨"), x);
  return x;
}
Value write_at(Context& cx, const Function& self, Value w, Value x) {
  write_there(cx, self, address_at(cx, self, w, "𝕨"), x);
  return x;
}

Value add(Context& cx, const Function& self, Value x) {
  std::uint8_t* address = address_at(cx, self, x, "𝕩");
  return make_pointer(cx, address, pointer_of(self).type, pointer_of(self).stride);
}

Value subtract(Context& cx, const Function& self, Value x) {
  const ForeignPointer& pointer = typed_pointer(cx, self);
  const ForeignPointer* other = foreign_pointer(x);
  if (!other) {
    if (!x.is_number()) fail_in(cx, self, "𝕩 must be an integer or a pointer (got a " + kind_text(x) + ")");
    return make_pointer(cx, address_at(cx, self, x, "𝕩", -1), pointer.type, pointer.stride);
  }
  if (!other->type) fail_in(cx, self, "𝕩 has no type");
  if (!are_compatible(pointer.type.get(), other->type.get()) || pointer.stride != other->stride)
    fail_in(cx, self, "The pointers must be of one type and stride (" + pointer.type->text + " and " + other->type->text + ")");
  const std::ptrdiff_t distance = pointer.address - other->address;
  if (distance % pointer.stride != 0)
    fail_in(cx, self,
            "The distance is no multiple of the stride (" + std::to_string(distance) + " bytes, stride " +
                std::to_string(pointer.stride) + ")");
  return static_cast<double>(distance / pointer.stride);
}

Value cast_pointer(Context& cx, const Function& self, Value x) {
  const std::string text = string_argument(cx, self, x);
  ForeignTypeRef type;
  try {
    if (!text.empty()) type = parse_foreign_type(text);
  } catch (const ForeignTypeError& error) {
    fail_in(cx, self, error.message);
  }
  return make_foreign_pointer(cx, pointer_of(self).address, std::move(type));
}

Value field_of(Context& cx, const Function& self, Value x) {
  const ForeignPointer& pointer = typed_pointer(cx, self);
  const ForeignType& type = *pointer.type;
  const bool is_structure = type.kind == Kind::structure;
  if (!is_structure && type.kind != Kind::array) fail_in(cx, self, "Only a structure or an array has fields (" + type.text + ")");
  const std::size_t i = natural_argument(cx, self, x), count = is_structure ? type.fields.size() : type.count;
  if (i >= count) fail_in(cx, self, "There is no such field (" + std::to_string(i) + " of " + std::to_string(count) + ")");
  const ForeignTypeRef& field = is_structure ? type.fields[i] : type.element;
  const std::size_t offset = is_structure ? type.offsets[i] : i * field->size;
  return make_pointer(cx, pointer.address + offset, field, pointer.stride);
}

constexpr MethodEntry pointer_methods[] = {
    {"Read", "(pointer).Read", read_there, nullptr},
    {"Write", "(pointer).Write", write_here, write_at},
    {"Add", "(pointer).Add", add, nullptr},
    {"Sub", "(pointer).Sub", subtract, nullptr},
    {"Cast", "(pointer).Cast", cast_pointer, nullptr},
    {"Field", "(pointer).Field", field_of, nullptr},
};

Value make_pointer(Context& cx, std::uint8_t* address, ForeignTypeRef type, std::ptrdiff_t stride) {
  Ref<ForeignPointer> pointer = make_native<ForeignPointer>(cx.heap);
  pointer->address = address;
  pointer->type = std::move(type);
  pointer->stride = stride;
  return make_method_namespace(cx, pointer_methods, Ref<NativeObject>(pointer.leak()));
}

}  // namespace

Value make_foreign_pointer(Context& cx, void* address, ForeignTypeRef type) {
  const auto stride = static_cast<std::ptrdiff_t>(type ? type->size : 0);
  return make_pointer(cx, static_cast<std::uint8_t*>(address), std::move(type), stride);
}

const ForeignPointer* foreign_pointer(const Value& v) {
  if (!v.is_namespace()) return nullptr;
  const Value read = field(v.name_space(), "read");
  if (!read.is_function() || read.function().kind != ObjectKind::native_function || read.function().monad != read_there)
    return nullptr;
  return &pointer_of(read.function());
}

}  // namespace griddle
