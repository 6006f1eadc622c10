// Random numbers: •rand •MakeRand, and their Range. What each number is made of stands in spec/system/random.md.
#include "runtime/system/random/generator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"
#include "runtime/value/checkpoint.h"

namespace griddle {

namespace random_functions {

namespace {

constexpr double largest_limit = 0x1p63;

std::uint64_t limit_argument(Context& cx, const Function& self, const Value& x) {
  const double limit = number_argument(cx, self, x);
  if (!(limit >= 0) || limit != std::floor(limit))
    fail_in(cx, self, "𝕩 must be a natural number (got " + number_text(limit) + ")");
  if (limit > largest_limit) fail_in(cx, self, "𝕩 must be at most 2⋆63 (got " + number_text(limit) + ")");
  return static_cast<std::uint64_t>(limit);
}

double fraction(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

// Makes the integer of a call that takes so many bits, from the first word of its block.
template <unsigned bits>
double one_below(RandomState& random, std::uint64_t limit) {
  constexpr std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  const __uint128_t product = static_cast<__uint128_t>(*random.look_ahead(1) & mask) * limit;
  const std::uint64_t rest = static_cast<std::uint64_t>(product) & mask;
  // What is too small to count is below the limit; that is rare.
  if (rest < limit && rest < (-limit & mask) % limit) [[unlikely]] {
    const kernels::RandomPlace place = random.take(0);
    const auto of = bits == 16 ? kernels::random_below_16 : bits == 32 ? kernels::random_below_32 : kernels::random_below_64;
    return static_cast<double>(of(place, 0, limit));
  }
  return static_cast<double>(static_cast<std::uint64_t>(product >> bits));
}

Value one_of_range(Context& cx, const Function& self, Value x) {
  RandomState& random = state_of(self);
  if (x.is_number() && x.number() == 0) {
    const double number = fraction(*random.look_ahead(1));
    random.take(1);
    return number;
  }
  const std::uint64_t limit = limit_argument(cx, self, x);
  if (limit == 1) return 0.0;
  double number;
  if (limit == 2)
    number = static_cast<double>(*random.look_ahead(1) & 1);
  else if (limit <= limit_of_16_bits)
    number = one_below<16>(random, limit);
  else if (limit <= limit_of_32_bits)
    number = one_below<32>(random, limit);
  else
    number = one_below<64>(random, limit);
  random.take(1);
  return number;
}

// Says which pieces integers below a limit, or fractions, are made from, and their type.
struct NumberSource {
  RandomNumbers::Kind kind;
  unsigned bits;
  ElementType type;
};
NumberSource source_below(std::uint64_t limit) {
  if (limit == 0) return {RandomNumbers::fractions, 64, ElementType::f64};
  if (limit <= 2) return {RandomNumbers::words, 1, ElementType::bit};
  if (limit <= limit_of_16_bits) return {RandomNumbers::below_16, 16, ElementType::i8};
  if (limit <= limit_of_32_bits) return {RandomNumbers::below_32, 32, type_below(limit)};
  return {RandomNumbers::below_64, 64, type_below(limit)};
}

// Writes a handful of numbers from pieces of so many bits, where each piece counts. Tells whether that is so.
template <unsigned bits, class T>
bool write_handful(T* out, const std::uint64_t* words, std::size_t n, std::uint64_t limit) {
  constexpr std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  constexpr unsigned in_word = 64 / bits;
  std::uint64_t least = mask;
  for (std::size_t i = 0; i < n; i++) {
    const std::uint64_t product = (words[i / in_word] >> (i % in_word * bits) & mask) * limit;
    least = std::min(least, product & mask);
    out[i] = static_cast<T>(product >> bits);
  }
  // What does not count has a rest below the limit.
  return least >= limit;
}
constexpr std::size_t handful = 4;

// Makes a list of numbers for which few blocks suffice.
Value few_of_range(Heap& heap, RandomState& random, const NumberSource& source, std::size_t n, std::uint64_t limit) {
  const PlainList& plain = plain_lists[static_cast<int>(source.type)];
  const std::size_t room = source.kind == RandomNumbers::words ? n : n + (kernels::room_for_vectors * 8 >> plain.log2_bits);
  Array* const a = make_list_of(heap, plain, room);
  Value result(a);
  a->length = n;
  const std::size_t blocks = kernels::blocks_for(n, source.bits);
  const std::uint64_t* words = random.look_ahead(blocks);
  const kernels::RandomPlace place = random.take(0);
  const kernels::RandomIntegerKernels& integers = kernels::random_integers();
  const std::uint32_t few = static_cast<std::uint32_t>(limit);
  if (source.kind == RandomNumbers::fractions)
    kernels::random_numbers().fractions_of(a->as<double>(), words, n);
  else if (source.kind == RandomNumbers::words)
    for (std::size_t i = 0; i < n; i += 64) a->as<std::uint64_t>()[i / 64] = words[i / 64];
  else if (source.kind == RandomNumbers::below_16) {
    if (n > handful || !write_handful<16>(a->as<std::int8_t>(), words, n, limit))
      integers.i8_of(a->as<std::int8_t>(), words, place, n, few);
  } else if (source.type == ElementType::i16) {
    if (n > handful || !write_handful<32>(a->as<std::int16_t>(), words, n, limit))
      integers.i16_of(a->as<std::int16_t>(), words, place, n, few);
  } else if (source.kind == RandomNumbers::below_32)
    integers.i32_of(a->as<std::int32_t>(), words, place, n, few);
  else if (source.type == ElementType::i32)
    integers.i32_wide_of(a->as<std::int32_t>(), words, place, n, few);
  else
    integers.f64_of(a->as<double>(), words, place, n, limit);
  random.take(blocks);
  return result;
}

// Writes n numbers from the beginning of a block on.
void write_range(std::uint8_t* out, const NumberSource& source, const kernels::RandomPlace& place, std::size_t n,
                 std::uint64_t limit) {
  const kernels::RandomIntegerKernels& integers = kernels::random_integers();
  const std::uint32_t few = static_cast<std::uint32_t>(limit);
  if (source.kind == RandomNumbers::fractions)
    kernels::random_numbers().fractions(reinterpret_cast<double*>(out), place, n);
  else if (source.kind == RandomNumbers::words)
    kernels::random_numbers().words(reinterpret_cast<std::uint64_t*>(out), place, (n + 63) / 64);
  else if (source.kind == RandomNumbers::below_16)
    integers.below_i8(reinterpret_cast<std::int8_t*>(out), place, n, few);
  else if (source.type == ElementType::i16)
    integers.below_i16(reinterpret_cast<std::int16_t*>(out), place, n, few);
  else if (source.kind == RandomNumbers::below_32)
    integers.below_i32(reinterpret_cast<std::int32_t*>(out), place, n, few);
  else if (source.type == ElementType::i32)
    integers.below_i32_wide(reinterpret_cast<std::int32_t*>(out), place, n, few);
  else
    integers.below_f64(reinterpret_cast<double*>(out), place, n, limit);
}

Value array_of_range(Context& cx, const Function& self, Value w, Value x) {
  const std::uint64_t limit = limit_argument(cx, self, x);
  const NumberSource source = source_below(limit);
  const ElementType type = source.type;
  if (std::int64_t n; limit != 1 && w.to_integer(n) && n >= 0 && !is_device_asked_for(cx, static_cast<std::size_t>(n))) {
    const auto count = static_cast<std::size_t>(n);
    if (kernels::blocks_for(count, source.bits) <= RandomState::few_blocks)
      return few_of_range(cx.heap, state_of(self), source, count, limit);
  }
  const Shape shape = shape_argument(cx, self, w);
  const std::size_t n = product(shape);
  if (limit == 1) {
    Ref<Array> zeros = make_array(cx.heap, type, shape);
    std::fill_n(zeros->as<std::uint64_t>(), (n + 63) / 64, 0);
    return to_value(std::move(zeros));
  }
  const std::uint64_t blocks = kernels::blocks_for(n, source.bits);
  if (blocks <= RandomState::few_blocks && shape.size() == 1 && !is_device_asked_for(cx, n))
    return few_of_range(cx.heap, state_of(self), source, n, limit);
  const kernels::RandomPlace place = state_of(self).take(blocks);
  if (Value there = on_device(cx, {source.kind, place.key, place.position, limit}, type, shape); !there.is_absent()) return there;
  Ref<Array> a = make_array(cx.heap, type, shape);
  in_pieces(n, [&](std::size_t i, std::size_t end) {
    const kernels::RandomPlace from = {place.key, place.position + kernels::blocks_for(i, source.bits)};
    write_range(a->data + bytes_for(type, i), source, from, end - i, limit);
  });
  return to_value(std::move(a));
}

constexpr MethodEntry random_methods[] = {
    {"range", "•rand.Range", one_of_range, array_of_range},
    {"deal", "•rand.Deal", deal_all, deal},
    {"subset", "•rand.Subset", any_subset, subset},
    {"uniform", "•rand.Uniform", one_uniform, uniform},
    {"normal", "•rand.Normal", one_normal, normal},
    {"exponential", "•rand.Exponential", one_exponential, exponential},
    {"gamma", "•rand.Gamma", one_gamma, gamma},
    {"draw", "•rand.Draw", draw_one, draw},
    {"drawproduct", "•rand.DrawProduct", nullptr, draw_product},
};

}  // namespace

RandomState& state_of(const Function& self) { return static_cast<RandomState&>(*static_cast<const NativeFunction&>(self).state); }

Value on_device(Context& cx, const RandomNumbers& numbers, ElementType type, std::span<const std::size_t> shape) {
  if (!is_device_asked_for(cx, product(shape))) return Value();
  return cx.device->random(cx, numbers, type, shape);
}

ElementType type_below(std::uint64_t limit) {
  if (limit <= 2) return ElementType::bit;
  if (limit <= 1u << 7) return ElementType::i8;
  if (limit <= 1u << 15) return ElementType::i16;
  if (limit <= 1u << 31) return ElementType::i32;
  return ElementType::f64;
}

Shape shape_argument(Context& cx, const Function& self, const Value& w, std::size_t cells) {
  Shape shape;
  if (w.is_array()) {
    if (w.array().rank() > 1) fail_in(cx, self, "𝕨 must be a number or a list of numbers (got a " + kind_text(w) + ")");
    for (std::size_t i = 0; i < w.array().length; i++)
      shape.push_back(natural_argument(cx, self, element(w.array(), i), "an element of 𝕨"));
  } else {
    shape.push_back(natural_argument(cx, self, w, "𝕨"));
  }
  if (shape.size() > max_rank) fail_in(cx, self, "𝕨 must have at most 255 lengths (got " + std::to_string(shape.size()) + ")");
  const std::size_t count = product(shape);
  if (count > max_length || (cells != 0 && count > max_length / cells))
    fail_in(cx, self, "The result would be too large (" + shape_text(shape) + ")");
  return shape;
}

}  // namespace random_functions

void RandomState::fill_ahead(std::size_t blocks) {
  // The first few cost less one by one.
  constexpr std::size_t first = 4;
  const std::size_t wanted = std::clamp<std::size_t>(2 * ahead_blocks_, first, most_ahead);
  ahead_from_ = position_;
  ahead_blocks_ = std::max(blocks, wanted);
  constexpr std::size_t behind = kernels::room_for_vectors / sizeof(std::uint64_t);
  kernels::random_numbers().words(ahead_.data(), take(0), 2 * ahead_blocks_ + behind);
}

std::uint64_t unpredictable_seed() {
  std::random_device device;
  return device() | std::uint64_t{device()} << 32;
}

namespace system_functions {

Value random_namespace(Context& cx, Unit&) {
  return make_method_namespace(
      cx, random_functions::random_methods,
      Ref<NativeObject>(make_native<RandomState>(cx.heap, cx.system->seed.value_or(unpredictable_seed())).leak()));
}

Value make_random(Context& cx, const Function& self, Value x) {
  std::uint64_t seed = std::bit_cast<std::uint64_t>(number_argument(cx, self, x) + 0.0);
  return make_method_namespace(cx, random_functions::random_methods,
                               Ref<NativeObject>(make_native<RandomState>(cx.heap, seed).leak()));
}

}  // namespace system_functions

}  // namespace griddle
