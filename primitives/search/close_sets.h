// Sets and numbers of keys that lie close together, and first places of short keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

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

// The numbers of keys that lie in a small range, found by the keys themselves. Keys are signed here, so that they need no look at
// the least of them: what is kept is where the number of 0 is, or would be.
template <class Key, class Number>
class NumberOfKey {
 public:
  static constexpr Number none = static_cast<Number>(-1);
  NumberOfKey(Number* numbers, Key low) : zero_(reinterpret_cast<std::uintptr_t>(numbers) - of(low)) {}
  Number& operator[](Key k) const { return *reinterpret_cast<Number*>(zero_ + of(k)); }

 private:
  static std::uintptr_t of(Key k) {
    return sizeof(Number) * static_cast<std::uintptr_t>(static_cast<std::make_signed_t<Key>>(k));
  }
  std::uintptr_t zero_;
};

// Numbers keys of a list so short that a branch for each key is faster: lists that come again foretell it.
template <class Key, class Number>
[[gnu::noinline]] std::size_t number_foretold(Number* numbers, Key low, const Key* x, std::size_t n, Number* to) {
  const NumberOfKey<Key, Number> number_of(numbers, low);
  std::size_t next = 0;
  const auto classify_one = [=, &next](std::size_t i, Key key) {
    Number& place = number_of[key];
    Number number = place;
    if (number == number_of.none) place = number = static_cast<Number>(next++);
    to[i] = number;
  };
  // As many keys as a word holds are read at once: memory is what binds.
  constexpr std::size_t at_once = sizeof(std::uint64_t) / sizeof(Key), bits = 8 * sizeof(Key);
  std::size_t i = 0;
  for (; i + at_once <= n; i += at_once) {
    std::uint64_t keys;
    std::memcpy(&keys, x + i, sizeof keys);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < at_once; k++) classify_one(i + k, static_cast<Key>(keys >> bits * k));
  }
  for (; i < n; i++) classify_one(i, x[i]);
  return next;
}

// The same for longer ones. Where most of a block were met before, looks up the next, and goes through it once more only if one
// has no number yet.
template <class Key, class Number>
[[gnu::noinline]] std::size_t number_close(Number* numbers, Key low, const Key* x, std::size_t n, Number* to) {
  constexpr std::size_t block = 64, few = 8;
  const NumberOfKey<Key, Number> number_of(numbers, low);
  std::size_t next = 0, before = 0;
  kernels::ElementsDone done;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t count = std::min(block, n - i);
    done.add(count);
    if (next - before <= few && i != 0) {
      Number all = 0;
#pragma GCC unroll 8
      for (std::size_t k = 0; k < count; k++) {
        to[i + k] = number_of[x[i + k]];
        all |= to[i + k];
      }
      if (all != number_of.none) continue;
    }
    before = next;
#pragma GCC unroll 4
    for (std::size_t k = 0; k < count; k++) {
      Number& place = number_of[x[i + k]];
      const std::size_t known = place;
      std::size_t is_new = place == number_of.none;
      asm("" : "+r"(is_new));
      const auto number = static_cast<Number>(known ^ ((known ^ next) & -is_new));
      place = number;
      to[i + k] = number;
      next += is_new;
    }
  }
  return next;
}

}  // namespace griddle::primitives
