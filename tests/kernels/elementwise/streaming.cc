// Results that are written past the caches, which shorter ones are not.
#include <algorithm>
#include <memory>
#include <new>

#include "primitives/kernels/elementwise/arithmetic.h"
#include "primitives/kernels/elementwise/mixed.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/moves/replicate.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// More elements than are kept in the caches, and no whole number of vectors.
template <class T>
constexpr std::size_t many = (streamed_from_bytes + streamed_from_bytes / 2) / sizeof(T) + 77;

// Room for many elements, where lists of their length begin.
template <class T>
class Results {
 public:
  Results() : memory_(static_cast<T*>(::operator new((many<T> + 64) * sizeof(T), alignment))) {
    for (std::size_t i = 0; i < 64; i++) memory_[many<T> + i] = 99;
  }
  T* start() { return memory_.get(); }
  bool kept_outside() const {
    for (std::size_t i = 0; i < 64; i++)
      if (memory_[many<T> + i] != 99) return false;
    return true;
  }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(T* p) const { ::operator delete(p, alignment); }
  };
  std::unique_ptr<T[], Free> memory_;
};

template <class T>
std::vector<T> numbers(T from) {
  std::vector<T> list(many<T>);
  for (std::size_t i = 0; i < many<T>; i++) list[i] = static_cast<T>(from + static_cast<T>(i % 61));
  return list;
}

// Looks whether all of `out` is what expected(i) gives.
template <class T, class F>
void check_all(Results<T>& out, std::size_t n, F expected) {
  std::size_t wrong = n;
  for (std::size_t i = n; i-- > 0;)
    if (out.start()[i] != expected(i)) wrong = i;
  CHECK(wrong == n);
  CHECK(out.kept_outside());
}

// Computes w + x where all fits, and where one sum near the middle does not.
template <class T>
void check_sums(Lane lane) {
  const std::vector<T> w = numbers<T>(-30);
  std::vector<T> x = numbers<T>(7);
  const Dyad add = arithmetic().add[lane][array_array];
  Results<T> out;
  CHECK(add(out.start(), w.data(), x.data(), many<T>) == many<T>);
  check_all(out, many<T>, [&](std::size_t i) { return static_cast<T>(w[i] + x[i]); });
  if constexpr (std::is_integral_v<T>) {
    const std::size_t misfit = many<T> / 122 * 61 + 60;
    x[misfit] = std::numeric_limits<T>::max();
    const std::size_t done = add(out.start(), w.data(), x.data(), many<T>);
    CHECK(done <= misfit);
    CHECK((misfit - done) * sizeof(T) <= 4096);
    check_all(out, done, [&](std::size_t i) { return static_cast<T>(w[i] + x[i]); });
  }
}

// Computes on bits and elements.
template <class T>
void check_bits(int place) {
  std::vector<std::uint64_t> bits(many<T> / 64 + 1);
  Random random;
  for (std::uint64_t& word : bits) word = std::uint64_t{random.next()} << 40 ^ std::uint64_t{random.next()} << 20 ^ random.next();
  const std::vector<T> x = numbers<T>(-30);
  Results<T> out;
  const auto bit = [&](std::size_t i) { return static_cast<T>(bit_of(bits.data(), i)); };
  const auto kernel = [&](int function) { return mixed().by_types[function][0][place][array_array]; };
  CHECK(kernel(mixed_multiply)(out.start(), bits.data(), x.data(), many<T>) == many<T>);
  check_all(out, many<T>, [&](std::size_t i) { return static_cast<T>(bit(i) * x[i]); });
  CHECK(kernel(mixed_add)(out.start(), bits.data(), x.data(), many<T>) == many<T>);
  check_all(out, many<T>, [&](std::size_t i) { return static_cast<T>(bit(i) + x[i]); });
}

// Moves elements in ways that write past the caches.
template <class T>
void check_moves() {
  constexpr std::size_t n = many<T>, times = 3, repeated = n / times;
  constexpr unsigned width = 8 * sizeof(T);
  const std::vector<T> x = numbers<T>(-30);
  Results<T> out;
  reverse(width, out.start(), x.data(), n);
  check_all(out, n, [&](std::size_t i) { return x[n - 1 - i]; });
  repeat_each(width, out.start(), x.data(), repeated, times);
  check_all(out, repeated * times, [&](std::size_t i) { return x[i / times]; });
  if constexpr (sizeof(T) >= 4) {
    count_up(width, out.start(), n);
    check_all(out, n, [](std::size_t i) { return static_cast<T>(i); });
  }
  for (std::size_t offset : {0, 1, 5}) {
    copy_bytes(out.start() + offset, x.data() + 3, (n - 10) * sizeof(T));
    CHECK(std::equal(x.begin() + 3, x.end() - 7, out.start() + offset));
    CHECK(out.kept_outside());
  }
}

}  // namespace

TEST_CASE("lists moved past the caches are those of shorter ones") {
  on_every_target([] {
    check_moves<std::int8_t>();
    check_moves<std::int16_t>();
    check_moves<std::int32_t>();
    check_moves<double>();
  });
}

TEST_CASE("results past the caches are those of shorter lists") {
  on_every_target([] {
    check_sums<std::int8_t>(lane_i8);
    check_sums<std::int32_t>(lane_i32);
    check_sums<double>(lane_f64);
    check_bits<std::int8_t>(1);
    check_bits<std::int32_t>(3);
    check_bits<double>(4);
  });
}

TEST_CASE("results past the caches may be written over an argument") {
  on_every_target([] {
    std::vector<std::int32_t> x = numbers<std::int32_t>(-30);
    const std::vector<std::int32_t> before = x;
    CHECK(arithmetic().negate[lane_i32](x.data(), x.data(), x.size()) == x.size());
    bool negated = true;
    for (std::size_t i = 0; i < x.size(); i++) negated &= x[i] == -before[i];
    CHECK(negated);
  });
}
