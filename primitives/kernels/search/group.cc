#include "primitives/kernels/search/group.h"

#include <algorithm>
#include <cstring>

#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/pieces.h"

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

// Calls f(group, i) for each cell; dropped ones are left out by a branch, if there are any.
template <class Numbers, class F>
[[gnu::always_inline]] inline void each_kept(Numbers groups, std::size_t n, bool drops, F f) {
  if (drops)
    return in_pieces(n, [=](std::size_t i, std::size_t end) {
      for (; i < end; i++)
        if (const std::int32_t g = groups[i]; g >= 0) f(static_cast<std::uint32_t>(g), i);
    });
  in_pieces(n, [=](std::size_t i, std::size_t end) {
#pragma GCC unroll 4
    for (; i < end; i++) f(static_cast<std::uint32_t>(groups[i]), i);
  });
}

// Distributes value(i) to the next place of its group.
template <class Numbers, class Put>
void distribute(Numbers groups, std::size_t n, bool drops, std::uint32_t* next, Put put) {
  each_kept(groups, n, drops, [=](std::uint32_t g, std::size_t i) { put(next[g]++, i); });
}

// Cells of a size known beforehand are moved without a call.
template <std::size_t bytes>
struct Cell {
  std::uint8_t memory[bytes];
};
template <std::size_t bytes, class Numbers>
void distribute_cells(Numbers groups, std::size_t n, bool drops, const void* from, std::uint8_t** next) {
  const auto* cells = static_cast<const Cell<bytes>*>(from);
  each_kept(groups, n, drops, [=](std::uint32_t g, std::size_t i) {
    std::memcpy(next[g], cells + i, bytes);
    next[g] += bytes;
  });
}
template <class Numbers>
void distribute_any_cells(Numbers groups, std::size_t n, bool drops, std::size_t bytes, const void* from, std::uint8_t** next) {
  const auto* cells = static_cast<const std::uint8_t*>(from);
  each_kept(groups, n, drops, [=](std::uint32_t g, std::size_t i) {
    std::memcpy(next[g], cells + i * bytes, bytes);
    next[g] += bytes;
  });
}

// Folds elements from right to left. In runs of one group what is folded so far stays in a register: in memory, each step would
// wait for the one before.
template <class Numbers, class Elements, class T, class Operation>
void fold_each(Numbers groups, std::size_t n, bool in_runs, Elements x, T* folded, Operation operation) {
  constexpr std::size_t block = 4096;
  ElementsDone done;
  std::int32_t group = -1;
  T so_far{};
  for (std::size_t end = n; end != 0;) {
    const std::size_t start = end - std::min(block, end);
    done.add(end - start);
    if (in_runs)
      for (; end != start; end--) {
        const std::int32_t g = groups[end - 1];
        if (g != group) {
          if (group >= 0) folded[group] = so_far;
          group = g;
          if (g >= 0) so_far = folded[g];
        }
        so_far = operation(static_cast<T>(x[end - 1]), so_far);
      }
    else
      for (; end != start; end--)
        if (const std::int32_t g = groups[end - 1]; g >= 0) folded[g] = operation(static_cast<T>(x[end - 1]), folded[g]);
  }
  if (group >= 0) folded[group] = so_far;
}

template <class Numbers, class Elements, class T>
void fold_by(GroupFold fold, Numbers groups, std::size_t n, bool in_runs, Elements x, T* folded) {
  switch (fold) {
    case GroupFold::add: return fold_each(groups, n, in_runs, x, folded, [](T a, T b) { return a + b; });
    case GroupFold::minimum: return fold_each(groups, n, in_runs, x, folded, [](T a, T b) { return a < b ? a : b; });
    case GroupFold::maximum: return fold_each(groups, n, in_runs, x, folded, [](T a, T b) { return a > b ? a : b; });
  }
}

}  // namespace

Bounds group_bounds(ElementType type, const void* groups, std::size_t n) {
  if (n == 0) return {-1, -1};
  if (type == ElementType::bit) return {0, first_one(static_cast<const std::uint64_t*>(groups), n) < n};
  return bounds_of(type, groups, n);
}

void count_groups(ElementType type, const void* groups, std::size_t n, bool drops, std::size_t count, std::uint32_t* starts) {
  std::memset(starts, 0, (count + 1) * sizeof(*starts));
  with_groups(type, groups, [&](auto p) { each_kept(p, n, drops, [starts](std::uint32_t g, std::size_t) { starts[g]++; }); });
  std::uint32_t sum = 0;
  for (std::size_t g = 0; g <= count; g++) {
    std::uint32_t c = starts[g];
    starts[g] = sum;
    sum += c;
  }
}

void group_places(ElementType type, const void* groups, std::size_t n, bool drops, std::uint32_t* next, ElementType to_type,
                  void* to) {
  with_groups(type, groups, [&](auto p) {
    auto write = [&](auto* out) {
      using T = std::remove_pointer_t<decltype(out)>;
      if (!drops) touch_pages(out, n);
      distribute(p, n, drops, next, [out](std::uint32_t at, std::size_t i) { out[at] = static_cast<T>(i); });
    };
    switch (to_type) {
      case ElementType::i8: return write(static_cast<std::int8_t*>(to));
      case ElementType::i16: return write(static_cast<std::int16_t*>(to));
      case ElementType::i32: return write(static_cast<std::int32_t*>(to));
      default: return write(static_cast<double*>(to));
    }
  });
}

void group_elements(ElementType type, const void* groups, std::size_t n, bool drops, std::uint32_t* next, unsigned width,
                    const void* from, void* to) {
  with_groups(type, groups, [&](auto p) {
    auto move = [&](const auto* in, auto* out) {
      if (!drops) touch_pages(out, n);
      distribute(p, n, drops, next, [in, out](std::uint32_t at, std::size_t i) { out[at] = in[i]; });
    };
    switch (width) {
      case 1: {
        const auto* in = static_cast<const std::uint64_t*>(from);
        auto* out = static_cast<std::uint64_t*>(to);
        return distribute(p, n, drops, next, [in, out](std::uint32_t at, std::size_t i) {
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

void fold_groups(GroupFold fold, ElementType type, const void* groups, std::size_t n, bool in_runs, const double* x,
                 double* folded) {
  with_groups(type, groups, [=](auto numbers) { fold_by(fold, numbers, n, in_runs, x, folded); });
}
void fold_groups(GroupFold fold, ElementType type, const void* groups, std::size_t n, bool in_runs, ElementType of_elements,
                 const void* x, std::int64_t* folded) {
  with_groups(type, groups, [=](auto numbers) {
    with_groups(of_elements, x, [=](auto elements) { fold_by(fold, numbers, n, in_runs, elements, folded); });
  });
}

void distribute_cells(ElementType type, const void* groups, std::size_t n, bool drops, std::size_t bytes, const void* from,
                      std::uint8_t** next) {
  with_groups(type, groups, [&](auto p) {
    switch (bytes) {
      case 1: return distribute_cells<1>(p, n, drops, from, next);
      case 2: return distribute_cells<2>(p, n, drops, from, next);
      case 4: return distribute_cells<4>(p, n, drops, from, next);
      case 8: return distribute_cells<8>(p, n, drops, from, next);
      case 16: return distribute_cells<16>(p, n, drops, from, next);
      case 32: return distribute_cells<32>(p, n, drops, from, next);
      default: return distribute_any_cells(p, n, drops, bytes, from, next);
    }
  });
}

}  // namespace griddle::kernels
