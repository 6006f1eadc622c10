// Ways of ∧ ∨ ⍋ ⍒ for what is in order already, and for lists of bits.
#include "primitives/common/ways.h"
#include "primitives/functions.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/shared/bit_runs.h"

namespace griddle::primitives {
namespace {

template <bool down>
std::uint64_t sorted_already(Heap&, AnyArray a) {
  return a->is_list() && a->length != 0 && a->has_noted_order(down) ? shared(bits_of_array(a.array)) : declined;
}

// Writes zeros and ones in order.
template <bool down>
std::uint64_t sort_bits(Heap& heap, List bits) {
  if (bits->type() != ElementType::bit) return declined;
  Array* const out = make_list_of(heap, plain_of(bits), bits->length);
  const std::size_t ones = kernels::count_ones(words_of(bits.array), bits->length), first = down ? ones : bits->length - ones;
  const std::size_t whole = first / 64, words = (bits->length + 63) / 64;
  std::uint64_t* const to = words_of(out);
  const std::uint64_t before = down ? ~std::uint64_t{0} : 0;
  // A loop of its own: most lists are too short for calls that fill memory.
  for (std::size_t i = 0; i < words; i++) to[i] = i < whole ? before : ~before;
  if (first % 64 != 0) to[whole] ^= kernels::low_bits(first % 64);
  return bits_of_array(out);
}

// Writes the places of one kind of bits, then those of the other. What is written too much for the first is written over.
template <bool down>
std::uint64_t grade_bits(Heap& heap, List a) {
  if (a->type() != ElementType::bit) return declined;
  const std::size_t n = a->length, words = (n + 63) / 64, ones = kernels::count_ones(words_of(a.array), n);
  const ElementType type = type_of_places(n);
  const std::size_t spare = kernels::spare_elements(bits_of(type), n), first = down ? ones : n - ones;
  Array* const out = make_plain_list(heap, type, n + spare);
  out->length = n;
  std::uint64_t zeros[longest_at_hand / 64];
  for (std::size_t i = 0; i < words; i++) zeros[i] = ~words_of(a.array)[i];
  std::uint8_t* const rest = out->data.here() + first * bits_of(type) / 8;
  kernels::places_of_ones(type, out->data.here(), n + spare, down ? words_of(a.array) : zeros, n);
  kernels::places_of_ones(type, rest, n - first + spare, down ? zeros : words_of(a.array), n);
  return bits_of_array(out);
}

template <bool down>
constexpr MonadWay sorts[] = {{"in order", way<sorted_already<down>>}, {"bits", way<sort_bits<down>>}};
template <bool down>
constexpr MonadWay grades[] = {{"bits", way<grade_bits<down>>}};

}  // namespace

constexpr MonadWays sort_up_ways = monad_ways<U'∧', sorts<false>>, sort_down_ways = monad_ways<U'∨', sorts<true>>;
constexpr MonadWays grade_up_ways = monad_ways<U'⍋', grades<false>>, grade_down_ways = monad_ways<U'⍒', grades<true>>;

}  // namespace griddle::primitives
