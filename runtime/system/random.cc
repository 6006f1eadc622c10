// Random numbers: •rand •MakeRand
#include "runtime/system/random.h"

#include <algorithm>
#include <bit>
#include <random>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"

namespace griddle {

namespace {

constexpr int philox_rounds = 10;
constexpr std::uint32_t philox_multipliers[2] = {0xD2511F53, 0xCD9E8D57};
constexpr std::uint32_t philox_weyl[2] = {0x9E3779B9, 0xBB67AE85};

constexpr std::uint64_t largest_limit = std::uint64_t{1} << 53;
// Keeps a table of all candidates where at least one in this many is drawn.
constexpr std::size_t dense_share = 8;

RandomState& state_of(const Function& self) { return static_cast<RandomState&>(*static_cast<const NativeFunction&>(self).state); }

// Gives the narrowest type that holds 0 to limit - 1.
ElementType type_below(std::uint64_t limit) {
  if (limit <= 2) return ElementType::bit;
  if (limit <= 1u << 7) return ElementType::i8;
  if (limit <= 1u << 15) return ElementType::i16;
  if (limit <= 1u << 31) return ElementType::i32;
  return ElementType::f64;
}

Value one_of_range(Context& cx, const Function& self, Value x) {
  std::uint64_t limit = natural_argument(cx, self, x);
  if (limit > largest_limit) fail_in(cx, self, "𝕩 must be at most 2⋆53 (got " + number_text(x.number()) + ")");
  if (limit == 0) return state_of(self).fraction();
  return static_cast<double>(state_of(self).below(limit));
}

Shape shape_argument(Context& cx, const Function& self, const Value& w) {
  Shape shape;
  if (w.is_array()) {
    if (w.array().rank() > 1) fail_in(cx, self, "𝕨 must be a number or a list of numbers (got a " + kind_text(w) + ")");
    for (std::size_t i = 0; i < w.array().length; i++)
      shape.push_back(natural_argument(cx, self, element(w.array(), i), "an element of 𝕨"));
  } else {
    shape.push_back(natural_argument(cx, self, w, "𝕨"));
  }
  if (shape.size() > max_rank) fail_in(cx, self, "𝕨 must have at most 255 lengths (got " + std::to_string(shape.size()) + ")");
  if (product(shape) > max_length) fail_in(cx, self, "The result would be too large (" + shape_text(shape) + ")");
  return shape;
}

Value array_of_range(Context& cx, const Function& self, Value w, Value x) {
  RandomState& random = state_of(self);
  std::uint64_t limit = natural_argument(cx, self, x);
  if (limit > largest_limit) fail_in(cx, self, "𝕩 must be at most 2⋆53 (got " + number_text(x.number()) + ")");
  Shape shape = shape_argument(cx, self, w);
  Ref<Array> a = make_array(cx.heap, limit == 0 ? ElementType::f64 : type_below(limit), shape);
  if (limit == 0) {
    std::generate_n(a->as<double>(), a->length, [&] { return random.fraction(); });
    return to_value(std::move(a));
  }
  with_type(a->type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Bit>) {
      std::size_t words = (a->length + 63) / 64;
      std::generate_n(a->as<std::uint64_t>(), words, [&] { return limit == 1 ? 0 : random.next_long(); });
    } else if constexpr (std::is_arithmetic_v<T>) {
      std::generate_n(a->as<T>(), a->length, [&] { return static_cast<T>(random.below(limit)); });
    }
  });
  return to_value(std::move(a));
}

// Fails unless `count` things can be drawn from `limit`.
void check_draw(Context& cx, const Function& self, std::size_t count, std::size_t limit) {
  if (limit > max_length) fail_in(cx, self, "𝕩 is too large (got " + std::to_string(limit) + ")");
  if (count > limit)
    fail_in(cx, self, "𝕨 must be at most 𝕩 (got " + std::to_string(count) + " of " + std::to_string(limit) + ")");
}

template <class Source>
Value numbers_below(Context& cx, std::size_t count, std::size_t limit, Source source) {
  Ref<Array> a = make_list(cx.heap, std::max(type_below(limit), ElementType::i8), count);
  with_type(a->type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_arithmetic_v<T>)
      for (std::size_t i = 0; i < count; i++) a->as<T>()[i] = static_cast<T>(source(i));
  });
  return to_value(std::move(a));
}

// Swaps each of the first `count` places with a later one, holding only the places that moved if they are few.
Value draw_ordered(Context& cx, RandomState& random, std::size_t count, std::size_t limit) {
  if (count >= limit / dense_share) {
    std::vector<std::uint64_t> all(limit);
    for (std::size_t i = 0; i < limit; i++) all[i] = i;
    return numbers_below(cx, count, limit, [&](std::size_t i) {
      std::swap(all[i], all[i + random.below(limit - i)]);
      return all[i];
    });
  }
  std::unordered_map<std::size_t, std::size_t> moved;
  auto at = [&](std::size_t i) {
    auto found = moved.find(i);
    return found == moved.end() ? i : found->second;
  };
  return numbers_below(cx, count, limit, [&](std::size_t i) {
    std::size_t j = i + random.below(limit - i);
    std::size_t drawn = at(j);
    moved[j] = at(i);
    return drawn;
  });
}

// Draws a set by Floyd's method, which needs one number for each member.
template <class Contains, class Insert>
void draw_set(RandomState& random, std::size_t count, std::size_t limit, Contains contains, Insert insert) {
  for (std::size_t last = limit - count; last < limit; last++) {
    std::size_t candidate = random.below(last + 1);
    insert(contains(candidate) ? last : candidate);
  }
}

Value draw_sorted(Context& cx, RandomState& random, std::size_t count, std::size_t limit) {
  if (count >= limit / (8 * dense_share)) {
    std::vector<bool> chosen(limit);
    draw_set(
        random, count, limit, [&](std::size_t i) { return chosen[i]; }, [&](std::size_t i) { chosen[i] = true; });
    std::size_t next = 0;
    return numbers_below(cx, count, limit, [&](std::size_t) {
      while (!chosen[next]) next++;
      return next++;
    });
  }
  std::unordered_set<std::size_t> chosen;
  draw_set(
      random, count, limit, [&](std::size_t i) { return chosen.contains(i); }, [&](std::size_t i) { chosen.insert(i); });
  std::vector<std::size_t> sorted(chosen.begin(), chosen.end());
  std::sort(sorted.begin(), sorted.end());
  return numbers_below(cx, count, limit, [&](std::size_t i) { return sorted[i]; });
}

Value deal_all(Context& cx, const Function& self, Value x) {
  std::size_t limit = natural_argument(cx, self, x);
  check_draw(cx, self, limit, limit);
  return draw_ordered(cx, state_of(self), limit, limit);
}

Value deal(Context& cx, const Function& self, Value w, Value x) {
  std::size_t count = natural_argument(cx, self, w, "𝕨");
  std::size_t limit = natural_argument(cx, self, x);
  check_draw(cx, self, count, limit);
  return draw_ordered(cx, state_of(self), count, limit);
}

Value any_subset(Context& cx, const Function& self, Value x) {
  RandomState& random = state_of(self);
  std::size_t limit = natural_argument(cx, self, x);
  check_draw(cx, self, 0, limit);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < limit; i++)
    if (random.next_word() & 1) chosen.push_back(i);
  return numbers_below(cx, chosen.size(), limit, [&](std::size_t i) { return chosen[i]; });
}

Value subset(Context& cx, const Function& self, Value w, Value x) {
  std::size_t count = natural_argument(cx, self, w, "𝕨");
  std::size_t limit = natural_argument(cx, self, x);
  check_draw(cx, self, count, limit);
  return draw_sorted(cx, state_of(self), count, limit);
}

constexpr MethodEntry random_methods[] = {
    {"range", "•rand.Range", one_of_range, array_of_range},
    {"deal", "•rand.Deal", deal_all, deal},
    {"subset", "•rand.Subset", any_subset, subset},
};

}  // namespace

void RandomState::refill() {
  // Lanes are blocks of consecutive counters, side by side so that the compiler can compute them together.
  std::uint32_t c0[lanes], c1[lanes], c2[lanes] = {}, c3[lanes] = {};
  for (std::size_t lane = 0; lane < lanes; lane++) {
    c0[lane] = static_cast<std::uint32_t>(counter_ + lane);
    c1[lane] = static_cast<std::uint32_t>((counter_ + lane) >> 32);
  }
  std::uint32_t key[2] = {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)};
  for (int round = 0; round < philox_rounds; round++) {
    for (std::size_t lane = 0; lane < lanes; lane++) {
      std::uint64_t a = std::uint64_t{philox_multipliers[0]} * c0[lane];
      std::uint64_t b = std::uint64_t{philox_multipliers[1]} * c2[lane];
      c0[lane] = static_cast<std::uint32_t>(b >> 32) ^ c1[lane] ^ key[0];
      c1[lane] = static_cast<std::uint32_t>(b);
      c2[lane] = static_cast<std::uint32_t>(a >> 32) ^ c3[lane] ^ key[1];
      c3[lane] = static_cast<std::uint32_t>(a);
    }
    key[0] += philox_weyl[0];
    key[1] += philox_weyl[1];
  }
  for (std::size_t lane = 0; lane < lanes; lane++) {
    std::uint32_t* block = &words_[4 * lane];
    block[0] = c0[lane];
    block[1] = c1[lane];
    block[2] = c2[lane];
    block[3] = c3[lane];
  }
  counter_ += lanes;
  used_ = 0;
}

std::uint64_t RandomState::below(std::uint64_t limit) {
  // The high half of a product is uniform once the low halves that occur one time too often are rejected.
  if (limit <= UINT32_MAX) {
    std::uint64_t product = next_word() * limit;
    if (static_cast<std::uint32_t>(product) < limit) {
      std::uint32_t threshold = -static_cast<std::uint32_t>(limit) % static_cast<std::uint32_t>(limit);
      while (static_cast<std::uint32_t>(product) < threshold) product = next_word() * limit;
    }
    return product >> 32;
  }
  std::uint64_t mask = ~std::uint64_t{0} >> std::countl_zero(limit - 1);
  for (;;) {
    std::uint64_t candidate = next_long() & mask;
    if (candidate < limit) return candidate;
  }
}

std::uint64_t unpredictable_seed() {
  std::random_device device;
  return device() | std::uint64_t{device()} << 32;
}

namespace system_functions {

Value random_namespace(Context& cx, Unit&) {
  return make_method_namespace(cx, random_methods,
                               Ref<NativeObject>(make_native<RandomState>(cx.heap, unpredictable_seed()).leak()));
}

Value make_random(Context& cx, const Function& self, Value x) {
  std::uint64_t seed = std::bit_cast<std::uint64_t>(number_argument(cx, self, x));
  return make_method_namespace(cx, random_methods, Ref<NativeObject>(make_native<RandomState>(cx.heap, seed).leak()));
}

}  // namespace system_functions

}  // namespace griddle
