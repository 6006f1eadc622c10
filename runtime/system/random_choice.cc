// Choosing some of ↕x: Deal and Subset of generators.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <vector>

#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/sort/sort.h"
#include "runtime/system/argument.h"
#include "runtime/system/random_few.h"

namespace griddle::random_functions {

namespace {

// Lists up to this length are shuffled whole; longer ones are first dealt out to 256 parts, which fit the processor's cache.
constexpr std::size_t whole_shuffle = std::size_t{1} << 17;
constexpr std::size_t deal_parts = 256;
// A deal of fewer than one in this many draws until enough are different, and so does a subset; of few, a subset of more does.
constexpr std::size_t sparse_deal = 8, sparse_subset = 16, sparse_small_subset = 4;
// Up to this many, what has been drawn is noted in a byte each.
constexpr std::size_t small_limit = std::size_t{1} << 12;
// Numbers that are drawn at once.
constexpr std::size_t batch = 1024;
// So few of many are compared one by one; of fewer than one in so many, a table of the drawn ones is smaller than one of all.
constexpr std::size_t few = most_drawn_few, table_from = 256;
// A subset of at most one in this many is drawn as a list, and so is one of few elements.
constexpr std::size_t listed_subset = 150;
constexpr std::uint64_t limit_of_integers = std::uint64_t{1} << 31;

// Fails unless `count` things can be drawn from `limit`.
void check_draw(Context& cx, const Function& self, std::size_t count, std::size_t limit) {
  if (limit > max_length) fail_in(cx, self, "𝕩 is too large (got " + std::to_string(limit) + ")");
  if (count > limit)
    fail_in(cx, self, "𝕨 must be at most 𝕩 (got " + std::to_string(count) + " of " + std::to_string(limit) + ")");
}

// Gives the first `count` elements of a list of integers below a limit in the narrowest type. They are made as integers of 32
// bits where they fit: processors write shorter ones more slowly.
Value narrowed(Context& cx, Ref<Array> numbers, std::size_t count, std::size_t limit) {
  const ElementType type = std::max(type_below(limit), ElementType::i8);
  if (type >= ElementType::i32) {
    numbers->length = count;
    return to_value(std::move(numbers));
  }
  Ref<Array> narrow = make_list(cx.heap, type, count);
  kernels::convert().narrow[static_cast<int>(ElementType::i32)][static_cast<int>(type)](narrow->data, numbers->data, count);
  return to_value(std::move(narrow));
}
// Makes such a list of numbers that `write` writes as integers of 32 bits, or doubles. There is room for so many.
template <class Write>
Value numbers_below(Context& cx, std::size_t room, std::size_t count, std::size_t limit, Write write) {
  constexpr std::size_t short_room = 80;
  if (const ElementType type = std::max(type_below(limit), ElementType::i8); type < ElementType::i32 && room <= short_room) {
    std::array<std::int32_t, short_room> numbers;
    write(numbers.data());
    Ref<Array> a = make_list(cx.heap, type, count);
    if (type == ElementType::i8)
      std::copy_n(numbers.begin(), count, a->as<std::int8_t>());
    else
      std::copy_n(numbers.begin(), count, a->as<std::int16_t>());
    return to_value(std::move(a));
  }
  Ref<Array> a = make_list(cx.heap, limit > limit_of_integers ? ElementType::f64 : ElementType::i32, room);
  if (limit > limit_of_integers)
    write(a->as<double>());
  else
    write(a->as<std::int32_t>());
  return narrowed(cx, std::move(a), count, limit);
}

constexpr unsigned drawn_bits(std::size_t limit) { return limit <= limit_of_32_bits ? 32 : 64; }

// Lets the device choose where there is much to do; absent where the host is to do it. `work` says about how many elements that
// passes over.
Value choose_on_device(Context& cx, RandomState& random, RandomChoice choice, std::size_t work, std::uint64_t blocks) {
  if (cx.device == nullptr || work < cx.device->from || choice.count == 0) return Value();
  const kernels::RandomPlace place = random.take(0);
  choice.bits = drawn_bits(choice.limit);
  choice.key = place.key;
  choice.position = place.position;
  choice.draws_from = place.position + blocks;
  std::uint64_t draws = 0;
  Value there = cx.device->choose(cx, choice, draws);
  if (!there.is_absent()) random.take(blocks + kernels::blocks_for(draws, choice.bits));
  return there;
}

// The integers below a limit that a call draws, one after the other.
class Draws {
 public:
  Draws(RandomState& random, std::size_t limit) : random_(random), place_(random.take(0)), limit_(limit) {}
  // Numbers that the room of `next` holds beside those that are wanted.
  static constexpr std::size_t extra = 3 + kernels::room_for_vectors / sizeof(std::int32_t);

  // Writes the next n numbers to some place in the room, which it gives; `use` says how many of them count. Limits above 2^31 are
  // for doubles.
  template <class T>
  T* next(T* room, std::size_t n) {
    kernels::RandomPlace from = place_;
    const std::uint64_t block = kernels::block_of(drawn_, bits());
    from.position += block;
    const std::size_t skipped = drawn_ - block * in_block();
    const kernels::RandomIntegerKernels& integers = kernels::random_integers();
    if (const std::size_t blocks = kernels::blocks_for(drawn_ + n, bits()); blocks <= RandomState::few_blocks) {
      const std::uint64_t* words = random_.look_ahead(blocks) + 2 * block;
      if constexpr (sizeof(T) == 8)
        integers.f64_of(room, words, from, skipped + n, limit_);
      else
        (bits() == 32 ? integers.i32_of : integers.i32_wide_of)(room, words, from, skipped + n,
                                                                static_cast<std::uint32_t>(limit_));
      return room + skipped;
    }
    if constexpr (sizeof(T) == 8)
      integers.below_f64(room, from, skipped + n, limit_);
    else
      (bits() == 32 ? integers.below_i32 : integers.below_i32_wide)(room, from, skipped + n, static_cast<std::uint32_t>(limit_));
    return room + skipped;
  }
  void use(std::size_t n) { drawn_ += n; }
  std::uint64_t blocks() const { return kernels::blocks_for(drawn_, bits()); }

 private:
  unsigned bits() const { return drawn_bits(limit_); }
  std::size_t in_block() const { return bits() == 32 ? 4 : 2; }
  RandomState& random_;
  kernels::RandomPlace place_;
  std::size_t limit_;
  std::uint64_t drawn_ = 0;
};

// Draws numbers, of which `take` keeps some and gives their number, until `missing` are kept.
template <class T, class Take>
void draw_until(Context& cx, Draws& draws, std::size_t missing, Take take) {
  std::array<T, batch + Draws::extra> room;
  const T* next = nullptr;
  for (std::size_t there = 0; missing > 0;) {
    cx.check_interrupt();
    if (there == 0) {
      // Draws for those that come twice as well.
      there = std::min(batch, missing + (missing > few ? missing / 8 : 0));
      next = draws.next(room.data(), there);
    }
    const std::size_t n = std::min(there, missing);
    missing -= take(next, n);
    draws.use(n);
    next += n;
    there -= n;
  }
}

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

// Notes which of few numbers have been drawn. Bytes are hardly ever read just after they were written, as words of bits would be.
class SmallSet {
 public:
  explicit SmallSet(std::size_t limit) { std::fill_n(bytes_.begin(), (limit + 63) / 64 * 64, 0); }
  // Tells whether the number is new.
  bool add(std::size_t number) {
    const bool is_new = bytes_[number] == 0;
    bytes_[number] = 1;
    return is_new;
  }
  void copy_to(std::uint64_t* bits, std::size_t words) const {
    constexpr std::uint64_t gather = 0x0102040810204080;  // brings the lowest bits of eight bytes into the highest one
    for (std::size_t i = 0; i < words; i++) {
      bits[i] = 0;
      for (std::size_t k = 0; k < 8; k++) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes_.data() + 64 * i + 8 * k, sizeof eight);
        bits[i] |= (eight * gather >> 56) << (8 * k);
      }
    }
  }

 private:
  std::array<std::uint8_t, small_limit> bytes_;
};

// Gives memory for n bits, all 0.
Ref<Array> no_bits(Context& cx, std::size_t n) {
  Ref<Array> bits = make_list(cx.heap, ElementType::bit, n);
  std::fill_n(bits->as<std::uint64_t>(), (n + 63) / 64, 0);
  return bits;
}

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

// Sorts few numbers, or numbers that are near their places.
template <class T>
void sort_by_insertion(T* numbers, std::size_t n) {
  for (std::size_t i = 1; i < n; i++) {
    const T number = numbers[i];
    std::size_t k = i;
    for (; k > 0 && numbers[k - 1] > number; k--) numbers[k] = numbers[k - 1];
    numbers[k] = number;
  }
}
// Sorts numbers that are spread evenly below a limit.
template <class T>
void sort_spread(Context& cx, T* numbers, std::size_t n, std::size_t limit) {
  if (n <= few) return sort_by_insertion(numbers, n);
  constexpr std::size_t most = std::size_t{1} << 20;
  if (n > most) {
    // Numbers that are not negative are ordered as their bits are.
    using Key = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    Ref<Array> other = make_list(cx.heap, sizeof(T) == 8 ? ElementType::f64 : ElementType::i32, n);
    Key* keys = reinterpret_cast<Key*>(numbers);
    const Key* sorted = kernels::sort_radix(keys, other->as<Key>(), n);
    if (sorted != keys) std::copy_n(reinterpret_cast<const T*>(sorted), n, numbers);
    return;
  }
  // Deals them to about as many parts by their leading bits; what is not in order then is near its place.
  const int all_bits = std::bit_width(limit - 1), part_bits = std::min(all_bits, static_cast<int>(std::bit_width(n)) + 1);
  const auto part_of = [shift = all_bits - part_bits](T number) { return static_cast<std::size_t>(number) >> shift; };
  const std::size_t part_count = std::size_t{1} << part_bits;
  Ref<Array> ends = make_list(cx.heap, ElementType::i32, part_count + 1);
  Ref<Array> old = make_list(cx.heap, sizeof(T) == 8 ? ElementType::f64 : ElementType::i32, n);
  std::uint32_t* next = ends->as<std::uint32_t>();
  std::fill_n(next, part_count + 1, 0);
  for (std::size_t i = 0; i < n; i++) next[part_of(numbers[i]) + 1]++;
  std::partial_sum(next, next + part_count, next);
  std::copy_n(numbers, n, old->as<T>());
  for (std::size_t i = 0; i < n; i++) {
    const T number = old->as<T>()[i];
    numbers[next[part_of(number)]++] = number;
  }
  sort_by_insertion(numbers, n);
}
// Writes the first `count` different numbers that are drawn, in order. There is room for Draws::extra more.
template <class T>
void draw_different_sorted(Context& cx, T* out, Draws& draws, std::size_t count, std::size_t limit) {
  if (count == 0) return;
  draws.next(out, count);
  draws.use(count);
  sort_spread(cx, out, count, limit);
  T* end = std::unique(out, out + count);
  while (end != out + count) {
    cx.check_interrupt();
    const auto missing = static_cast<std::size_t>(out + count - end);
    std::vector<T> room(missing + Draws::extra);
    std::copy_n(draws.next(room.data(), missing), missing, end);
    draws.use(missing);
    std::sort(end, out + count);
    std::inplace_merge(out, end, out + count);
    end = std::unique(out, out + count);
  }
}

// Makes a list of numbers that are written as those of `numbers_below`, with room for Draws::extra more.
template <class Write>
Value list_drawn(Context& cx, std::size_t count, std::size_t limit, Write write) {
  return numbers_below(cx, count + Draws::extra, count, limit, write);
}

// --- Deal

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
    for (std::size_t i = 0; i < half; i++) {
      part[first_next[part_of[i]]++] = number(i);
      part[next[part_of[half + i]]++] = number(half + i);
    }
    if (n % 2 != 0) part[next[part_of[n - 1]]++] = number(n - 1);
  };
  if (fresh) {
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
  if (is_sparse && count <= few && limit <= limit_of_32_bits && cx.device == nullptr)
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

// --- Subset

// Writes the places of few ones. There is room for Draws::extra more.
template <class T>
void write_few_places(T* out, const std::uint64_t* bits, std::size_t words) {
  constexpr std::uint64_t top = std::uint64_t{1} << 63;
  for (std::size_t i = 0; i < words; i++) {
    const auto place = [first = i * 64](std::uint64_t word) {
      return static_cast<T>(first + static_cast<std::size_t>(std::countr_zero(word | top)));
    };
    // Writes two without looking whether there are as many.
    const std::uint64_t one = bits[i], two = one & (one - 1), three = two & (two - 1);
    out[0] = place(one);
    out[1] = place(two);
    out += static_cast<std::size_t>(one != 0) + static_cast<std::size_t>(two != 0);
    for (std::uint64_t more = three; more != 0; more &= more - 1) [[unlikely]]* out++ = place(more);
  }
}

// Lists the places of ones.
Value places_of(Context& cx, const std::uint64_t* bits, std::size_t count, std::size_t limit) {
  Ref<Array> a = make_list(cx.heap, std::max(type_below(limit), ElementType::i8), count);
  kernels::places_of_ones(a->type(), a->data, count, bits, limit);
  return to_value(std::move(a));
}

// Chooses `count` of at most 2 × count: about as many by a bit each, then single ones until the number is right.
template <class T>
void draw_many(Context& cx, std::uint64_t* bits, RandomState& random, std::size_t count, std::size_t limit) {
  const std::size_t words = (limit + 63) / 64;
  draw_bits(bits, random.take(kernels::blocks_for(limit, 1)), words, static_cast<unsigned>((std::uint64_t{count} << 8) / limit));
  if (limit % 64 != 0) bits[words - 1] &= (std::uint64_t{1} << (limit % 64)) - 1;
  const std::size_t chosen = kernels::count_ones(bits, limit);
  const bool add = chosen < count;
  Draws draws(random, limit);
  draw_until<T>(cx, draws, add ? count - chosen : chosen - count, [bits, add](const T* drawn, std::size_t n) {
    std::size_t changed = 0;
    for (std::size_t k = 0; k < n; k++) {
      const auto i = static_cast<std::size_t>(drawn[k]);
      const std::uint64_t word = bits[i / 64], one = std::uint64_t{1} << (i % 64);
      changed += ((word & one) != 0) != add;
      bits[i / 64] = add ? word | one : word & ~one;
    }
    return changed;
  });
  random.take(draws.blocks());
}
// Chooses few, as draw_different does.
template <class T>
void draw_few(Context& cx, std::uint64_t* bits, RandomState& random, std::size_t count, std::size_t limit) {
  Draws draws(random, limit);
  const auto choose = [&](auto is_new) {
    draw_until<T>(cx, draws, count, [is_new](const T* drawn, std::size_t n) {
      std::size_t added = 0;
      for (std::size_t k = 0; k < n; k++) added += is_new(static_cast<std::size_t>(drawn[k]));
      return added;
    });
  };
  if (limit <= small_limit) {
    SmallSet set(limit);
    choose([&set](std::size_t i) { return set.add(i); });
    set.copy_to(bits, (limit + 63) / 64);
  } else {
    choose([bits](std::size_t i) {
      const std::uint64_t word = bits[i / 64];
      bits[i / 64] = word | std::uint64_t{1} << (i % 64);
      return (~word >> (i % 64)) & 1;
    });
  }
  random.take(draws.blocks());
}

Value draw_sorted(Context& cx, RandomState& random, std::size_t count, std::size_t limit) {
  // Of more than half, those that are left out are drawn.
  const std::size_t drawn = std::min(count, limit - count);
  const bool is_sparse = drawn == 0 || drawn < limit / (limit <= small_limit ? sparse_small_subset : sparse_subset);
  if (limit <= bits_of_block && cx.device == nullptr) return draw_sorted_in_block(cx, random, count, limit, drawn, is_sparse);
  const RandomChoice choice{is_sparse ? RandomChoice::drawn : RandomChoice::marked, drawn, limit, true, drawn != count};
  const std::uint64_t mark_blocks = is_sparse ? 0 : kernels::blocks_for(limit, 1);
  if (Value there = choose_on_device(cx, random, choice, std::max(count, is_sparse ? drawn : limit), mark_blocks);
      !there.is_absent())
    return there;
  if (drawn == count && is_sparse && (drawn <= limit / listed_subset || (drawn <= few && limit > few * few))) {
    Draws draws(random, limit);
    Value result = list_drawn(cx, drawn, limit, [&](auto* out) { draw_different_sorted(cx, out, draws, drawn, limit); });
    random.take(draws.blocks());
    return result;
  }
  const std::size_t words = (limit + 63) / 64;
  Ref<Array> all = no_bits(cx, limit);
  std::uint64_t* bits = all->as<std::uint64_t>();
  const auto draw = [&]<class T>(std::type_identity<T>) {
    (is_sparse ? draw_few<T> : draw_many<T>)(cx, bits, random, drawn, limit);
  };
  if (limit > limit_of_integers)
    draw(std::type_identity<double>());
  else
    draw(std::type_identity<std::int32_t>());
  if (drawn == count && is_sparse && limit > std::size_t{1} << 15)
    return list_drawn(cx, drawn, limit, [&](auto* out) { write_few_places(out, bits, words); });
  if (drawn != count)
    for (std::size_t i = 0; i < words; i++) bits[i] = ~bits[i];
  return places_of(cx, bits, count, limit);
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
  const kernels::RandomPlace place = state_of(self).take(kernels::blocks_for(limit, 1));
  if (Value marks = on_device(cx, {RandomNumbers::words, place.key, place.position}, ElementType::bit, {&limit, 1});
      !marks.is_absent())
    if (Value there = cx.device->monad(cx, U'/', marks); !there.is_absent()) return there;
  Ref<Array> all = no_bits(cx, limit);
  std::uint64_t* bits = all->as<std::uint64_t>();
  kernels::random_numbers().words(bits, place, (limit + 63) / 64);
  return places_of(cx, bits, kernels::count_ones(bits, limit), limit);
}

Value subset(Context& cx, const Function& self, Value w, Value x) {
  std::size_t count = natural_argument(cx, self, w, "𝕨");
  std::size_t limit = natural_argument(cx, self, x);
  check_draw(cx, self, count, limit);
  return draw_sorted(cx, state_of(self), count, limit);
}

}  // namespace griddle::random_functions
