#include "primitives/kernels/moves/shuffle_rows.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace shuffle_rows_unit {
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

template <size_t bytes>
HWY_INLINE void store_first(uint8_t* to, __m512i v) {
  auto* block = reinterpret_cast<__m128i*>(to);
  if constexpr (bytes == 8) _mm_storel_epi64(block, _mm512_castsi512_si128(v));
  if constexpr (bytes == 16) _mm_storeu_si128(block, _mm512_castsi512_si128(v));
  if constexpr (bytes == 32) _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_castsi512_si256(v));
  if constexpr (bytes == 64) _mm512_storeu_si512(to, v);
}

HWY_INLINE __mmask64 first_bytes(size_t n) { return n >= block ? ~__mmask64{0} : (__mmask64{1} << n) - 1; }

// Shuffles as many rows at once as a vector holds. Results are written `stored` bytes at a time while there is room: what is
// written beyond them is overwritten by those that follow.
template <size_t stored>
HWY_INLINE void shuffle_groups(const Rows& rows, size_t group, __m512i order) {
  const size_t read_step = group * rows.row_length, write_step = group * rows.length;
  const uint8_t *from = rows.from, *const from_end = from + rows.count * rows.row_length;
  uint8_t *to = rows.to, *const to_end = to + rows.count * rows.length;
  for (; from + block <= from_end && to + stored <= to_end; from += read_step, to += write_step)
    store_first<stored>(to, _mm512_permutexvar_epi8(order, _mm512_loadu_si512(from)));
  while (to < to_end) {
    const __m512i source = _mm512_maskz_loadu_epi8(first_bytes(static_cast<size_t>(from_end - from)), from);
    const __mmask64 written = first_bytes(std::min(write_step, static_cast<size_t>(to_end - to)));
    _mm512_mask_storeu_epi8(to, written, _mm512_permutexvar_epi8(order, source));
    from += read_step, to += write_step;
  }
}

// Stores no wider than a group needs cross fewer lines.
HWY_INLINE void shuffle_groups(const Rows& rows, size_t group, __m512i order) {
  const size_t written = group * rows.length;
  if (written <= 8) return shuffle_groups<8>(rows, group, order);
  if (written <= 16) return shuffle_groups<16>(rows, group, order);
  if (written <= 32) return shuffle_groups<32>(rows, group, order);
  shuffle_groups<64>(rows, group, order);
}

size_t group_of(const Rows& rows) { return block / static_cast<unsigned>(std::max(rows.length, rows.row_length)); }

// Gives how many rows are done, all.
size_t shuffle_groups(const Rows& rows) {
  const size_t group = group_of(rows);
  shuffle_groups(rows, group, order_of_group(rows, group));
  return rows.count;
}

// Which row the bytes of elements of some size come from, and which byte of the element they are.
template <size_t size>
struct ElementBytes {
  alignas(block) uint8_t row[block], byte[block];
  constexpr ElementBytes() : row(), byte() {
    for (size_t i = 0; i < block; i++) row[i] = static_cast<uint8_t>(i / size), byte[i] = static_cast<uint8_t>(i % size);
  }
};
template <size_t size>
constexpr ElementBytes<size> element_bytes;

// Takes elements from pairs of vectors, which rows fill, `stored` bytes from each pair. Gives how many rows are done.
template <size_t stored>
HWY_INLINE size_t take_from_pairs(const Rows& rows, __m512i order) {
  const size_t pairs = rows.count * rows.row_length / (2 * block);
#pragma GCC unroll 4
  for (size_t i = 0; i < pairs; i++) {
    const uint8_t* from = rows.from + i * 2 * block;
    const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + block);
    store_first<stored>(rows.to + i * stored, _mm512_permutex2var_epi8(low, order, high));
  }
  return pairs * 2 * block / rows.row_length;
}
HWY_INLINE size_t take_from_pairs(const Rows& rows, __m512i order) {
  switch (2 * block / rows.row_length * rows.length) {
    case 8: return take_from_pairs<8>(rows, order);
    case 16: return take_from_pairs<16>(rows, order);
    case 32: return take_from_pairs<32>(rows, order);
    case 64: return take_from_pairs<64>(rows, order);
    default: return 0;
  }
}

// Takes one element of each row, all of which begin `start` bytes into it.
template <size_t size>
void take_from_groups(Rows rows, size_t start) {
  // Rows of two groups begin below 128: no product passes from one byte to the next before the last one that counts.
  const __m512i first =
      _mm512_mullo_epi16(_mm512_load_si512(element_bytes<size>.row), _mm512_set1_epi16(static_cast<short>(rows.row_length)));
  const __m512i byte = _mm512_add_epi8(_mm512_load_si512(element_bytes<size>.byte), _mm512_set1_epi8(static_cast<char>(start)));
  const __m512i order = _mm512_add_epi8(first, byte);
  const size_t done = block % rows.row_length == 0 ? take_from_pairs(rows, order) : 0;
  rows.from += done * rows.row_length, rows.to += done * rows.length, rows.count -= done;
  shuffle_groups(rows, group_of(rows), order);
}
#else
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

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
// Takes words of 32 bits of rows that a vector holds, a row at a time. Gives how many rows are done, none where there is no more
// than bytes to take.
template <class Store>
HWY_INLINE size_t permute_rows(const Rows& rows, __m256i words, size_t written, Store store) {
  const size_t end = rows.with_room(32, written), length = rows.length, row_length = rows.row_length;
  uint8_t* to = rows.to;
  const uint8_t* from = rows.from;
#pragma GCC unroll 4
  for (size_t r = 0; r < end; r++, to += length, from += row_length)
    store(to, _mm256_permutevar8x32_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)), words));
  return end;
}
size_t permute_rows(const Rows& rows) {
  constexpr size_t bytes = 32, word = 4;
  if (rows.row_length > bytes || rows.length > bytes || rows.length % word != 0 || rows.row_length <= block) return 0;
  alignas(bytes) std::uint32_t words[bytes / word] = {};
  for (size_t i = 0; i < rows.length; i += word) {
    std::uint32_t places;
    std::memcpy(&places, rows.chosen + i, word);
    if (places % word != 0 || places != (places & 0xFF) * 0x01010101 + 0x03020100) return 0;
    words[i / word] = (places & 0xFF) / word;
  }
  const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i*>(words));
  if (rows.length <= block)
    return permute_rows(rows, order, block, [](uint8_t* to, __m256i v) HWY_ATTR {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(v));
    });
  return permute_rows(rows, order, bytes,
                      [](uint8_t* to, __m256i v) HWY_ATTR { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); });
}
#endif

void shuffle(uint8_t* to, size_t length, const uint8_t* from, size_t row_length, size_t count, const uint8_t* chosen) {
  size_t row = 0;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  row = permute_rows({to, from, length, row_length, count, chosen});
#endif
  if (row == 0) row = shuffle_groups({to, from, length, row_length, count, chosen});
  for (; row < count; row++)
    for (size_t i = 0; i < length; i++) to[row * length + i] = from[row * row_length + chosen[i]];
}

template <class T>
void take_elements(T* to, const T* from, size_t rows, size_t row_length) {
  size_t i = 0;
  for (; i + 4 <= rows; i += 4, from += 4 * row_length) {
    const T a = from[0], b = from[row_length], c = from[2 * row_length], d = from[3 * row_length];
    to[i] = a, to[i + 1] = b, to[i + 2] = c, to[i + 3] = d;
  }
  for (; i < rows; i++, from += row_length) to[i] = *from;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
// Takes the first `size` bytes of every `step` × `size` of as many vectors: half of what is there each round. Packing takes zeros
// beyond these bytes; `clear` says whether they are.
template <size_t size, size_t step, bool clear = false>
HWY_INLINE __m256i first_of_every(const __m256i* v) {
  constexpr size_t width = size * step;
  if constexpr (step == 1) {
    return *v;
  } else if constexpr (width <= 4 && !clear) {
    const __m256i kept = width == 2 ? _mm256_set1_epi16(0xFF) : _mm256_set1_epi32((1 << 8 * size) - 1);
    __m256i cleared[step];
    for (size_t k = 0; k < step; k++) cleared[k] = _mm256_and_si256(v[k], kept);
    return first_of_every<size, step, true>(cleared);
  } else {
    __m256i half[step / 2];
    for (size_t k = 0; k < step / 2; k++) {
      const __m256i a = v[2 * k], b = v[2 * k + 1];
      if constexpr (width == 16)
        half[k] = _mm256_unpacklo_epi64(a, b);
      else if constexpr (width == 8)
        half[k] = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
      else
        half[k] = width == 4 ? _mm256_packus_epi32(a, b) : _mm256_packus_epi16(a, b);
    }
    return first_of_every<size, step / 2, clear>(half);
  }
}

// Puts pieces in order of which each half of a vector has every other one: those of the first half come from lower places.
template <size_t piece>
HWY_INLINE __m256i by_turns(__m256i halves) {
  const __m256i quarters = _mm256_permute4x64_epi64(halves, 0xD8);
  if constexpr (piece == 8) return quarters;
  alignas(block) static constexpr auto places = [] {
    std::array<uint8_t, block> of = {};
    for (size_t i = 0; i < block; i++) of[i] = static_cast<uint8_t>(i / piece % 2 * 8 + i / piece / 2 * piece + i % piece);
    return of;
  }();
  return _mm256_shuffle_epi8(quarters,
                             _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(places.data()))));
}

// Takes the first of every `step` elements in vectors, which reach into the row that follows. Gives how many rows are done.
template <size_t step, class T>
HWY_INLINE size_t take_in_vectors(T* to, const T* from, size_t rows) {
  constexpr size_t lanes = 32 / sizeof(T);
  size_t i = 0;
  for (; i + lanes < rows; i += lanes, from += lanes * step) {
    __m256i v[step];
    for (size_t k = 0; k < step; k++) v[k] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + lanes * k));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), by_turns<block / step>(first_of_every<sizeof(T), step>(v)));
  }
  return i;
}
template <class T>
size_t take_in_vectors(T* to, const T* from, size_t rows, size_t row_length) {
  if (row_length == 2) return take_in_vectors<2>(to, from, rows);
  if constexpr (sizeof(T) <= 4)
    if (row_length == 4) return take_in_vectors<4>(to, from, rows);
  if constexpr (sizeof(T) <= 2)
    if (row_length == 8) return take_in_vectors<8>(to, from, rows);
  if constexpr (sizeof(T) == 1)
    if (row_length == 16) return take_in_vectors<16>(to, from, rows);
  return 0;
}
#endif

#if HWY_TARGET != HWY_AVX3_DL
// Which bytes of each block of `step` elements' worth are the first ones of every step, and where they go.
template <size_t step, size_t size>
struct FirstBytes {
  static constexpr size_t length = 16;
  alignas(length) uint8_t of[step][length] = {};

  constexpr FirstBytes() {
    for (size_t k = 0; k < step; k++)
      for (size_t i = 0; i < length; i++) {
        const size_t byte = i / size * size * step + i % size;
        of[k][i] = byte / length == k ? static_cast<uint8_t>(byte % length) : 0x80;
      }
  }
};

// Takes the first of every `step` elements by shuffles of bytes, which reach into the row that follows. Gives how many rows are
// done.
template <size_t step, class T>
HWY_INLINE size_t take_by_shuffles(T* to, const T* from, size_t rows) {
  static constexpr FirstBytes<step, sizeof(T)> first;
  const hn::FixedTag<uint8_t, 16> d;
  constexpr size_t lanes = first.length / sizeof(T);
  size_t i = 0;
  for (; i + lanes < rows; i += lanes, from += lanes * step) {
    const auto* const bytes = reinterpret_cast<const uint8_t*>(from);
    auto all = hn::TableLookupBytesOr0(hn::LoadU(d, bytes), hn::Load(d, first.of[0]));
#pragma GCC unroll 8
    for (size_t k = 1; k < step; k++)
      all = hn::Or(all, hn::TableLookupBytesOr0(hn::LoadU(d, bytes + first.length * k), hn::Load(d, first.of[k])));
    hn::StoreU(all, d, reinterpret_cast<uint8_t*>(to + i));
  }
  return i;
}
template <class T>
size_t take_by_shuffles(T* to, const T* from, size_t rows, size_t row_length) {
  if constexpr (sizeof(T) <= 2) {
    if (row_length == 3) return take_by_shuffles<3>(to, from, rows);
    if (row_length == 5) return take_by_shuffles<5>(to, from, rows);
    if (row_length == 6) return take_by_shuffles<6>(to, from, rows);
    if (row_length == 7) return take_by_shuffles<7>(to, from, rows);
  }
  return 0;
}
#endif

template <class T>
void take_column(void* to, const void* from, size_t rows, size_t row_length, size_t column) {
#if HWY_TARGET == HWY_AVX3_DL
  // A shuffle takes the elements of four rows or more at once.
  if (rows != 0 && row_length * sizeof(T) <= block / 4) {
    const Rows bytes{
        static_cast<uint8_t*>(to), static_cast<const uint8_t*>(from), sizeof(T), row_length * sizeof(T), rows, nullptr};
    return take_from_groups<sizeof(T)>(bytes, column * sizeof(T));
  }
#endif
  T* out = static_cast<T*>(to);
  const T* in = static_cast<const T*>(from) + column;
#if HWY_TARGET != HWY_AVX3_DL
  size_t done = take_by_shuffles(out, in, rows, row_length);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  if (done == 0) done = take_in_vectors(out, in, rows, row_length);
#endif
  out += done, in += done * row_length, rows -= done;
#endif
  take_elements(out, in, rows, row_length);
}

void take_any_column(unsigned width, void* to, const void* from, size_t rows, size_t row_length, size_t column) {
  switch (width) {
    case 8: return take_column<uint8_t>(to, from, rows, row_length, column);
    case 16: return take_column<std::uint16_t>(to, from, rows, row_length, column);
    case 32: return take_column<std::uint32_t>(to, from, rows, row_length, column);
    default: return take_column<std::uint64_t>(to, from, rows, row_length, column);
  }
}

}  // namespace
}  // namespace shuffle_rows_unit
using shuffle_rows_unit::shuffle, shuffle_rows_unit::take_any_column;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(shuffle);
HWY_EXPORT(take_any_column);
void shuffle_rows(std::uint8_t* to, std::size_t length, const std::uint8_t* from, std::size_t row_length, std::size_t rows,
                  const std::uint8_t* chosen) {
  in_pieces(rows, [=](std::size_t i, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(shuffle)(to + i * length, length, from + i * row_length, row_length, end - i, chosen);
  });
}
void take_column(unsigned width, void* to, const void* from, std::size_t rows, std::size_t row_length, std::size_t column) {
  HWY_DYNAMIC_DISPATCH(take_any_column)(width, to, from, rows, row_length, column);
}
}  // namespace griddle::kernels
#endif
