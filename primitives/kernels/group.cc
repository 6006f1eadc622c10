#include "primitives/kernels/group.h"

#include <cstring>

#include "primitives/kernels/bit_runs.h"
#include "primitives/kernels/bool_fold.h"

namespace griddle::kernels {
namespace {

// Reads booleans like the other types.
struct BitNumbers {
  const std::uint64_t* words;
  std::int32_t operator[](std::size_t i) const { return read_bit(words, i); }
};

template <class F>
void with_groups(ElementType type, const void* groups, F f) {
  switch (type) {
    case ElementType::bit: return f(BitNumbers{static_cast<const std::uint64_t*>(groups)});
    case ElementType::i8: return f(static_cast<const std::int8_t*>(groups));
    case ElementType::i16: return f(static_cast<const std::int16_t*>(groups));
    default: return f(static_cast<const std::int32_t*>(groups));
  }
}

// Distributes value(i) to the next place of its group; `next[-1]` does not exist, so dropped cells are left out by a branch
// that is taken never or always where none or many are dropped.
template <class Numbers, class Put>
void distribute(Numbers groups, std::size_t n, std::uint32_t* next, Put put) {
  for (std::size_t i = 0; i < n; i++) {
    std::int32_t g = groups[i];
    if (g >= 0) put(next[g]++, i);
  }
}

}  // namespace

Bounds group_bounds(ElementType type, const void* groups, std::size_t n) {
  if (n == 0) return {-1, -1};
  if (type == ElementType::bit) return {0, first_one(static_cast<const std::uint64_t*>(groups), n) < n};
  return bounds_of(type, groups, n);
}

void count_groups(ElementType type, const void* groups, std::size_t n, std::size_t count, std::uint32_t* starts) {
  std::memset(starts, 0, (count + 1) * sizeof(*starts));
  with_groups(type, groups, [&](auto p) {
    for (std::size_t i = 0; i < n; i++) {
      std::int32_t g = p[i];
      if (g >= 0) starts[g]++;
    }
  });
  std::uint32_t sum = 0;
  for (std::size_t g = 0; g <= count; g++) {
    std::uint32_t c = starts[g];
    starts[g] = sum;
    sum += c;
  }
}

void group_places(ElementType type, const void* groups, std::size_t n, std::uint32_t* next, ElementType to_type, void* to) {
  with_groups(type, groups, [&](auto p) {
    auto write = [&](auto* out) {
      using T = std::remove_pointer_t<decltype(out)>;
      distribute(p, n, next, [out](std::uint32_t at, std::size_t i) { out[at] = static_cast<T>(i); });
    };
    switch (to_type) {
      case ElementType::i8: return write(static_cast<std::int8_t*>(to));
      case ElementType::i16: return write(static_cast<std::int16_t*>(to));
      case ElementType::i32: return write(static_cast<std::int32_t*>(to));
      default: return write(static_cast<double*>(to));
    }
  });
}

void group_elements(ElementType type, const void* groups, std::size_t n, std::uint32_t* next, unsigned width, const void* from,
                    void* to) {
  with_groups(type, groups, [&](auto p) {
    auto move = [&](const auto* in, auto* out) {
      distribute(p, n, next, [in, out](std::uint32_t at, std::size_t i) { out[at] = in[i]; });
    };
    switch (width) {
      case 1: {
        const auto* in = static_cast<const std::uint64_t*>(from);
        auto* out = static_cast<std::uint64_t*>(to);
        return distribute(p, n, next, [in, out](std::uint32_t at, std::size_t i) {
          out[at >> 6] |= std::uint64_t{read_bit(in, i)} << (at & 63);
        });
      }
      case 8: return move(static_cast<const std::uint8_t*>(from), static_cast<std::uint8_t*>(to));
      case 16: return move(static_cast<const std::uint16_t*>(from), static_cast<std::uint16_t*>(to));
      case 32: return move(static_cast<const std::uint32_t*>(from), static_cast<std::uint32_t*>(to));
      default: return move(static_cast<const std::uint64_t*>(from), static_cast<std::uint64_t*>(to));
    }
  });
}

}  // namespace griddle::kernels
