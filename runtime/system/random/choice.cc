#include "runtime/system/random/choice.h"

#include "primitives/kernels/shared/convert.h"
#include "runtime/system/argument.h"

namespace griddle::random_functions {

void check_draw(Context& cx, const Function& self, std::size_t count, std::size_t limit) {
  if (limit > max_length) fail_in(cx, self, "𝕩 is too large (got " + std::to_string(limit) + ")");
  if (count > limit)
    fail_in(cx, self, "𝕨 must be at most 𝕩 (got " + std::to_string(count) + " of " + std::to_string(limit) + ")");
}

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

Value choose_on_device(Context& cx, RandomState& random, RandomChoice choice, std::size_t work, std::uint64_t blocks) {
  if (!is_device_asked_for(cx, work) || choice.count == 0) return Value();
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

Ref<Array> no_bits(Context& cx, std::size_t n) {
  Ref<Array> bits = make_list(cx.heap, ElementType::bit, n);
  std::fill_n(bits->as<std::uint64_t>(), (n + 63) / 64, 0);
  return bits;
}

}  // namespace griddle::random_functions
