// Ways of ⊔ for short lists.
#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/common/ways.h"
#include "primitives/functions.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/search/group_runs.h"

namespace griddle::primitives {
namespace {

constexpr std::size_t most_grouped = 128, most_grouped_plain = 64, most_groups = 128;

// Reads the numbers of groups, plus one: 0 is for what belongs to none. Counts each, and gives the greatest; -1 where one is no
// number of few groups.
int read_groups(const Array& numbers, std::size_t cells, std::uint8_t* group_of, std::uint8_t* counts) {
  int most = 0;
  const auto note = [&](std::size_t i, unsigned group) {
    group_of[i] = static_cast<std::uint8_t>(group);
    counts[group]++;
    most = std::max(most, static_cast<int>(group));
  };
  if (numbers.type() == ElementType::bit) {
    for (std::size_t i = 0; i < cells; i++) note(i, 1u + numbers.bit(i));
    return most;
  }
  return with_integers(numbers, [&](const auto* from) {
    for (std::size_t i = 0; i < cells; i++) {
      const unsigned group = static_cast<unsigned>(from[i]) + 1;
      if (group > most_groups) return -1;
      note(i, group);
    }
    return most;
  });
}

// Moves each element behind those of its group; where it belongs to none, elements are written over each other.
template <class T>
void distribute(const T* from, std::size_t cells, const std::uint8_t* group_of, std::uint8_t** next) {
  for (std::size_t i = 0; i < cells; i++) {
    std::uint8_t*& to = next[group_of[i]];
    std::memcpy(to, from + i, sizeof(T));
    to += sizeof(T);
  }
}
void distribute_bits(const Array& from, const std::uint8_t* group_of, std::uint8_t** next) {
  std::uint8_t taken[most_groups + 1] = {};
  for (std::size_t i = 0; i < from.length; i++) {
    const std::uint8_t g = group_of[i];
    const std::uint64_t bit = from.bit(i);
    if (g != 0) *reinterpret_cast<std::uint64_t*>(next[g]) |= bit << taken[g]++;
  }
}

// Groups few elements of a list by small numbers, without putting them in order first. Gives the absent value for all else.
Value group_few(Context& cx, const Value& w, const Value& x) {
  if (!w.is_array() || !x.is_array()) return Value();
  const Array &numbers = w.array(), &a = x.array();
  const bool is_boxed = a.type() == ElementType::boxed;
  if (!numbers.is_list() || !a.is_list() || numbers.length - a.length > 1 ||
      a.length > (is_boxed ? most_grouped : most_grouped_plain) || !is_integer(numbers.type()) ||
      !(has_plain_fill(a) || (is_boxed && a.fill_kind() == FillKind::none)) || a.data.elsewhere() || numbers.data.elsewhere())
    return Value();
  std::uint8_t group_of[most_grouped], counts[most_groups + 1] = {};
  int most = read_groups(numbers, a.length, group_of, counts);
  if (most >= 0 && numbers.length != a.length) {
    // One more number says how many groups there are at least.
    const double least = plain_element(numbers, a.length).number();
    if (least < -1 || least > most_groups) return Value();
    most = std::max(most, static_cast<int>(least));
  }
  if (most <= 0) return Value();
  const std::size_t groups = static_cast<std::size_t>(most);
  const Value fill = is_boxed ? Value() : is_number(a.type()) ? Value(0.0) : Value::character(' ');
  const Value empty = empty_group(cx, a, fill);
  Ref<Array> out = make_boxes_filled_with(cx.heap, groups, empty);
  std::uint8_t* next[most_groups + 1];
  std::uint64_t dropped[most_grouped];
  next[0] = reinterpret_cast<std::uint8_t*>(dropped);
  for (std::size_t g = 1; g <= groups; g++) {
    Value group = counts[g] == 0 ? empty
                  : is_boxed     ? to_value(make_list(cx.heap, a.type(), counts[g]))
                                 : Value(make_plain_list(cx.heap, a.type(), counts[g]));
    next[g] = group.array().data;
    if (a.type() == ElementType::bit && counts[g] != 0) *group.array().as<std::uint64_t>() = 0;
    out->as<Value>()[g - 1] = std::move(group);
  }
  if (a.type() == ElementType::bit)
    distribute_bits(a, group_of, next);
  else
    with_width_of(a.type(), [&]<class T>(std::type_identity<T>) { distribute(a.as<T>(), a.length, group_of, next); });
  if (is_boxed)
    for (std::size_t g = 0; g < groups; g++) share_elements(out->as<Value>()[g].array(), 0, counts[g + 1]);
  return to_value(std::move(out));
}

// Groups elements by few bits: those at 0s, and those at 1s where there are any.
std::uint64_t group_by_few_bits(Heap& heap, List bits, List a) {
  const std::size_t n = a->length;
  if (bits->type() != ElementType::bit || bits->length != n || n > most_grouped_plain) return declined;
  const std::uint64_t all = kernels::low_bits(n), ones = *words_of(bits.array) & all;
  const Value empty(make_plain_list(heap, a->type(), 0));
  Ref<Array> out = make_boxes_filled_with(heap, ones == 0 ? 1 : 2, empty);
  const auto marked = [&](std::uint64_t marks) {
    if (marks == 0) return empty;
    if (marks == all) return Value::share(const_cast<Array*>(a.array));
    const std::size_t total = static_cast<std::size_t>(std::popcount(marks)), width = bits_of(a->type());
    // Bits are written as whole words, which lists of bits have.
    const std::size_t room = width == 1 ? total : total + kernels::spare_elements(width, n);
    Array* const group = make_plain_list(heap, a->type(), room);
    group->length = total;
    kernels::compress(width, group->data.here(), room, a->data.here(), &marks, n);
    return Value(group);
  };
  out->as<Value>()[0] = marked(all & ~ones);
  if (ones != 0) out->as<Value>()[1] = marked(ones);
  return to_value(std::move(out)).leak();
}

std::uint64_t group_few_indices(Context& cx, List numbers) {
  constexpr std::size_t few_cells = 64;
  if (numbers->length > few_cells) return declined;
  return group_few(cx, Value::share(const_cast<Array*>(numbers.array)), range(cx, Value(numbers->length))).leak();
}

constexpr MonadWay index_groups[] = {{"few", way<group_few_indices>}};
constexpr DyadWay groups[] = {{"few bits", way<group_by_few_bits>}, {"few", way<group_few>}};

}  // namespace

constexpr MonadWays group_indices_ways = monad_ways<index_groups>;
constexpr DyadWays group_ways = dyad_ways<groups>;

}  // namespace griddle::primitives
