#include "primitives/kernels/shared/convert.h"

#include <algorithm>
#include <limits>

#include "tests/support/fitting_results.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class From, class To>
void check_conversion(ElementType from, ElementType to) {
  const int f = static_cast<int>(from), t = static_cast<int>(to);
  if (const Monad widen = convert().widen[f][t]) check_monad<From, To>(widen, reference::keep);
  if (const Monad narrow = convert().narrow[f][t]) check_monad<From, To>(narrow, reference::keep);
}

template <class T>
void check_expansion(ElementType type) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (std::size_t offset : {0, 1, 63, 64, 100}) {
      const Elements<std::uint64_t> bits(random, (n + offset) / 64 + 1, 0, false);
      Guarded<T> out(n, 1);
      convert().expand[static_cast<int>(type)](out.start(), bits.start, offset, n);
      bool right = true;
      for (std::size_t i = 0; i < n; i++)
        right &= out.start()[i] == static_cast<T>(bits.start[(i + offset) / 64] >> (i + offset) % 64 & 1);
      CHECK(right);
      CHECK(out.kept_outside(n));
    }
  });
}

template <class T>
void check_bits_with(ElementType type, Lane lane) {
  Random random;
  for_lengths([&](std::size_t n) {
    const Elements<std::uint64_t> bits(random, n / 64 + 1, 0, false);
    const Elements<T> two(random, 2, 0, false);
    const auto bit = [&](std::size_t i) { return bits.start[i / 64] >> (i % 64) & 1; };
    Guarded<T> chosen(n, 1), range(n, 1);
    convert().choose[static_cast<int>(type)](chosen.start(), bits.start, n, two.start, two.start + 1);
    const Elements<T> before(random, n, 0, false);
    Guarded<T> overwritten(n, 1);
    std::copy_n(before.start, n, overwritten.start());
    convert().overwrite[static_cast<int>(type)](overwritten.start(), bits.start, n, two.start);
    const double first = n < 100 ? 7 : 0;
    if (sizeof(T) > 1 || n < 100) convert().range[lane](range.start(), first, n);
    bool correct = true;
    for (std::size_t i = 0; i < n; i++) {
      correct &= same(chosen.start()[i], two.start[bit(i)]);
      correct &= same(overwritten.start()[i], bit(i) ? two.start[0] : before.start[i]);
      if (sizeof(T) > 1 || n < 100) correct &= range.start()[i] == static_cast<T>(first + static_cast<double>(i));
    }
    INFO("length ", n, " type ", name_of(type));
    CHECK(correct);
    CHECK(chosen.kept_outside(n));
    CHECK(overwritten.kept_outside(n));
    CHECK(range.kept_outside(sizeof(T) > 1 || n < 100 ? n : 0));
  });
}

}  // namespace

TEST_CASE("integers next to the ends of a narrower type become such only where they fit") {
  on_every_target([] {
    const auto check = []<class From, class To>(From, To, ElementType from, ElementType to) {
      const Monad kernel = convert().narrow[static_cast<int>(from)][static_cast<int>(to)];
      constexpr std::int64_t least = std::numeric_limits<To>::min(), greatest = std::numeric_limits<To>::max();
      for (const std::int64_t v :
           {least - 1, least, least + 1, greatest - 1, greatest, greatest + 1, std::int64_t{std::numeric_limits<From>::min()},
            std::int64_t{std::numeric_limits<From>::max()}, 2 * greatest + 2})
        for (const std::size_t place : {0, 1, 31, 32, 63, 98, 99}) {
          std::vector<From> x(100, From{1});
          x[place] = static_cast<From>(v);
          std::vector<To> out(x.size());
          const bool fits = x[place] == static_cast<To>(x[place]);
          const std::size_t done = kernel(out.data(), x.data(), x.size());
          INFO("number ", v, " place ", place);
          CHECK(fits == (done == x.size()));
          CHECK(done <= (fits ? x.size() : place));
          for (std::size_t i = 0; i < done; i++) CHECK(out[i] == x[i]);
        }
    };
    check(std::int16_t{}, std::int8_t{}, ElementType::i16, ElementType::i8);
    check(std::int32_t{}, std::int8_t{}, ElementType::i32, ElementType::i8);
    check(std::int32_t{}, std::int16_t{}, ElementType::i32, ElementType::i16);
  });
}

TEST_CASE("doubles next to the ends of a type become integers only where they fit") {
  on_every_target([] {
    const auto from_f64 = convert().narrow[static_cast<int>(ElementType::f64)];
    check_ends<std::int8_t>(from_f64[static_cast<int>(ElementType::i8)], reference::keep);
    check_ends<std::int16_t>(from_f64[static_cast<int>(ElementType::i16)], reference::keep);
    check_ends<std::int32_t>(from_f64[static_cast<int>(ElementType::i32)], reference::keep);
  });
}

TEST_CASE("conversions keep every value") {
  on_every_target([] {
    using E = ElementType;
    check_conversion<std::int8_t, std::int16_t>(E::i8, E::i16);
    check_conversion<std::int8_t, std::int32_t>(E::i8, E::i32);
    check_conversion<std::int8_t, double>(E::i8, E::f64);
    check_conversion<std::int16_t, std::int32_t>(E::i16, E::i32);
    check_conversion<std::int16_t, double>(E::i16, E::f64);
    check_conversion<std::int32_t, double>(E::i32, E::f64);
    check_conversion<std::uint8_t, std::uint16_t>(E::c8, E::c16);
    check_conversion<std::uint8_t, std::uint32_t>(E::c8, E::c32);
    check_conversion<std::uint16_t, std::uint32_t>(E::c16, E::c32);
    check_conversion<double, std::int32_t>(E::f64, E::i32);
    check_conversion<double, std::int16_t>(E::f64, E::i16);
    check_conversion<double, std::int8_t>(E::f64, E::i8);
    check_conversion<std::int32_t, std::int16_t>(E::i32, E::i16);
    check_conversion<std::int32_t, std::int8_t>(E::i32, E::i8);
    check_conversion<std::int16_t, std::int8_t>(E::i16, E::i8);
    check_expansion<std::int8_t>(E::i8);
    check_expansion<std::int16_t>(E::i16);
    check_expansion<std::int32_t>(E::i32);
    check_expansion<double>(E::f64);
  });
}

TEST_CASE("bits choose, overwrite and count up") {
  on_every_target([] {
    check_bits_with<std::int8_t>(ElementType::i8, lane_i8);
    check_bits_with<std::int16_t>(ElementType::i16, lane_i16);
    check_bits_with<std::int32_t>(ElementType::i32, lane_i32);
    check_bits_with<double>(ElementType::f64, lane_f64);
  });
}

TEST_CASE("bits choose between bits") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      const Elements<std::uint64_t> bits(random, n / 64 + 1, 0, false);
      for (const int both : {0, 1, 2, 3}) {
        const std::int8_t zero = both & 1, one = both >> 1;
        Guarded<std::uint64_t> chosen((n + 63) / 64, 0);
        convert().choose[static_cast<int>(ElementType::bit)](chosen.start(), bits.start, n, &zero, &one);
        bool correct = true;
        for (std::size_t i = 0; i < n; i++)
          correct &= (chosen.start()[i / 64] >> (i % 64) & 1) ==
                     static_cast<std::uint64_t>(bits.start[i / 64] >> (i % 64) & 1 ? one : zero);
        CHECK(correct);
        CHECK(chosen.kept_outside((n + 63) / 64));
      }
    });
  });
}

TEST_CASE("bits are added and subtracted to bytes") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      const Elements<std::uint64_t> w(random, n / 64 + 1, 0, false), x(random, n / 64 + 1, 1, false);
      const auto bit = [](const std::uint64_t* bits, std::size_t i) { return static_cast<int>(bits[i / 64] >> (i % 64) & 1); };
      Guarded<std::int8_t> sum(n, 1), difference(n, 0);
      convert().sum_of_bits(sum.start(), w.start, x.start, n);
      convert().difference_of_bits(difference.start(), w.start, x.start, n);
      bool correct = true;
      for (std::size_t i = 0; i < n; i++) {
        correct &= sum.start()[i] == bit(w.start, i) + bit(x.start, i);
        correct &= difference.start()[i] == bit(w.start, i) - bit(x.start, i);
      }
      CHECK(correct);
      CHECK(sum.kept_outside(n));
      CHECK(difference.kept_outside(n));
    });
  });
}
