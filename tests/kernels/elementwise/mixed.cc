#include "primitives/kernels/elementwise/mixed.h"

#include <cmath>
#include <limits>
#include <vector>

#include "primitives/kernels/elementwise/compare.h"
#include "tests/support/arithmetic_reference.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

struct Bits {};

// Numbers of one type in memory; bits are packed.
template <class T>
struct Numbers {
  Numbers(Random& random, std::size_t n, std::size_t offset, bool small) : elements(random, n, offset, small) {}
  double at(std::size_t i) const { return elements.start[i]; }
  const void* start() const { return elements.start; }
  Elements<T> elements;
};
template <>
struct Numbers<Bits> {
  Numbers(Random& random, std::size_t n, std::size_t, bool) : words(random, n / 64 + 1, 0, false) {}
  double at(std::size_t i) const { return static_cast<double>(words.start[i / 64] >> (i % 64) & 1); }
  const void* start() const { return words.start; }
  Elements<std::uint64_t> words;
};

using Function = double(double, double);
constexpr Function* functions[] = {reference::add,     reference::subtract, reference::multiply,
                                   reference::minimum, reference::maximum,  reference::divide};
static_assert(std::size(functions) == mixed_operation_count);

template <class T>
constexpr int place_of = std::is_same_v<T, Bits>           ? 0
                         : std::is_same_v<T, std::int8_t>  ? 1
                         : std::is_same_v<T, std::int16_t> ? 2
                         : std::is_same_v<T, std::int32_t> ? 3
                                                           : 4;

// Gives the number of kernels that were there to be tested.
template <class W, class X, class Out>
int check_pair(int operation) {
  const DyadForms& forms = mixed().by_types[operation][place_of<W>][place_of<X>];
  Random random;
  int found = 0;
  for (int form = 0; form < form_count; form++) {
    const Dyad kernel = forms[static_cast<Form>(form)];
    if (kernel == nullptr) continue;
    found++;
    for_lengths([&](std::size_t n) {
      for (bool small : {true, false}) {
        const Numbers<W> w(random, n + 1, n % 3, small);
        const Numbers<X> x(random, n + 1, 1 - n % 2, small);
        const auto expected = [&](std::size_t i) {
          return reference::fitting<Out>(
              functions[operation](w.at(form == scalar_array ? 0 : i), x.at(form == array_scalar ? 0 : i)));
        };
        Guarded<Out> out(n, n % 3);
        const std::size_t done = kernel(out.start(), w.start(), x.start(), n);
        std::size_t misfit = 0;
        while (misfit < n && expected(misfit)) misfit++;
        bool right = done <= misfit && (misfit == n ? done == n : (misfit - done) * sizeof(Out) <= 4096);
        for (std::size_t i = 0; i < done; i++) right &= same(out.start()[i], *expected(i));
        INFO("operation ", operation, " types ", place_of<W>, " ", place_of<X>, " form ", form, " length ", n);
        CHECK(right);
        CHECK(out.kept_outside(n));
        // In place of the argument that is as wide.
        if (form != array_array || std::is_same_v<W, Bits> || std::is_same_v<X, Bits>) continue;
        Guarded<Out> own(n, 1);
        const bool right_side = std::is_same_v<X, Out>;
        const void* const argument = right_side ? static_cast<const void*>(x.start()) : w.start();
        if (n != 0) std::memcpy(own.start(), argument, n * sizeof(Out));
        const std::size_t done_in_place =
            kernel(own.start(), right_side ? w.start() : own.start(), right_side ? own.start() : x.start(), n);
        CHECK(done_in_place >= done);
        right = done_in_place <= misfit;
        for (std::size_t i = 0; i < done_in_place; i++) right &= same(own.start()[i], *expected(i));
        CHECK(right);
        const std::size_t kept = (n - done_in_place) * sizeof(Out);
        CHECK((kept == 0 ||
               std::memcmp(own.start() + done_in_place, static_cast<const Out*>(argument) + done_in_place, kept) == 0));
      }
    });
  }
  return found;
}
template <class Narrow, class Wide>
int check_both_orders(int operation) {
  return check_pair<Narrow, Wide, Wide>(operation) + check_pair<Wide, Narrow, Wide>(operation);
}

template <class W, class X>
void check_comparison(Lane w_lane, Lane x_lane) {
  Random random;
  for (int c = 0; c < comparison_count; c++)
    for_lengths([&](std::size_t n) {
      const Numbers<W> w(random, n, n % 3, true);
      const Numbers<X> x(random, n, 1, true);
      const std::size_t words = (n + 63) / 64;
      Guarded<std::uint64_t> out(words, 0);
      compare().mixed[c][w_lane][x_lane](out.start(), w.start(), x.start(), n);
      bool right = true;
      for (std::size_t i = 0; i < 64 * words; i++) {
        const double l = i < n ? w.at(i) : 0, r = i < n ? x.at(i) : 0;
        const bool results[] = {l<r, l <= r, l == r, l >= r, l> r, l != r};
        right &= (out.start()[i / 64] >> (i % 64) & 1) == (i < n && results[c]);
      }
      INFO("comparison ", c, " types ", w_lane, " ", x_lane, " length ", n);
      CHECK(right);
      CHECK(out.kept_outside(words));
    });
}
template <class Narrow, class Wide>
void compare_both_orders(Lane narrow, Lane wide) {
  check_comparison<Narrow, Wide>(narrow, wide);
  check_comparison<Wide, Narrow>(wide, narrow);
}

}  // namespace

TEST_CASE("numbers of two types combine in the wider one") {
  on_every_target([] {
    for (int operation = 0; operation < mixed_operation_count; operation++) {
      int found = check_both_orders<std::int8_t, std::int16_t>(operation) +
                  check_both_orders<std::int8_t, std::int32_t>(operation) +
                  check_both_orders<std::int16_t, std::int32_t>(operation) + check_both_orders<std::int8_t, double>(operation) +
                  check_both_orders<std::int16_t, double>(operation) + check_both_orders<std::int32_t, double>(operation);
      CHECK(found == (operation == mixed_divide ? 12 : 24));
      found = check_both_orders<Bits, std::int8_t>(operation) + check_both_orders<Bits, std::int16_t>(operation) +
              check_both_orders<Bits, std::int32_t>(operation) + check_both_orders<Bits, double>(operation);
      CHECK(found == (operation == mixed_divide ? 0 : 8));
    }
  });
}

namespace {

template <class T>
void check_quotients() {
  Random random;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Dyad kernel = mixed().by_types[mixed_divide][place_of<T>][place_of<double>][array_scalar];
  const Elements<T> x(random, 1000, 0, false);
  for (const double by : {1.0, 2.0, 3.0, -7.0, 10.0, 0.0, -0.0, 0.5, 1.5, 1e10, 2147483647.0, -2147483648.0, 2147483648.0,
                          infinity, -infinity, std::nan("")})
    for (const std::size_t n : {1, 3, 8, 31, 1000}) {
      std::vector<double> out(n);
      REQUIRE(kernel(out.data(), x.start, &by, n) == n);
      for (std::size_t i = 0; i < n; i++) {
        const double exact = reference::divide(x.start[i], by);
        INFO(int{x.start[i]}, " by ", by);
        REQUIRE((std::isnan(exact) ? std::isnan(out[i]) : same(out[i], exact)));
      }
    }
}

}  // namespace

TEST_CASE("quotients of integers by one double are rounded once") {
  on_every_target([] {
    check_quotients<std::int8_t>();
    check_quotients<std::int16_t>();
    check_quotients<std::int32_t>();
  });
}

TEST_CASE("numbers of two types compare to packed bits") {
  on_every_target([] {
    compare_both_orders<std::int8_t, std::int16_t>(lane_i8, lane_i16);
    compare_both_orders<std::int8_t, std::int32_t>(lane_i8, lane_i32);
    compare_both_orders<std::int16_t, std::int32_t>(lane_i16, lane_i32);
    compare_both_orders<std::int8_t, double>(lane_i8, lane_f64);
    compare_both_orders<std::int16_t, double>(lane_i16, lane_f64);
    compare_both_orders<std::int32_t, double>(lane_i32, lane_f64);
  });
}
