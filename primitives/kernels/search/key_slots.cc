#include "primitives/kernels/search/key_buckets.h"

#include <algorithm>
#include <bit>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/hash_keys.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace key_buckets_unit {
namespace {

using std::size_t, std::uint32_t, std::uint64_t, std::uint8_t;

// Keys are handled so many at a time: what is known is found for all of them before the rest is added.
constexpr size_t block = 64;

// A block of keys, and what their own buckets hold: a one for each place that is equal, and for each that is taken.
template <class Key>
struct Seen {
  using Table = KeyBuckets<Key>;
  using Mask = typename Table::Mask;
  const Table& table;
  size_t count = 0;
  HWY_ALIGN Key keys[block];
  HWY_ALIGN Key bucket[block];
  HWY_ALIGN Mask equal[block];
  HWY_ALIGN Mask filled[block];
  // Bits of the filter, and the bytes they are in.
  HWY_ALIGN Key spot[block];
  HWY_ALIGN uint8_t byte[block];

  HWY_INLINE explicit Seen(const Table& of) : table(of) {}

  // Takes keys, and finds out which buckets they belong to.
  HWY_INLINE void take(const Key* x, size_t n) {
    const D d;
    count = std::min(n, block);
    std::copy_n(x, count, keys);
    std::fill(keys + count, keys + block, Key{0});
    const int shift = bits - std::countr_zero(table.buckets);
    for (size_t i = 0; i < block; i += hn::MaxLanes(d))
      hn::Store(hn::ShiftRightSame(scrambled(hn::Load(d, keys + i)), shift), d, bucket + i);
  }
  // Fetches buckets that may lie beyond the second-level cache.
  HWY_INLINE void fetch() const {
    constexpr size_t most_near = 1 << 13;
    if (table.buckets <= most_near) return;
    for (size_t i = 0; i < count; i++) __builtin_prefetch(table.keys + bucket[i] * Table::capacity);
  }
  // Finds out which bits of the filter they belong to.
  HWY_INLINE void take_for_filter() {
    const D d;
    const int shift = bits - std::countr_zero(table.filter_bits);
    for (size_t i = 0; i < block; i += hn::MaxLanes(d))
      hn::Store(hn::ShiftRightSame(scrambled(hn::Load(d, keys + i)), shift), d, spot + i);
  }
  HWY_INLINE void set_filter() const {
    for (size_t i = 0; i < count; i++) {
      uint8_t& byte = table.filter[spot[i] >> 3];
      byte = static_cast<uint8_t>(byte | 1u << (spot[i] & 7));
    }
  }
  // Gives the ones of keys that may be there.
  HWY_INLINE uint64_t in_filter() {
    const hn::ScalableTag<uint8_t> d;
    for (size_t i = 0; i < block; i++) byte[i] = static_cast<uint8_t>(table.filter[spot[i] >> 3] >> (spot[i] & 7));
    uint64_t ones = 0;
    for (size_t i = 0; i < block; i += hn::MaxLanes(d))
      ones |= bits_of_mask(d, hn::Ne(hn::And(hn::Load(d, byte + i), hn::Set(d, uint8_t{1})), hn::Zero(d))) << i;
    return ones & all();
  }
  HWY_INLINE uint64_t all() const { return ~uint64_t{0} >> (block - count); }
  // Looks at the buckets.
  HWY_INLINE void look() {
    for (size_t i = 0; i < block; i++) {
      equal[i] = static_cast<Mask>(equal_in(bucket[i], keys[i]));
      filled[i] = table.filled[bucket[i]];
    }
  }
  // Gives the ones of keys that are not in their own buckets; `full_only`: and may be in others.
  HWY_INLINE uint64_t missed(bool full_only = false) const {
    uint64_t found = 0, full = 0;
    const hn::ScalableTag<Mask> d;
    for (size_t i = 0; i < block; i += hn::MaxLanes(d)) {
      const auto taken = hn::Load(d, filled + i);
      found |= bits_of_mask(d, hn::Ne(hn::And(hn::Load(d, equal + i), taken), hn::Zero(d))) << i;
      full |= bits_of_mask(d, hn::Eq(taken, hn::Set(d, static_cast<Mask>(-1)))) << i;
    }
    return ~found & all() & (full_only ? full : all());
  }
  // Writes the numbers of keys that are in their own buckets, and something for the others.
  HWY_INLINE void write_numbers(uint32_t* out) const {
    for (size_t i = 0; i < count; i++) {
      const auto lane = static_cast<size_t>(std::countr_zero(static_cast<uint32_t>(equal[i] & filled[i]) | 1u << 16));
      out[i] = table.numbers[bucket[i] * Table::capacity + lane];
    }
  }
  // Gives the place of key i, or none; `home` is then the bucket that it may be added to.
  HWY_INLINE size_t find(size_t i, size_t& home) const {
    for (home = bucket[i];; home = (home + 1) & (table.buckets - 1)) {
      const uint32_t taken = table.filled[home], here = equal_in(home, keys[i]) & taken;
      if (here != 0) return home * Table::capacity + static_cast<size_t>(std::countr_zero(here));
      if (taken != static_cast<Mask>(-1)) [[likely]]
        return no_place;
    }
  }
  HWY_INLINE size_t add(size_t i, size_t home) const {
    const uint32_t taken = table.filled[home];
    const size_t place = home * Table::capacity + static_cast<size_t>(std::popcount(taken));
    table.filled[home] = static_cast<Mask>(2 * taken + 1);
    table.keys[place] = keys[i];
    return place;
  }
  static constexpr size_t no_place = ~size_t{0};

 private:
  using D = hn::CappedTag<Key, Table::capacity>;
  static constexpr int bits = 8 * sizeof(Key);

  // The highest bits depend on all others, in a way that nobody knows.
  static HWY_INLINE hn::Vec<D> scrambled(hn::Vec<D> v) {
    const D d;
    const hn::Repartition<uint32_t, D> words;
    if constexpr (sizeof(Key) == 4) {
      return hn::Mul(v, hn::Set(d, static_cast<Key>(hash_keys.factor)));
    } else {
      const auto product = [=](hn::Vec<D> halves, uint64_t factor) HWY_ATTR {
        return hn::MulEven(hn::BitCast(words, halves), hn::BitCast(words, hn::Set(d, factor)));
      };
      const auto sum = hn::Add(product(v, hash_keys.factor), product(hn::ShiftRight<32>(v), hash_keys.factor >> 32));
      // Low bits of products do not depend on high ones of keys, of which there may be no others.
      return hn::ShiftLeft<32>(hn::Xor(sum, hn::ShiftRight<32>(sum)));
    }
  }
  HWY_INLINE uint32_t equal_in(size_t home, Key key) const {
    const D d;
    const auto wanted = hn::Set(d, key);
    const Key* held = table.keys + home * Table::capacity;
    uint32_t ones = 0;
    for (size_t i = 0; i < Table::capacity; i += hn::MaxLanes(d))
      ones |= static_cast<uint32_t>(bits_of_mask(d, hn::Eq(hn::Load(d, held + i), wanted))) << i;
    return ones;
  }
};

// Calls f(i) for each one.
template <class F>
HWY_INLINE void each_one(uint64_t word, F f) {
  for (; word != 0; word &= word - 1) f(static_cast<size_t>(std::countr_zero(word)));
}

// Where most keys of a block were new, those of the next are taken to be, and not looked up first.
constexpr size_t most_of_block = 48;

// Adds the keys of a block, and calls is_new(i, place) for each new one.
template <class Key, class F>
HWY_INLINE void add_new(Seen<Key>& seen, size_t& news, F is_new) {
  seen.fetch();
  uint64_t unknown = seen.all();
  if (news <= most_of_block) {
    seen.look();
    unknown = seen.missed();
  }
  news = 0;
  each_one(unknown, [&](size_t i) HWY_ATTR {
    size_t home;
    if (seen.find(i, home) != seen.no_place) return;
    is_new(i, seen.add(i, home));
    news++;
  });
  if (seen.table.filter != nullptr) {
    seen.take_for_filter();
    seen.set_filter();
  }
}

// Where so many keys of a block pass the filter, their buckets are looked at all at once.
constexpr size_t many_pass = 24;

// Keys that are looked for: the ones of those that are not there, as far as is known, and of those that must be found one by one.
// The rest was found in its own buckets.
template <class Key>
struct Search {
  Seen<Key> seen;
  bool looked;
  uint64_t missed, left;

  HWY_INLINE explicit Search(const KeyBuckets<Key>& table) : seen(table) {}
  HWY_INLINE void take(const Key* x, size_t n) {
    seen.take(x, n);
    looked = seen.table.filter == nullptr;
    if (!looked) {
      seen.take_for_filter();
      left = seen.in_filter();
      missed = ~left & seen.all();
      looked = static_cast<size_t>(std::popcount(left)) >= many_pass;
    }
    if (looked) {
      seen.fetch();
      seen.look();
      missed = seen.missed();
      left = seen.missed(true);
    }
  }
};

template <class Key>
void mark_new(const KeyBuckets<Key>& table, const Key* x, size_t n, uint64_t* out) {
  Seen<Key> seen(table);
  size_t news = block;
  ElementsDone done;
  for (size_t i = 0; i < n; i += block) {
    done.add(block);
    seen.take(x + i, n - i);
    uint64_t fresh = 0;
    add_new(seen, news, [&](size_t k, size_t) HWY_ATTR { fresh |= uint64_t{1} << k; });
    if (out != nullptr) *out++ = fresh;
  }
}

template <class Key>
void match(const KeyBuckets<Key>& table, const Key* x, size_t n, uint64_t* out) {
  Search<Key> search(table);
  ElementsDone done;
  for (size_t i = 0; i < n; i += block) {
    done.add(block);
    search.take(x + i, n - i);
    uint64_t known = ~search.missed & ~search.left & search.seen.all();
    each_one(search.left, [&](size_t k) HWY_ATTR {
      size_t home;
      known |= uint64_t{search.seen.find(k, home) != search.seen.no_place} << k;
    });
    *out++ = known;
  }
}

template <class Key>
uint32_t classify(const KeyBuckets<Key>& table, const Key* x, size_t n, uint32_t next, uint32_t* out) {
  Seen<Key> seen(table);
  uint32_t before = next - block;
  ElementsDone done;
  for (size_t i = 0; i < n; i += block) {
    done.add(block);
    seen.take(x + i, n - i);
    seen.fetch();
    uint64_t unknown = seen.all();
    if (next - before <= most_of_block) {
      seen.look();
      unknown = seen.missed();
      seen.write_numbers(out + i);
    }
    before = next;
    each_one(unknown, [&](size_t k) HWY_ATTR {
      size_t home, place = seen.find(k, home);
      if (place == seen.no_place) table.numbers[place = seen.add(k, home)] = next++;
      out[i + k] = table.numbers[place];
    });
  }
  return next;
}

template <class Key>
void number_places(const KeyBuckets<Key>& table, const Key* x, size_t n) {
  Seen<Key> seen(table);
  size_t news = block;
  ElementsDone done;
  for (size_t i = 0; i < n; i += block) {
    done.add(block);
    seen.take(x + i, n - i);
    add_new(seen, news, [&](size_t k, size_t place) HWY_ATTR { table.numbers[place] = static_cast<uint32_t>(i + k); });
  }
}

template <class Key>
void find_numbers(const KeyBuckets<Key>& table, const Key* x, size_t n, uint32_t missing, uint32_t* out) {
  Search<Key> search(table);
  ElementsDone done;
  for (size_t i = 0; i < n; i += block) {
    done.add(block);
    search.take(x + i, n - i);
    const size_t count = search.seen.count;
    if (search.looked) {
      search.seen.write_numbers(out + i);
      for (size_t k = 0; k < count; k++) out[i + k] = search.missed >> k & 1 ? missing : out[i + k];
    } else {
      std::fill_n(out + i, count, missing);
    }
    each_one(search.left, [&](size_t k) HWY_ATTR {
      size_t home;
      const size_t place = search.seen.find(k, home);
      out[i + k] = place != search.seen.no_place ? table.numbers[place] : missing;
    });
  }
}

template <class Key>
constexpr BucketFunctions<Key> functions_of{mark_new<Key>, match<Key>, classify<Key>, number_places<Key>, find_numbers<Key>};

const BucketFunctions<uint32_t>* functions32() { return &functions_of<uint32_t>; }
const BucketFunctions<uint64_t>* functions64() { return &functions_of<uint64_t>; }

}  // namespace
}  // namespace key_buckets_unit
using key_buckets_unit::functions32, key_buckets_unit::functions64;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(functions32);
HWY_EXPORT(functions64);
const BucketFunctions<std::uint32_t>& bucket_functions(std::uint32_t) { return *HWY_DYNAMIC_DISPATCH(functions32)(); }
const BucketFunctions<std::uint64_t>& bucket_functions(std::uint64_t) { return *HWY_DYNAMIC_DISPATCH(functions64)(); }
}  // namespace griddle::kernels
#endif
