#include "primitives/folds/fold.h"

#include <array>
#include <cmath>
#include <numeric>

#include "primitives/kernels/shared/bit_runs.h"
#include "runtime/value/array.h"
#include "runtime/vm/number_steps.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {

namespace {

constexpr std::size_t most_factor = 64;

// A fold keeps the place of its factor.
constexpr std::array<double, most_factor + 1> factors = [] {
  std::array<double, most_factor + 1> all{};
  std::iota(all.begin(), all.end(), 0.0);
  return all;
}();

// Longer lists are left to the general way, which looks for interrupts.
constexpr std::size_t most_digits = 1024;

std::uint64_t fold_digits(Context&, const Derived& self, const Value& x, RecentMonad*) {
  const Array& a = x.array();
  if (a.rank() != 1 || a.length == 0 || a.length > most_digits || a.data.elsewhere()) return Value::absent_bits;
  const double factor = *static_cast<const double*>(self.kernels);
  const auto fold = [&](auto digit) {
    double so_far = digit(a.length - 1);
    for (std::size_t i = a.length - 1; i-- > 0;) so_far = digit(i) + factor * so_far;
    return Value(so_far).bits();
  };
  const auto fold_integers = [&]<class T>(const T* digits) { return fold([=](std::size_t i) -> double { return digits[i]; }); };
  switch (a.type()) {
    case ElementType::bit:
      // Binary digits are a number already.
      if (factor == 2 && a.length <= 52)
        return Value(static_cast<double>(kernels::read_bits(a.as<std::uint64_t>(), 0, a.length))).bits();
      return fold([&](std::size_t i) -> double { return a.bit(i); });
    case ElementType::i8: return fold_integers(a.as<std::int8_t>());
    case ElementType::i16: return fold_integers(a.as<std::int16_t>());
    case ElementType::i32: return fold_integers(a.as<std::int32_t>());
    default: return Value::absent_bits;
  }
}

}  // namespace

void attach_digits(Derived& d) {
  const bool composed = d.f.is_function() && wiring_of(d.f, true);
  const double factor = composed ? NumberSteps(d.f.function()).added_factor() : NAN;
  if (!(factor >= 2 && factor <= most_factor) || factor != static_cast<double>(static_cast<int>(factor))) return;
  d.kernels = &factors[static_cast<std::size_t>(factor)];
  d.direct = fold_digits;
}

}  // namespace griddle::primitives
