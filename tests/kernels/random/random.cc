#include "primitives/kernels/random/random.h"

#include <algorithm>
#include <cmath>

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

constexpr RandomPlace somewhere = {0x123456789ABCDEF, 0xFFFFFFF0, 0, 0};  // positions pass from one word to the next

std::uint64_t piece(RandomPlace place, std::uint64_t i) {
  place.position += i / 2;
  const auto block = random_block(place);
  return block[i % 2 * 2] | std::uint64_t{block[i % 2 * 2 + 1]} << 32;
}

template <class T, class F, class G>
void check_each(F fill, G expected) {
  for_lengths([&](std::size_t n) {
    Guarded<T> out(n, n % 3);
    fill(out.start(), n);
    CHECK(out.kept_outside(n));
    bool right = true;
    for (std::size_t i = 0; i < n; i++) right = right && out.start()[i] == static_cast<T>(expected(i));
    CHECK(right);
  });
}

// Gives the largest distance between the distribution of the numbers and the one they should have, times the root of their count.
// Values above 1.95 come once in a thousand times.
template <class F>
double kolmogorov_smirnov(std::vector<double> x, F cumulative) {
  std::sort(x.begin(), x.end());
  const double n = static_cast<double>(x.size());
  double distance = 0;
  for (std::size_t i = 0; i < x.size(); i++) {
    const double expected = cumulative(x[i]), place = static_cast<double>(i);
    distance = std::max({distance, (place + 1) / n - expected, expected - place / n});
  }
  return distance * std::sqrt(n);
}

// Gives how many standard deviations chi-squared is off for counts that should be equal.
double chi_squared(const std::vector<int>& counts) {
  double total = 0, sum = 0;
  for (int c : counts) total += c;
  const double expected = total / static_cast<double>(counts.size()), freedom = static_cast<double>(counts.size() - 1);
  for (int c : counts) sum += (c - expected) * (c - expected) / expected;
  return std::fabs(sum - freedom) / std::sqrt(2 * freedom);
}

// Gives the probability that a gamma-distributed number of this shape is below x, by its series.
double gamma_cumulative(double shape, double x) {
  if (x <= 0) return 0;
  if (x > 700) return 1;
  double term = 1 / shape, sum = term;
  for (int k = 1; k < 5000 && term > sum * 1e-17; k++) sum += term *= x / (shape + k);
  return std::min(1.0, sum * std::exp(shape * std::log(x) - x - std::lgamma(shape)));
}

constexpr std::size_t sample = 50'000;

}  // namespace

TEST_CASE("Philox 4x32-10 gives the blocks that its authors publish") {
  CHECK(random_block({}) == std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(random_block({~0ull, ~0ull, ~0u, ~0u}) == std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(random_block({0x299f31d0a4093822, 0x85a308d3243f6a88, 0x13198a2e, 0x03707344}) ==
        std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("random words and fractions are those of their blocks on every target") {
  on_every_target([] {
    check_each<std::uint64_t>([](std::uint64_t* out, std::size_t n) { random_numbers().words(out, somewhere, n); },
                              [](std::size_t i) { return piece(somewhere, i); });
    check_each<double>([](double* out, std::size_t n) { random_numbers().fractions(out, somewhere, n); },
                       [](std::size_t i) { return static_cast<double>(piece(somewhere, i) >> 11) * 0x1p-53; });
  });
}

TEST_CASE("random integers are those of their pieces on every target") {
  on_every_target([] {
    const RandomIntegerKernels& k = random_integers();
    for (std::uint32_t limit : {2u, 3u, 100u, 127u, 128u})
      check_each<std::int8_t>([&](std::int8_t* out, std::size_t n) { k.below_i8(out, somewhere, n, limit); },
                              [&](std::size_t i) { return random_below_16(somewhere, i, limit); });
    for (std::uint32_t limit : {129u, 10'000u, 32'768u})
      check_each<std::int16_t>([&](std::int16_t* out, std::size_t n) { k.below_i16(out, somewhere, n, limit); },
                               [&](std::size_t i) { return random_below_32(somewhere, i, limit); });
    for (std::uint32_t limit : {32'769u, 1u << 26, 1'431'655'766u, (1u << 31) - 1})
      check_each<std::int32_t>([&](std::int32_t* out, std::size_t n) { k.below_i32(out, somewhere, n, limit); },
                               [&](std::size_t i) { return random_below_32(somewhere, i, limit); });
    for (std::uint32_t limit : {1'000'000'000u, 1u << 31})
      check_each<std::int32_t>([&](std::int32_t* out, std::size_t n) { k.below_i32_wide(out, somewhere, n, limit); },
                               [&](std::size_t i) { return random_below_64(somewhere, i, limit); });
    for (std::uint64_t first : {0, 1, 6})
      for (std::uint32_t more : {0u, 1u, 1'431'655'766u})
        for_lengths([&](std::size_t n) {
          Guarded<std::uint32_t> out(n, n % 3);
          const std::uint32_t limit = static_cast<std::uint32_t>(n) + more;
          k.below_descending(out.start(), somewhere, first, n, limit);
          CHECK(out.kept_outside(n));
          bool right = true;
          for (std::size_t i = 0; i < n; i++)
            right = right && out.start()[i] == random_below_32(somewhere, first + i, limit - static_cast<std::uint32_t>(i));
          CHECK(right);
        });
    for (std::uint64_t limit : {3'000'000'000ull, 5'000'000'000ull, (1ull << 40) + 1, (1ull << 42) - 1, 1ull << 42,
                                (1ull << 42) + 1, 3ull << 51, 1ull << 53, (1ull << 62) + 1})
      check_each<double>([&](double* out, std::size_t n) { k.below_f64(out, somewhere, n, limit); },
                         [&](std::size_t i) { return random_below_64(somewhere, i, limit); });
  });
}

TEST_CASE("random numbers are the same where their words are there on every target") {
  constexpr std::size_t most = 200;
  std::vector<std::uint64_t> words(most + room_for_vectors / 8);
  random_numbers().words(words.data(), somewhere, most);
  // Words behind those that count may be anything.
  const auto check_of = [&]<class T>(T, unsigned bits, auto fill, auto expected) {
    for (std::size_t n : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200}) {
      if (n * bits > most * 64) continue;
      std::vector<std::uint64_t> there(words.begin(), words.begin() + static_cast<std::ptrdiff_t>((n * bits + 63) / 64));
      there.resize(there.size() + room_for_vectors / 8, ~std::uint64_t{0});
      std::vector<T> out(n + room_for_vectors / sizeof(T) + 1, T{77});
      fill(out.data(), there.data(), n);
      CHECK(out.back() == T{77});
      bool right = true;
      for (std::size_t i = 0; i < n; i++) right = right && out[i] == static_cast<T>(expected(i, n));
      CHECK(right);
    }
  };
  on_every_target([&] {
    const RandomIntegerKernels& k = random_integers();
    using Words = const std::uint64_t*;
    check_of(
        double{}, 64, [](double* out, Words from, std::size_t n) { random_numbers().fractions_of(out, from, n); },
        [](std::size_t i, std::size_t) { return static_cast<double>(piece(somewhere, i) >> 11) * 0x1p-53; });
    for (std::uint32_t limit : {3u, 100u, 127u, 128u})
      check_of(
          std::int8_t{}, 16, [&](std::int8_t* out, Words from, std::size_t n) { k.i8_of(out, from, somewhere, n, limit); },
          [&](std::size_t i, std::size_t) { return random_below_16(somewhere, i, limit); });
    for (std::uint32_t limit : {129u, 10'000u, 32'768u})
      check_of(
          std::int16_t{}, 32, [&](std::int16_t* out, Words from, std::size_t n) { k.i16_of(out, from, somewhere, n, limit); },
          [&](std::size_t i, std::size_t) { return random_below_32(somewhere, i, limit); });
    for (std::uint32_t limit : {100u, 1u << 26, 1'431'655'766u, (1u << 31) - 1})
      check_of(
          std::int32_t{}, 32, [&](std::int32_t* out, Words from, std::size_t n) { k.i32_of(out, from, somewhere, n, limit); },
          [&](std::size_t i, std::size_t) { return random_below_32(somewhere, i, limit); });
    for (std::uint32_t limit : {1'000'000'000u, 1u << 31})
      check_of(
          std::int32_t{}, 64,
          [&](std::int32_t* out, Words from, std::size_t n) { k.i32_wide_of(out, from, somewhere, n, limit); },
          [&](std::size_t i, std::size_t) { return random_below_64(somewhere, i, limit); });
    for (std::uint64_t limit : {3'000'000'000ull, 1'000'000'000'000ull, (1ull << 40) + 1, 1ull << 42, 3ull << 51, 1ull << 53,
                                (1ull << 62) + 1, 3ull << 61})
      check_of(
          double{}, 64, [&](double* out, Words from, std::size_t n) { k.f64_of(out, from, somewhere, n, limit); },
          [&](std::size_t i, std::size_t) { return random_below_64(somewhere, i, limit); });
    for (std::uint32_t more : {0u, 1u, 1'431'655'766u})
      check_of(
          std::uint32_t{}, 32,
          [&](std::uint32_t* out, Words from, std::size_t n) {
            k.descending_of(out, from, somewhere, n, static_cast<std::uint32_t>(n) + more);
          },
          [&](std::size_t i, std::size_t n) { return random_below_32(somewhere, i, static_cast<std::uint32_t>(n - i) + more); });
  });
}

TEST_CASE("the blocks of several uses are those of each on every target") {
  on_every_target([] {
    for (std::size_t n : {1, 2, 5, 8, 16, 17}) {
      std::vector<std::uint64_t> out(2 * (n + uses_at_once));
      RandomPlace place = somewhere;
      place.use = 3;
      random_numbers().uses(out.data(), place, n);
      bool right = true;
      for (std::size_t i = 0; i < n; i++, place.use++)
        right = right && out[2 * i] == piece(place, 0) && out[2 * i + 1] == piece(place, 1);
      CHECK(right);
    }
  });
}

TEST_CASE("random numbers of every distribution are the same bits on every target, whole and in parts") {
  constexpr std::size_t n = 2000;
  std::vector<double> normals(n), exponentials(n), gammas(n), part(n);
  const auto shape = [](std::size_t i) { return 0.01 * static_cast<double>(i % 700 + 1); };
  // One by one, what nothing but the place decides.
  for (std::size_t i = 0; i < n; i++) {
    RandomPlace place = somewhere;
    place.position += i;
    gammas[i] = shape(i);
    random_numbers().gammas(&gammas[i], place, 1);
  }
  random_numbers().normals(normals.data(), somewhere, n);
  random_numbers().exponentials(exponentials.data(), somewhere, n);
  on_every_target([&] {
    for (std::size_t i = 0; i < n; i++) part[i] = shape(i);
    random_numbers().gammas(part.data(), somewhere, n);
    CHECK(part == gammas);
    for (std::size_t length : {std::size_t{1}, std::size_t{7}, n}) {
      random_numbers().normals(part.data(), somewhere, length);
      CHECK(std::equal(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(length), normals.begin()));
      random_numbers().exponentials(part.data(), somewhere, length);
      CHECK(std::equal(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(length), exponentials.begin()));
    }
  });
}

TEST_CASE("random numbers follow their formulas") {
  constexpr std::size_t n = 1000;
  std::vector<double> normals(n), exponentials(n);
  random_numbers().normals(normals.data(), somewhere, n);
  random_numbers().exponentials(exponentials.data(), somewhere, n);
  for (std::size_t i = 0; i < n; i++) {
    const double u = static_cast<double>(piece(somewhere, i / 2 * 2) >> 11) * 0x1p-53 + 0x1p-53;
    const double angle = 2 * std::acos(-1.0) * static_cast<double>(piece(somewhere, i / 2 * 2 + 1) >> 11) * 0x1p-53;
    CHECK(std::fabs(normals[i] - std::sqrt(-2 * std::log(u)) * (i % 2 ? std::sin(angle) : std::cos(angle))) < 5e-15);
    const double v = static_cast<double>(piece(somewhere, i) >> 11) * 0x1p-53 + 0x1p-53;
    CHECK(std::fabs(exponentials[i] + std::log(v)) <= 1e-15 * std::fmax(1, exponentials[i]));
  }
}

TEST_CASE("random numbers pass the test of Kolmogorov and Smirnov") {
  std::vector<double> x(sample);
  for (std::uint64_t key : {1, 2, 3}) {
    const RandomPlace place = {key, 0, 0, 0};
    random_numbers().fractions(x.data(), place, sample);
    CHECK(kolmogorov_smirnov(x, [](double v) { return v; }) < 1.95);
    random_numbers().normals(x.data(), place, sample);
    CHECK(kolmogorov_smirnov(x, [](double v) { return std::erfc(-v / std::sqrt(2)) / 2; }) < 1.95);
    random_numbers().exponentials(x.data(), place, sample);
    CHECK(kolmogorov_smirnov(x, [](double v) { return 1 - std::exp(-v); }) < 1.95);
    for (const double shape : {0.1, 0.9, 1.0, 2.5, 50.0}) {
      std::fill(x.begin(), x.end(), shape);
      random_numbers().gammas(x.data(), place, sample);
      CHECK(kolmogorov_smirnov(x, [shape](double v) { return gamma_cumulative(shape, v); }) < 1.95);
    }
  }
}

TEST_CASE("random integers pass the chi-squared test, alone and in pairs") {
  for (std::uint64_t key : {1, 2, 3}) {
    const RandomPlace place = {key, 0, 0, 0};
    std::vector<std::int8_t> small(sample * 4);
    random_integers().below_i8(small.data(), place, small.size(), 100);
    std::vector<int> counts(100), pairs(100 * 100);
    for (std::size_t i = 0; i < small.size(); i++) {
      counts[static_cast<std::size_t>(small[i])]++;
      if (i % 2) pairs[static_cast<std::size_t>(small[i - 1] * 100 + small[i])]++;
    }
    CHECK(chi_squared(counts) < 3.3);
    CHECK(chi_squared(pairs) < 3.3);
    std::vector<std::int32_t> large(sample);
    // Two thirds of the pieces are turned away.
    random_integers().below_i32(large.data(), place, sample, 1'431'655'766);
    std::vector<int> thousands(1000);
    for (std::int32_t v : large) thousands[static_cast<std::size_t>(v / 1'431'656)]++;
    CHECK(chi_squared(thousands) < 3.3);
    std::vector<std::uint64_t> words(sample / 8);
    random_numbers().words(words.data(), place, words.size());
    std::vector<int> bits(64);
    for (std::uint64_t w : words)
      for (std::size_t b = 0; b < 64; b++) bits[b] += static_cast<int>(w >> b & 1);
    CHECK(chi_squared(bits) < 3.3);
  }
}
