#include "primitives/search/parted_search.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "primitives/common/tuning.h"
#include "primitives/kernels/search/first_places.h"
#include "primitives/kernels/shared/hash_keys.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/kernels/shared/scatter.h"
#include "primitives/search/key_memory.h"
#include "runtime/value/context.h"

namespace griddle::primitives {
namespace {

// Parts are fewer than the lines of the first-level cache.
constexpr std::size_t most_parts = 1 << 10;

unsigned part_bits(std::size_t n) {
  const std::size_t keys = tuning().keys_of_part;
  return static_cast<unsigned>(std::countr_zero(std::min(std::bit_ceil((n + keys - 1) / keys), most_parts)));
}

// Keys by parts, in their order there. Bits of parts, where a key has one, begin with whole words.
template <class Key>
class KeyParts {
 public:
  KeyParts(Heap& heap, const CellKeys& keys, unsigned bits)
      : n_(keys.count),
        parts_(std::size_t{1} << bits),
        part_(make_list(heap, ElementType::i16, n_)),
        keys_(make_list(heap, sizeof(Key) == 4 ? ElementType::i32 : ElementType::f64, n_)),
        starts_(make_list(heap, ElementType::f64, parts_ + 1)) {
    const Key* const x = keys.as<Key>();
    auto* const part = part_->template as<std::uint16_t>();
    auto* const start = starts_->template as<std::size_t>();
    std::fill_n(start, parts_ + 1, 0);
    kernels::in_pieces(n_, [=](std::size_t i, std::size_t end) {
      for (; i < end; i++) start[1 + (part[i] = part_of(x[i], bits))]++;
    });
    for (std::size_t p = 0; p < parts_; p++) start[p + 1] += start[p];
    Key* const to = keys_->template as<Key>();
    kernels::touch_pages(to, n_);
    scatter_in_order([=](std::size_t i) { return x[i]; }, to);
  }
  std::size_t parts() const { return parts_; }
  std::size_t start(std::size_t p) const { return starts_->template as<std::size_t>()[p]; }
  std::size_t count(std::size_t p) const { return start(p + 1) - start(p); }
  const Key* keys(std::size_t p) const { return keys_->template as<Key>() + start(p); }
  std::size_t most() const {
    std::size_t most = 0;
    for (std::size_t p = 0; p < parts_; p++) most = std::max(most, count(p));
    return most;
  }
  // Gives the first word of bits of a part, and how many there are of all.
  std::size_t word(std::size_t p) const { return start(p) / 64 + p; }
  std::size_t words() const { return word(parts_); }

  // Writes of(i) to the place of each key among all parts.
  template <class Of, class Out>
  void scatter_in_order(Of of, Out* to) const {
    std::size_t next[most_parts];
    std::copy_n(starts_->template as<std::size_t>(), parts_, next);
    const auto* const part = part_->template as<std::uint16_t>();
    kernels::scatter(
        n_,
        [=](std::size_t i) {
          return kernels::Keyed<Out>{part[i], of(i)};
        },
        next, to);
  }
  // Calls f(i, part, at) for each key in the order in which they came, with its place among all parts.
  template <class F>
  void each_in_order(F f) const {
    std::size_t next[most_parts];
    std::copy_n(starts_->template as<std::size_t>(), parts_, next);
    each(next, f);
  }
  // The same with the place of its bit.
  template <class F>
  void each_bit_in_order(F f) const {
    std::size_t next[most_parts];
    for (std::size_t p = 0; p < parts_; p++) next[p] = 64 * word(p);
    each(next, f);
  }

 private:
  static std::uint16_t part_of(Key k, unsigned bits) {
    std::uint64_t h = k;
    if constexpr (sizeof(Key) == 8) h ^= h >> 32;
    return static_cast<std::uint16_t>(h * kernels::hash_keys.part_factor >> 32 >> (32 - bits));
  }
  template <class F>
  void each(std::size_t* next, F f) const {
    const auto* const part = part_->template as<std::uint16_t>();
    kernels::in_pieces(n_, [=](std::size_t i, std::size_t end) {
#pragma GCC unroll 4
      for (; i < end; i++) f(i, std::size_t{part[i]}, next[part[i]]++);
    });
  }
  std::size_t n_, parts_;
  Ref<Array> part_, keys_, starts_;
};

// Calls f with a number of the type of places that suits parts of so many keys.
template <class F>
void with_place_type(std::size_t most, F f) {
  if (most <= kernels::most_placed_keys<std::uint16_t>)
    f(std::uint16_t{});
  else
    f(std::uint32_t{});
}
template <class F>
void with_key_type(const CellKeys& keys, F f) {
  if (keys.width == 32)
    f(std::uint32_t{});
  else
    f(std::uint64_t{});
}

// Writes bits of parts in the order of the keys.
template <class Key>
void collect_bits(const KeyParts<Key>& parts, const std::uint64_t* bits, std::uint64_t* marks) {
  std::uint64_t word = 0;
  std::size_t last = 0;
  parts.each_bit_in_order([&, bits, marks](std::size_t i, std::size_t, std::size_t at) {
    word = word >> 1 | bits[at / 64] >> at % 64 << 63;
    last = i;
    if (i % 64 == 63) marks[i / 64] = word;
  });
  if (last % 64 != 63) marks[last / 64] = word >> (63 - last % 64);
}

// Calls f(part, keys in it) for each part that has keys.
template <class Key, class F>
void each_part(Context& cx, const KeyParts<Key>& parts, F f) {
  for (std::size_t p = 0; p < parts.parts(); p++) {
    cx.check_interrupt();
    if (const std::size_t n = parts.count(p); n != 0) f(p, n);
  }
}

}  // namespace

bool suits_parts(const CellKeys& keys) {
  constexpr std::size_t looks = 1024, most_equal = 8;
  if (keys.count > most_slotted_keys) return true;
  std::size_t equal = 0;
  with_key_type(keys, [&]<class Key>(Key) {
    Key some[looks];
    for (std::size_t k = 0; k < looks; k++) some[k] = keys.as<Key>()[k * (keys.count / looks)];
    std::sort(some, some + looks);
    for (std::size_t k = 1; k < looks; k++) equal += some[k - 1] == some[k];
  });
  return equal < most_equal;
}

void mark_new_in_parts(Context& cx, const CellKeys& keys, std::uint64_t* marks) {
  with_key_type(keys, [&]<class Key>(Key key) {
    const KeyParts<Key> parts(cx.heap, keys, part_bits(keys.count));
    Ref<Array> bits = make_list(cx.heap, ElementType::bit, 64 * parts.words());
    with_place_type(parts.most(), [&]<class Place>(Place place) {
      each_part(cx, parts, [&](std::size_t p, std::size_t n) {
        const KeyMemory<Place> memory(cx.heap, n, false);
        kernels::place_functions(key, place)
            .mark_first(parts.keys(p), n, memory.view(), bits->as<std::uint64_t>() + parts.word(p));
      });
    });
    collect_bits(parts, bits->as<std::uint64_t>(), marks);
  });
}

void match_in_parts(Context& cx, const KeyPair& keys, std::uint64_t* marks) {
  with_key_type(keys.principal, [&]<class Key>(Key) {
    const unsigned bits_of_part = part_bits(keys.principal.count);
    const KeyParts<Key> parts(cx.heap, keys.principal, bits_of_part), others(cx.heap, keys.other, bits_of_part);
    Ref<Array> bits = make_list(cx.heap, ElementType::bit, 64 * others.words());
    auto* const words = bits->as<std::uint64_t>();
    std::memset(words, 0, others.words() * sizeof *words);
    with_place_type(parts.most(), [&]<class Place>(Place) {
      each_part(cx, parts, [&](std::size_t p, std::size_t n) {
        PlaceTable<Key, Place>(cx.heap, parts.keys(p), n).match(others.keys(p), others.count(p), words + others.word(p));
      });
    });
    collect_bits(others, words, marks);
  });
}

void find_in_parts(Context& cx, const KeyPair& keys, IndexList& out) {
  with_key_type(keys.principal, [&]<class Key>(Key) {
    const unsigned bits = part_bits(keys.principal.count);
    const std::size_t n = keys.principal.count;
    const KeyParts<Key> parts(cx.heap, keys.principal, bits), others(cx.heap, keys.other, bits);
    // Where the keys of parts came from, and where the other ones are.
    Ref<Array> origins = make_list(cx.heap, ElementType::i32, n), found = make_list(cx.heap, ElementType::i32, keys.other.count);
    auto *const origin = origins->as<std::uint32_t>(), *const places = found->as<std::uint32_t>();
    kernels::touch_pages(origin, n);
    parts.scatter_in_order([](std::size_t i) { return static_cast<std::uint32_t>(i); }, origin);
    kernels::in_pieces(keys.other.count, [=](std::size_t i, std::size_t end) {
      std::fill(places + i, places + end, static_cast<std::uint32_t>(n));
    });
    with_place_type(parts.most(), [&]<class Place>(Place) {
      Ref<Array> memory = make_list(cx.heap, ElementType::i32, others.most());
      Place* const local = memory->template as<Place>();
      each_part(cx, parts, [&](std::size_t p, std::size_t own) {
        const std::size_t count = others.count(p);
        PlaceTable<Key, Place>(cx.heap, parts.keys(p), own).find(others.keys(p), count, local);
        const std::uint32_t* from = origin + parts.start(p);
        std::uint32_t* to = places + others.start(p);
        for (std::size_t i = 0; i < count; i++) to[i] = local[i] < own ? from[local[i]] : static_cast<std::uint32_t>(n);
      });
    });
    out.fill([&]<class Out>(Out* to) {
      others.each_in_order([=](std::size_t i, std::size_t, std::size_t at) { to[i] = static_cast<Out>(places[at]); });
    });
  });
}

}  // namespace griddle::primitives
