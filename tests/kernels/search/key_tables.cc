// Tables of keys, against sets of the standard library.
#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <vector>

#include "primitives/kernels/search/byte_counts.h"
#include "primitives/kernels/search/first_places.h"
#include "primitives/kernels/search/key_buckets.h"
#include "primitives/kernels/search/key_slots.h"
#include "primitives/kernels/search/short_set.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// Lengths round a block, and some of several.
template <class F>
void for_block_lengths(F f) {
  for (std::size_t n : {1, 63, 64, 65, 127, 511, 512, 513, 1500, 4000}) f(n);
}

std::vector<std::uint16_t> short_keys(Random& random, std::size_t n, unsigned kinds) {
  std::vector<std::uint16_t> keys(n);
  for (auto& k : keys) k = static_cast<std::uint16_t>(random.next() % kinds * 40503u);
  return keys;
}

void check_short_sets(std::size_t n, unsigned kinds) {
  Random random;
  const auto keys = short_keys(random, n, kinds), others = short_keys(random, n + 7, 2 * kinds);
  std::vector<std::uint8_t> set(short_set_bytes), added(short_set_bytes);
  const std::size_t words = (n + 63) / 64, other_words = (n + 7 + 63) / 64;
  Guarded<std::uint64_t> marks(words, 0), known(other_words, 0);
  CHECK(mark_new_shorts(keys.data(), n, set.data(), n + 1, marks.start()) == n);
  add_shorts(keys.data(), n, added.data());
  CHECK(set == added);
  match_shorts(set.data(), others.data(), n + 7, known.start());
  std::set<std::uint16_t> seen;
  bool right = true;
  for (std::size_t i = 0; i < n; i++) right &= bit_of(marks.start(), i) == seen.insert(keys[i]).second;
  for (std::size_t i = 0; i < 64 * other_words; i++) right &= bit_of(known.start(), i) == (i < n + 7 && seen.contains(others[i]));
  CHECK(right);
  CHECK(marks.kept_outside(words));
  CHECK(known.kept_outside(other_words));
  // Stops when all have come.
  std::fill(set.begin(), set.end(), 0);
  const std::size_t end = mark_new_shorts(keys.data(), n, set.data(), seen.size(), marks.start());
  CHECK(std::set<std::uint16_t>(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(end)).size() == seen.size());
}

void check_close_sets(std::size_t n, std::size_t range, std::uint32_t low) {
  Random random;
  std::vector<std::uint32_t> keys(n);
  for (auto& k : keys) k = static_cast<std::uint32_t>(low + random.next() % (range + 90) - 45);
  const std::size_t words = (n + 63) / 64;
  std::vector<std::uint64_t> set((range + 63) / 64);
  for (std::size_t k = 0; k < range; k += 1 + random.next() % 3) set[k / 64] |= std::uint64_t{1} << k % 64;
  Guarded<std::uint64_t> known(words, 0);
  match_close(set.data(), low, range, keys.data(), n, known.start());
  bool right = true;
  for (std::size_t i = 0; i < 64 * words; i++) {
    const std::uint32_t place = i < n ? keys[i] - low : 0;
    right &= bit_of(known.start(), i) == (i < n && place < range && bit_of(set.data(), place));
  }
  INFO("keys ", n, " range ", range, " from ", low);
  CHECK(right);
  CHECK(known.kept_outside(words));
}

template <class Key>
void check_close_keys(std::size_t n, unsigned kinds) {
  Random random;
  constexpr auto low = static_cast<Key>(-40);
  std::vector<Key> keys(n);
  for (auto& k : keys) k = static_cast<Key>(random.next() % kinds + low);
  for (const std::size_t limit : {std::size_t{kinds}, n + 1}) {
    std::vector<std::uint8_t> is_new(kinds, 1);
    const std::size_t words = (n + 63) / 64;
    Guarded<std::uint64_t> marks(words, 0);
    const std::size_t end = mark_new_close(keys.data(), n, low, is_new.data(), limit, marks.start());
    std::set<Key> seen;
    bool right = end == n || limit == kinds;
    for (std::size_t i = 0; i < n; i++) {
      const bool fresh = seen.insert(keys[i]).second;
      right &= i < end ? bit_of(marks.start(), i) == fresh : !fresh;
    }
    INFO("keys ", n, " kinds ", kinds);
    CHECK(right);
    CHECK(marks.kept_outside(words));
  }
}

// A table that grows as slowly as it may.
template <class Key>
struct Table {
  explicit Table(std::size_t count = KeySlots<Key>::fewest) : memory(count), view{memory.data(), count, 0} {
    functions.clear(view);
  }
  // Calls add(view, i) until it has gone through n keys.
  template <class F>
  void add(std::size_t n, F add) {
    for (std::size_t i = 0; (i += add(view, i)) != n;) {
      CHECK(i % 64 == 0);
      Table larger(2 * view.count);
      functions.move(view, larger.view);
      memory = std::move(larger.memory);
      view = {memory.data(), larger.view.count, larger.view.used};
    }
  }
  const SlotFunctions<Key>& functions = slot_functions(Key{});
  std::vector<KeySlot<Key>> memory;
  KeySlots<Key> view;
};

template <class Key>
std::vector<Key> hashed_keys(Random& random, std::size_t n, unsigned kinds, unsigned shift) {
  std::vector<Key> keys(n);
  for (auto& k : keys)
    k = static_cast<Key>(static_cast<Key>(random.next() % kinds) << shift) + (shift == 0 ? static_cast<Key>(-3) : 0);
  return keys;
}

template <class Key>
void check_slots(const std::vector<Key>& keys, const std::vector<Key>& others) {
  const std::size_t n = keys.size(), count = others.size();
  std::map<Key, std::uint32_t> places, classes;
  std::vector<std::uint32_t> expected_classes;
  std::vector<bool> fresh;
  for (std::size_t i = 0; i < n; i++) {
    fresh.push_back(places.emplace(keys[i], static_cast<std::uint32_t>(i)).second);
    classes.emplace(keys[i], static_cast<std::uint32_t>(classes.size()));
    expected_classes.push_back(classes[keys[i]]);
  }
  const std::size_t words = (n + 63) / 64, other_words = (count + 63) / 64;
  Guarded<std::uint64_t> marks(words, 0), known(other_words, 0);
  Guarded<std::uint32_t> classified(n, 0), found(count, 0);
  Table<Key> set, numbered, located;
  const auto& functions = set.functions;
  set.add(n, [&](auto& view, std::size_t i) { return functions.mark_new(view, keys.data() + i, n - i, marks.start() + i / 64); });
  functions.match(set.view, others.data(), count, known.start());
  numbered.add(
      n, [&](auto& view, std::size_t i) { return functions.classify(view, keys.data() + i, n - i, classified.start() + i); });
  CHECK(numbered.view.used == classes.size());
  located.add(n, [&](auto& view, std::size_t i) { return functions.number_places(view, keys.data() + i, n - i, i); });
  functions.find_numbers(located.view, others.data(), count, 777777, found.start());
  bool right = true;
  for (std::size_t i = 0; i < n; i++)
    right &= bit_of(marks.start(), i) == fresh[i] && classified.start()[i] == expected_classes[i];
  for (std::size_t i = 0; i < 64 * other_words; i++) {
    const auto at = i < count ? places.find(others[i]) : places.end();
    right &= bit_of(known.start(), i) == (at != places.end());
    if (i < count) right &= found.start()[i] == (at == places.end() ? 777777 : at->second);
  }
  CHECK(right);
  CHECK(marks.kept_outside(words));
  CHECK(known.kept_outside(other_words));
  CHECK(classified.kept_outside(n));
  CHECK(found.kept_outside(count));
}

template <class Key>
void check_slots(std::size_t n, unsigned kinds, unsigned shift) {
  Random random;
  const auto keys = hashed_keys<Key>(random, n, kinds, shift), others = hashed_keys<Key>(random, n + 5, 2 * kinds, shift);
  INFO("keys ", n, " kinds ", kinds, " shift ", shift);
  check_slots(keys, others);
}

// Keys in equal steps, 0 among them, and as many between them.
template <class Key>
void check_steps(std::size_t n, Key step) {
  std::vector<Key> keys(n), others(2 * n);
  for (std::size_t i = 0; i < n; i++) keys[i] = static_cast<Key>(i) * step;
  for (std::size_t i = 0; i < 2 * n; i++) others[i] = static_cast<Key>(i) * (step / 2);
  INFO("keys ", n, " step ", step);
  check_slots(keys, others);
}

template <class Place>
struct FirstPlacesMemory {
  explicit FirstPlacesMemory(std::size_t n) {
    const unsigned bits = place_slot_bits(n);
    const std::size_t slots = std::size_t{1} << bits;
    memory.assign(2 * slots + n, 0xABCD);
    view = {memory.data(), memory.data() + slots, memory.data() + 2 * slots, bits};
  }
  std::vector<Place> memory;
  PlaceMemory<Place> view;
};

template <class Key, class Place>
void check_first_places(std::size_t n, unsigned kinds, unsigned shift) {
  Random random;
  const auto keys = hashed_keys<Key>(random, n, kinds, shift), others = hashed_keys<Key>(random, n + 5, 2 * kinds, shift);
  const auto& functions = place_functions(Key{}, Place{});
  std::map<Key, Place> places, classes;
  std::vector<Place> expected;
  std::vector<bool> fresh;
  for (std::size_t i = 0; i < n; i++) {
    fresh.push_back(places.emplace(keys[i], static_cast<Place>(i)).second);
    expected.push_back(classes.emplace(keys[i], static_cast<Place>(classes.size())).first->second);
  }
  const std::size_t words = (n + 63) / 64, other_words = (n + 5 + 63) / 64;
  Guarded<std::uint64_t> marks(words, 0), work(words, 0), known(other_words, 0);
  Guarded<Place> classified(n, 0), found(n + 5, 0);
  FirstPlacesMemory<Place> memory(n);
  functions.mark_first(keys.data(), n, memory.view, marks.start());
  CHECK(functions.classify(keys.data(), n, memory.view, work.start(), classified.start()) == classes.size());
  KeyPlaces<Key, Place> table{keys.data(), n, memory.view, 0};
  functions.prepare(table);
  functions.match(table, others.data(), n + 5, known.start());
  functions.find(table, others.data(), n + 5, found.start());
  bool right = true;
  for (std::size_t i = 0; i < n; i++) right &= bit_of(marks.start(), i) == fresh[i] && classified.start()[i] == expected[i];
  for (std::size_t i = 0; i < n + 5; i++) {
    const auto at = places.find(others[i]);
    right &= bit_of(known.start(), i) == (at != places.end()) && found.start()[i] == (at == places.end() ? n : at->second);
  }
  INFO("keys ", n, " kinds ", kinds, " shift ", shift);
  CHECK(right);
  CHECK(marks.kept_outside(words));
  CHECK(work.kept_outside(words));
  CHECK(known.kept_outside(other_words));
  CHECK(classified.kept_outside(n));
  CHECK(found.kept_outside(n + 5));
}

struct BucketsMemory {
  explicit BucketsMemory(unsigned bits, std::uint32_t factor) : keys(keys_of_bucket << bits, 0), counts(std::size_t{1} << bits) {
    view = {keys.start(), bits, factor};
  }
  Guarded<std::uint32_t> keys;
  std::vector<std::uint8_t> counts;
  KeyBuckets view;
};

void check_buckets(std::size_t n, unsigned kinds) {
  Random random;
  std::vector<std::uint32_t> keys(n), others(n + 5);
  for (auto& k : keys) k = static_cast<std::uint32_t>(random.next() % kinds * 40503u);
  for (auto& k : others) k = static_cast<std::uint32_t>(random.next() % (2 * kinds) * 40503u);
  BucketsMemory memory(bucket_bits(n), 0x9E3779B1);
  INFO("keys ", n, " kinds ", kinds);
  CHECK(fill_buckets(memory.view, memory.counts.data(), keys.data(), n));
  CHECK(memory.keys.kept_outside(keys_of_bucket << memory.view.bits));
  const std::set<std::uint32_t> set(keys.begin(), keys.end());
  const std::size_t words = (n + 5 + 63) / 64;
  Guarded<std::uint64_t> known(words, 0);
  match_buckets(memory.view, others.data(), n + 5, known.start());
  bool right = true;
  for (std::size_t i = 0; i < n + 5; i++) right &= bit_of(known.start(), i) == set.contains(others[i]);
  CHECK(right);
  CHECK(known.kept_outside(words));
}

}  // namespace

TEST_CASE("buckets tell members, and that there are too many for one of them") {
  on_every_target([] {
    for_block_lengths([](std::size_t n) {
      for (unsigned kinds : {1u, 20u, 600u, 100000u}) check_buckets(n, kinds);
    });
    // All of these belong to the first bucket.
    std::vector<std::uint32_t> keys = {7, 1, 2, 3, 4, 5, 6, 7, 8, 7, 1};
    BucketsMemory memory(4, 1);
    CHECK(fill_buckets(memory.view, memory.counts.data(), keys.data(), keys.size()));
    std::uint64_t known = 0;
    const std::vector<std::uint32_t> asked = {7, 9, 1, 1u << 28, 8, 7u << 28};
    match_buckets(memory.view, asked.data(), asked.size(), &known);
    CHECK(known == 0b010101);
    keys.push_back(9);
    CHECK_FALSE(fill_buckets(memory.view, memory.counts.data(), keys.data(), keys.size()));
  });
}

TEST_CASE("first places tell new keys and members, and number keys") {
  on_every_target([] {
    for_block_lengths([](std::size_t n) {
      for (unsigned kinds : {1u, 20u, 600u, 100000u})
        for (unsigned shift : {0u, 5u, 15u}) {
          check_first_places<std::uint32_t, std::uint16_t>(n, kinds, shift);
          check_first_places<std::uint64_t, std::uint16_t>(n, kinds, shift);
          check_first_places<std::uint64_t, std::uint16_t>(n, kinds, shift + 28);
          check_first_places<std::uint32_t, std::uint32_t>(n, kinds, shift);
          check_first_places<std::uint64_t, std::uint32_t>(n, kinds, shift);
        }
    });
    check_first_places<std::uint32_t, std::uint16_t>(most_placed_keys<std::uint16_t>, 100000, 0);
    check_first_places<std::uint64_t, std::uint32_t>(most_placed_keys<std::uint16_t> + 1, 100000, 0);
  });
}

TEST_CASE("sets of short keys tell new keys and members") {
  on_every_target([] {
    for_block_lengths([](std::size_t n) {
      for (unsigned kinds : {1u, 20u, 600u, 60000u}) check_short_sets(n, kinds);
    });
  });
}

TEST_CASE("sets of keys close together tell new keys") {
  on_every_target([] {
    for_block_lengths([](std::size_t n) {
      for (unsigned kinds : {1u, 20u, 600u, 6000u}) {
        check_close_keys<std::uint16_t>(n, kinds);
        check_close_keys<std::uint32_t>(n, kinds);
        for (std::uint32_t low : {0u, 0xFFFFFFF0u, 0x80000000u, 0x7FFFFF00u}) check_close_sets(n, kinds, low);
      }
    });
  });
}

TEST_CASE("bytes are counted") {
  on_every_target([] {
    Random random;
    for (std::size_t length : {1u, 7u, 16u, 17u, 32u, 33u, 64u, 65u, 128u, 200u, 256u})
      for (std::size_t n : {0u, 1u, 63u, 64u, 65u, 1000u, 64u * 31u, 64u * 32u + 5u, 9000u, 40000u}) {
        std::vector<std::uint8_t> x(n);
        std::vector<std::uint32_t> expected(length);
        for (auto& v : x) {
          v = static_cast<std::uint8_t>(n % 3 == 0 ? length - 1 : random.next() % length);
          expected[v]++;
        }
        Guarded<std::uint32_t> counts(length, 0);
        count_bytes(x.data(), n, length, counts.start());
        CHECK(std::equal(expected.begin(), expected.end(), counts.start()));
        CHECK(counts.kept_outside(length));
      }
  });
}

TEST_CASE("a filter passes all of few keys, and few others") {
  on_every_target([] {
    Random random;
    for (std::size_t few : {1u, 20u, 128u})
      for_block_lengths([&](std::size_t n) {
        const auto set = short_keys(random, few, 50000), x = short_keys(random, n, 60000);
        const std::size_t words = (n + 63) / 64;
        Guarded<std::uint64_t> marks(words, 0);
        if (!match_pairs(PairFilter(set.data(), few), x.data(), n, marks.start())) {
          CHECK(marks.kept_outside(0));
          return;
        }
        std::size_t others = 0;
        bool right = true;
        for (std::size_t i = 0; i < 64 * words; i++) {
          const bool marked = bit_of(marks.start(), i), there = i < n && std::find(set.begin(), set.end(), x[i]) != set.end();
          right &= i < n ? marked || !there : !marked;
          others += marked && !there;
        }
        CHECK(right);
        CHECK(others <= n / 8 + 8);
        CHECK(marks.kept_outside(words));
      });
  });
}

TEST_CASE("tables that grow tell new keys and members, and give the numbers of keys") {
  on_every_target([] {
    for_block_lengths([](std::size_t n) {
      for (unsigned kinds : {1u, 20u, 600u, 100000u}) {
        check_slots<std::uint32_t>(n, kinds, 0);
        check_slots<std::uint32_t>(n, kinds, 15);
        check_slots<std::uint64_t>(n, kinds, 0);
        check_slots<std::uint64_t>(n, kinds, 43);
      }
    });
    // So many that they lie far away, and slots are asked for before.
    check_slots<std::uint32_t>(40000, 100000, 0);
    check_slots<std::uint64_t>(40000, 100000, 20);
    for (std::uint32_t step : {2u, 1000u, 1u << 16, 0x9E3779B2u}) {
      check_steps<std::uint32_t>(3000, step);
      check_steps<std::uint64_t>(3000, std::uint64_t{step} << 20);
    }
  });
}

TEST_CASE("tables have room for the keys that they shall hold") {
  for (std::size_t keys : {0u, 1u, 100u, 448u, 449u, 5000u, 30000u, 32704u, 32705u, 1000000u}) {
    const std::size_t count = slots_for_keys(keys);
    CHECK(std::has_single_bit(count));
    CHECK(most_used_slots(count) >= keys + 64);
    CHECK((count == KeySlots<std::uint32_t>::fewest || most_used_slots(count / 2) < keys + 64));
  }
}
