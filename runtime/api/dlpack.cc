// Arrays from and to other array libraries, through DLPack.
#include "runtime/api/dlpack.h"

#include <new>
#include <span>
#include <vector>

#include "runtime/api/interpreter_state.h"

using namespace griddle;

namespace {

enum DeviceType : std::int32_t { on_host = 1, on_cuda = 2, on_host_for_cuda = 3, managed_by_cuda = 13 };
enum TypeCode : std::uint8_t { signed_integer = 0, unsigned_integer = 1, floating = 2, boolean = 6 };

void give_up(DLManagedTensor* tensor) {
  if (tensor != nullptr && tensor->deleter != nullptr) tensor->deleter(tensor);
}

int type_of(DLDataType t) {
  if (t.lanes != 1) return -1;
  switch (t.code) {
    case signed_integer:
      return t.bits == 8 ? griddle_i8 : t.bits == 16 ? griddle_i16 : t.bits == 32 ? griddle_i32 : t.bits == 64 ? griddle_i64 : -1;
    case unsigned_integer:
      return t.bits == 8 ? griddle_u8 : t.bits == 16 ? griddle_u16 : t.bits == 32 ? griddle_u32 : t.bits == 64 ? griddle_u64 : -1;
    case floating: return t.bits == 32 ? griddle_f32 : t.bits == 64 ? griddle_f64 : -1;
    case boolean: return t.bits == 8 ? griddle_bool : -1;
    default: return -1;
  }
}

bool is_compact(const DLTensor& t) {
  if (t.strides == nullptr) return true;
  std::int64_t expected = 1;
  for (std::int32_t axis = t.ndim; axis-- > 0;) {
    if (t.shape[axis] != 1 && t.strides[axis] != expected) return false;
    expected *= t.shape[axis];
  }
  return true;
}

// Copies elements that lie apart, or backwards, one after the other.
std::vector<char> gathered(const DLTensor& t, std::size_t n) {
  const std::size_t width = t.dtype.bits / 8;
  std::vector<char> packed(n * width);
  std::vector<std::int64_t> index(static_cast<std::size_t>(t.ndim));
  const char* start = static_cast<const char*>(t.data) + t.byte_offset;
  for (std::size_t i = 0; i < n; i++) {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < index.size(); axis++) place += index[axis] * t.strides[axis];
    std::memcpy(packed.data() + i * width, start + place * static_cast<std::int64_t>(width), width);
    for (std::size_t axis = index.size(); axis-- > 0 && ++index[axis] == t.shape[axis];) index[axis] = 0;
  }
  return packed;
}

ForeignElements::Type foreign_type(griddle_type type) {
  switch (type) {
    case griddle_bool: return ForeignElements::boolean;
    case griddle_i8: return ForeignElements::i8;
    case griddle_i16: return ForeignElements::i16;
    case griddle_i32: return ForeignElements::i32;
    case griddle_i64: return ForeignElements::i64;
    case griddle_u8: return ForeignElements::u8;
    case griddle_u16: return ForeignElements::u16;
    case griddle_u32: return ForeignElements::u32;
    case griddle_u64: return ForeignElements::u64;
    case griddle_f32: return ForeignElements::f32;
    default: return ForeignElements::f64;
  }
}

// Takes a tensor that lies on a device.
griddle_value from_device(griddle_interpreter* bqn, DLManagedTensor* managed, griddle_type type,
                          std::span<const std::size_t> shape, griddle_failure** failure) {
  const DLTensor& t = managed->dl_tensor;
  bool handed_over = false;
  const griddle_value made = bqn->guarded(failure, [&] {
    if (bqn->cx.device == nullptr) fail(bqn->cx, "The tensor is on a device, which this interpreter does not use");
    if (t.device.device_id != 0) fail(bqn->cx, "The tensor is on another device than the first one");
    ForeignElements elements{foreign_type(type), static_cast<const char*>(t.data) + t.byte_offset, shape, {}, {}, managed};
    if (t.strides != nullptr) elements.steps = {t.strides, shape.size()};
    elements.drop = [](void* data) { give_up(static_cast<DLManagedTensor*>(data)); };
    handed_over = true;
    Value v = bqn->cx.device->adopt(bqn->cx, elements);
    if (v.is_absent()) fail(bqn->cx, "The tensor is on a device, which is not there for this interpreter, or full");
    return v;
  });
  if (!handed_over) give_up(managed);
  return made;
}

// What a tensor that is given keeps until it is released.
struct GivenTensor {
  DLManagedTensor tensor = {};
  griddle_value value = {};
  std::vector<std::int64_t> shape;
  std::vector<char> copy;  // of what has another form here
  bool is_on_device = false;
};

// Lets a tensor refer to where elements lie on a device. Gives false where they do not.
bool lend_device(InterpreterState& bqn, const Value& v, GivenTensor& given) {
  const void* memory = nullptr;
  if (bqn.cx.device == nullptr || !v.is_array() || v.array().length == 0) return false;
  Value lent = bqn.cx.device->lend(bqn.cx, v, &memory);
  if (lent.is_absent()) return false;
  given.tensor.dl_tensor.device = {on_cuda, 0};
  given.tensor.dl_tensor.data = const_cast<void*>(memory);
  given.value = bqn.wrap(std::move(lent));
  given.is_on_device = true;
  return true;
}

}  // namespace

griddle_value griddle_from_dlpack(griddle_interpreter* bqn, DLManagedTensor* managed, griddle_failure** failure) {
  const auto refuse = [&](const char* message) {
    give_up(managed);
    return nothing_to_call(failure, message);
  };
  if (bqn == nullptr) return refuse("There is no interpreter");
  if (managed == nullptr) return refuse("There is no tensor");
  const DLTensor& t = managed->dl_tensor;
  const int type = type_of(t.dtype);
  if (type < 0) return refuse("The tensor has a type of elements that BQN has no numbers for");
  if (t.ndim < 0 || t.ndim > static_cast<std::int32_t>(max_rank)) return refuse("The tensor has too many axes");
  std::size_t lengths[max_rank];
  const std::span<std::size_t> shape(lengths, static_cast<std::size_t>(t.ndim));
  std::size_t n = 1;
  for (std::int32_t axis = 0; axis < t.ndim; axis++) {
    if (t.shape[axis] < 0) return refuse("The tensor has an axis of negative length");
    lengths[axis] = static_cast<std::size_t>(t.shape[axis]);
    if (__builtin_mul_overflow(n, lengths[axis], &n)) return refuse("The tensor has too many elements");
  }
  const auto c_type = static_cast<griddle_type>(type);
  if (t.device.device_type == on_cuda && n > 0) return from_device(bqn, managed, c_type, shape, failure);
  if (t.device.device_type != on_host && t.device.device_type != on_cuda && t.device.device_type != on_host_for_cuda &&
      t.device.device_type != managed_by_cuda)
    return refuse("The tensor is on a device of a kind that is not known");
  if (!is_compact(t) && n > 0) {
    griddle_value made = {};
    try {
      std::size_t bytes = 0;
      if (__builtin_mul_overflow(n, t.dtype.bits / 8, &bytes)) throw std::bad_alloc();
      bqn->cx.heap.check_limit(bytes);
      const std::vector<char> packed = gathered(t, n);
      made = griddle_make_array(bqn, c_type, packed.data(), shape.data(), shape.size(), failure);
    } catch (const std::exception&) {
      give_failure(failure, plain_failure("Out of memory"));
    }
    give_up(managed);
    return made;
  }
  const char* start = static_cast<const char*>(t.data) + t.byte_offset;
  if (type < griddle_any)
    return griddle_borrow_array(
        bqn, c_type, start, shape.data(), shape.size(), [](void* data) { give_up(static_cast<DLManagedTensor*>(data)); }, managed,
        failure);
  const griddle_value made = griddle_make_array(bqn, c_type, start, shape.data(), shape.size(), failure);
  give_up(managed);
  return made;
}

DLManagedTensor* griddle_to_dlpack(griddle_value value, griddle_failure** failure) {
  if (value.interpreter == nullptr) return nothing_to_call(failure, "There is no value"), nullptr;
  std::unique_ptr<GivenTensor> given;
  const int whole = value.interpreter->done(failure, [&] {
    InterpreterState& bqn = *value.interpreter;
    given = std::make_unique<GivenTensor>();
    Lent v(value.bits);
    DLTensor& t = given->tensor.dl_tensor;
    t.device = {on_host, 0};
    if (!v->is_array() && !v->is_number()) fail(bqn.cx, "Only arrays of numbers are tensors (got a " + kind_text(*v) + ")");
    for (const std::size_t length : shape_of(*v)) given->shape.push_back(static_cast<std::int64_t>(length));
    const ElementType type = v->is_array() ? v->array().type() : ElementType::boxed;
    const std::size_t n = length_of(*v);
    if (v->is_array() && n > 0 && is_character(type)) fail(bqn.cx, "Only arrays of numbers are tensors (got characters)");
    switch (type) {
      case ElementType::i8: t.dtype = {signed_integer, 8, 1}; break;
      case ElementType::i16: t.dtype = {signed_integer, 16, 1}; break;
      case ElementType::i32: t.dtype = {signed_integer, 32, 1}; break;
      case ElementType::bit: t.dtype = {boolean, 8, 1}; break;
      default: t.dtype = {floating, 64, 1}; break;
    }
    if (lend_device(bqn, *v, *given)) {
      // Nothing comes to the host.
    } else if (type == ElementType::bit || type == ElementType::boxed || is_character(type)) {
      const bool bits = type == ElementType::bit;
      bqn.cx.heap.check_limit(n * (bits ? 1 : sizeof(double)));
      given->copy.resize(std::max<std::size_t>(1, n * (bits ? 1 : sizeof(double))));
      griddle_failure* why = nullptr;
      if (n > 0 && griddle_copy(value, bits ? griddle_bool : griddle_f64, given->copy.data(), &why) == 0) bqn.throw_failure(why);
      t.data = given->copy.data();
    } else {
      t.data = v->array().data.get();
      given->value = griddle_share(value);
    }
    t.ndim = static_cast<std::int32_t>(given->shape.size());
    t.shape = given->shape.data();
    given->tensor.manager_ctx = given.get();
    given->tensor.deleter = [](DLManagedTensor* tensor) {
      std::unique_ptr<GivenTensor> owned(static_cast<GivenTensor*>(tensor->manager_ctx));
      // Whoever had it may have work waiting that reads it.
      if (owned->is_on_device) owned->value.interpreter->cx.device->wait_for_all();
      griddle_release(owned->value);
    };
  });
  return whole != 0 ? &given.release()->tensor : nullptr;
}
