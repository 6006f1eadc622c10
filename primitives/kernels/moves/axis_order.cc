#include "primitives/kernels/moves/axis_order.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "primitives/kernels/booleans/bit_rows.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/moves/box.h"
#include "primitives/kernels/moves/copy_rows.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/moves/permute_blocks.h"
#include "primitives/kernels/moves/running_matrices.h"
#include "primitives/kernels/moves/transpose.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"

namespace griddle::kernels {
namespace {

// Leaves out axes of length 1 and joins neighbours that run on in both layouts. Gives false where there is nothing to copy.
bool simplify(Box& box, std::span<const BoxAxis> axes) {
  for (const BoxAxis& a : axes) {
    if (a.length == 0) return false;
    if (a.length == 1) continue;
    box.elements *= a.length;
    auto length = static_cast<std::ptrdiff_t>(a.length);
    if (box.count) {
      BoxAxis& outer = box.axes[box.count - 1];
      if (outer.to == a.to * length && outer.from == a.from * length) {
        outer = {outer.length * a.length, a.to, a.from};
        continue;
      }
    }
    box.axes[box.count++] = a;
  }
  return true;
}

// Takes short inner runs that fill a wider element as one such element.
void widen(Box& box, const void* to, const void* from) {
  if (box.count < 2) return;
  const BoxAxis& inner = box.axes[box.count - 1];
  if (inner.to != 1 || inner.from != 1) return;
  std::size_t bits = inner.length * box.width;
  if (inner.length > 64 || (bits != 8 && bits != 16 && bits != 32 && bits != 64)) return;
  auto run = static_cast<std::ptrdiff_t>(inner.length);
  std::size_t bytes = bits / 8;
  if (reinterpret_cast<std::uintptr_t>(to) % bytes || reinterpret_cast<std::uintptr_t>(from) % bytes) return;
  if (box.to_start % inner.length || box.from_start % inner.length) return;
  for (std::size_t k = 0; k + 1 < box.count; k++)
    if (box.axes[k].to % run || box.axes[k].from % run) return;
  box.count--;
  for (std::size_t k = 0; k < box.count; k++) box.axes[k].to /= run, box.axes[k].from /= run;
  box.to_start /= static_cast<std::size_t>(run);
  box.from_start /= static_cast<std::size_t>(run);
  box.width = static_cast<unsigned>(bits);
}

// Takes rows of bits that begin and end with bytes as rows of bytes.
void take_bytes(Box& box) {
  constexpr std::size_t byte = 8;
  if (box.width != 1 || box.count == 0) return;
  BoxAxis& inner = box.axes[box.count - 1];
  if (inner.to != 1 || inner.from != 1 || (inner.length | box.to_start | box.from_start) % byte != 0) return;
  for (std::size_t k = 0; k + 1 < box.count; k++)
    if ((box.axes[k].to | box.axes[k].from) % std::ptrdiff_t{byte} != 0) return;
  for (std::size_t k = 0; k + 1 < box.count; k++)
    box.axes[k].to /= std::ptrdiff_t{byte}, box.axes[k].from /= std::ptrdiff_t{byte};
  inner.length /= byte, box.to_start /= byte, box.from_start /= byte;
  box.width = byte;
}

constexpr std::size_t longest_short_run = 8;

// Copies rows of N neighbours in the target, whose sources lie `step` apart: 1, -1, or what `any_step` says where it is 0.
template <class T, std::size_t N, int step>
void copy_short_runs(T* to, std::ptrdiff_t to_row, const T* from, std::ptrdiff_t from_row, std::size_t rows,
                     std::ptrdiff_t any_step) {
  for (std::size_t r = 0; r < rows; r++, to += to_row, from += from_row) {
    if constexpr (sizeof(T) * N == 8 && sizeof(T) == 1 && step == -1) {
      std::uint64_t row;
      std::memcpy(&row, from - 7, 8);
      row = __builtin_bswap64(row);
      std::memcpy(to, &row, 8);
      continue;
    }
    T run[N];
    for (std::size_t i = 0; i < N; i++) run[i] = from[static_cast<std::ptrdiff_t>(i) * (step == 0 ? any_step : step)];
    std::memcpy(to, run, sizeof run);
  }
}

// Copies a box whose innermost runs are so short that a loop of their own would cost more than the copying.
template <class T>
void copy_short_runs(const Box& box, T* to, const T* from) {
  const BoxAxis& row = box.axes[box.count - 2];
  const BoxAxis& inner = box.axes[box.count - 1];
  const auto all_rows = [&](auto copy) {
    for_outer(box, box.count - 2, no_axis,
              [&](std::ptrdiff_t t, std::ptrdiff_t f) { copy(to + t, row.to, from + f, row.from, row.length, inner.from); });
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    ((inner.length == K + 2 ? all_rows(inner.from == 1    ? copy_short_runs<T, K + 2, 1>
                                       : inner.from == -1 ? copy_short_runs<T, K + 2, -1>
                                                          : copy_short_runs<T, K + 2, 0>)
                            : void()),
     ...);
  }
  (std::make_index_sequence<longest_short_run - 1>());
}

// Copies a box whose innermost axis runs on in both layouts.
template <class T>
void copy_runs(const Box& box, T* to, const T* from) {
  constexpr std::size_t fewest = 8, long_run = 512;
  const std::size_t outer = box.count - 1, bytes = box.axes[outer].length * sizeof(T);
  if (bytes >= long_run || outer == 0) {
    std::size_t whole = bytes;
    for (std::size_t k = 0; k < outer; k++) whole *= box.axes[k].length;
    return for_outer(box, outer, no_axis, [&](std::ptrdiff_t t, std::ptrdiff_t f) { copy_part(to + t, from + f, bytes, whole); });
  }
  if (bytes < fewest)
    return for_outer(box, outer, no_axis, [&](std::ptrdiff_t t, std::ptrdiff_t f) { std::memcpy(to + t, from + f, bytes); });
  const std::size_t k = longest_axis(box, outer, no_axis);
  const BoxAxis& rows = box.axes[k];
  constexpr std::ptrdiff_t size = sizeof(T);
  for_outer(box, outer, k, [&](std::ptrdiff_t t, std::ptrdiff_t f) {
    copy_rows(to + t, rows.to * size, from + f, rows.from * size, bytes, rows.length);
  });
}

// Copies a box by transposing its matrices of the innermost axis and axis k.
template <class T>
void copy_transposed(const Box& box, std::size_t k, T* to, const T* from) {
  const std::size_t outer = box.count - 1;
  const BoxAxis &inner = box.axes[outer], &other = box.axes[k];
  if (outer == 1) {
    return transpose_each(box.width, {to + box.to_start, other.to, 0}, {from + box.from_start, inner.from, 0}, other.length,
                          inner.length, 1, box.bytes);
  }
  const std::size_t many = longest_axis(box, outer, k);
  const BoxAxis& each = box.axes[many];
  const auto all = [&](std::ptrdiff_t t, std::ptrdiff_t f) {
    transpose_each(box.width, {to + t, other.to, each.to}, {from + f, inner.from, each.from}, other.length, inner.length,
                   each.length, box.bytes);
  };
  for_outer(box, outer, k, all, many);
}

// Copies a box whose outermost axis steps through blocks that its other axes permute; false for any other.
template <class T>
bool copy_permuted_blocks(const Box& box, T* to, const T* from) {
  constexpr std::size_t longest = longest_permuted_block / sizeof(T);
  const BoxAxis& outer = box.axes[0];
  if (box.count < 3 || outer.to != outer.from || outer.to <= 0 ||
      !pays_to_permute_blocks(box.width, static_cast<std::size_t>(outer.to), outer.length))
    return false;
  std::uint16_t places[longest] = {};
  std::size_t block = 1, last = 0;
  for (std::size_t k = box.count; k-- > 1;) {
    const BoxAxis& a = box.axes[k];
    if (a.to != static_cast<std::ptrdiff_t>(block) || a.from <= 0 || block * a.length > longest) return false;
    const auto step = static_cast<std::size_t>(a.from);
    for (std::size_t i = 1; i < a.length; i++)
      for (std::size_t p = 0; p < block; p++) places[i * block + p] = static_cast<std::uint16_t>(places[p] + i * step);
    last += (a.length - 1) * step;
    block *= a.length;
  }
  if (outer.to != static_cast<std::ptrdiff_t>(block) || last >= block) return false;
  permute_blocks(box.width, to + box.to_start, from + box.from_start, block, places, outer.length);
  return true;
}

// Copies a box of three axes or more as such matrices; false where two axes make as large ones.
template <class T>
bool copy_running_axes(const Box& box, T* to, const T* from) {
  constexpr std::size_t few = sizeof(T) == 1 ? 16 : 32 / sizeof(T);
  RunningMatrices matrices;
  if (!matrices.reads(box) || std::min(matrices.rows.length(), matrices.columns.length()) < few) return false;
  ElementsDone done;
  matrices.each([&](std::ptrdiff_t t, std::ptrdiff_t f, std::size_t rows, std::size_t columns) {
    transpose_placed(box.width, to + t, matrices.rows.places(), from + f, matrices.columns.places(), rows, columns, box.bytes);
    done.add(rows * columns);
  });
  return true;
}

template <class T>
void copy_elements(const Box& box, T* to, const T* from) {
  if (box.count == 0) {
    to[box.to_start] = from[box.from_start];
    return;
  }
  if (copy_permuted_blocks(box, to, from) || copy_running_axes(box, to, from)) return;
  std::size_t outer = box.count - 1;
  const BoxAxis& inner = box.axes[outer];
  const bool short_runs = inner.to == 1 && inner.length <= longest_short_run && outer > 0;
  if (short_runs && (inner.from == 1 || transposed_axis(box) == no_axis)) return copy_short_runs(box, to, from);
  if (inner.to == 1 && inner.from == 1) {
    copy_runs(box, to, from);
    return;
  }
  if (std::size_t k = transposed_axis(box); k != no_axis) {
    copy_transposed(box, k, to, from);
    return;
  }
  for_outer(box, outer, no_axis, [&](std::ptrdiff_t t, std::ptrdiff_t f) {
    T* out = to + t;
    const T* in = from + f;
    auto n = static_cast<std::ptrdiff_t>(inner.length);
    if (inner.to == 1 && inner.from == -1 && n > 16)
      reverse(8 * sizeof(T), out, in - (n - 1), inner.length);
    else if (inner.to == 1 && inner.from == -1)
      for (std::ptrdiff_t i = 0; i < n; i++) out[i] = in[-i];
    else
      for (std::ptrdiff_t i = 0; i < n; i++) out[i * inner.to] = in[i * inner.from];
  });
}

// Tells whether runs are written one behind the other.
bool fills_run(const Box& box) {
  std::ptrdiff_t step = 1;
  for (std::size_t k = box.count; k-- > 0; step *= static_cast<std::ptrdiff_t>(box.axes[k].length))
    if (box.axes[k].to != step) return false;
  return true;
}

// Copies runs of bits that end anywhere in a word, one behind the other: all of the innermost axes together.
void append_bit_runs(const Box& box, std::uint64_t* to, const std::uint64_t* from) {
  std::size_t outer = box.count - 1, times = 1;
  const BoxAxis& inner = box.axes[outer];
  if (inner.from == 1 && outer > 1 && box.axes[outer - 1].from == 0) times = box.axes[--outer].length;
  const BoxAxis& rows = box.axes[--outer];
  for_outer(box, outer, no_axis, [&](std::ptrdiff_t t, std::ptrdiff_t f) {
    const auto at = static_cast<std::size_t>(t), source = static_cast<std::size_t>(f);
    if (inner.from == 1)
      copy_bit_rows(to, at, from, source, rows.from, inner.length, rows.length, times);
    else
      reverse_bit_rows(to, at, from, source + 1 - inner.length, rows.from, inner.length, rows.length);
  });
}

// Copies blocks of bits, whose places the other axes permute, by way of bytes, some blocks at a time; false for any other box.
bool copy_blocks_by_bytes(const Box& box, std::uint64_t* to, const std::uint64_t* from) {
  constexpr std::size_t room = 8192, fewest = 512;
  const BoxAxis& outer = box.axes[0];
  if (box.count < 3 || box.elements < fewest || outer.to != outer.from || outer.to <= 0 || !fills_run(box)) return false;
  const auto block = static_cast<std::size_t>(outer.to);
  std::size_t last = 0;
  for (std::size_t k = 1; k < box.count; k++) {
    if (box.axes[k].from <= 0) return false;
    last += (box.axes[k].length - 1) * static_cast<std::size_t>(box.axes[k].from);
  }
  if (block > room || last >= block) return false;
  alignas(64) std::uint8_t source[room], target[room];
  std::uint64_t packed[room / 64];
  const auto expand = convert().expand[static_cast<int>(ElementType::i8)];
  const auto differs = compare().compare[static_cast<int>(Comparison::not_equal)][compared_i8][array_scalar];
  const std::uint8_t zero = 0;
  const std::size_t together = room / block;
  BoxAxis axes[max_box_axes];
  std::copy_n(box.axes, box.count, axes);
  for (std::size_t i = 0; i < outer.length; i += together) {
    axes[0].length = std::min(together, outer.length - i);
    const std::size_t n = axes[0].length * block;
    expand(source, from, box.from_start + i * block, n);
    copy_box(8, target, 0, source, 0, {axes, box.count});
    differs(packed, target, &zero, n);
    copy_bits(to, box.to_start + i * block, packed, 0, n);
  }
  return true;
}

void copy_box_bits(const Box& box, std::uint64_t* to, const std::uint64_t* from) {
  if (box.count == 0) {
    write_bit(to, box.to_start, read_bit(from, box.from_start));
    return;
  }
  if (copy_blocks_by_bytes(box, to, from)) return;
  std::size_t outer = box.count - 1;
  const BoxAxis& inner = box.axes[outer];
  if (inner.to == 1 && (inner.from == 1 || inner.from == -1)) {
    if (outer != 0 && inner.length <= longest_bit_row && fills_run(box)) return append_bit_runs(box, to, from);
    for_outer(box, outer, no_axis, [&](std::ptrdiff_t t, std::ptrdiff_t f) {
      auto at = static_cast<std::size_t>(t), source = static_cast<std::size_t>(f);
      if (inner.from == 1)
        copy_bits(to, at, from, source, inner.length);
      else
        reverse_bits(to, at, from, source + 1 - inner.length, inner.length);
    });
    return;
  }
  if (std::size_t k = transposed_axis(box); k != no_axis && inner.from > 0 && box.axes[k].to > 0) {
    const BoxAxis& other = box.axes[k];
    for_outer(box, outer, k, [&](std::ptrdiff_t t, std::ptrdiff_t f) {
      transpose_bits(to, static_cast<std::size_t>(t), static_cast<std::size_t>(other.to), from, static_cast<std::size_t>(f),
                     static_cast<std::size_t>(inner.from), other.length, inner.length);
    });
    return;
  }
  for_outer(box, outer, no_axis, [&](std::ptrdiff_t t, std::ptrdiff_t f) {
    for (std::size_t i = 0; i < inner.length; i++, t += inner.to, f += inner.from)
      write_bit(to, static_cast<std::size_t>(t), read_bit(from, static_cast<std::size_t>(f)));
  });
}

[[gnu::always_inline]] inline void copy_whole(const Box& box, void* to, const void* from) {
  switch (box.width) {
    case 1: return copy_box_bits(box, static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from));
    case 8: return copy_elements(box, static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from));
    case 16: return copy_elements(box, static_cast<std::uint16_t*>(to), static_cast<const std::uint16_t*>(from));
    case 32: return copy_elements(box, static_cast<std::uint32_t*>(to), static_cast<const std::uint32_t*>(from));
    default: return copy_elements(box, static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from));
  }
}

// Gives the axis whose parts are copied one after the other.
std::size_t parted_axis(const Box& box) {
  // Bits are written in order, because the words at the ends of parts are shared.
  if (box.width == 1 || box.count == 1) return 0;
  constexpr std::size_t short_axis = 16;
  const std::size_t inner = box.count - 1, turned = transposed_axis(box);
  std::size_t longest = 0, outer = no_axis;
  for (std::size_t k = 0; k < box.count; k++) {
    if (box.axes[k].length > box.axes[longest].length) longest = k;
    if (k != inner && k != turned && (outer == no_axis || box.axes[k].length > box.axes[outer].length)) outer = k;
  }
  return outer != no_axis && box.axes[outer].length >= short_axis ? outer : longest;
}

[[gnu::noinline]] void copy_one_part(const Box& part, void* to, const void* from) { copy_whole(part, to, from); }

// Copies parts of one axis one after the other, and these in parts if they are still long. Parts end where vectors and lines of
// the cache do, or are single places of an axis that neither array has innermost.
[[gnu::noinline]] void copy_in_parts(const Box& box, std::size_t count, void* to, const void* from) {
  constexpr std::size_t line = 64;
  const std::size_t axis = parted_axis(box);
  const bool is_innermost = axis + 1 == box.count || axis == transposed_axis(box);
  Box part = box;
  BoxAxis& parted = part.axes[axis];
  const std::size_t length = parted.length, rest = count / length, most = long_pass / rest;
  const std::size_t step =
      most >= line || is_innermost ? std::max(most / line, std::size_t{1}) * line : std::max(most, std::size_t{1});
  if (step >= length) return copy_one_part(box, to, from);
  for (std::size_t i = 0; i < length; i += step) {
    parted.length = std::min(step, length - i);
    if (parted.length * rest > 2 * long_pass && parted.length == 1)
      copy_in_parts(part, rest, to, from);
    else
      copy_one_part(part, to, from);
    part.to_start += static_cast<std::size_t>(static_cast<std::ptrdiff_t>(step) * parted.to);
    part.from_start += static_cast<std::size_t>(static_cast<std::ptrdiff_t>(step) * parted.from);
    checkpoint();
  }
}

// Copies a long box by transposing large matrices, which asks for itself whether the evaluation is to end, or in parts.
[[gnu::noinline]] void copy_long(const Box& box, void* to, const void* from) {
  const bool permutes = pays_to_permute_blocks(box.width, static_cast<std::size_t>(std::abs(box.axes[0].to)), box.axes[0].length);
  const auto transposes = [&]<class T>(T) {
    T* const out = static_cast<T*>(to);
    const T* const in = static_cast<const T*>(from);
    const std::size_t turned = transposed_axis(box);
    if (turned == no_axis || box.axes[box.count - 1].from == 1) return false;
    if (box.count != 2) return !permutes && copy_running_axes(box, out, in);
    copy_transposed(box, turned, out, in);
    return true;
  };
  const auto transposes_width = [&] {
    switch (box.width) {
      case 1: return false;
      case 8: return transposes(std::uint8_t{});
      case 16: return transposes(std::uint16_t{});
      case 32: return transposes(std::uint32_t{});
      default: return transposes(std::uint64_t{});
    }
  };
  if (!transposes_width()) copy_in_parts(box, box.elements, to, from);
}

}  // namespace

void copy_box(unsigned width, void* to, std::size_t to_start, const void* from, std::size_t from_start,
              std::span<const BoxAxis> axes) {
  Box box;
  box.to_start = to_start;
  box.from_start = from_start;
  box.width = width;
  if (!simplify(box, axes)) return;
  box.bytes = box.elements * width / 8;
  take_bytes(box);
  widen(box, to, from);
  if (box.elements > long_pass) [[unlikely]]
    return copy_long(box, to, from);
  copy_whole(box, to, from);
}

}  // namespace griddle::kernels
