#include "primitives/kernels/sort/sort.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// Lengths round the edges of vectors, of blocks of 8 and of 16 vectors, and of as many blocks as are merged.
template <class F>
void for_sorted_lengths(std::size_t lanes, F f) {
  for (std::size_t n : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129}) f(n);
  const std::size_t block = 16 * lanes;
  for (std::size_t blocks = 1; blocks <= 9; blocks++)
    for (std::size_t n : {block * blocks - 1, block * blocks, block * blocks + 1, block * blocks + lanes / 2}) f(n);
  for (std::size_t n : {block / 2 + 1, 3 * block / 4, 11 * block / 4 - 1, 16 * block, 16 * block + 3, 50 * block}) f(n);
}

enum class Pattern { random, few, rising, falling, equal, greatest, organ, heaped, swapped };
constexpr Pattern patterns[] = {Pattern::random,   Pattern::few,   Pattern::rising, Pattern::falling, Pattern::equal,
                                Pattern::greatest, Pattern::organ, Pattern::heaped, Pattern::swapped};

template <class T>
T patterned(Random& random, Pattern pattern, std::size_t i, std::size_t n) {
  switch (pattern) {
    case Pattern::random: return random.number<T>(false);
    case Pattern::few: return random.number<T>(true);
    case Pattern::rising: return static_cast<T>(i);
    case Pattern::falling: return static_cast<T>(n - i);
    case Pattern::equal: return static_cast<T>(5);
    case Pattern::greatest: return random.next() % 7 == 0 ? T{3} : std::numeric_limits<T>::max();
    case Pattern::organ: return static_cast<T>(std::min(i, n - i));
    case Pattern::heaped:
      return static_cast<T>(static_cast<T>(random.next() % 20 * 0x5A5'5A5A) + static_cast<T>(random.next() % 100));
    default: {  // equal ones before a lesser one with the same leading bits
      const std::size_t run = n / 60 + 1;
      const auto leading = static_cast<T>(std::uint64_t{i / run} << (8 * std::min<std::size_t>(sizeof(T), 4) - 7));
      return static_cast<T>(leading + static_cast<T>(i % run < run - run / 5));
    }
  }
}

// Tells whether places are those of x in order, equal elements in the order that they had: for each list, this is one list of
// places.
template <class T, class Place>
bool in_order(const std::vector<T>& x, const Place* places, bool down) {
  const std::size_t n = x.size();
  const T* const elements = x.data();
  std::vector<char> seen_places(n);
  char* const seen = seen_places.data();
  for (std::size_t i = 0; i < n; i++) {
    const auto place = static_cast<std::size_t>(places[i]);
    if (place >= n || seen[place]) return false;
    seen[place] = 1;
    if (i == 0) continue;
    const auto before = static_cast<std::size_t>(places[i - 1]);
    const T last = elements[before], next = elements[place];
    if (last == next ? before > place : (last < next) == down) return false;
  }
  return true;
}

template <class Key>
void check_sort() {
  Random random;
  for_sorted_lengths(64 / sizeof(Key), [&](std::size_t n) {
    for (Pattern pattern : patterns) {
      Guarded<Key> keys(n, n % 3), room(n, 1);
      std::vector<Key> expected(n);
      for (std::size_t i = 0; i < n; i++) keys.start()[i] = expected[i] = patterned<Key>(random, pattern, i, n);
      std::sort(expected.begin(), expected.end());
      const Key* sorted = sort_radix(keys.start(), room.start(), n);
      INFO("length ", n, " pattern ", static_cast<int>(pattern));
      CHECK(std::equal(expected.begin(), expected.end(), sorted));
      CHECK(keys.kept_outside(n));
      CHECK(room.kept_outside(n));
    }
  });
}

// Lists that do not stay in near caches, and keys with leading bits in common or not.
template <class Key>
void check_radix() {
  Random random;
  for (std::size_t n : {33, 2047, 5000, 800'001, 1'100'000})
    for (Pattern pattern : patterns) {
      std::vector<Key> x(n), expected(n);
      Key* const elements = x.data();
      for (std::size_t i = 0; i < n; i++) elements[i] = static_cast<Key>(patterned<Key>(random, pattern, i, n) - 50'000);
      INFO("length ", n, " pattern ", static_cast<int>(pattern));
      for (bool down : {true, false}) {
        std::vector<std::uint64_t> room(2 * n);
        std::vector<std::uint32_t> places(n);
        grade_radix(x.data(), n, room.data(), places.data(), down);
        REQUIRE(in_order(x, places.data(), down));
        for (std::size_t i = 0; i < n && !down; i++) expected.data()[i] = elements[places.data()[i]];
      }
      std::vector<Key> room(n);
      CHECK(std::memcmp(expected.data(), sort_radix(x.data(), room.data(), n), n * sizeof(Key)) == 0);
    }
}

template <class T, class Place>
void check_places(ElementType type, ElementType place_type, const std::vector<T>& x, bool down) {
  const std::size_t n = x.size();
  Guarded<std::uint64_t> room(2 * n, 0);
  Guarded<Place> places(n, 1);
  std::vector<std::uint64_t> keys(n);
  const void* from = x.data();
  std::int64_t low = 0;
  std::size_t range = 0;
  if constexpr (std::is_same_v<T, double>) {
    order_keys(type, from, n, keys.data(), false);
    from = keys.data();
  } else {
    low = static_cast<std::int64_t>(*std::min_element(x.begin(), x.end()));
    range = static_cast<std::size_t>(static_cast<std::int64_t>(*std::max_element(x.begin(), x.end())) - low) + 1;
  }
  const bool graded = grade_in_vectors(type, from, n, low, range, room.start(), place_type, places.start(), down);
  CHECK((graded ? in_order(x, places.start(), down) : !sorts_in_vectors()));
  CHECK(places.kept_outside(n));
  CHECK(room.kept_outside(2 * n));
}

template <class T>
void check_grade(ElementType type) {
  Random random;
  for_sorted_lengths(16, [&](std::size_t n) {
    if (!sorts_in_vectors(32, n)) return;
    for (Pattern pattern : patterns)
      for (bool down : {false, true}) {
        std::vector<T> x(n);
        for (std::size_t i = 0; i < n; i++) {
          x[i] = patterned<T>(random, pattern, i, n);
          if (x[i] != x[i]) x[i] = T{2};
        }
        INFO("length ", n, " pattern ", static_cast<int>(pattern), " down ", down);
        if (n <= 128) check_places<T, std::int8_t>(type, ElementType::i8, x, down);
        check_places<T, std::int16_t>(type, ElementType::i16, x, down);
        check_places<T, std::int32_t>(type, ElementType::i32, x, down);
      }
  });
}

template <class Key, class T>
void check_keys(ElementType type) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (bool down : {false, true}) {
      const Elements<T> x(random, n, 1, n % 2 == 0);
      Guarded<Key> keys(n, 1);
      Guarded<T> back(n, 2);
      order_keys(type, x.start, n, keys.start(), down);
      elements_of_keys(type, keys.start(), n, back.start(), down);
      bool right = true;
      for (std::size_t i = 0; i < n; i++) right &= same(x.start[i], back.start()[i]);
      for (std::size_t i = 1; i < n; i++) {
        const T a = x.start[i - 1], b = x.start[i];
        const bool less = a < b || (a == a && b != b), greater = b < a || (a != a && b == b);
        const Key k = keys.start()[i - 1], l = keys.start()[i];
        right &= (k < l) == (down ? greater : less);
      }
      INFO("length ", n, " down ", down);
      CHECK(right);
      CHECK(keys.kept_outside(n));
      CHECK(back.kept_outside(n));
    }
  });
}

}  // namespace

TEST_CASE("keys of every width are sorted") {
  on_every_target([] {
    check_sort<std::uint8_t>();
    check_sort<std::uint16_t>();
    check_sort<std::uint32_t>();
    check_sort<std::uint64_t>();
  });
}

TEST_CASE("long lists of keys are sorted and graded") {
  on_every_target([] {
    check_radix<std::uint32_t>();
    check_radix<std::uint64_t>();
  });
}

TEST_CASE("short elements are sorted by counts as short where these do") {
  on_every_target([] {
    Random random;
    for (std::size_t n : {1, 2, 16, 17, 1000, 30000, 70000, 150000})
      for (std::size_t range : {1, 2, 3, 100, 3000, 65535, 65536})
        for (std::int64_t low : {-32768, 0})
          for (bool down : {false, true}) {
            if (low == 0 && range > 32768) continue;
            std::vector<std::int16_t> x(n);
            std::vector<std::size_t> times(range);
            for (auto& v : x) {
              const std::size_t key = (random.next() ^ random.next() << 9) % range;
              v = static_cast<std::int16_t>(low + static_cast<std::int64_t>(key));
              times[key]++;
            }
            std::vector<std::uint16_t> counts(range);
            Guarded<std::int16_t> out(n, 1);
            const bool done = sort_dense(x.data(), n, low, range, counts.data(), out.start(), down);
            INFO("length ", n, " range ", range, " down ", down);
            CHECK(done == (*std::max_element(times.begin(), times.end()) <= 65535));
            CHECK(out.kept_outside(n));
            std::sort(x.begin(), x.end());
            if (down) std::reverse(x.begin(), x.end());
            if (done) CHECK(std::equal(x.begin(), x.end(), out.start()));
          }
  });
}

TEST_CASE("elements are graded by counts, few and many, equal ones in their order") {
  on_every_target([] {
    Random random;
    for (std::size_t n : {0, 1, 511, 512, 5000, 300001})
      for (std::size_t range : {1, 256, 257, 8192, 8193, 100000})
        for (bool down : {false, true}) {
          std::vector<std::int32_t> x(n);
          for (auto& v : x) v = static_cast<std::int32_t>(random.next() % range) - 4000;
          std::vector<std::uint32_t> counts(range + counts_beyond);
          Guarded<std::uint32_t> places(n, 1);
          grade_by_counting(ElementType::i32, x.data(), n, -4000, range, counts.data(), places.start(), down);
          INFO("length ", n, " range ", range, " down ", down);
          CHECK(in_order(x, places.start(), down));
          CHECK(places.kept_outside(n));
        }
  });
}

TEST_CASE("bytes are graded by counting, equal ones in their order") {
  on_every_target([] {
    Random random;
    const auto check = [&]<class T, class Place>(ElementType type, T, ElementType place_type, Place, std::size_t n) {
      for (const std::uint64_t kinds : {1, 3, 64, 65, 256})
        for (const bool down : {false, true}) {
          std::vector<T> x(n);
          for (T& v : x) v = static_cast<T>(random.next() % kinds - kinds / 2);
          Guarded<Place> places(n, 1);
          INFO("length ", n, " kinds ", kinds, " down ", down);
          if (!grade_bytes(type, x.data(), n, place_type, places.start(), down)) {
            CHECK(kinds <= 64);
            continue;
          }
          CHECK(places.kept_outside(n));
          const std::vector<std::uint32_t> found(places.start(), places.start() + n);
          CHECK(in_order(x, found.data(), down));
        }
    };
    for (const std::size_t n : {1, 7, 8, 100, 128}) {
      check(ElementType::i8, std::int8_t{}, ElementType::i8, std::uint8_t{}, n);
      check(ElementType::c8, std::uint8_t{}, ElementType::i8, std::uint8_t{}, n);
    }
    for (const std::size_t n : {129, 511, 512, 1001, 5003}) {
      check(ElementType::i8, std::int8_t{}, ElementType::i16, std::uint16_t{}, n);
      check(ElementType::c8, std::uint8_t{}, ElementType::i32, std::uint32_t{}, n);
    }
  });
}

TEST_CASE("elements are graded in vectors, equal ones in their order") {
  on_every_target([] {
    check_grade<std::int8_t>(ElementType::i8);
    check_grade<std::int16_t>(ElementType::i16);
    check_grade<std::int32_t>(ElementType::i32);
    check_grade<std::uint8_t>(ElementType::c8);
    check_grade<std::uint16_t>(ElementType::c16);
    check_grade<std::uint32_t>(ElementType::c32);
    check_grade<double>(ElementType::f64);
  });
}

TEST_CASE("keys order as elements do, and give them back") {
  on_every_target([] {
    check_keys<std::uint8_t, std::int8_t>(ElementType::i8);
    check_keys<std::uint16_t, std::int16_t>(ElementType::i16);
    check_keys<std::uint32_t, std::int32_t>(ElementType::i32);
    check_keys<std::uint64_t, double>(ElementType::f64);
    check_keys<std::uint8_t, std::uint8_t>(ElementType::c8);
    check_keys<std::uint16_t, std::uint16_t>(ElementType::c16);
    check_keys<std::uint32_t, std::uint32_t>(ElementType::c32);
  });
}

TEST_CASE("doubles spread over a range, or nearly, are sorted and graded by their keys, equal ones in their order") {
  Random random;
  for (const std::size_t n : {33, 64, 1000, 2047, 2048, 5000, 40000})
    for (const int kind : {0, 1, 2, 3, 4, 5}) {
      std::vector<double> x(n);
      for (double& v : x) {
        v = static_cast<double>(random.next() >> 11) * 0x1p-53 - .5;
        if (kind == 1) v = std::floor(v * 500);                // many equal ones
        if (kind == 2 && random.next() % 50 == 0) v *= 1e300;  // heaped
        if (kind == 3) v = 1 + v * 1e-12;                      // ties of rounded places
        if (kind == 4 && random.next() % 500 == 0) v = INFINITY;
        if (kind == 5 && random.next() % 500 == 0) v = random.next() % 2 == 0 ? NAN : -INFINITY;
      }
      std::vector<std::uint64_t> keys(n), other(n), room(2 * n);
      order_keys(ElementType::f64, x.data(), n, keys.data(), false);
      for (const bool down : {false, true}) {
        std::vector<std::uint32_t> places(n);
        grade_radix(keys.data(), n, room.data(), places.data(), down);
        INFO("length ", n, " kind ", kind, " down ", down);
        CHECK(in_order(keys, places.data(), down));
      }
      std::vector<std::uint64_t> sorted = keys;
      std::sort(sorted.begin(), sorted.end());
      const std::uint64_t* const found = sort_radix(keys.data(), other.data(), n);
      CHECK(std::equal(sorted.begin(), sorted.end(), found));
    }
}
