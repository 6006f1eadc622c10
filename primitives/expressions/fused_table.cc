// Puts one table of all results in place of a plan's operations where the variables take few values: bytes, or some booleans.
#include <algorithm>
#include <cstring>

#include "primitives/common/elements.h"
#include "primitives/expressions/fused_plan.h"

namespace griddle::primitives {

namespace {

constexpr std::size_t rows_of_bytes = 256, rows_of_bits = 8;

bool is_byte(ElementType t) { return t == ElementType::i8 || t == ElementType::c8; }

// Makes the list of all values of a variable, the place among those of its type told by bits of the place in the list.
Value all_values(Heap& heap, ElementType type, std::size_t variable) {
  const bool bits = type == ElementType::bit;
  Ref<Array> list = make_list(heap, type, bits ? rows_of_bits : rows_of_bytes);
  constexpr std::uint8_t alternating[] = {0xAA, 0xCC, 0xF0};
  if (bits)
    list->as<std::uint64_t>()[0] = alternating[variable];
  else
    for (std::size_t i = 0; i < rows_of_bytes; i++) list->data[i] = static_cast<std::uint8_t>(i);
  return to_value(std::move(list));
}

// Makes the same expression without what becomes of its elements.
Ref<FusedExpression> elements_alone(Heap& heap, const FusedExpression& e) {
  Ref<FusedExpression> made = make_native<FusedExpression>(heap);
  made->sources = e.sources;
  made->variables = e.variables;
  made->nodes = e.nodes;
  made->choose_shortest(0, false);
  return made;
}

kernels::ByteMap map_to(ElementType type) {
  const kernels::ByteMaps& maps = kernels::byte_maps();
  return type == ElementType::bit ? maps.to_bits : log2_bits_of(type) == 3 ? maps.to_bytes : maps.to_pairs;
}

}  // namespace

bool FusedPlan::finds_variables(std::size_t (&lists)[kernels::most_truth_arguments], std::size_t& count) const {
  count = 0;
  for (std::size_t i = 0; i < variable_count_; i++) {
    if (lists_[i] == 0) {
      if (!Value::from_bits(kinds_[i]).is_number()) return false;
      continue;
    }
    if (count == kernels::most_truth_arguments) return false;
    lists[count++] = i;
  }
  const auto type = [&](std::size_t k) { return static_cast<ElementType>(kinds_[lists[k]] - kind_of_array(ElementType::bit)); };
  if (count == 1 && is_byte(type(0))) return true;
  for (std::size_t k = 0; k < count; k++)
    if (type(k) != ElementType::bit) return false;
  return count != 0;
}

bool FusedPlan::may_become_table(const FusedExpression& expression) const {
  std::size_t lists[kernels::most_truth_arguments], count;
  const auto is_range = [](const FusedExpression::Source& s) { return s.range; };
  return !tried_table_ && exists_ && operations_.size() > 1 && !std::ranges::any_of(expression.sources, is_range) &&
         finds_variables(lists, count);
}

bool FusedPlan::store_table(const Array& results) {
  const ElementType type = results.type();
  std::uint8_t table[sizeof table_] = {};
  for (std::size_t i = 0; i < rows_of_bytes; i++) {
    const std::uint8_t* const data = results.data;
    if (type == ElementType::bit)
      table[i] = data[i / 8] >> i % 8 & 1 ? 0x80 : 0;
    else if (log2_bits_of(type) == 3)
      table[i] = data[i];
    else
      table[i] = data[2 * i], table[rows_of_bytes + i] = data[2 * i + 1];
  }
  if (!kernels::byte_maps().by_steps) return std::copy(std::begin(table), std::end(table), table_), true;
  // A step takes about half as long as an operation.
  kernels::ByteSteps steps;
  if (map_to(type) == nullptr || !steps.find(table, type == ElementType::bit, 2 * operations_.size())) return false;
  std::memcpy(table_, &steps, sizeof steps);
  return true;
}

bool FusedPlan::take_table(const Array& results, const std::size_t* lists, std::size_t count, FusedExpression::Sink sink) {
  const auto list_at = [&](std::size_t k) {
    const std::size_t i = lists[k];
    return Elements{Value::absent_bits, static_cast<ElementType>(kinds_[i] - kind_of_array(ElementType::bit)),
                    static_cast<std::int8_t>(i)};
  };
  Operation o = {};
  o.node = operations_.back().node;
  o.w = list_at(0), o.x = list_at(count > 1 ? 1 : 0), o.third = list_at(count > 2 ? 2 : 0);
  o.out = {Value::absent_bits, results.type(), static_cast<std::int8_t>(first_buffer)};
  if (o.w.type == ElementType::bit) {
    o.kind = Operation::Kind::truth;
    o.truth = count > 2 ? kernels::truth_tables().of_three : kernels::truth_tables().of_two;
    table_[0] = results.data[0];
  } else {
    o.kind = Operation::Kind::map;
    o.map = map_to(results.type());
    if (!store_table(results)) return false;
  }
  operations_.assign(1, o);
  result_ = o.out;
  buffers_ = 1;
  log2_widest_bits_ = std::max(log2_bits_of(o.w.type), log2_bits_of(o.out.type));
  block_ = 8 * block_bytes >> log2_widest_bits_;
  sums_at_once_ = false;
  gains_early_ = true;
  is_one_step_ = one_step_does(sink, result_.type);
  uses_left_ = ~0u;
  return true;
}

bool FusedPlan::become_table(Context& cx, const FusedExpression& expression, const Value* const* variables) {
  if (!may_become_table(expression)) return false;
  tried_table_ = true;
  std::size_t lists[kernels::most_truth_arguments], count;
  finds_variables(lists, count);
  Value all[kernels::most_truth_arguments];
  const Value* replaced[FusedExpression::most_sources];
  std::copy(variables, variables + variable_count_, replaced);
  const ElementType type = static_cast<ElementType>(kinds_[lists[0]] - kind_of_array(ElementType::bit));
  for (std::size_t k = 0; k < count; k++) {
    all[k] = all_values(cx.heap, type, k);
    replaced[lists[k]] = &all[k];
  }
  const Value results = evaluate(cx, *elements_alone(cx.heap, expression), replaced, true);
  if (results.is_absent()) return false;
  const ElementType found = results.array().type();
  if (found != ElementType::bit && (type == ElementType::bit || found == ElementType::boxed || log2_bits_of(found) > 4))
    return false;
  return take_table(results.array(), lists, count, expression.sink);
}

}  // namespace griddle::primitives
