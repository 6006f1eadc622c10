#include "primitives/kernels/search/pairwise_keys.h"

#include <algorithm>
#include <limits>

#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// Gives keys that end where their memory does, some of them equal.
template <class Key>
std::vector<Key> some_keys(Random& random, std::size_t n, unsigned different) {
  std::vector<Key> keys(n);
  // Kernels get no null pointers.
  if (n == 0) keys.reserve(1);
  for (Key& k : keys) k = static_cast<Key>(static_cast<Key>(random.next() % different) * static_cast<Key>(3));
  if constexpr (std::is_same_v<Key, double>)
    for (std::size_t i = 0; i < n; i += 7) keys[i] = i % 2 == 0 ? -0.0 : std::numeric_limits<double>::quiet_NaN();
  return keys;
}

template <class Key>
std::size_t place_in(const std::vector<Key>& list, std::size_t end, Key key) {
  return static_cast<std::size_t>(std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(end), key) - list.begin());
}

template <class Key>
void check_places(FewKeys kind, const std::vector<Key>& few, const std::vector<Key>& x) {
  Guarded<std::uint8_t> places(x.size(), 0);
  find_among_few(kind, few.data(), few.size(), x.data(), x.size(), places.start());
  bool right = places.kept_outside(x.size());
  for (std::size_t i = 0; i < x.size(); i++) right &= places.start()[i] == place_in(few, few.size(), x[i]);
  CHECK(right);
}

template <class Key>
void check_marks(FewKeys kind, const std::vector<Key>& few, const std::vector<Key>& x) {
  const std::size_t words = (x.size() + 63) / 64;
  Guarded<std::uint64_t> marks(words, 0);
  mark_among_few(kind, few.data(), few.size(), x.data(), x.size(), marks.start());
  bool right = marks.kept_outside(words);
  for (std::size_t i = 0; i < 64 * words; i++)
    right &= bit_of(marks.start(), i) == (i < x.size() && place_in(few, few.size(), x[i]) != few.size());
  CHECK(right);
}

template <class Key>
void check_first_places(FewKeys kind, const std::vector<Key>& x) {
  Guarded<std::uint8_t> places(x.size(), 0);
  first_of_few(kind, x.data(), x.size(), places.start());
  bool right = places.kept_outside(x.size());
  for (std::size_t i = 0; i < x.size(); i++) right &= places.start()[i] == place_in(x, i, x[i]);
  CHECK(right);
}

template <class Key>
void check_first_marks(FewKeys kind, const std::vector<Key>& x) {
  std::uint64_t marks[2];
  mark_first_of_few(kind, x.data(), x.size(), marks);
  bool right = true;
  for (std::size_t i = 0; i < 128; i++) right &= bit_of(marks, i) == (i < x.size() && place_in(x, i, x[i]) == i);
  CHECK(right);
}

template <class Key>
void check_few_keys(FewKeys kind) {
  Random random;
  for (const std::size_t few : {1, 2, 5, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 200, 256}) {
    for (const unsigned different : {1, 3, 40, 80, 90, 250}) {
      INFO("few ", few, " different ", different);
      const std::vector<Key> list = some_keys<Key>(random, few, different);
      if (are_found_by_comparing(kind, few, few)) check_first_places(kind, list);
      if (few <= most_few_keys && are_marked_by_comparing(kind, few, few)) check_first_marks(kind, list);
      for (const std::size_t n : {0, 1, 7, 30, 64, 65, 100, 130, 256, 600}) {
        const std::vector<Key> x = some_keys<Key>(random, n, different);
        if (are_found_by_comparing(kind, few, n)) check_places(kind, list, x);
        if (are_marked_by_comparing(kind, few, n)) check_marks(kind, list, x);
      }
    }
  }
}

}  // namespace

TEST_CASE("each key is compared with few") {
  on_every_target([] {
    check_few_keys<std::uint8_t>(FewKeys::bits8);
    check_few_keys<std::uint16_t>(FewKeys::bits16);
    check_few_keys<std::uint32_t>(FewKeys::bits32);
    check_few_keys<std::uint64_t>(FewKeys::bits64);
    check_few_keys<double>(FewKeys::doubles);
  });
}
