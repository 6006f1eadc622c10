#include "runtime/system/random/few_choices.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/shared/convert.h"

namespace griddle::random_functions {

namespace {

// Gives numbers of a call one by one, each from 32 bits.
class NumbersOfCall {
 public:
  explicit NumbersOfCall(RandomState& random) : words_(random.look_ahead(blocks)), place_(random.take(0)) {}
  std::uint32_t below(std::uint64_t i, std::uint32_t limit) const {
    if (i < in_words) [[likely]] {
      const std::uint64_t product = (words_[i / 2] >> (i % 2 * 32) & 0xFFFFFFFF) * limit;
      // A rest that is too small to count is below the limit.
      if (static_cast<std::uint32_t>(product) >= limit) [[likely]]
        return static_cast<std::uint32_t>(product >> 32);
    }
    return static_cast<std::uint32_t>(kernels::random_below_32(place_, i, limit));
  }

 private:
  static constexpr std::size_t blocks = 8, in_words = blocks * 4;
  const std::uint64_t* words_;
  kernels::RandomPlace place_;
};

// Puts the first `steps` elements of ↕n right, by exchanges.
constexpr std::size_t most_dealt_few = RandomState::few_blocks * 4, few_steps = 8;
template <class T>
void deal_few(T* list, std::size_t n, std::size_t steps, RandomState& random) {
  std::array<std::uint32_t, most_dealt_few + kernels::room_for_vectors / sizeof(std::uint32_t)> ahead;
  steps = std::min(n, steps);
  if (steps <= few_steps) {
    std::iota(list, list + n, T{});
    const NumbersOfCall numbers(random);
    for (std::size_t i = 0; i < steps; i++) std::swap(list[i], list[i + numbers.below(i, static_cast<std::uint32_t>(n - i))]);
    return;
  }
  const std::uint64_t* words = random.look_ahead(kernels::blocks_for(steps, 32));
  kernels::random_integers().descending_of(ahead.data(), words, random.take(0), steps, static_cast<std::uint32_t>(n));
  std::iota(list, list + n, T{});
  for (std::size_t i = 0; i < steps; i++) std::swap(list[i], list[i + ahead[i]]);
}

}  // namespace

Value shuffle_few(Context& cx, RandomState& random, std::size_t count, std::size_t limit) {
  // Bytes are exchanged more slowly than longer integers where there are more than a few.
  constexpr std::size_t few_bytes = 12;
  const ElementType type = limit <= (std::size_t{1} << 7) ? ElementType::i8 : ElementType::i16;
  Array* const numbers = make_list_of(cx.heap, plain_lists[static_cast<int>(type)], std::max(count, few_bytes));
  Value result(numbers);
  numbers->length = count;
  if (limit <= few_bytes) {
    deal_few(numbers->as<std::int8_t>(), limit, count, random);
  } else {
    std::array<std::int32_t, most_dealt_few> list;
    deal_few(list.data(), limit, count, random);
    kernels::convert().narrow[static_cast<int>(ElementType::i32)][static_cast<int>(type)](numbers->data, list.data(), count);
  }
  random.take(kernels::blocks_for(limit, 32));
  return result;
}

Value draw_few_different(Context& cx, RandomState& random, std::size_t count, std::size_t limit) {
  constexpr std::size_t small = 256;
  const NumbersOfCall drawn(random);
  std::array<std::uint32_t, most_drawn_few> numbers;
  std::array<std::uint64_t, small / 64> marks{};
  std::uint64_t i = 0;
  for (std::size_t kept = 0; kept < count; i++) {
    const std::uint32_t number = drawn.below(i, static_cast<std::uint32_t>(limit));
    bool is_new;
    if (limit <= small) {
      const std::uint64_t one = std::uint64_t{1} << (number % 64);
      is_new = (marks[number / 64] & one) == 0;
      marks[number / 64] |= one;
    } else {
      is_new = std::find(numbers.begin(), numbers.begin() + kept, number) == numbers.begin() + kept;
    }
    numbers[kept] = number;
    kept += is_new;
  }
  random.take(kernels::blocks_for(i, 32));
  const ElementType type = std::max(type_below(limit), ElementType::i8);
  Value result(make_list_of(cx.heap, plain_lists[static_cast<int>(type)], count));
  Array& a = result.array();
  const auto fill = [&](auto* out) { std::copy_n(numbers.begin(), count, out); };
  if (type == ElementType::i8)
    fill(a.as<std::int8_t>());
  else if (type == ElementType::i16)
    fill(a.as<std::int16_t>());
  else
    fill(a.as<std::int32_t>());
  return result;
}

void draw_bits(std::uint64_t* out, kernels::RandomPlace place, std::size_t words, unsigned chance) {
  constexpr std::size_t at_once = 512, in_block = 2;
  constexpr unsigned digits = 8;
  const auto lowest = static_cast<unsigned>(std::countr_zero(chance));
  if (words <= in_block) {
    // The blocks of all uses come at once where each place has but one.
    std::array<std::uint64_t, in_block*(digits + kernels::uses_at_once)> blocks;
    kernels::random_numbers().uses(blocks.data(), place, digits - lowest);
    std::uint64_t first = blocks[0], last = blocks[1];
    for (unsigned digit = lowest + 1; digit < digits; digit++) {
      const std::uint64_t* block = blocks.data() + in_block * (digit - lowest);
      const std::uint64_t kept = chance >> digit & 1 ? ~std::uint64_t{0} : 0;
      first = (first & (block[0] | kept)) | (block[0] & kept);
      last = (last & (block[1] | kept)) | (block[1] & kept);
    }
    out[0] = first;
    if (words == in_block) out[1] = last;
    return;
  }
  std::array<std::uint64_t, at_once> drawn;
  const auto draw = kernels::random_numbers().words;
  for (std::size_t i = 0; i < words; i += at_once) {
    const std::size_t count = std::min(at_once, words - i);
    kernels::RandomPlace from = place;
    from.position += i / in_block;
    draw(out + i, from, count);
    for (unsigned digit = lowest + 1; digit < digits; digit++) {
      from.use++;
      draw(drawn.data(), from, count);
      if (chance >> digit & 1) {
        for (std::size_t k = 0; k < count; k++) out[i + k] |= drawn[k];
      } else {
        for (std::size_t k = 0; k < count; k++) out[i + k] &= drawn[k];
      }
    }
  }
}

Value draw_sorted_in_block(Context& cx, RandomState& random, std::size_t count, std::size_t limit, std::size_t drawn,
                           bool is_sparse) {
  constexpr std::size_t word = 64;
  const auto ones = [](std::size_t n) { return n == 0 ? 0 : ~std::uint64_t{0} >> (word - n); };
  const std::array<std::uint64_t, 2> all = {ones(std::min(limit, word)), limit > word ? ones(limit - word) : 0};
  std::array<std::uint64_t, 2> bits{};
  if (!is_sparse) {
    draw_bits(bits.data(), random.take(1), bits.size(), static_cast<unsigned>((drawn << 8) / limit));
    for (std::size_t i = 0; i < bits.size(); i++) bits[i] &= all[i];
  }
  const auto chosen = static_cast<std::size_t>(std::popcount(bits[0]) + std::popcount(bits[1]));
  const bool add = chosen < drawn;
  std::uint64_t used = 0;
  const NumbersOfCall numbers(random);
  for (std::size_t missing = add ? drawn - chosen : chosen - drawn; missing > 0; used++) {
    const std::uint32_t number = numbers.below(used, static_cast<std::uint32_t>(limit));
    std::uint64_t& changed = bits[number / word];
    const std::uint64_t one = std::uint64_t{1} << (number % word);
    missing -= ((changed & one) != 0) != add;
    changed = add ? changed | one : changed & ~one;
  }
  random.take(kernels::blocks_for(used, 32));
  Array* const places = make_list_of(cx.heap, plain_lists[static_cast<int>(ElementType::i8)], count);
  if (drawn != count)
    for (std::size_t i = 0; i < bits.size(); i++) bits[i] = ~bits[i] & all[i];
  constexpr std::size_t many = 24;
  if (count > many) {
    kernels::places_of_ones(ElementType::i8, places->data, count, bits.data(), limit);
    return Value(places);
  }
  std::int8_t* out = places->as<std::int8_t>();
  for (std::size_t i = 0; i < bits.size(); i++) {
    for (std::uint64_t left = bits[i]; left != 0; left &= left - 1)
      *out++ = static_cast<std::int8_t>(i * word + static_cast<std::size_t>(std::countr_zero(left)));
  }
  return Value(places);
}

}  // namespace griddle::random_functions
