#include "primitives/kernels/shuffle_rows.h"

#define HWY_WANT_AVX3_DL
#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/shuffle_rows.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::size_t, std::uint8_t;

struct Rows {
  uint8_t* to;
  const uint8_t* from;
  size_t length, row_length, count;
  const uint8_t* chosen;

  // Gives how many rows there are from which on so many bytes can be read and written.
  size_t with_room(size_t read, size_t written) const {
    if (read > count * row_length || written > count * length) return 0;
    return std::min((count * row_length - read) / row_length, (count * length - written) / length) + 1;
  }
  // Calls f(i, s) for each byte i of the results of so many rows, and the byte s of these rows that goes there.
  template <class F>
  void each_byte(size_t group, F f) const {
    for (size_t r = 0, i = 0; r < group; r++)
      for (size_t k = 0; k < length; k++, i++) f(i, r * row_length + chosen[k]);
  }
};

#if HWY_TARGET == HWY_AVX3_DL
constexpr size_t block = longest_shuffled_row;

// Gives the places of the bytes of a group of rows. Eight are written at a time: what is too much, the row that follows sets
// right.
HWY_INLINE __m512i order_of_group(const Rows& rows, size_t group) {
  alignas(block) uint8_t places[block + sizeof(std::uint64_t)];
  constexpr std::uint64_t each_byte = 0x0101010101010101;
  for (size_t r = 0; r < group; r++)
    for (size_t k = 0; k < rows.length; k += sizeof(std::uint64_t)) {
      std::uint64_t chosen;
      std::memcpy(&chosen, rows.chosen + k, sizeof chosen);
      chosen += r * rows.row_length * each_byte;
      std::memcpy(places + r * rows.length + k, &chosen, sizeof chosen);
    }
  return _mm512_load_si512(places);
}

// Loads what ends a source; zeros come before it where it is short.
HWY_INLINE __m512i last_bytes(const uint8_t* from, size_t count) {
  if (count >= block) return _mm512_loadu_si512(from + count - block);
  alignas(block) uint8_t bytes[block] = {};
  std::memcpy(bytes + block - count, from, count);
  return _mm512_load_si512(bytes);
}

// Shuffles as many rows at once as a vector holds; gives how many rows are done, all. Results are written as whole vectors while
// there is room: what is written beyond them is overwritten by those that follow.
size_t shuffle_groups(const Rows& rows) {
  const size_t group = block / static_cast<unsigned>(std::max(rows.length, rows.row_length));
  const size_t read_step = group * rows.row_length, write_step = group * rows.length;
  const __m512i order = order_of_group(rows, group);
  size_t to_read = rows.count * rows.row_length, to_write = rows.count * rows.length;
  const __m512i end = last_bytes(rows.from, to_read);
  const uint8_t* from = rows.from;
  uint8_t* to = rows.to;
  for (; to_read >= block && to_write >= block; to_read -= read_step, to_write -= write_step, from += read_step, to += write_step)
    _mm512_storeu_si512(to, _mm512_permutexvar_epi8(order, _mm512_loadu_si512(from)));
  while (to_write != 0) {
    const size_t unread = std::min(to_read, block), written = std::min(to_write, write_step);
    const __m512i source = to_read >= block ? _mm512_loadu_si512(from) : end;
    const __m512i place = _mm512_add_epi8(order, _mm512_set1_epi8(static_cast<char>(block - unread)));
    alignas(block) uint8_t bytes[block];
    _mm512_store_si512(bytes, _mm512_permutexvar_epi8(place, source));
    std::memcpy(to, bytes, written);
    to_read -= std::min(to_read, read_step), to_write -= written, from += read_step, to += written;
  }
  return rows.count;
}
#elif HWY_TARGET != HWY_SCALAR
using Block = hn::FixedTag<uint8_t, 16>;
constexpr size_t block = 16, most_blocks = longest_shuffled_row / block;

// Shuffles groups of rows that lie in so many blocks; each block of results is put together from all of them.
template <size_t sources, size_t results>
size_t shuffle_blocks(const Rows& rows, size_t group, const uint8_t (*places)[most_blocks][block]) {
  const Block d;
  const size_t groups = (rows.with_room(sources * block, results * block) + group - 1) / group;
  const uint8_t* from = rows.from;
  uint8_t* to = rows.to;
  const size_t read_step = group * rows.row_length, write_step = group * rows.length;
  for (size_t g = 0; g < groups; g++, from += read_step, to += write_step) {
    hn::Vec<Block> source[sources];
    for (size_t s = 0; s < sources; s++) source[s] = hn::LoadU(d, from + s * block);
    for (size_t r = 0; r < results; r++) {
      auto result = hn::TableLookupBytesOr0(source[0], hn::LoadU(d, places[r][0]));
      for (size_t s = 1; s < sources; s++)
        result = hn::Or(result, hn::TableLookupBytesOr0(source[s], hn::LoadU(d, places[r][s])));
      hn::StoreU(result, d, to + r * block);
    }
  }
  return groups * group;
}

using ShuffleBlocks = size_t (*)(const Rows&, size_t group, const uint8_t (*places)[most_blocks][block]);
constexpr ShuffleBlocks ways[most_blocks][most_blocks] = {
    {shuffle_blocks<1, 1>, shuffle_blocks<1, 2>, shuffle_blocks<1, 3>, shuffle_blocks<1, 4>},
    {shuffle_blocks<2, 1>, shuffle_blocks<2, 2>, shuffle_blocks<2, 3>, shuffle_blocks<2, 4>},
    {shuffle_blocks<3, 1>, shuffle_blocks<3, 2>, shuffle_blocks<3, 3>, shuffle_blocks<3, 4>},
    {shuffle_blocks<4, 1>, shuffle_blocks<4, 2>, shuffle_blocks<4, 3>, shuffle_blocks<4, 4>},
};

// The same where each block of results comes from 16 bytes that follow each other, at `starts`.
template <size_t results>
size_t shuffle_windows(const Rows& rows, size_t group, const size_t* starts, const uint8_t (*places)[block]) {
  const Block d;
  const size_t read = *std::max_element(starts, starts + results) + block;
  const size_t groups = (rows.with_room(read, results * block) + group - 1) / group;
  const uint8_t* from = rows.from;
  uint8_t* to = rows.to;
  const size_t read_step = group * rows.row_length, write_step = group * rows.length;
  hn::Vec<Block> order[results];
  size_t start[results];
  for (size_t r = 0; r < results; r++) order[r] = hn::LoadU(d, places[r]), start[r] = starts[r];
  for (size_t g = 0; g < groups; g++, from += read_step, to += write_step)
    for (size_t r = 0; r < results; r++)
      hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, from + start[r]), order[r]), d, to + r * block);
  return groups * group;
}
using ShuffleWindows = size_t (*)(const Rows&, size_t group, const size_t* starts, const uint8_t (*places)[block]);
constexpr ShuffleWindows windows[most_blocks] = {shuffle_windows<1>, shuffle_windows<2>, shuffle_windows<3>, shuffle_windows<4>};

// The same with vectors of 16 bytes, each of which takes what it can from each block of the source.
size_t shuffle_groups(const Rows& rows) {
  const size_t group = std::max(block / std::max(rows.length, rows.row_length), size_t{1});
  const size_t results = (group * rows.length + block - 1) / block;
  size_t first[most_blocks], last[most_blocks] = {};
  std::fill_n(first, most_blocks, longest_shuffled_row);
  uint8_t places[most_blocks][most_blocks][block];
  std::fill_n(&places[0][0][0], sizeof places, uint8_t{0x80});
  rows.each_byte(group, [&](size_t i, size_t source) {
    const size_t r = i / block;
    first[r] = std::min(first[r], source);
    last[r] = std::max(last[r], source);
    places[r][source / block][i % block] = static_cast<uint8_t>(source % block);
  });
  bool narrow = true;
  for (size_t r = 0; r < results; r++) narrow &= last[r] - first[r] < block;
  if (!narrow) {
    const size_t sources = (group * rows.row_length + block - 1) / block;
    return ways[sources - 1][results - 1](rows, group, places);
  }
  uint8_t in_window[most_blocks][block] = {};
  rows.each_byte(
      group, [&](size_t i, size_t source) { in_window[i / block][i % block] = static_cast<uint8_t>(source - first[i / block]); });
  return windows[results - 1](rows, group, first, in_window);
}
#endif

void shuffle(uint8_t* to, size_t length, const uint8_t* from, size_t row_length, size_t count, const uint8_t* chosen) {
  size_t row = 0;
#if HWY_TARGET != HWY_SCALAR
  row = shuffle_groups({to, from, length, row_length, count, chosen});
#endif
  for (; row < count; row++)
    for (size_t i = 0; i < length; i++) to[row * length + i] = from[row * row_length + chosen[i]];
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(shuffle);
void shuffle_rows(std::uint8_t* to, std::size_t length, const std::uint8_t* from, std::size_t row_length, std::size_t rows,
                  const std::uint8_t* chosen) {
  HWY_DYNAMIC_DISPATCH(shuffle)(to, length, from, row_length, rows, chosen);
}
}  // namespace griddle::kernels
#endif
