#include <algorithm>
#include <limits>
#include <vector>

#include "primitives/kernels/search/bins.h"
#include "primitives/kernels/search/find.h"
#include "primitives/kernels/search/match_few.h"
#include "primitives/kernels/sort/is_sorted.h"
#include "primitives/kernels/sort/sort.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class Key>
void check_find() {
  Random random;
  for_lengths([&](std::size_t n) {
    for (std::size_t m : {1, 2, 3, 7, 64}) {
      if (m > n) continue;
      const std::size_t count = n - m + 1, at = n % 67;
      Elements<Key> x(random, n, 1, true), w(random, m, 0, true);
      for (std::size_t i = 0; i < n; i++) x.start[i] &= 1;
      for (std::size_t i = 0; i < m; i++) w.start[i] = x.start[n % count + i];
      // The kernel reads nothing beyond the keys: they end where the memory does.
      std::vector<Key> exact(x.start, x.start + n);
      std::vector<std::uint64_t> out((at + count + 63) / 64, 0x5555555555555555);
      find_keys(w.start, m, exact.data(), count, out.data(), at);
      bool right = true;
      for (std::size_t i = 0; i < 64 * out.size(); i++) {
        bool inside = i >= at && i < at + count;
        right &= bit_of(out.data(), i) == (inside ? std::equal(w.start, w.start + m, x.start + (i - at)) : i % 2 == 0);
      }
      INFO("length ", n, " pattern ", m);
      CHECK(right);
    }
  });
}

template <class Key>
void check_few() {
  Random random;
  for_lengths([&](std::size_t n) {
    for (std::size_t few : {1, 2, 5, 16}) {
      const Elements<Key> x(random, n, 1, false), set(random, few, 0, false);
      std::vector<Key> keys(x.start, x.start + n);
      for (std::size_t i = 0; i < n; i += 3) keys[i] = set.start[i % few];
      const std::size_t words = (n + 63) / 64;
      Guarded<std::uint64_t> out(words, 0);
      match_few(8 * sizeof(Key), set.start, few, keys.data(), n, out.start());
      bool right = true;
      for (std::size_t i = 0; i < 64 * words; i++)
        right &= bit_of(out.start(), i) == (i < n && std::find(set.start, set.start + few, keys[i]) != set.start + few);
      INFO("length ", n, " few ", few);
      CHECK(right);
      CHECK(out.kept_outside(words));
    }
  });
}

template <class Key>
void check_find_key() {
  Random random;
  for_lengths([&](std::size_t n) {
    Elements<Key> x(random, n, 1, true);
    for (std::size_t i = 0; i < n; i++) x.start[i] &= 31;
    const std::vector<Key> keys(x.start, x.start + n);
    for (Key wanted : {Key{0}, Key{17}, Key{40}}) {
      INFO("length ", n, " key ", wanted);
      const std::size_t place = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), wanted) - keys.begin());
      CHECK(find_key(8 * sizeof(Key), x.start, n, &wanted) == place);
    }
  });
}

// Looks bytes up among numbers up to a greatest one.
template <class T>
void check_wide_table(const std::uint8_t* x, std::size_t n, T most) {
  std::vector<T> table(256);
  for (std::size_t k = 0; k < 256; k++) table[k] = static_cast<T>(static_cast<std::size_t>(most) * k / 255);
  Guarded<T> out(n, 1);
  look_up_bytes(table.data(), x, n, out.start());
  bool right = true;
  for (std::size_t i = 0; i < n; i++) right &= out.start()[i] == table[x[i]];
  CHECK(right);
  CHECK(out.kept_outside(n));
}

template <class T>
void check_order(ElementType type) {
  Random random;
  for_lengths([&](std::size_t n) {
    const Elements<T> elements(random, n, 1, n % 2);
    std::vector<T> x(elements.start, elements.start + n);
    for (bool down : {false, true}) {
      auto before = [down](T a, T b) {
        if (down) std::swap(a, b);
        return a < b || (a == a && b != b);
      };
      std::sort(x.begin(), x.end(), before);
      CHECK(is_sorted(type, x.data(), n, down));
      // Breaks the order at each place in turn.
      for (std::size_t i = 1; i < n; i += 1 + n / 40)
        if (before(x[i - 1], x[i])) {
          std::swap(x[i - 1], x[i]);
          CHECK(!is_sorted(type, x.data(), n, down));
          std::swap(x[i - 1], x[i]);
        }
    }
  });
}

template <class Bins, class T>
void check_bins(std::size_t n, std::size_t count, const T* w, const T* x, std::size_t halved_for_each) {
  Bins bins(w, n, count, halved_for_each);
  // What is read behind the elements spoils the count, unless it was promised to be the greatest there is.
  std::vector<T> others(w, w + n);
  if (bins.keeps_within()) {
    others.insert(others.end(), bins_margin, std::numeric_limits<T>::lowest());
    bins.move_to(others.data());
  }
  Guarded<std::uint32_t> table(bins.places(), 0);
  std::vector<std::uint32_t> out(count);
  bins.fill(table.start());
  bins.count_at_most(x, count, out.data());
  bool right = true;
  for (std::size_t i = 0; i < count; i++) {
    auto wanted = x[i] != x[i] ? n : static_cast<std::size_t>(std::upper_bound(w, w + n, x[i]) - w);
    right &= out[i] == wanted;
  }
  INFO("sorted ", n, " looked up ", count);
  CHECK(right);
  CHECK(table.kept_outside(bins.places()));
}
template <class Bins, class T>
void check_bins(std::size_t n, std::size_t count, const T* w, const T* x) {
  constexpr std::size_t never = ~std::size_t{0};
  for (std::size_t halved_for_each : {std::size_t{1}, std::size_t{8}, never}) check_bins<Bins>(n, count, w, x, halved_for_each);
}

// Values close together, some far apart in clusters, all over the range, and its ends have tables of different forms.
void check_integer_bins() {
  Random random;
  constexpr auto least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
  for (std::size_t n : {1, 2, 3, 10, 100, 127, 128, 1000, 4064, 4065})
    for (std::size_t count : {1, 17, 500, 5000})
      for (std::int64_t spread : {1, 50, 3000, 100000, 1 << 24, 0x7FFFFFFF}) {
        for (bool clusters : {false, true})
          for (std::int64_t from : {std::int64_t{0}, std::int64_t{least}, most - spread}) {
            const auto value = [&](std::int64_t beyond) {
              std::int64_t v = static_cast<std::int64_t>((random.next() * std::uint64_t{256} ^ random.next()) %
                                                         static_cast<std::uint64_t>(spread + 1 + beyond));
              if (clusters) v = v % 4 == 0 ? v / 4 : v % 90;
              return static_cast<std::int32_t>(std::clamp<std::int64_t>(from + v - beyond / 2, least, most));
            };
            std::vector<std::int32_t> w(n), x(count);
            for (auto& v : w) v = value(0);
            for (auto& v : x) v = value(200);
            std::sort(w.begin(), w.end());
            w.insert(w.end(), bins_margin, most);
            check_bins<IntegerBins>(n, count, w.data(), x.data());
          }
      }
}

void check_double_bins() {
  Random random;
  for (std::size_t n : {1, 2, 3, 10, 100, 1000})
    for (bool small : {false, true}) {
      Elements<double> w(random, n + bins_margin, 0, small), x(random, 500, 0, small);
      for (std::size_t i = 0; i < n; i++)
        if (w.start[i] != w.start[i]) w.start[i] = i % 2 ? -INFINITY : INFINITY;
      std::sort(w.start, w.start + n);
      std::fill_n(w.start + n, bins_margin, INFINITY);
      for (std::size_t count : {1, 8, 17, 500}) check_bins<DoubleBins>(n, count, w.start, x.start);
    }
}

}  // namespace

TEST_CASE("find marks where a pattern begins, for keys of every width") {
  on_every_target([] {
    check_find<std::uint8_t>();
    check_find<std::uint16_t>();
    check_find<std::uint32_t>();
    check_find<std::uint64_t>();
  });
}

TEST_CASE("find marks where a pattern of bits begins at any alignment") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      for (std::size_t m : {1, 2, 8, 63, 64}) {
        for (std::size_t from : {0, 1, 63}) {
          if (m > n) continue;
          const std::size_t count = n - m + 1;
          std::vector<std::uint64_t> x((from + n + 63) / 64), w(1), out((count + 63) / 64, ~std::uint64_t{0});
          for (auto& word : x) word = n % 2 ? 0x4924924924924924 : random.next() * 0x9E3779B97F4A7C15ull;
          for (std::size_t j = 0; j < m; j++) w[0] |= std::uint64_t{bit_of(x.data(), from + count / 2 + j)} << j;
          find_bits(w.data(), m, x.data(), from, count, out.data(), 0);
          bool right = true;
          for (std::size_t i = 0; i < count; i++) {
            bool equal = true;
            for (std::size_t j = 0; j < m; j++) equal &= bit_of(x.data(), from + i + j) == bit_of(w.data(), j);
            right &= bit_of(out.data(), i) == equal;
          }
          INFO("length ", n, " pattern ", m, " from ", from);
          CHECK(right);
        }
      }
    });
  });
}

TEST_CASE("keys are matched with a few, and bytes with a set") {
  on_every_target([] {
    check_few<std::uint8_t>();
    check_few<std::uint16_t>();
    check_few<std::uint32_t>();
    check_few<std::uint64_t>();
    Random random;
    for_lengths([&](std::size_t n) {
      const Elements<std::uint8_t> x(random, n, 1, false);
      std::uint64_t set[4];
      for (auto& word : set) word = random.next() * 0x9E3779B97F4A7C15ull;
      const std::size_t words = (n + 63) / 64;
      Guarded<std::uint64_t> out(words, 0);
      match_bytes(set, x.start, n, out.start());
      bool right = true;
      for (std::size_t i = 0; i < 64 * words; i++) right &= bit_of(out.start(), i) == (i < n && bit_of(set, x.start[i]));
      CHECK(right);
      CHECK(out.kept_outside(words));
    });
  });
}

namespace {

void check_new_bytes(const std::uint8_t* x, std::size_t n) {
  const std::size_t words = (n + 63) / 64;
  Guarded<std::uint64_t> out(words, 0);
  std::uint64_t found[4], expected[4] = {};
  const std::size_t end = mark_new_bytes(x, n, out.start(), found);
  bool right = end <= n;
  for (std::size_t i = 0; i < n; i++) {
    const bool fresh = !bit_of(expected, x[i]);
    expected[x[i] >> 6] |= std::uint64_t{1} << (x[i] & 63);
    right &= i < end ? bit_of(out.start(), i) == fresh : !fresh;
  }
  CHECK(right);
  CHECK(std::equal(found, found + 4, expected));
  CHECK(out.kept_outside(words));
}

// Few kinds must be listed, in order; more may be.
void check_few_bytes(const std::uint8_t* x, std::size_t n) {
  std::vector<std::uint8_t> expected;
  for (std::size_t i = 0; i < n; i++)
    if (std::find(expected.begin(), expected.end(), x[i]) == expected.end()) expected.push_back(x[i]);
  std::uint8_t listed[most_distinct_bytes];
  const std::size_t count = n == 0 ? 0 : list_few_bytes(x, n, listed);
  const bool may_decline = n == 0 || expected.size() > 4;
  CHECK((count == expected.size() || (count == 0 && may_decline)));
  CHECK(std::equal(listed, listed + count, expected.begin()));
}

}  // namespace

TEST_CASE("bytes are marked where they come first, and listed where they are few") {
  on_every_target([] {
    Random random;
    for (const unsigned kinds : {1u, 11u, 200u, 256u})
      for_lengths([&](std::size_t n) {
        Elements<std::uint8_t> x(random, n, 1, false);
        for (std::size_t i = 0; i < n; i++) x.start[i] = static_cast<std::uint8_t>(x.start[i] % kinds + (256 - kinds) / 2);
        check_new_bytes(x.start, n);
        check_few_bytes(x.start, n);
      });
    // Long runs bring nothing new, or a single byte below or above 128.
    for (const std::size_t n : {700u, 1024u, 1100u, 3000u})
      for (const unsigned rare : {3u, 17u})
        for (const unsigned above : {0u, 128u}) {
          std::vector<std::uint8_t> x(n);
          for (std::size_t i = 0; i < n; i++) {
            x[i] = static_cast<std::uint8_t>(97 + random.next() % 12);
            if (i > 600 && random.next() % 256 < rare) x[i] = static_cast<std::uint8_t>(random.next() % 64 + above);
          }
          check_new_bytes(x.data(), n);
          check_few_bytes(x.data(), n);
        }
  });
}

TEST_CASE("a single key is found where it stands first") {
  on_every_target([] {
    check_find_key<std::uint8_t>();
    check_find_key<std::uint16_t>();
    check_find_key<std::uint32_t>();
    check_find_key<std::uint64_t>();
  });
}

TEST_CASE("bytes are looked up in a table") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      const Elements<std::uint8_t> x(random, n, 1, false), table(random, 256, 0, false);
      // All different; of few rows of 16, others being alike; of one byte alone.
      for (const std::size_t different : {256, 35, 0}) {
        std::fill_n(table.start + different, 256 - different, static_cast<std::uint8_t>(n + 3));
        Guarded<std::uint8_t> narrow(n, 1);
        Guarded<std::uint16_t> wide(n, 1);
        look_up_bytes(table.start, x.start, n, narrow.start());
        look_up_bytes(table.start, x.start, n, wide.start());
        bool right = true;
        for (std::size_t i = 0; i < n; i++)
          right &= narrow.start()[i] == table.start[x.start[i]] && wide.start()[i] == table.start[x.start[i]];
        CHECK(right);
        CHECK(narrow.kept_outside(n));
        CHECK(wide.kept_outside(n));
      }
      check_wide_table<std::int16_t>(x.start, n, 32767);
      check_wide_table<std::int32_t>(x.start, n, 65535);
      check_wide_table<std::int32_t>(x.start, n, 70000);
    });
  });
}

TEST_CASE("order is recognised") {
  on_every_target([] {
    check_order<std::int8_t>(ElementType::i8);
    check_order<std::int16_t>(ElementType::i16);
    check_order<std::int32_t>(ElementType::i32);
    check_order<double>(ElementType::f64);
    check_order<std::uint8_t>(ElementType::c8);
    check_order<std::uint16_t>(ElementType::c16);
    check_order<std::uint32_t>(ElementType::c32);
  });
}

TEST_CASE("bins count what a binary search counts") {
  on_every_target([] {
    check_integer_bins();
    check_double_bins();
  });
}
