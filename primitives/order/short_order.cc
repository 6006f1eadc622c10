// Ways of ∧ ∨ ⍋ ⍒ for what is in order already, for lists of bits, of integers that networks sort, and of a few atoms.
#include "primitives/common/tuning.h"
#include "primitives/common/ways.h"
#include "primitives/functions.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/kernels/sort/is_sorted.h"
#include "primitives/kernels/sort/order_few.h"
#include "primitives/kernels/sort/sort.h"
#include "primitives/order/bits_in_order.h"
#include "primitives/search/few_atoms.h"
#include "primitives/search/scalar_search.h"

namespace griddle::primitives {
namespace {

template <bool down>
std::uint64_t sorted_already(Heap&, AnyArray a) {
  const bool sorted = a->length <= 1 ? a->type() != ElementType::boxed : a->has_noted_order(down);
  return a->is_list() && sorted ? shared(bits_of_array(a.array)) : declined;
}

template <bool down>
std::uint64_t sort_bit_list(Heap& heap, List a) {
  return a->type() == ElementType::bit ? bits_of_array(sorted_bits(heap, a, down)) : declined;
}
template <bool down>
std::uint64_t grade_bit_list(Heap& heap, List a) {
  std::uint64_t room[longest_at_hand / 64];
  return a->type() == ElementType::bit ? bits_of_array(graded_bits(heap, a, down, type_of_places(a->length), room)) : declined;
}

// --- integers and characters, sorted and graded by networks where the target has them for so many

constexpr std::size_t most_in_networks = 1024;

bool is_for_networks(const Array& a, std::size_t least, unsigned width) {
  const unsigned own = bits_of(a.type());
  return a.length >= least && a.length <= most_in_networks && own != 1 && own != 64 && kernels::sorts_in_vectors(width, a.length);
}
// Leaves what is in order already to what finds it out elsewhere.
template <bool down>
bool go_through_networks(const Array& a, std::size_t least, unsigned width) {
  const void* const x = a.data.here();
  return is_for_networks(a, least, width) && !kernels::is_sorted(a.type(), x, a.length, down) &&
         !kernels::is_sorted(a.type(), x, a.length, !down);
}

// Tells whether the first elements lie so close together that counting them is faster.
bool is_better_counted(const Array& a, std::size_t range) {
  constexpr std::size_t some = 64;
  if (a.length < tuning().few_to_count || a.length > most_in_networks || bits_of(a.type()) % 64 < 8) return false;
  const kernels::Bounds bounds = kernels::bounds_of(a.type(), a.data.here(), some);
  return static_cast<std::size_t>(bounds.high - bounds.low) < range;
}

template <bool down>
std::uint64_t sort_in_networks(Heap& heap, List a) {
  constexpr std::size_t for_each_number = 3;
  const std::size_t n = a->length;
  const ElementType type = a->type();
  const unsigned width = bits_of(type);
  if (width != 8 && is_better_counted(a, n / for_each_number)) return declined;
  if (!go_through_networks<down>(a, tuning().least_in_networks, width)) return declined;
  Array* const out = make_plain_list(heap, type, n);
  void* const keys = out->data.here();
  kernels::order_keys(type, a->data.here(), n, keys, down);
  if (width == 8)
    kernels::sort_in_vectors(static_cast<std::uint8_t*>(keys), nullptr, n);
  else if (width == 16)
    kernels::sort_in_vectors(static_cast<std::uint16_t*>(keys), nullptr, n);
  else
    kernels::sort_in_vectors(static_cast<std::uint32_t*>(keys), nullptr, n);
  kernels::elements_of_keys(type, keys, n, keys, down);
  out->note_order(down);
  return bits_of_array(out);
}

template <bool down>
std::uint64_t grade_in_networks(Heap& heap, List a) {
  // Up to so many numbers for each element are counted, but where a place and a byte fit 16 bits.
  constexpr std::size_t counted = 2, pairs = 256;
  const std::size_t n = a->length;
  if (n > pairs && is_better_counted(a, counted * n)) return declined;
  if (!go_through_networks<down>(a, tuning().least_graded_in_networks, 32)) return declined;
  const kernels::Bounds bounds = kernels::bounds_of(a->type(), a->data.here(), n);
  const auto range = static_cast<std::size_t>(bounds.high - bounds.low) + 1;
  std::uint64_t room[2 * most_in_networks];
  const ElementType type = type_of_places(n);
  Array* const places = make_plain_list(heap, type, n);
  Value graded(places);
  if (!kernels::grade_in_vectors(a->type(), a->data.here(), n, bounds.low, range, room, type, places->data.here(), down))
    return declined;
  return graded.leak();
}

// --- a few atoms

// Counts, for each of few atoms, those of a short list that are not behind it.
template <bool down>
Value bins_of_atoms(Context& cx, const Value& w, const Value& x) {
  Atoms list, wanted;
  list.count = wanted.count = 0;
  if (!is_empty_list(w)) {
    if (!is_short_list(w)) return Value();
    read(w.array(), list);
  }
  if (!is_empty_list(x)) {
    if (!read_wanted(x, wanted)) return Value();
    if (list.count != 0 && (list.characters != wanted.characters || !have_order(wanted))) return Value();
  }
  const auto is_behind = [](double a, double b) { return down ? a < b : a > b; };
  for (std::size_t i = 1; i < list.count; i++)
    if (is_behind(list.at[i - 1], list.at[i])) return Value();
  if (!have_order(list)) return Value();
  const auto count = [&](std::size_t i) {
    // Counts all, which takes no branch for each.
    const double one = wanted.at[i];
    std::size_t n = 0;
    if (down)
      for (std::size_t k = 0; k < list.count; k++) n += list.at[k] >= one;
    else
      for (std::size_t k = 0; k < list.count; k++) n += list.at[k] <= one;
    return n;
  };
  return rank_of(x) != 0 ? small_numbers(cx, wanted.count, count) : enclose(cx.heap, count(0));
}

template <bool down>
Value grade_atoms(Context& cx, const Value& x) {
  if (is_empty_list(x)) return small_numbers(cx, 0, [](std::size_t) { return 0; });
  if (!is_short_list(x, tuning().most_counted)) return Value();
  const Array& a = x.array();
  if (a.type() == ElementType::bit || is_for_networks(a, tuning().least_graded_in_networks, 32)) return Value();
  Ref<Array> places = make_plain_list(cx.heap, ElementType::i8, a.length);
  std::uint8_t* const to = places->as<std::uint8_t>();
  if (a.length > tuning().longest_insertion) {
    if (!kernels::grade_few(a.type(), a.data, a.length, to, down)) return Value();
    return to_value(std::move(places));
  }
  const bool ordered = with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, double>)
      if (std::any_of(a.as<T>(), a.as<T>() + a.length, [](double d) { return d != d; })) return false;
    if constexpr (!std::is_same_v<T, Bit> && !std::is_same_v<T, Value>) grade_tiny(a.as<T>(), a.length, down, to);
    return true;
  });
  return ordered ? to_value(std::move(places)) : Value();
}

template <bool down>
Value sort_atoms(Context& cx, const Value& x) {
  if (!is_short_list(x, tuning().most_counted)) return Value();
  const Array& a = x.array();
  if (a.type() == ElementType::bit || is_for_networks(a, tuning().least_in_networks, bits_of(a.type()))) return Value();
  Array* const result = make_plain_list(cx.heap, a.type(), a.length);
  Value sorted(result);
  if (a.length > tuning().longest_insertion || a.type() == ElementType::f64) {
    if (!kernels::sort_few(a.type(), a.data, a.length, result->data, down)) return Value();
  } else {
    with_type(a.type(), [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>) {
        sort_tiny(a.as<T>(), a.length, down, result->as<T>());
      }
    });
  }
  result->note_order(down);
  return sorted;
}

template <bool down>
constexpr MonadWay sorts[] = {{"in order", way<sorted_already<down>>},
                              {"bits", way<sort_bit_list<down>>},
                              {"networks", way<sort_in_networks<down>>},
                              {"few atoms", way<sort_atoms<down>>}};
template <bool down>
constexpr MonadWay grades[] = {
    {"bits", way<grade_bit_list<down>>}, {"networks", way<grade_in_networks<down>>}, {"few atoms", way<grade_atoms<down>>}};
template <bool down>
constexpr DyadWay bins[] = {{"few atoms", way<bins_of_atoms<down>>}};

}  // namespace

constexpr MonadWays sort_up_ways = monad_ways<sorts<false>>, sort_down_ways = monad_ways<sorts<true>>;
constexpr MonadWays grade_up_ways = monad_ways<grades<false>>, grade_down_ways = monad_ways<grades<true>>;
constexpr DyadWays bins_up_ways = dyad_ways<bins<false>>, bins_down_ways = dyad_ways<bins<true>>;

namespace {

// Gives the place of the element that sorts first, of equals the first one. Doubles that are none have an order of their own.
template <bool down>
std::uint64_t place_of_first(const Value& x) {
  if (!x.is_array()) return Value::absent_bits;
  const Array& a = x.array();
  if (!a.is_list() || a.length == 0 || a.data.elsewhere() || a.type() == ElementType::boxed || a.type() == ElementType::bit)
    return Value::absent_bits;
  return with_type(a.type(), [&](auto type) -> std::uint64_t {
    using T = typename decltype(type)::type;
    if constexpr (std::is_arithmetic_v<T>) {
      const T* const elements = a.as<T>();
      std::size_t place = 0;
      kernels::ElementsDone done;
      for (std::size_t i = 0; i < a.length; done.add(kernels::long_pass)) {
        T best = elements[place];
        if (best != best) return Value::absent_bits;
        for (const std::size_t end = std::min(a.length, i + kernels::long_pass); i < end; i++) {
          if (elements[i] != elements[i]) return Value::absent_bits;
          if (!(down ? elements[i] > best : elements[i] < best)) continue;
          best = elements[i];
          place = i;
        }
      }
      return Value(place).bits();
    }
    return Value::absent_bits;
  });
}

}  // namespace

std::uint64_t place_of_least(Context&, const Value& x) { return place_of_first<false>(x); }
std::uint64_t place_of_greatest(Context&, const Value& x) { return place_of_first<true>(x); }

}  // namespace griddle::primitives
