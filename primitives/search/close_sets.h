// Sets of keys that lie close together, and first places of short keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "primitives/kernels/search/short_set.h"
#include "primitives/kernels/shared/pieces.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

// Keys of 32 bits that lie so close together that a table with a place for each is better than one by hashes.
struct CloseRange {
  std::uint32_t low = 0;
  std::size_t range = 0;  // 0 where they do not
};
// Gives a word of bit(0), bit(1), ... up to bit(n - 1), called in this order, for n up to 64. Shifts by constants take half as
// long.
template <class F>
[[gnu::always_inline]] inline std::uint64_t word_of_bits(std::size_t n, F bit) {
  constexpr std::size_t whole = 64, part = 16;
  std::uint64_t word = 0;
  if (n != whole) {
    for (std::size_t k = 0; k < n; k++) word |= bit(k) << k;
    return word;
  }
  for (std::size_t k = 0; k < whole; k += part) {
    std::uint64_t some = 0;
#pragma GCC unroll 16
    for (std::size_t j = 0; j < part; j++) some |= bit(k + j) << j;
    word |= some << k;
  }
  return word;
}

// A set of keys in a range, a bit each: where it is too wide for bytes, or keys are few among those that are looked up.
class BitSet {
 public:
  BitSet(Heap& heap, CloseRange range)
      : memory_(make_list(heap, ElementType::bit, range.range)), words_(memory_->as<std::uint64_t>()), range_(range) {
    std::memset(words_, 0, bytes_for(ElementType::bit, range.range));
  }
  void mark_new(const std::uint32_t* x, std::size_t n, std::uint64_t* marks) {
    write_words(n, marks, [this, x](std::size_t i) { return add(x[i]); });
  }
  void add_all(const std::uint32_t* x, std::size_t n) {
    kernels::in_pieces(n, [=, this](std::size_t i, std::size_t end) {
      for (; i < end; i++) add(x[i]);
    });
  }
  void match(const std::uint32_t* x, std::size_t n, std::uint64_t* marks) const {
    kernels::in_pieces(n, [=, this](std::size_t i, std::size_t end) {
      kernels::match_close(words_, range_.low, range_.range, x + i, end - i, marks + i / 64);
    });
  }

 private:
  template <class F>
  static void write_words(std::size_t n, std::uint64_t* marks, F bit) {
    kernels::in_pieces(n, [=](std::size_t i, std::size_t end) {
      for (; i < end; i += 64)
        marks[i / 64] = word_of_bits(std::min<std::size_t>(64, end - i), [=](std::size_t k) { return bit(i + k); });
    });
  }
  // Gives 1 if the key is new.
  std::uint64_t add(std::uint32_t k) {
    const std::size_t i = k - range_.low;
    std::uint64_t& word = words_[i >> 6];
    const std::uint64_t fresh = ~(word >> (i & 63)) & 1;
    word |= std::uint64_t{1} << (i & 63);
    return fresh;
  }
  Ref<Array> memory_;
  std::uint64_t* words_;
  CloseRange range_;
};

// A set of keys in a range: one byte each, because a bit would wait for those beside it.
class CloseSet {
 public:
  CloseSet(Heap& heap, CloseRange range)
      : memory_(make_list(heap, ElementType::i8, range.range + 1)), is_there_(memory_->data), range_(range) {
    std::memset(is_there_, 0, range.range + 1);
  }
  void add_all(const std::uint32_t* x, std::size_t n) {
    kernels::in_pieces(n, [=, is_there = is_there_, low = range_.low](std::size_t i, std::size_t end) {
#pragma GCC unroll 8
      for (; i < end; i++) is_there[x[i] - low] = 1;
    });
  }
  void match(const std::uint32_t* x, std::size_t n, std::uint64_t* marks) const {
    kernels::in_pieces(n, [=, this](std::size_t i, std::size_t end) {
      for (; i < end; i += block) marks[i / block] = match_block(x + i, std::min(block, end - i));
    });
  }

 private:
  static constexpr std::size_t block = 64;
  std::uint64_t match_block(const std::uint32_t* x, std::size_t n) const {
    return word_of_bits(
        n, [=, this](std::size_t i) { return std::uint64_t{is_there_[std::min<std::size_t>(x[i] - range_.low, range_.range)]}; });
  }
  Ref<Array> memory_;
  std::uint8_t* is_there_;
  CloseRange range_;
};

// Where each key of 16 bits stands first, for those that there are: the rest of the memory is as it was.
template <class Place>
class FirstPlaces {
 public:
  FirstPlaces(Heap& heap, const std::uint16_t* list, std::size_t n)
      : memory_(make_list(heap, ElementType::i8, sizeof(Place) << 16)), places_(memory_->as<Place>()), list_(list), n_(n) {
    store(places_, list, n);
  }
  const Place* places() const { return places_; }
  // Writes the place of each key, or how many there are.
  template <class Out>
  [[gnu::noinline]] void find(const std::uint16_t* x, std::size_t count, Out* to) const {
    const Place* const places = places_;
    const std::uint16_t* const list = list_;
    const std::size_t n = n_;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; i++) {
      const std::size_t place = places[x[i]], within = place < n ? place : 0;
      to[i] = static_cast<Out>(list[within] == x[i] ? within : n);
    }
  }

 private:
  // All stays in registers, which the places could otherwise be written over.
  [[gnu::noinline]] static void store(Place* places, const std::uint16_t* list, std::size_t n) {
    // The first of equal keys comes last.
#pragma GCC unroll 8
    for (std::size_t i = 1; i <= n; i++) places[list[n - i]] = static_cast<Place>(n - i);
  }
  Ref<Array> memory_;
  Place* places_;
  const std::uint16_t* list_;
  std::size_t n_;
};

}  // namespace griddle::primitives
