// Subset: different numbers below a limit, in order.
#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>
#include <vector>

#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/sort/sort.h"
#include "runtime/primitive.h"
#include "runtime/system/argument.h"
#include "runtime/system/random/choice.h"

namespace griddle::random_functions {

namespace {

// A subset of fewer than one in this many draws until enough are different; of few elements, a subset of more does.
constexpr std::size_t sparse_subset = 16, sparse_small_subset = 4;
// A subset of at most one in this many is drawn as a list, and so is one of few elements.
constexpr std::size_t listed_subset = 150;

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
  if (limit <= bits_of_block && !is_device_asked_for(cx, limit))
    return draw_sorted_in_block(cx, random, count, limit, drawn, is_sparse);
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

Value any_subset(Context& cx, const Function& self, Value x) {
  std::size_t limit = natural_argument(cx, self, x);
  check_draw(cx, self, 0, limit);
  const kernels::RandomPlace place = state_of(self).take(kernels::blocks_for(limit, 1));
  if (Value marks = on_device(cx, {RandomNumbers::words, place.key, place.position}, ElementType::bit, {&limit, 1});
      !marks.is_absent())
    if (Value there = cx.device->monad(cx, Glyph::replicate, marks); !there.is_absent()) return there;
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
