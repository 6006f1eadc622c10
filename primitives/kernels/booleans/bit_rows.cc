#include "primitives/kernels/booleans/bit_rows.h"

#include <bit>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bit_runs.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bit_rows_unit {
namespace {

// Appends rows of one length to what is written; long ones have more than 64 bits.
template <bool is_long>
HWY_INLINE void append_row(BitWriter& writer, const std::uint64_t* from, std::size_t at, std::size_t n) {
  if constexpr (is_long)
    writer.append_copy(from, at, n);
  else
    writer.append(read_bits_anywhere(from, at, n), n);
}

// Calls run(long) for rows of n bits, which is known then to be more than 64 or not.
template <class Run>
HWY_INLINE void by_length(std::size_t n, Run run) {
  if (n > 64)
    run(std::true_type());
  else
    run(std::false_type());
}

// Copies so many rows at a time, which together have no more bits than a word. Those that are left follow one by one.
template <std::size_t together>
HWY_INLINE std::size_t append_rows(BitWriter& writer, const std::uint64_t* from, std::size_t& row, std::size_t step,
                                   std::size_t n, std::size_t rows) {
  std::size_t r = 0;
  for (; r + together <= rows; r += together, row += together * step) {
    std::uint64_t word = 0;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < together; k++) word |= read_bits_anywhere(from, row + k * step, n) << k * n;
    writer.append(word, together * n);
  }
  return r;
}

void copy_all(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::ptrdiff_t step, std::size_t n,
              std::size_t rows, std::size_t times) {
  if (times == 1 && n <= 32) {
    BitWriter writer(to, to_at);
    std::size_t row = at, done;
    const auto distance = static_cast<std::size_t>(step);
    if (n <= 8)
      done = append_rows<8>(writer, from, row, distance, n, rows);
    else if (n <= 16)
      done = append_rows<4>(writer, from, row, distance, n, rows);
    else
      done = append_rows<2>(writer, from, row, distance, n, rows);
    for (; done < rows; done++, row += distance) append_row<false>(writer, from, row, n);
    return writer.finish_before_others();
  }
  by_length(n, [=](auto is_long) HWY_ATTR {
    BitWriter writer(to, to_at);
    std::size_t row = at;
    for (std::size_t r = 0; r < rows; r++, row += static_cast<std::size_t>(step))
      for (std::size_t k = 0; k < times; k++) append_row<is_long>(writer, from, row, n);
    writer.finish_before_others();
  });
}

void reverse_all(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::ptrdiff_t step,
                 std::size_t n, std::size_t rows) {
  BitWriter writer(to, to_at);
  for (std::size_t r = 0; r < rows; r++, at += static_cast<std::size_t>(step)) writer.append_reversed(from, at + n, n);
  writer.finish_before_others();
}

void rotate_all(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::size_t n, std::size_t first,
                std::size_t rows) {
  BitWriter writer(to, to_at);
  const std::size_t rest = n - first;
  if (n <= 64 && first != 0) {
    for (std::size_t r = 0; r < rows; r++, at += n) {
      const std::uint64_t row = read_bits_anywhere(from, at, n);
      writer.append(row >> first | (row << rest & low_bits(n)), n);
    }
  } else {
    for (std::size_t r = 0; r < rows; r++, at += n) {
      writer.append_copy(from, at + first, rest);
      writer.append_copy(from, at, first);
    }
  }
  writer.finish_before_others();
}

// Selects so many rows at a time, which together have no more bits than a word, unless they are long ones.
template <std::size_t together>
HWY_INLINE void select_by(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::size_t n,
                          const std::int32_t* numbers, std::size_t rows) {
  constexpr bool is_long = together == 0;
  const auto place = [=](std::size_t r) HWY_ATTR { return at + static_cast<std::uint32_t>(numbers[r]) * n; };
  BitWriter writer(to, to_at);
  std::size_t r = 0;
  if constexpr (!is_long)
    for (; r + together <= rows; r += together) {
      std::uint64_t word = 0;
#pragma GCC unroll 4
      for (std::size_t k = 0; k < together; k++) word |= read_bits_anywhere(from, place(r + k), n) << k * n;
      writer.append(word, together * n);
    }
  for (; r < rows; r++) append_row<is_long>(writer, from, place(r), n);
  writer.finish_before_others();
}
void select_some(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::size_t n,
                 const std::int32_t* numbers, std::size_t rows) {
  if (n > 64) return select_by<0>(to, to_at, from, at, n, numbers, rows);
  if (n > 32) return select_by<1>(to, to_at, from, at, n, numbers, rows);
  if (n > 16) return select_by<2>(to, to_at, from, at, n, numbers, rows);
  select_by<4>(to, to_at, from, at, n, numbers, rows);
}

void keep_some(std::uint64_t* to, const std::uint64_t* from, std::size_t n, const std::uint64_t* mask, std::size_t rows) {
  by_length(n, [=](auto is_long) HWY_ATTR {
    BitWriter writer(to);
    for (std::size_t i = 0; i < rows; i += 64)
      for (std::uint64_t left = mask[i / 64] & low_bits(rows - i); left != 0; left &= left - 1)
        append_row<is_long>(writer, from, (i + static_cast<std::size_t>(std::countr_zero(left))) * n, n);
    writer.finish_before_others();
  });
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
bool spread_all(std::uint8_t* to, const std::uint64_t* from, std::size_t at, std::size_t n, std::size_t rows) {
  const std::uint64_t places = low_bits(n) * 0x0101'0101'0101'0101;
  for (; rows != 0; to += 8, at += 8 * n) {
    const std::size_t count = rows < 8 ? rows : 8;
    const std::uint64_t bytes = _pdep_u64(read_bits_anywhere(from, at, count * n), places);
    std::memcpy(to, &bytes, sizeof bytes);
    rows -= count;
  }
  return true;
}
void collect_all(std::uint64_t* to, std::size_t to_at, const std::uint8_t* from, std::size_t n, std::size_t rows) {
  const std::uint64_t places = low_bits(n) * 0x0101'0101'0101'0101;
  BitWriter writer(to, to_at);
  for (; rows != 0; from += 8) {
    const std::size_t count = rows < 8 ? rows : 8;
    std::uint64_t bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    writer.append(_pext_u64(bytes, places) & low_bits(count * n), count * n);
    rows -= count;
  }
  writer.finish_before_others();
}
#else
bool spread_all(std::uint8_t*, const std::uint64_t*, std::size_t, std::size_t, std::size_t) { return false; }
void collect_all(std::uint64_t*, std::size_t, const std::uint8_t*, std::size_t, std::size_t) {}
#endif

}  // namespace
}  // namespace bit_rows_unit
using bit_rows_unit::copy_all, bit_rows_unit::reverse_all, bit_rows_unit::rotate_all, bit_rows_unit::select_some,
    bit_rows_unit::keep_some, bit_rows_unit::spread_all, bit_rows_unit::collect_all;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(copy_all);
HWY_EXPORT(reverse_all);
HWY_EXPORT(rotate_all);
HWY_EXPORT(select_some);
HWY_EXPORT(keep_some);
HWY_EXPORT(spread_all);
HWY_EXPORT(collect_all);

void copy_bit_rows(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::ptrdiff_t step,
                   std::size_t n, std::size_t rows, std::size_t times) {
  HWY_DYNAMIC_DISPATCH(copy_all)(to, to_at, from, at, step, n, rows, times);
}
void reverse_bit_rows(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::ptrdiff_t step,
                      std::size_t n, std::size_t rows) {
  HWY_DYNAMIC_DISPATCH(reverse_all)(to, to_at, from, at, step, n, rows);
}
void rotate_bit_rows(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::size_t n,
                     std::size_t first, std::size_t rows) {
  HWY_DYNAMIC_DISPATCH(rotate_all)(to, to_at, from, at, n, first, rows);
}
void select_bit_rows(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::size_t n,
                     const std::int32_t* numbers, std::size_t rows) {
  HWY_DYNAMIC_DISPATCH(select_some)(to, to_at, from, at, n, numbers, rows);
}
void keep_bit_rows(std::uint64_t* to, const std::uint64_t* from, std::size_t n, const std::uint64_t* mask, std::size_t rows) {
  HWY_DYNAMIC_DISPATCH(keep_some)(to, from, n, mask, rows);
}
bool spread_bit_rows(std::uint8_t* to, const std::uint64_t* from, std::size_t at, std::size_t n, std::size_t rows) {
  return HWY_DYNAMIC_DISPATCH(spread_all)(to, from, at, n, rows);
}
void collect_bit_rows(std::uint64_t* to, std::size_t to_at, const std::uint8_t* from, std::size_t n, std::size_t rows) {
  HWY_DYNAMIC_DISPATCH(collect_all)(to, to_at, from, n, rows);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
