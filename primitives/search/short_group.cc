// Ways of ⊔ for short lists.
#include <algorithm>
#include <cstring>

#include "primitives/common/plain.h"
#include "primitives/common/ways.h"
#include "primitives/functions.h"
#include "primitives/search/group_runs.h"

namespace griddle::primitives {

namespace {

// Groups few elements of a list by small numbers, without putting them in order first. Gives the absent value for all else.
Value group_few(Context& cx, const Value& w, const Value& x) {
  constexpr std::size_t most_cells = 128, most_plain_cells = 64, most_groups = 128;
  if (!w.is_array() || !x.is_array()) return Value();
  const Array &numbers = w.array(), &a = x.array();
  const bool by_bits = numbers.type() == ElementType::bit, is_boxed = a.type() == ElementType::boxed;
  if (!numbers.is_list() || !a.is_list() || numbers.length - a.length > 1 ||
      a.length > (is_boxed ? most_cells : most_plain_cells) || (!by_bits && numbers.type() != ElementType::i8) ||
      a.type() == ElementType::bit || !(has_plain_fill(a) || (is_boxed && a.fill_kind() == FillKind::none)) ||
      a.data.elsewhere() || numbers.data.elsewhere())
    return Value();
  std::int8_t group_of[most_cells];
  std::uint8_t counts[most_groups] = {};
  int most = -1;
  for (std::size_t i = 0; i < a.length; i++) {
    const int g = by_bits ? numbers.bit(i) : numbers.as<std::int8_t>()[i];
    if (g < -1) return Value();
    group_of[i] = static_cast<std::int8_t>(g);
    if (g >= 0) counts[g]++;
    most = std::max(most, g);
  }
  if (numbers.length != a.length) {
    // One more number says how many groups there are at least.
    const int least = by_bits ? numbers.bit(a.length) : numbers.as<std::int8_t>()[a.length];
    if (least < -1) return Value();
    most = std::max(most, least - 1);
  }
  if (most < 0) return Value();
  const std::size_t groups = static_cast<std::size_t>(most) + 1;
  const Value fill = is_boxed ? Value() : is_number(a.type()) ? Value(0.0) : Value::character(' ');
  const Value empty = empty_group(cx, a, fill);
  Ref<Array> out = make_boxes_filled_with(cx.heap, groups, empty);
  std::uint8_t* next[most_groups];
  for (std::size_t g = 0; g < groups; g++) {
    Value group = counts[g] == 0 ? empty
                  : is_boxed     ? to_value(make_list(cx.heap, a.type(), counts[g]))
                                 : Value(make_plain_list(cx.heap, a.type(), counts[g]));
    next[g] = group.array().data;
    out->as<Value>()[g] = std::move(group);
  }
  const std::size_t width = bits_of(a.type()) / 8;
  const auto distribute = [&]<std::size_t bytes>(std::integral_constant<std::size_t, bytes>) {
    for (std::size_t i = 0; i < a.length; i++) {
      if (group_of[i] < 0) continue;
      std::uint8_t*& to = next[group_of[i]];
      std::memcpy(to, a.data.here() + i * bytes, bytes);
      to += bytes;
    }
  };
  switch (width) {
    case 1: distribute(std::integral_constant<std::size_t, 1>{}); break;
    case 2: distribute(std::integral_constant<std::size_t, 2>{}); break;
    case 4: distribute(std::integral_constant<std::size_t, 4>{}); break;
    default: distribute(std::integral_constant<std::size_t, 8>{}); break;
  }
  if (is_boxed)
    for (std::size_t g = 0; g < groups; g++) share_elements(out->as<Value>()[g].array(), 0, counts[g]);
  return to_value(std::move(out));
}

std::uint64_t group_few_indices(Context& cx, List numbers) {
  constexpr std::size_t few_cells = 64;
  if (numbers->length > few_cells) return declined;
  return group_few(cx, Value::share(const_cast<Array*>(numbers.array)), range(cx, Value(numbers->length))).leak();
}

constexpr MonadWay index_groups[] = {{"few", way<group_few_indices>}};
constexpr DyadWay groups[] = {{"in order", way<group_in_order>}, {"few", way<group_few>}};

}  // namespace

constexpr MonadWays group_indices_ways = monad_ways<U'⊔', index_groups>;
constexpr DyadWays group_ways = dyad_ways<U'⊔', groups>;

}  // namespace griddle::primitives
