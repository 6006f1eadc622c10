// Random numbers that are made on the device.
#include <limits>

#include "gpu/offload.h"

namespace griddle {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

static_assert(static_cast<int>(RandomNumbers::gammas) == static_cast<int>(griddle_random_gammas));

Bounds bounds_of(const RandomNumbers& r) {
  switch (r.kind) {
    case RandomNumbers::words: return {0, 1, true};
    case RandomNumbers::fractions: return {0, 1, false};
    case RandomNumbers::exponentials:
    case RandomNumbers::gammas:
    case RandomNumbers::normals: return {-infinity, infinity, false};
    default: return sane({0, static_cast<double>(r.limit - 1), true});
  }
}

}  // namespace

Value Offload::random(Context&, const RandomNumbers& r, ElementType type, std::span<const std::size_t> shape) {
  const std::size_t n = griddle::product(shape);
  if (n == 0 || !pays(random_task(static_cast<double>(n)))) return Value();
  return on_device([&]() -> Value {
    const griddle_random numbers{static_cast<griddle_random_kind>(r.kind), r.key, r.position, r.limit, r.shape};
    Arg d = made(type, n, bounds_of(r), "•rand");
    void* to = d->allocate();
    const std::size_t count = r.kind == RandomNumbers::words ? (n + 63) / 64 : n;
    state_->check(state_->plugin().random(state_->device(), &numbers, to, count), d->maker);
    if (r.scaled) {
      const Bounds unknown{-infinity, infinity, false};
      d = linked({griddle_multiply, d, {}, r.factor, false, true}, unknown, n, d->maker);
      d = linked({griddle_add, {}, d, r.start, true, false}, unknown, n, d->maker);
    }
    return wrap(std::move(d), shape);
  });
}

}  // namespace griddle
