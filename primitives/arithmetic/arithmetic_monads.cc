// The monads - × ÷ ⋆ √ ⌊ ⌈ | ¬.
#include <cmath>
#include <utility>

#include "primitives/arithmetic/direct_lists.h"
#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/by_door.h"
#include "primitives/common/elements.h"
#include "primitives/common/number_lanes.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/kernels/elementwise/arithmetic.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/functions/exponential.h"
#include "primitives/kernels/shared/convert.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

namespace {

// Says what stands on the page of each function.
struct NumberMonad {
  const char* name;
  double (*of)(double x);
};

template <const NumberMonad& f>
Value number_atom(Context& cx, const Value& x) {
  if (x.is_number()) return f.of(x.number());
  fail(cx, std::string(f.name) + ": 𝕩 must consist of numbers (got " + kind_text(x) + ")");
}
constexpr NumberMonad negation = {"Negate", [](double x) { return 0 - x; }};
constexpr NumberMonad signum = {"Sign", [](double x) { return x == 0 ? 0.0 : x > 0 ? 1.0 : -1.0; }};
constexpr NumberMonad inversion = {"Reciprocal", [](double x) { return 1 / (x + 0.0); }};
constexpr NumberMonad exponentials = {"Exponential",
                                      [](double x) { return kernels::of_one(kernels::exponentials().exponential, x); }};
constexpr NumberMonad square_roots = {"Square Root", [](double x) { return std::sqrt(x); }};
constexpr NumberMonad floors = {"Floor", [](double x) { return std::floor(x); }};
constexpr NumberMonad ceilings = {"Ceiling", [](double x) { return std::ceil(x); }};
constexpr NumberMonad magnitudes = {"Magnitude", [](double x) { return std::fabs(x); }};

bool lane_step(const kernels::Monad* lanes, ElementType x, int attempt, MonadStep& step) {
  const int lane = lane_of(x) + attempt;
  if (!is_number(x) || lane >= kernels::lane_count) return false;
  step = {number_types[lane], number_types[lane], lanes[lane]};
  return true;
}
bool real_monad_step(kernels::Monad kernel, ElementType x, MonadStep& step) {
  step = {ElementType::f64, ElementType::f64, kernel};
  return is_number(x);
}
bool negate_step(ElementType x, int attempt, MonadStep& step) {
  return lane_step(kernels::arithmetic().negate, x, attempt, step);
}
bool magnitude_step(ElementType x, int attempt, MonadStep& step) {
  return lane_step(kernels::arithmetic().magnitude, x, attempt, step);
}
bool sign_step(ElementType x, int attempt, MonadStep& step) {
  if (!lane_step(kernels::arithmetic().sign, x, attempt, step)) return false;
  step.result = ElementType::i8;
  return true;
}
// Gives kernels that read each type but bits.
bool to_real_step(const kernels::Monad* lanes, ElementType x, MonadStep& step) {
  const ElementType read = x == ElementType::bit ? ElementType::f64 : x;
  if (is_number(x)) step = {read, ElementType::f64, lanes[lane_of(read)]};
  return is_number(x);
}
bool reciprocal_step(ElementType x, int, MonadStep& step) { return to_real_step(kernels::arithmetic().reciprocal, x, step); }
bool exponential_step(ElementType x, int, MonadStep& step) {
  return real_monad_step(kernels::exponentials().exponential, x, step);
}
bool square_root_step(ElementType x, int, MonadStep& step) { return to_real_step(kernels::arithmetic().square_root, x, step); }
// Rounds to the narrowest integers first.
bool rounding_step(const kernels::Monad* to_integers, kernels::Monad to_f64, ElementType x, int attempt, MonadStep& step) {
  if (attempt == kernels::lane_f64) return real_monad_step(to_f64, x, step);
  step = {ElementType::f64, number_types[attempt], to_integers[attempt]};
  return is_number(x);
}
bool floor_step(ElementType x, int attempt, MonadStep& step) {
  return rounding_step(kernels::arithmetic().floor_to, kernels::arithmetic().floor_f64, x, attempt, step);
}
bool ceiling_step(ElementType x, int attempt, MonadStep& step) {
  return rounding_step(kernels::arithmetic().ceiling_to, kernels::arithmetic().ceiling_f64, x, attempt, step);
}

std::uint64_t negate_lists(Context&, std::uint64_t, MonadCall);
std::uint64_t floor_lists(Context&, std::uint64_t, MonadCall);
std::uint64_t ceiling_lists(Context&, std::uint64_t, MonadCall);

}  // namespace

constexpr MonadRule negate_rule = {"Negate", negate, number_atom<negation>, negate_step, negate_lists};
constexpr MonadRule sign_rule = {"Sign", sign, number_atom<signum>, sign_step, on_list_by<sign_rule>, ElementType::i8};
constexpr MonadRule reciprocal_rule = {"Reciprocal", reciprocal, number_atom<inversion>, reciprocal_step,
                                       on_list_by<reciprocal_rule>};
static constexpr MonadRule exponential_rule = {"Exponential", exponential, number_atom<exponentials>, exponential_step};
constexpr MonadRule square_root_rule = {"Square Root", square_root, number_atom<square_roots>, square_root_step,
                                        on_list_by<square_root_rule>};
constexpr MonadRule floor_rule = {"Floor", floor_of, number_atom<floors>, floor_step, floor_lists, ElementType::f64};
constexpr MonadRule ceiling_rule = {"Ceiling", ceiling, number_atom<ceilings>, ceiling_step, ceiling_lists, ElementType::f64};
constexpr MonadRule magnitude_rule = {
    "Magnitude", magnitude, number_atom<magnitudes>, magnitude_step, on_list_by<magnitude_rule>, ElementType::i8};

namespace {

void check_numbers(Context& cx, const Value& x) {
  if (x.is_number()) return;
  if (!x.is_array()) fail(cx, "Conjugate: 𝕩 must consist of numbers (got " + kind_text(x) + ")");
  const Array& a = x.array();
  if (a.length == 0 || is_number(a.type())) return;
  if (is_character(a.type())) fail(cx, "Conjugate: 𝕩 must consist of numbers (got character)");
  cx.check_stack();
  for (const Value& v : a.boxes()) check_numbers(cx, v);
}

bool is_bit_array(const Value& x) { return x.is_array() && x.array().type() == ElementType::bit; }
bool is_integer_array(const Value& x) { return x.is_array() && is_integer(x.array().type()); }

Value on_numbers(Context& cx, const NumberMonad& f, const MonadRule& rule, Value& x) {
  if (x.is_number()) [[likely]]
    return f.of(x.number());
  return pervade(cx, rule, x);
}

}  // namespace

Value conjugate(Context& cx, Value x) {
  check_numbers(cx, x);
  return x;
}
Value negate(Context& cx, Value x) { return on_numbers(cx, negation, negate_rule, x); }
Value sign(Context& cx, Value x) { return is_bit_array(x) ? std::move(x) : on_numbers(cx, signum, sign_rule, x); }
Value reciprocal(Context& cx, Value x) { return on_numbers(cx, inversion, reciprocal_rule, x); }
Value exponential(Context& cx, Value x) { return on_numbers(cx, exponentials, exponential_rule, x); }
Value square_root(Context& cx, Value x) { return on_numbers(cx, square_roots, square_root_rule, x); }
Value floor_of(Context& cx, Value x) {
  return is_integer_array(x) ? std::move(x) : packed_if_boolean(cx.heap, on_numbers(cx, floors, floor_rule, x));
}
Value ceiling(Context& cx, Value x) {
  return is_integer_array(x) ? std::move(x) : packed_if_boolean(cx.heap, on_numbers(cx, ceilings, ceiling_rule, x));
}
Value magnitude(Context& cx, Value x) { return is_bit_array(x) ? std::move(x) : on_numbers(cx, magnitudes, magnitude_rule, x); }
Value complement(Context& cx, Value x) {
  if (x.is_number()) [[likely]]
    return 1 - x.number();
  Value one = 1.0;
  return pervade(cx, complement_rule, one, x);
}

// --- plain lists

namespace {

// Rounds a list of doubles to the narrowest integers that hold all results.
template <const MonadRule& rule>
std::uint64_t rounded(Context& cx, std::uint64_t x, MonadCall call, const kernels::Monad* to_integers) {
  if (!as_value(x).is_array()) return Value::absent_bits;
  const Array& a = as_value(x).array();
  if (is_integer(a.type())) {
    const std::uint64_t itself = on_list_by<rule>(cx, x, call);
    return itself != Value::absent_bits ? itself : Value::share(const_cast<Array*>(&a)).leak();
  }
  if (PlainList::described(a) != PlainList::described(ElementType::f64) || a.length == 0 || a.length > tuning().longest_rounded ||
      a.data.elsewhere())
    return Value::absent_bits;
  for (int lane = kernels::lane_i8; lane < kernels::lane_f64; lane++) {
    Value made(make_list_of(cx.heap, plain_lists[static_cast<int>(number_types[lane])], a.length));
    if (to_integers[lane](made.array().data.here(), a.data.here(), a.length) != a.length) continue;
    return lane == kernels::lane_i8 ? packed_if_boolean(cx.heap, std::move(made)).leak() : made.leak();
  }
  return Value::absent_bits;
}
std::uint64_t floor_lists(Context& cx, std::uint64_t x, MonadCall call) {
  return rounded<floor_rule>(cx, x, call, kernels::arithmetic().floor_to);
}
std::uint64_t ceiling_lists(Context& cx, std::uint64_t x, MonadCall call) {
  return rounded<ceiling_rule>(cx, x, call, kernels::arithmetic().ceiling_to);
}

std::size_t negate_bits(void* out, const void* x, std::size_t n) {
  constexpr std::int8_t zero = 0, minus_one = -1;
  kernels::convert().choose[static_cast<int>(ElementType::i8)](out, static_cast<const std::uint64_t*>(x), n, &zero, &minus_one);
  return n;
}
std::uint64_t negate_lists(Context& cx, std::uint64_t x, MonadCall call) {
  static const ListMonadWays ways = [] {
    ListMonadWays made = list_ways(negate_rule);
    made.by_type[static_cast<int>(ElementType::bit)] = {{negate_bits, PlainList(ElementType::i8)},
                                                        PlainList::described(ElementType::bit)};
    return made;
  }();
  return on_list(cx, x, ways, call.site);
}

template <class T, kernels::Lane lane>
std::size_t complement_kernel(void* out, const void* x, std::size_t n) {
  constexpr T one = 1;
  return kernels::arithmetic().subtract[lane][kernels::scalar_array](out, &one, x, n);
}
std::uint64_t complement_lists(Context& cx, std::uint64_t x, MonadCall call) {
  static const ListMonadWays ways = [] {
    ListMonadWays made;
    made.entry = &entry_by<span_not>();
    const auto put = [&](ElementType type, kernels::Monad kernel) {
      made.by_type[static_cast<int>(type)] = {{kernel, PlainList(type)}, PlainList::described(type)};
    };
    put(ElementType::bit, kernels::compare().not_bits);
    put(ElementType::i8, complement_kernel<std::int8_t, kernels::lane_i8>);
    put(ElementType::i16, complement_kernel<std::int16_t, kernels::lane_i16>);
    put(ElementType::i32, complement_kernel<std::int32_t, kernels::lane_i32>);
    put(ElementType::f64, complement_kernel<double, kernels::lane_f64>);
    return made;
  }();
  if (!as_value(x).is_array()) return Value::absent_bits;
  if (const std::uint64_t result = on_list(cx, x, ways, call.site); result != Value::absent_bits) return result;
  const Array& a = as_value(x).array();
  return a.is_list() && a.length != 0 && has_plain_fill(a) ? complement_of_numbers(cx, x) : Value::absent_bits;
}

}  // namespace

constexpr MonadWays negate_ways = ways_on_array<negate_lists>;
constexpr MonadWays sign_ways = ways_on_array<on_list_by<sign_rule>>;
constexpr MonadWays reciprocal_ways = ways_on_array<on_list_by<reciprocal_rule>>;
constexpr MonadWays square_root_ways = ways_on_array<on_list_by<square_root_rule>>;
constexpr MonadWays floor_ways = ways_on_array<floor_lists>;
constexpr MonadWays ceiling_ways = ways_on_array<ceiling_lists>;
constexpr MonadWays magnitude_ways = ways_on_array<on_list_by<magnitude_rule>>;
constexpr MonadWays complement_ways = ways_on_array<complement_lists>;

}  // namespace griddle::primitives
