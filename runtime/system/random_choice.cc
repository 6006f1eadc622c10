// Choosing some of ↕x: Deal and Subset of generators.
#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "primitives/kernels/replicate.h"
#include "runtime/system/argument.h"
#include "runtime/system/random.h"

namespace griddle::random_functions {

namespace {

// Lists up to this length are shuffled whole; longer ones are first dealt out to 256 parts, which fit the processor's cache.
constexpr std::size_t whole_shuffle = std::size_t{1} << 17;
constexpr std::size_t parts = 256;
// A deal of fewer than one in this many keeps only the places that moved.
constexpr std::size_t sparse_deal = 8;
// A subset of fewer than one in this many keeps only its members.
constexpr std::size_t sparse_subset = 512;
constexpr std::size_t steps_between_interrupts = 1 << 16;

unsigned bits_of_draw(std::uint64_t most) { return most >> 32 != 0 ? 64 : 32; }

// Calls use(i, number) for i from 0 to count - 1, each number below limit(i), which is at most `most`. They are the integers from
// `first` on of a call whose place is given.
template <class Limit, class Use>
void each_draw(Context& cx, kernels::RandomPlace place, std::uint64_t first, std::uint64_t count, std::uint64_t most, Limit limit,
               Use use) {
  if (bits_of_draw(most) == 64) {
    for (std::uint64_t i = 0; i < count; i++) {
      if (i % steps_between_interrupts == 0) cx.check_interrupt();
      use(i, kernels::random_below_64(place, first + i, limit(i)));
    }
    return;
  }
  constexpr std::size_t room = 1024, in_block = 4;
  alignas(64) std::uint32_t pieces[room];
  for (std::uint64_t done = 0; done < count;) {
    cx.check_interrupt();
    const std::uint64_t block = (first + done) / in_block;
    const std::size_t start = (first + done) % in_block;
    kernels::RandomPlace from = place;
    from.position += block;
    const std::size_t end = std::min<std::uint64_t>(room, count - done + start);
    kernels::random_numbers().words(reinterpret_cast<std::uint64_t*>(pieces), from, (end + 1) / 2);
    for (std::size_t k = start; k < end; k++, done++) {
      const std::uint64_t below = limit(done), product = pieces[k] * below;
      const auto rest = static_cast<std::uint32_t>(product);
      if (rest < below && rest < (std::uint64_t{1} << 32) % below) [[unlikely]]
        use(done, kernels::random_below_32(place, first + done, below));
      else
        use(done, product >> 32);
    }
  }
}

// A set or map of numbers in open addressing; `empty` is never a key.
class Places {
 public:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  explicit Places(std::size_t most) : shift_(64 - static_cast<unsigned>(std::bit_width(most * 2 | 15))) {
    entries_.assign(std::size_t{1} << (64 - shift_), {empty, empty});
  }
  bool holds(std::uint64_t key) const { return entries_[place_of(key)].first == key; }
  // Gives the value that belongs to a key, which is `empty` where the key is new.
  std::uint64_t& at(std::uint64_t key) {
    auto& entry = entries_[place_of(key)];
    entry.first = key;
    return entry.second;
  }

 private:
  std::size_t place_of(std::uint64_t key) const {
    std::size_t i = (key * 0x9E3779B97F4A7C15) >> shift_;
    while (entries_[i].first != key && entries_[i].first != empty) i = (i + 1) & (entries_.size() - 1);
    return i;
  }
  unsigned shift_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> entries_;
};

// Fails unless `count` things can be drawn from `limit`.
void check_draw(Context& cx, const Function& self, std::size_t count, std::size_t limit) {
  if (limit > max_length) fail_in(cx, self, "𝕩 is too large (got " + std::to_string(limit) + ")");
  if (count > limit)
    fail_in(cx, self, "𝕨 must be at most 𝕩 (got " + std::to_string(count) + " of " + std::to_string(limit) + ")");
}

// Makes a list of numbers below `limit` that `write` writes in the list's type.
template <class Write>
Value numbers_below(Context& cx, std::size_t count, std::size_t limit, Write write) {
  Ref<Array> a = make_list(cx.heap, std::max(type_below(limit), ElementType::i8), count);
  with_type(a->type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_arithmetic_v<T>) write(a->as<T>());
  });
  return to_value(std::move(a));
}

// Shuffles the part of a list that starts at `start` and has n elements, so that its first `steps` are right. The list is ↕n if
// `fresh`, and need not be there yet.
template <class T>
void deal_part(Context& cx, T* list, std::size_t start, std::size_t n, std::size_t steps, kernels::RandomPlace place,
               bool fresh) {
  T* part = list + start;
  if (n <= whole_shuffle) {
    if (fresh) std::iota(part, part + n, T{});
    each_draw(
        cx, place, start, std::min(n, steps), n, [n](std::size_t i) { return n - i; },
        [part](std::size_t i, std::size_t ahead) { std::swap(part[i], part[i + ahead]); });
    return;
  }
  cx.check_interrupt();
  constexpr std::size_t bytes_in_block = 16;
  const std::size_t before = start % bytes_in_block;
  Ref<Array> bytes = make_list(cx.heap, ElementType::c8, before + n);
  kernels::RandomPlace first = place;
  first.position += start / bytes_in_block;
  kernels::random_numbers().words(bytes->as<std::uint64_t>(), first, (before + n + 7) / 8);
  const std::uint8_t* part_of = bytes->data + before;
  std::size_t ends[parts + 1] = {};
  for (std::size_t i = 0; i < n; i++) ends[part_of[i] + 1]++;
  std::partial_sum(ends, ends + parts + 1, ends);
  std::size_t next[parts];
  std::copy_n(ends, parts, next);
  if (fresh) {
    for (std::size_t i = 0; i < n; i++) part[next[part_of[i]]++] = static_cast<T>(i);
  } else {
    std::vector<T> old(part, part + n);
    for (std::size_t i = 0; i < n; i++) part[next[part_of[i]]++] = old[i];
  }
  bytes = {};
  place.use++;
  for (std::size_t p = 0; p < parts && ends[p] < steps; p++)
    deal_part(cx, list, start + ends[p], ends[p + 1] - ends[p], steps - ends[p], place, false);
}

Value deal_some(Context& cx, RandomState& random, std::size_t count, std::size_t limit) {
  const bool sparse = count < limit / sparse_deal;
  const kernels::RandomPlace place = random.take(kernels::blocks_for(sparse ? count : limit, bits_of_draw(limit)));
  if (!sparse) {
    Value all = numbers_below(cx, limit, limit, [&]<class T>(T* out) { deal_part(cx, out, 0, limit, count, place, true); });
    return count == limit ? all : slice(cx.heap, all, 0, count);
  }
  return numbers_below(cx, count, limit, [&]<class T>(T* out) {
    Places moved(2 * count);
    each_draw(
        cx, place, 0, count, limit, [limit](std::size_t i) { return limit - i; },
        [&](std::size_t i, std::size_t ahead) {
          const std::size_t j = i + ahead;
          const std::uint64_t here = moved.at(i);
          std::uint64_t& there = moved.at(j);
          out[i] = static_cast<T>(there == Places::empty ? j : there);
          there = here == Places::empty ? i : here;
        });
  });
}

// Lists the places of ones.
Value places_of(Context& cx, const std::vector<std::uint64_t>& bits, std::size_t count, std::size_t limit) {
  Ref<Array> a = make_list(cx.heap, std::max(type_below(limit), ElementType::i8), count);
  kernels::places_of_ones(a->type(), a->data, count, bits.data(), limit);
  return to_value(std::move(a));
}

// Draws a set by Floyd's method, which needs one number for each member.
template <class Contains, class Insert>
void draw_set(Context& cx, kernels::RandomPlace place, std::size_t count, std::size_t limit, Contains contains, Insert insert) {
  const std::size_t first = limit - count;
  each_draw(
      cx, place, 0, count, limit, [first](std::size_t i) { return first + i + 1; },
      [&](std::size_t i, std::size_t drawn) {  // Chooses without a branch that no processor could foresee.
        insert(drawn ^ ((drawn ^ (first + i)) & (std::size_t{0} - contains(drawn))));
      });
}

Value draw_sorted(Context& cx, RandomState& random, std::size_t count, std::size_t limit) {
  // Of more than half, those that are left out are drawn.
  const std::size_t drawn = std::min(count, limit - count);
  const kernels::RandomPlace place = random.take(kernels::blocks_for(drawn, bits_of_draw(limit)));
  if (count >= limit / sparse_subset) {
    std::vector<std::uint64_t> bits((limit + 63) / 64);
    draw_set(
        cx, place, drawn, limit, [&](std::size_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; },
        [&](std::size_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); });
    if (drawn != count) {
      for (std::uint64_t& word : bits) word = ~word;
    }
    return places_of(cx, bits, count, limit);
  }
  Places chosen(count);
  std::vector<std::size_t> members;
  members.reserve(count);
  draw_set(
      cx, place, count, limit, [&](std::size_t i) { return chosen.holds(i); },
      [&](std::size_t i) {
        chosen.at(i) = 0;
        members.push_back(i);
      });
  std::sort(members.begin(), members.end());
  return numbers_below(cx, count, limit, [&]<class T>(T* out) {
    std::transform(members.begin(), members.end(), out, [](std::size_t i) { return static_cast<T>(i); });
  });
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

Value any_subset(Context& cx, const Function& self, Value x) {
  std::size_t limit = natural_argument(cx, self, x);
  check_draw(cx, self, 0, limit);
  std::vector<std::uint64_t> bits((limit + 63) / 64);
  kernels::random_numbers().words(bits.data(), state_of(self).take(kernels::blocks_for(limit, 1)), bits.size());
  return places_of(cx, bits, kernels::count_ones(bits.data(), limit), limit);
}

Value subset(Context& cx, const Function& self, Value w, Value x) {
  std::size_t count = natural_argument(cx, self, w, "𝕨");
  std::size_t limit = natural_argument(cx, self, x);
  check_draw(cx, self, count, limit);
  return draw_sorted(cx, state_of(self), count, limit);
}

}  // namespace griddle::random_functions
