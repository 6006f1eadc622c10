#include "primitives/kernels/select.h"

#include <cstring>
#include <type_traits>

#include "primitives/kernels/bit_runs.h"

namespace griddle::kernels {
namespace {

// Looks at a block at a time, so that the loop vectorises, and finds the place only where a block has a bad index.
template <class T, class Bad>
std::size_t find_bad(const T* p, std::size_t count, Bad bad) {
  constexpr std::size_t block = 512;
  for (std::size_t i = 0; i < count; i += block) {
    std::size_t end = count - i < block ? count : i + block;
    bool any = false;
    for (std::size_t j = i; j < end; j++) any |= bad(p[j]);
    if (any)
      for (std::size_t j = i; j < end; j++)
        if (bad(p[j])) return j;
  }
  return count;
}

template <class T>
std::size_t find_outside(const T* p, std::size_t count, std::size_t n) {
  using U = std::make_unsigned_t<T>;
  constexpr std::size_t half = std::size_t{1} << (8 * sizeof(T) - 1);
  if (n >= half) return count;
  auto low = static_cast<U>(n), span = static_cast<U>(2 * n);
  return find_bad(p, count, [=](T v) { return static_cast<U>(static_cast<U>(v) + low) >= span; });
}

constexpr std::size_t chunk = 512;

// Calls f(first, indices, count) with pieces of the index list as integers of type I that are no longer negative.
template <class I, class T, class F>
void convert_pieces(const T* p, std::size_t count, std::size_t n, F f) {
  I piece[chunk];
  for (std::size_t i = 0; i < count; i += chunk) {
    std::size_t m = count - i < chunk ? count - i : chunk;
    for (std::size_t j = 0; j < m; j++) {
      I v = static_cast<I>(p[i + j]);
      piece[j] = v + (v < 0 ? static_cast<I>(n) : 0);
    }
    f(i, piece, m);
  }
}

template <class I, class F>
void convert_bits(const std::uint64_t* p, std::size_t count, F f) {
  I piece[chunk];
  for (std::size_t i = 0; i < count; i += chunk) {
    std::size_t m = count - i < chunk ? count - i : chunk;
    for (std::size_t j = 0; j < m; j += 64) {
      std::uint64_t word = p[(i + j) / 64];
      for (std::size_t k = 0; k < 64; k++) piece[j + k] = static_cast<I>(word >> k & 1);
    }
    f(i, piece, m);
  }
}

template <class I, class F>
void for_pieces(ElementType type, const void* indices, std::size_t count, std::size_t n, F f) {
  switch (type) {
    case ElementType::bit: return convert_bits<I>(static_cast<const std::uint64_t*>(indices), count, f);
    case ElementType::i8: return convert_pieces<I>(static_cast<const std::int8_t*>(indices), count, n, f);
    case ElementType::i16: return convert_pieces<I>(static_cast<const std::int16_t*>(indices), count, n, f);
    case ElementType::i32: return convert_pieces<I>(static_cast<const std::int32_t*>(indices), count, n, f);
    default: return convert_pieces<I>(static_cast<const double*>(indices), count, n, f);
  }
}

template <class F>
void for_pieces(ElementType type, const void* indices, std::size_t count, std::size_t n, F f) {
  if (n < (std::size_t{1} << 31))
    for_pieces<std::int32_t>(type, indices, count, n, f);
  else
    for_pieces<std::int64_t>(type, indices, count, n, f);
}

template <class T>
void select_elements(T* to, const T* from, std::size_t n, ElementType type, const void* indices, std::size_t count) {
  for_pieces(type, indices, count, n, [=](std::size_t at, const auto* index, std::size_t m) {
    T* out = to + at;
    for (std::size_t j = 0; j < m; j++) out[j] = from[index[j]];
  });
}

void select_bits(std::uint64_t* to, std::size_t to_bit, const std::uint64_t* from, std::size_t from_bit, std::size_t n,
                 ElementType type, const void* indices, std::size_t count) {
  for_pieces(type, indices, count, n, [=](std::size_t at, const auto* index, std::size_t m) {
    for (std::size_t j = 0; j < m; j += 64) {
      std::size_t bits = m - j < 64 ? m - j : 64;
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < bits; k++)
        word |= std::uint64_t{read_bit(from, from_bit + static_cast<std::size_t>(index[j + k]))} << k;
      write_bits(to, to_bit + at + j, bits, word);
    }
  });
}

void select_bit_cells(std::uint64_t* to, std::size_t to_bit, const std::uint64_t* from, std::size_t from_bit, std::size_t n,
                      std::size_t cell, ElementType type, const void* indices, std::size_t count) {
  for_pieces(type, indices, count, n, [=](std::size_t at, const auto* index, std::size_t m) {
    for (std::size_t j = 0; j < m; j++)
      copy_bit_run(to, to_bit + (at + j) * cell, from, from_bit + static_cast<std::size_t>(index[j]) * cell, cell);
  });
}

bool aligned(const void* p, std::size_t bytes) { return reinterpret_cast<std::uintptr_t>(p) % bytes == 0; }

}  // namespace

std::size_t first_bad_index(ElementType type, const void* indices, std::size_t count, std::size_t n) {
  switch (type) {
    case ElementType::bit: {
      if (n >= 2) return count;
      const auto* p = static_cast<const std::uint64_t*>(indices);
      if (n == 0) return 0;
      for (std::size_t i = 0; i < count; i++)
        if (read_bit(p, i)) return i;
      return count;
    }
    case ElementType::i8: return find_outside(static_cast<const std::int8_t*>(indices), count, n);
    case ElementType::i16: return find_outside(static_cast<const std::int16_t*>(indices), count, n);
    case ElementType::i32: return find_outside(static_cast<const std::int32_t*>(indices), count, n);
    default: {
      auto limit = static_cast<double>(n);
      return find_bad(static_cast<const double*>(indices), count, [=](double d) {
        bool inside = d >= -limit && d < limit;
        return !inside || static_cast<double>(static_cast<std::int64_t>(d)) != d;
      });
    }
  }
}

void select_cells(unsigned width, void* to, std::size_t to_bit, const void* from, std::size_t from_bit, std::size_t n,
                  std::size_t cell, ElementType type, const void* indices, std::size_t count) {
  std::size_t bits = width * cell;
  if (width == 1 && (bits % 8 || to_bit % 8 || from_bit % 8)) {
    auto* out = static_cast<std::uint64_t*>(to);
    const auto* in = static_cast<const std::uint64_t*>(from);
    if (cell == 1) return select_bits(out, to_bit, in, from_bit, n, type, indices, count);
    return select_bit_cells(out, to_bit, in, from_bit, n, cell, type, indices, count);
  }
  std::size_t bytes = bits / 8;
  auto* out = static_cast<std::uint8_t*>(to) + to_bit / 8;
  const auto* in = static_cast<const std::uint8_t*>(from) + from_bit / 8;
  if (bytes <= 8 && aligned(out, bytes) && aligned(in, bytes)) switch (bytes) {
      case 1: return select_elements(out, in, n, type, indices, count);
      case 2:
        return select_elements(reinterpret_cast<std::uint16_t*>(out), reinterpret_cast<const std::uint16_t*>(in), n, type,
                               indices, count);
      case 4:
        return select_elements(reinterpret_cast<std::uint32_t*>(out), reinterpret_cast<const std::uint32_t*>(in), n, type,
                               indices, count);
      case 8:
        return select_elements(reinterpret_cast<std::uint64_t*>(out), reinterpret_cast<const std::uint64_t*>(in), n, type,
                               indices, count);
      default: break;
    }
  for_pieces(type, indices, count, n, [=](std::size_t at, const auto* index, std::size_t m) {
    for (std::size_t j = 0; j < m; j++)
      std::memcpy(out + (at + j) * bytes, in + static_cast<std::size_t>(index[j]) * bytes, bytes);
  });
}

}  // namespace griddle::kernels
