// Tensors of DLPack, whose elements lie somewhere in a piece of memory.
#include <vector>

#include "runtime/api/dlpack.h"
#include "tests/fuzz/targets/target.h"

namespace {

constexpr std::size_t most_axes = 8, most_length = 3, most_step = 8, most_width = 8;
constexpr std::size_t half = most_axes * most_length * most_step * most_width;

struct Tensor {
  std::vector<char> memory = std::vector<char>(2 * half + most_width);
  std::vector<std::int64_t> shape, strides;
  DLManagedTensor managed = {};
  int drops = 0;
};

void drop(DLManagedTensor* t) { static_cast<Tensor*>(t->manager_ctx)->drops++; }

// Fills a tensor that keeps to its memory, whatever the rest says.
void fill(Tensor& t, fuzz::Bytes& bytes) {
  DLTensor& d = t.managed.dl_tensor;
  d.device = {bytes.number<std::uint8_t>() % 16, bytes.number<std::uint8_t>() % 4};
  // Of each type most widths and numbers of lanes are wrong.
  d.dtype = {bytes.number<std::uint8_t>(), bytes.number<std::uint8_t>(), bytes.number<std::uint16_t>()};
  d.ndim = bytes.number<std::int8_t>() % static_cast<int>(most_axes + 1);
  const bool has_strides = bytes.number<std::uint8_t>() % 2 == 1;
  bool repeats = false;
  for (std::int32_t axis = 0; axis < d.ndim; axis++) {
    const auto length = bytes.number<std::uint8_t>();
    const auto step = bytes.number<std::int8_t>();
    // An axis as long as you like shows one element again and again.
    repeats |= length == 255 && has_strides;
    const auto longest = static_cast<std::int64_t>(bytes.number<std::uint64_t>());
    t.shape.push_back(repeats ? longest : length == 254 ? -1 : length % static_cast<int>(most_length + 1));
    t.strides.push_back(step % static_cast<int>(most_step + 1));
  }
  if (repeats) t.strides.assign(t.strides.size(), 0);
  d.shape = t.shape.data();
  d.strides = has_strides ? t.strides.data() : nullptr;
  d.data = t.memory.data();
  d.byte_offset = half - bytes.number<std::uint8_t>() % 9;
  for (std::size_t i = 0; i < t.memory.size() && !bytes.is_empty(); i++) t.memory[i] = static_cast<char>(bytes.next());
  t.managed.manager_ctx = &t;
  t.managed.deleter = drop;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  Tensor t;
  fill(t, bytes);
  // Without strides a tensor of 3⋆8 doubles is larger than the memory: contiguous ones have fewer axes.
  if (t.managed.dl_tensor.strides == nullptr && t.shape.size() > 4) t.managed.dl_tensor.ndim = 4;
  {
    griddle::Interpreter bqn(fuzz::limited());
    griddle_failure* why = nullptr;
    griddle::Any made = griddle::Any::adopt(griddle_from_dlpack(bqn.handle(), &t.managed, &why));
    fuzz::require(made.has_value() != (why != nullptr), "there is a value or a failure");
    fuzz::look_at(bqn, griddle::Result(std::move(made), why));
  }
  fuzz::require(t.drops == 1, "a tensor is released once");
  return 0;
}
