// Tensors and columns of others, as DLPack and Arrow fix them: random ones that are right.
#include <cstddef>

#include "tests/fuzz/abi_world.h"

struct DLManagedTensor {
  void* data;
  std::int32_t device_type, device_id, axes;
  std::uint8_t code, bits;
  std::uint16_t lanes;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
  void* context;
  void (*deleter)(DLManagedTensor*);
};
struct ArrowSchema {
  const char *format, *name, *metadata;
  std::int64_t flags, n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length, null_count, offset, n_buffers, n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

namespace abi_fuzz {

namespace {

// A tensor of ours, with all that belongs to it.
struct Tensor {
  DLManagedTensor managed{};
  std::vector<char> data;
  std::vector<std::int64_t> shape, strides;
  World* world;
};

struct Column {
  std::vector<std::int32_t> ends;
  std::vector<char> data;
  std::vector<std::uint8_t> valid;
  const void* buffers[3] = {};
};

}  // namespace

void World::tensor() {
  if (random.one_in(3)) {
    calls.note("to_dlpack");
    griddle_failure* why = nullptr;
    DLManagedTensor* given = griddle_to_dlpack(any_value(), asked(why));
    if (given == nullptr) return look_at(why);
    // Reads the last element.
    std::int64_t last = 0, length = 1;
    for (std::int32_t axis = 0; axis < given->axes; axis++) length *= given->shape[axis];
    const std::int64_t width = given->bits / 8;
    if (length > 0) last = static_cast<const char*>(given->data)[(length - 1) * width];
    must(last < 256, "a byte is none");
    if (random.one_in(2)) return given->deleter(given);
    return void(take(griddle_from_dlpack(any_interpreter(), given, asked(why)), why));
  }
  auto* t = new Tensor;
  t->world = this;
  constexpr struct {
    std::uint8_t code, bits;
  } types[] = {{0, 8}, {0, 16}, {0, 32}, {0, 64}, {1, 8}, {1, 16}, {1, 32}, {1, 64}, {2, 32}, {2, 64}, {2, 16}, {6, 8}, {5, 128}};
  const auto type = types[random.below(std::size(types))];
  std::int64_t count = 1;
  for (std::size_t axis = random.below(4); axis > 0; axis--) t->shape.push_back(static_cast<std::int64_t>(random.below(6)));
  for (const std::int64_t n : t->shape) count *= n;
  const std::size_t width = type.bits / 8;
  t->data.resize(static_cast<std::size_t>(count + 8) * width * 2);
  for (char& c : t->data) c = static_cast<char>(type.code == 6 ? random.below(2) : type.code == 2 ? 0 : random.word() & 1);
  const bool apart = random.one_in(2);
  if (apart || random.one_in(2)) {
    std::int64_t step = apart ? 2 : 1;
    t->strides.resize(t->shape.size());
    for (std::size_t axis = t->shape.size(); axis-- > 0; step *= t->shape[axis]) t->strides[axis] = step;
  }
  DLManagedTensor& m = t->managed;
  m.data = t->data.data();
  m.device_type = random.one_in(8) ? static_cast<std::int32_t>(random.below(15)) : 1;
  m.axes = static_cast<std::int32_t>(t->shape.size());
  m.code = type.code;
  m.bits = type.bits;
  m.lanes = random.one_in(20) ? 2 : 1;
  m.shape = t->shape.data();
  m.strides = t->strides.empty() ? nullptr : t->strides.data();
  m.byte_offset = width * random.below(3);
  m.context = t;
  m.deleter = [](DLManagedTensor* tensor) {
    auto* own = static_cast<Tensor*>(tensor->context);
    own->world->dropped++;
    delete own;
  };
  borrowed++;
  calls.note("from_dlpack");
  griddle_failure* why = nullptr;
  take(griddle_from_dlpack(any_interpreter(), &m, asked(why)), why);
}

void World::column() {
  griddle_failure* why = nullptr;
  if (random.one_in(2)) {
    calls.note("to_arrow");
    ArrowSchema schema{};
    ArrowArray array{};
    if (griddle_to_arrow(any_value(), &schema, &array, asked(why)) == 0) return look_at(why);
    must(schema.release != nullptr && array.release != nullptr, "a column without release");
    if (random.one_in(2)) {
      schema.release(&schema);
      array.release(&array);
      return;
    }
    return void(take(griddle_from_arrow(any_interpreter(), &schema, &array, asked(why)), why));
  }
  constexpr const char* formats[] = {"c", "C", "s", "S", "i", "I", "l", "L", "f", "g", "b", "u", "z", "+l", "n"};
  constexpr std::size_t widths[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1, 0, 0, 0, 0};
  const std::size_t k = random.below(std::size(formats));
  auto* c = new Column;
  const std::size_t length = random.below(20), offset = random.below(3);
  c->data.resize((length + offset + 1) * 8);
  for (char& b : c->data) b = static_cast<char>(widths[k] == 0 ? 'a' + random.below(26) : random.below(2));
  for (std::size_t i = 0; i <= length + offset; i++) c->ends.push_back(static_cast<std::int32_t>(i * 2));
  c->valid.assign(length + offset, random.one_in(4) ? 0x55 : 0xFF);
  const bool texts = formats[k][0] == 'u' || formats[k][0] == 'z';
  c->buffers[0] = random.one_in(2) ? nullptr : c->valid.data();
  c->buffers[1] = texts ? static_cast<const void*>(c->ends.data()) : c->data.data();
  c->buffers[2] = c->data.data();
  // Without children a list is no right column: it is left out.
  if (formats[k][0] == '+' || formats[k][0] == 'n') return delete c;
  ArrowSchema schema{formats[k], "", nullptr, 0, 0, nullptr, nullptr, [](ArrowSchema* s) { s->release = nullptr; }, nullptr};
  ArrowArray array{static_cast<std::int64_t>(length),
                   c->buffers[0] == nullptr ? 0 : -1,
                   static_cast<std::int64_t>(offset),
                   texts ? 3 : 2,
                   0,
                   c->buffers,
                   nullptr,
                   nullptr,
                   [](ArrowArray* a) {
                     delete static_cast<Column*>(a->private_data);
                     a->release = nullptr;
                   },
                   c};
  calls.note("from_arrow", formats[k]);
  take(griddle_from_arrow(any_interpreter(), &schema, &array, asked(why)), why);
}

}  // namespace abi_fuzz
