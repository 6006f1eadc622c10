// Arrays of others on the device, and arrays for others.
#include <utility>

#include "gpu/offload.h"
#include "runtime/vm/error.h"

namespace griddle {

namespace gpu {
namespace {

constexpr const char* adopting = "Taking a tensor";

struct Taken {
  griddle_foreign_type type;
  ElementType as;
  Bounds bounds;
};

Taken taken_as(ForeignElements::Type type) {
  constexpr double exact = 9007199254740992.0;
  const auto integers = [](double low, double high) { return Bounds{low, high, true}; };
  switch (type) {
    case ForeignElements::boolean: return {griddle_foreign_i8, ElementType::i8, integers(0, 1)};
    case ForeignElements::i8: return {griddle_foreign_i8, ElementType::i8, bounds_of(ElementType::i8)};
    case ForeignElements::i16: return {griddle_foreign_i16, ElementType::i16, bounds_of(ElementType::i16)};
    case ForeignElements::i32: return {griddle_foreign_i32, ElementType::i32, bounds_of(ElementType::i32)};
    case ForeignElements::u8: return {griddle_foreign_u8, ElementType::i16, integers(0, 255)};
    case ForeignElements::u16: return {griddle_foreign_u16, ElementType::i32, integers(0, 65535)};
    case ForeignElements::u32: return {griddle_foreign_u32, ElementType::f64, integers(0, 4294967295.0)};
    case ForeignElements::i64: return {griddle_foreign_i64, ElementType::f64, integers(-exact, exact)};
    case ForeignElements::u64: return {griddle_foreign_u64, ElementType::f64, integers(0, exact)};
    case ForeignElements::f32: return {griddle_foreign_f32, ElementType::f64, unbounded};
    case ForeignElements::f64: break;
  }
  return {griddle_foreign_f64, ElementType::f64, unbounded};
}

// Kernels read whole vectors, up to the end of the last block of this many bytes.
constexpr std::uintptr_t block_bytes = 256;

}  // namespace
}  // namespace gpu

// Lets go of memory of others once no kernel reads it any more.
class ForeignMemory {
 public:
  explicit ForeignMemory(const ForeignElements& given) : drop_(given.drop), data_(given.data) {}
  ForeignMemory(const ForeignMemory&) = delete;
  ForeignMemory& operator=(const ForeignMemory&) = delete;
  ~ForeignMemory() {
    if (read_by_) read_by_->plugin().wait(read_by_->device());
    drop_(data_);
  }
  void read_by(std::shared_ptr<DeviceState> state) { read_by_ = std::move(state); }

 private:
  std::shared_ptr<DeviceState> read_by_;
  void (*drop_)(void*);
  void* data_;
};

void DeviceArray::adopt(const void* memory, std::shared_ptr<ForeignMemory> owner) {
  owner->read_by(state_);
  foreign_ = std::move(owner);
  // Nothing writes to what it does not own.
  memory_ = const_cast<void*>(memory);
}

namespace gpu {

Value Offload::adopt(Context& cx, const ForeignElements& given) {
  auto owner = std::make_shared<ForeignMemory>(given);
  if (!ready()) return Value();
  return on_device("DLPack", [&](Workshop& shop) -> Value {
    const Taken taken = taken_as(given.type);
    Axes axes = axes_of(given.shape);
    for (std::size_t k = 0; k < given.steps.size(); k++) axes[k].step = given.steps[k];
    std::int64_t from = 0;
    simplify(axes, from);
    if (axes.size() > griddle_most_axes) throw DeviceDeclines();
    std::size_t length = 1;
    for (const griddle_axis& axis : axes) length *= axis.length;
    // What others do on the device may still write the elements.
    shop.run<&griddle_plugin::wait_for_all>(adopting);
    const bool held_alike = taken.as == ElementType::f64 ? taken.type == griddle_foreign_f64 : taken.type <= griddle_foreign_i32;
    Arg d = shop.made(taken.as, length, taken.bounds, adopting);
    if (held_alike && axes.size() == 1 && axes[0].step == 1 && reinterpret_cast<std::uintptr_t>(given.start) % block_bytes == 0) {
      d->adopt(given.start, std::move(owner));
      return shop.wrap(std::move(d), given.shape);
    }
    griddle_box box{};
    box.axis_count = static_cast<std::uint32_t>(axes.size());
    std::copy(axes.begin(), axes.end(), box.axes);
    int bad = 0;
    shop.run<&griddle_plugin::import_numbers>(adopting, taken.type, &box, given.start, d->allocate(), &bad);
    shop.open().kernels++;
    if (bad) fail(cx, "The tensor holds an integer that BQN does not have (beyond 2⋆53)");
    return shop.wrap(std::move(d), given.shape);
  });
}

Value Offload::lend(Context&, const Value& x, const void** memory) {
  if (!is_open() || !shop_.resident(x)) return Value();
  return on_device("DLPack", [&](Workshop& shop) -> Value {
    Arg a = shop.without_bits(shop.resident(x));
    *memory = a->memory();
    shop.run<&griddle_plugin::wait>("Giving a tensor");
    return shop.wrap(std::move(a), x.array().shape());
  });
}

void Offload::wait_for_all() {
  if (is_open()) shop_.plugin().wait_for_all(shop_.device());
}

}  // namespace gpu

}  // namespace griddle
