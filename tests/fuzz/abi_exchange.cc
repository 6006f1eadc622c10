// Random bytes and tensors, to the library and from it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "runtime/api/dlpack.h"
#include "tests/fuzz/abi_world.h"

namespace abi_fuzz {

namespace {

bool same_bytes(griddle_buffer a, griddle_buffer b) { return a.bytes == b.bytes && std::memcmp(a.data, b.data, a.bytes) == 0; }

// Makes a value of bytes, which may be wrong, and uses it.
void read_bytes(World& world, const griddle_buffer& bytes) {
  Engine& engine = world.engine();
  // Of its own size, so that a sanitizer sees who reads further.
  auto* copy = static_cast<char*>(std::malloc(bytes.bytes));
  std::memcpy(copy, bytes.data, bytes.bytes);
  size_t size = bytes.bytes;
  if (world.random.chance(30)) size = world.random.below(size + 1);
  for (size_t n = world.random.below(4); n > 0 && size > 8; n--) {
    char& byte = copy[8 + world.random.below(size - 8)];
    byte = world.random.chance(50) ? static_cast<char>(world.random.among({0, 1, 2, 3, 4, 8, 127, 128, 255}))
                                   : static_cast<char>(byte ^ 1 << world.random.below(8));
  }
  auto* fitting = static_cast<char*>(std::malloc(size));
  std::memcpy(fitting, copy, size);
  std::free(copy);
  log.note("griddle_deserialise: %zu bytes, changed", size);
  Why why(world);
  Own v(griddle_deserialise(engine.handle, fitting, size, why.slot()));
  std::free(fitting);
  why.judge(bool(v), "griddle_deserialise");
  if (v) read_all(world, v.get());
  if (v && world.random.chance(50)) griddle_free(griddle_serialise(v.get(), nullptr));
  // Source text in them may have been run.
  if (world.may_run(v.get())) world.keep(v.leak());
}

void serialise(World& world) {
  Own v = world.any();
  log.note("griddle_serialise: kind %d, type %d, rank %zu, %zu elements", griddle_kind_of(v.get()), griddle_type_of(v.get()),
           griddle_rank(v.get()), griddle_length(v.get()));
  Why why(world);
  const griddle_buffer bytes = griddle_serialise(v.get(), why.slot());
  why.judge(bytes.data != nullptr, "griddle_serialise");
  if (!bytes.data) return;
  const bool data = is_data(v.get());
  const bool runs = world.may_run(v.get());
  if (data || runs) {
    Engine& engine = data ? world.engine() : world.runner();
    Why back_why(world);
    Own back(griddle_deserialise(engine.handle, bytes.data, bytes.bytes, back_why.slot()));
    back_why.judge(bool(back), "griddle_deserialise");
    if (back && data) {
      const griddle_buffer again = griddle_serialise(back.get(), nullptr);
      require(!again.data || same_bytes(again, bytes), "what comes back of bytes has the same bytes");
      griddle_free(again);
      griddle_failure* failure = nullptr;
      const bool own = back.get().interpreter == v.get().interpreter;
      require(!own || griddle_match(back.get(), v.get(), &failure) || failure, "what comes back of bytes matches");
      world.keep(failure);
    }
    world.keep(back.leak());
  }
  if (runs && bytes.bytes < 100000) read_bytes(world, bytes);
  griddle_free(bytes);
}

// --- tensors

struct Tensor {
  DLManagedTensor managed = {};
  std::vector<int64_t> shape, strides;
  char* memory = nullptr;
  Token* token = nullptr;
};

void delete_tensor(DLManagedTensor* managed) {
  auto* tensor = static_cast<Tensor*>(managed->manager_ctx);
  tensor->token->drops++;
  std::free(tensor->memory);
  delete tensor;
}

struct Kind {
  uint8_t code, bits;
  griddle_type type;
};
constexpr Kind kinds[] = {{0, 8, griddle_i8},   {0, 16, griddle_i16}, {0, 32, griddle_i32}, {0, 64, griddle_i64},
                          {1, 8, griddle_u8},   {1, 16, griddle_u16}, {1, 32, griddle_u32}, {1, 64, griddle_u64},
                          {2, 32, griddle_f32}, {2, 64, griddle_f64}, {6, 8, griddle_bool}};

// Chooses strides, which may be backwards, zero or wide; gives the first and last element that they reach.
std::pair<int64_t, int64_t> random_strides(Random& random, Tensor& t) {
  int64_t least = 0, most = 0, compact = 1;
  t.strides.resize(t.shape.size());
  std::vector<size_t> order(t.shape.size());
  for (size_t i = 0; i < order.size(); i++) order[i] = order.size() - 1 - i;
  const bool as_usual = random.chance(20);
  if (!as_usual && random.chance(50)) std::reverse(order.begin(), order.end());
  for (const size_t axis : order) {
    int64_t stride = compact;
    const int64_t length = t.shape[axis];
    if (!as_usual) switch (random.below(6)) {
        case 0: stride = 0; break;
        case 1: stride = -stride; break;
        case 2: stride *= 2; break;
        default: break;
      }
    t.strides[axis] = stride;
    if (length > 0) (stride < 0 ? least : most) += stride * (length - 1);
    compact = std::max<int64_t>(1, std::abs(stride)) * std::max<int64_t>(1, length);
  }
  return {least, most};
}

std::vector<double> elements_of(const Tensor& t, griddle_type type, int64_t first) {
  std::vector<double> elements;
  std::vector<int64_t> index(t.shape.size());
  size_t count = 1;
  for (const int64_t length : t.shape) count *= static_cast<size_t>(length);
  const auto width = static_cast<int64_t>(bytes_of(type, 1));
  for (size_t i = 0; i < count; i++) {
    int64_t place = 0, compact = 1;
    for (size_t axis = index.size(); axis-- > 0;) {
      place += index[axis] * (t.strides.empty() ? compact : t.strides[axis]);
      compact *= t.shape[axis];
    }
    elements.push_back(number_at(type, t.memory + t.managed.dl_tensor.byte_offset + (first + place) * width - first * width, 0));
    for (size_t axis = index.size(); axis-- > 0 && ++index[axis] == t.shape[axis];) index[axis] = 0;
  }
  return elements;
}

void take_tensor(World& world) {
  Engine& engine = world.engine();
  Random& random = world.random;
  auto* t = new Tensor;
  t->token = &world.token("a tensor");
  const Kind kind = random.among(kinds);
  for (const size_t length : random_shape(random, 2000)) t->shape.push_back(static_cast<int64_t>(length));
  std::pair<int64_t, int64_t> range = {0, 1};
  for (const int64_t length : t->shape) range.second *= length;
  range.second = std::max<int64_t>(range.second - 1, 0);
  if (random.chance(70)) range = random_strides(random, *t);
  const size_t width = kind.bits / 8;
  const size_t before = random.chance(50) ? 0 : random.chance(50) ? random.below(20) : width * random.below(20);
  Elements e;
  e.make(random, kind.type, {static_cast<size_t>(range.second - range.first + 1)}, before);
  t->memory = std::exchange(e.start, nullptr);
  DLTensor& d = t->managed.dl_tensor;
  d = {t->memory,
       {random.chance(90) ? 1 : 3, 0},
       static_cast<int32_t>(t->shape.size()),
       {kind.code, kind.bits, 1},
       t->shape.data(),
       t->strides.empty() ? nullptr : t->strides.data(),
       before + static_cast<uint64_t>(-range.first) * width};
  t->managed.manager_ctx = t;
  t->managed.deleter = delete_tensor;
  const bool wrong = random.chance(5);
  if (wrong) switch (random.below(5)) {
      case 0: d.device.device_type = 7; break;
      case 1: d.dtype.lanes = 2; break;
      case 2: d.dtype.bits = 24; break;
      case 3: d.ndim = -1; break;
      default: d.dtype.code = 4;
    }
  log.note("griddle_from_dlpack: code %d, bits %d, rank %d, strides %d, offset %zu", d.dtype.code, d.dtype.bits, d.ndim,
           d.strides != nullptr, static_cast<size_t>(d.byte_offset));
  const std::vector<double> wanted = elements_of(*t, kind.type, -range.first);
  const std::vector<int64_t> shape = t->shape;
  Why why(world);
  Own v(griddle_from_dlpack(engine.handle, &t->managed, why.slot()));
  why.judge(bool(v), "griddle_from_dlpack");
  require(!v || !wrong, "tensors that are none are refused");
  if (v) {
    require(griddle_length(v.get()) == wanted.size() && griddle_rank(v.get()) == shape.size(), "a tensor keeps its shape");
    std::vector<double> got(wanted.size());
    if (griddle_copy(v.get(), griddle_f64, got.data(), nullptr))
      for (size_t i = 0; i < got.size(); i++)
        require(got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i])), "a tensor keeps its elements");
  }
  world.keep(v.leak());
}

// One element that is shown a great many times.
void take_repeated_tensor(World& world) {
  Engine& engine = world.engine();
  auto* t = new Tensor;
  t->token = &world.token("a tensor of one element");
  t->memory = static_cast<char*>(std::calloc(1, 8));
  const std::vector<int64_t> shapes[] = {{int64_t{1} << 61},    {int64_t{1} << 32, int64_t{1} << 29},
                                         {int64_t{1} << 40},    {int64_t{1} << 60, 8, 4},
                                         {int64_t{1} << 62, 0}, {100, 100, 3}};
  t->shape = world.random.among(shapes);
  t->strides.resize(t->shape.size());
  const Kind kind = world.random.among(kinds);
  t->managed = {{t->memory,
                 {1, 0},
                 static_cast<int32_t>(t->shape.size()),
                 {kind.code, kind.bits, 1},
                 t->shape.data(),
                 t->strides.data(),
                 0},
                t,
                delete_tensor};
  log.note("griddle_from_dlpack: one element for %lld", static_cast<long long>(t->shape[0]));
  Why why(world);
  Own v(griddle_from_dlpack(engine.handle, &t->managed, why.slot()));
  why.judge(bool(v), "griddle_from_dlpack of a repeated element");
  require(!v || griddle_length(v.get()) <= 30000, "no tensor is so large");
  world.keep(v.leak());
}

void give_tensor(World& world) {
  Own v = world.any();
  log.note("griddle_to_dlpack: kind %d, type %d, %zu elements", griddle_kind_of(v.get()), griddle_type_of(v.get()),
           griddle_length(v.get()));
  Why why(world);
  DLManagedTensor* given = griddle_to_dlpack(v.get(), why.slot());
  why.judge(given != nullptr, "griddle_to_dlpack");
  if (!given) return;
  const DLTensor& d = given->dl_tensor;
  size_t count = 1;
  for (int32_t axis = 0; axis < d.ndim; axis++) count *= static_cast<size_t>(d.shape[axis]);
  require(count == griddle_length(v.get()), "a tensor has the shape of its array");
  unsigned sum = 0;
  for (size_t i = 0; i < count * d.dtype.bits / 8; i++) sum += static_cast<unsigned char*>(d.data)[i];
  log.note("bytes that are %u together", sum);
  const griddle_value original = v.get();
  if (world.random.chance(30)) {
    Own gone = std::move(v);
  }
  if (world.random.chance(30)) return given->deleter(given);
  // What is given holds its interpreter: back in there, it might become part of a circle of values that holds itself.
  Engine& engine = world.quiet_engine();
  Why back_why(world);
  Own back(griddle_from_dlpack(engine.handle, given, back_why.slot()));
  back_why.judge(bool(back), "griddle_from_dlpack of what was given");
  if (back && v && back.get().interpreter == original.interpreter && griddle_kind_of(original) == griddle_array && count > 0 &&
      is_data(original)) {
    griddle_failure* failure = nullptr;
    require(griddle_match(back.get(), original, &failure) || failure, "a tensor comes back as it went");
    world.keep(failure);
  }
  world.keep(back.leak());
}

constexpr Operation operations[] = {{"serialise", 6, serialise},
                                    {"take_tensor", 6, take_tensor},
                                    {"take_repeated_tensor", 1, take_repeated_tensor},
                                    {"give_tensor", 4, give_tensor}};

}  // namespace

std::span<const Operation> exchange_operations() { return operations; }

}  // namespace abi_fuzz
