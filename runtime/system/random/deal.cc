// Deal: different numbers below a limit, in any order.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "primitives/kernels/shared/pieces.h"
#include "runtime/system/argument.h"
#include "runtime/system/random/choice.h"

namespace griddle::random_functions {

namespace {

// Lists up to this length are shuffled whole; longer ones are first dealt out to 256 parts, which fit the processor's cache.
constexpr std::size_t whole_shuffle = std::size_t{1} << 17;
constexpr std::size_t deal_parts = 256;
// A deal of fewer than one in this many draws until enough are different.
constexpr std::size_t sparse_deal = 8;
// Of fewer than one in so many, a table of the drawn numbers is smaller than one of all.
constexpr std::size_t table_from = 256;

// The drawn numbers in open addressing.
template <class T>
class Table {
 public:
  explicit Table(std::size_t most) : shift_(64 - static_cast<unsigned>(std::bit_width(most * 2 | 15))) {
    entries_.assign(std::size_t{1} << (64 - shift_), T{-1});
  }
  // Tells whether the number is new.
  bool add(T number) {
    std::uint64_t bits;
    if constexpr (sizeof(T) == 8)
      bits = std::bit_cast<std::uint64_t>(number);
    else
      bits = static_cast<std::uint64_t>(number);
    std::size_t i = (bits * 0x9E3779B97F4A7C15) >> shift_;
    for (; entries_[i] != T{-1}; i = (i + 1) & (entries_.size() - 1))
      if (entries_[i] == number) return false;
    entries_[i] = number;
    return true;
  }

 private:
  unsigned shift_;
  std::vector<T> entries_;
};

// Writes the first `count` different numbers that are drawn.
template <class T>
void draw_different(Context& cx, T* out, Draws& draws, std::size_t count, std::size_t limit) {
  std::size_t kept = 0;
  // Keeps a number where it is new, without a branch.
  const auto keep = [&](auto is_new) {
    draw_until<T>(cx, draws, count, [&](const T* drawn, std::size_t n) {
      const std::size_t before = kept;
      for (std::size_t i = 0; i < n; i++) {
        out[kept] = drawn[i];
        kept += is_new(drawn[i]);
      }
      return kept - before;
    });
  };
  if (count <= few && limit > few * few * few) {
    keep([&](T number) { return std::find(out, out + kept, number) == out + kept; });
  } else if (limit <= small_limit) {
    SmallSet drawn(limit);
    keep([&drawn](T number) { return drawn.add(static_cast<std::size_t>(number)); });
  } else if (limit / table_from <= count) {
    Ref<Array> all = no_bits(cx, limit);
    std::uint64_t* words = all->as<std::uint64_t>();
    keep([words](T number) {
      const auto i = static_cast<std::size_t>(number);
      const std::uint64_t word = words[i / 64];
      words[i / 64] = word | std::uint64_t{1} << (i % 64);
      return (~word >> (i % 64)) & 1;
    });
  } else {
    Table<T> table(count);
    keep([&table](T number) { return table.add(number); });
  }
}

// Puts the first `steps` elements of a list of n right, by exchanges. The integers of the call that are used start at `first`.
template <class T>
void shuffle(Context& cx, T* part, std::size_t n, std::size_t steps, kernels::RandomPlace place, std::uint64_t first) {
  std::array<std::uint32_t, batch> ahead;
  for (std::size_t i = 0; i < steps; i += batch) {
    cx.check_interrupt();
    const std::size_t count = std::min(batch, steps - i);
    kernels::random_integers().below_descending(ahead.data(), place, first + i, count, static_cast<std::uint32_t>(n - i));
    for (std::size_t k = 0; k < count; k++) std::swap(part[i + k], part[i + k + ahead[k]]);
  }
}

// Counts bytes, in several tables, so that equal ones in a row need not wait for each other.
std::array<std::size_t, deal_parts> counts_of(const std::uint8_t* bytes, std::size_t n) {
  constexpr std::size_t tables = 4;
  std::size_t counts[tables][deal_parts] = {};
  for (std::size_t i = 0; i < n; i++) counts[i % tables][bytes[i]]++;
  std::array<std::size_t, deal_parts> sums;
  for (std::size_t p = 0; p < deal_parts; p++) sums[p] = counts[0][p] + counts[1][p] + counts[2][p] + counts[3][p];
  return sums;
}

// Shuffles the part of a list that starts at `start` and has n elements, so that its first `steps` are right. The list is ↕n if
// `fresh`, and need not be there yet.
template <class T>
void deal_part(Context& cx, T* list, std::size_t start, std::size_t n, std::size_t steps, kernels::RandomPlace place,
               bool fresh) {
  T* part = list + start;
  if (n <= whole_shuffle) {
    if (fresh) std::iota(part, part + n, T{});
    return shuffle(cx, part, n, std::min(n, steps), place, start);
  }
  cx.check_interrupt();
  constexpr std::size_t bytes_in_block = 16;
  const std::size_t before = start % bytes_in_block;
  Ref<Array> bytes = make_list(cx.heap, ElementType::c8, before + n);
  kernels::RandomPlace first = place;
  first.position += start / bytes_in_block;
  kernels::random_numbers().words(bytes->as<std::uint64_t>(), first, (before + n + 7) / 8);
  const std::uint8_t* part_of = bytes->data + before;
  // Deals out both halves in turn: places that change in turn are hardly ever read just after they were written.
  const std::size_t half = n / 2;
  const std::array<std::size_t, deal_parts> first_counts = counts_of(part_of, half), counts = counts_of(part_of + half, n - half);
  std::array<std::size_t, deal_parts> first_next, next;
  std::array<std::size_t, deal_parts + 1> ends;
  ends[0] = 0;
  for (std::size_t p = 0; p < deal_parts; p++) {
    first_next[p] = ends[p];
    next[p] = ends[p] + first_counts[p];
    ends[p + 1] = next[p] + counts[p];
  }
  const auto deal_out = [&](auto number) {
    kernels::in_pieces(half, [&](std::size_t i, std::size_t end) {
      for (; i < end; i++) {
        part[first_next[part_of[i]]++] = number(i);
        part[next[part_of[half + i]]++] = number(half + i);
      }
    });
    if (n % 2 != 0) part[next[part_of[n - 1]]++] = number(n - 1);
  };
  if (fresh) {
    kernels::touch_pages(part, n);
    deal_out([](std::size_t i) { return static_cast<T>(i); });
  } else {
    const std::vector<T> old(part, part + n);
    deal_out([&old](std::size_t i) { return old[i]; });
  }
  bytes = {};
  place.use++;
  for (std::size_t p = 0; p < deal_parts && ends[p] < steps; p++)
    deal_part(cx, list, start + ends[p], ends[p + 1] - ends[p], steps - ends[p], place, false);
}

Value deal_some(Context& cx, RandomState& random, std::size_t count, std::size_t limit) {
  const bool is_sparse = count < limit / sparse_deal;
  if (is_sparse && count <= few && limit <= limit_of_32_bits && !is_device_asked_for(cx, count))
    return draw_few_different(cx, random, count, limit);
  const std::uint64_t blocks = is_sparse ? 0 : kernels::blocks_for(limit, 32);
  const RandomChoice choice{is_sparse ? RandomChoice::drawn : RandomChoice::shuffled, count, limit};
  if (Value there = choose_on_device(cx, random, choice, is_sparse ? count : limit, blocks); !there.is_absent()) return there;
  if (is_sparse) {
    Draws draws(random, limit);
    Value numbers = list_drawn(cx, count, limit, [&](auto* out) { draw_different(cx, out, draws, count, limit); });
    random.take(draws.blocks());
    return numbers;
  }
  if (blocks <= RandomState::few_blocks) return shuffle_few(cx, random, count, limit);
  const kernels::RandomPlace place = random.take(blocks);
  return numbers_below(cx, limit, count, limit, [&]<class T>(T* out) { deal_part(cx, out, 0, limit, count, place, true); });
}

}  // namespace

Value deal_all(Context& cx, const Function& self, Value x) {
  std::size_t limit = natural_argument(cx, self, x);
  check_draw(cx, self, limit, limit);
  return deal_some(cx, state_of(self), limit, limit);
}

Value deal(Context& cx, const Function& self, Value w, Value x) {
  std::size_t count = natural_argument(cx, self, w, "𝕨");
  std::size_t limit = natural_argument(cx, self, x);
  check_draw(cx, self, count, limit);
  return deal_some(cx, state_of(self), count, limit);
}

}  // namespace griddle::random_functions
