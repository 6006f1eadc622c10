// Expressions that one instruction computes block by block, and windows that are folded.
#include "runtime/value/fused_expression.h"

#include <algorithm>
#include <new>

#include "runtime/value/array.h"
#include "runtime/vm/machine.h"

namespace griddle {

namespace {

// Finds the variables that the instructions from `i` to `end` leave empty.
[[gnu::noinline]] void find_released(const FusedExpression& e, const Instruction* i, const Instruction* end,
                                     std::uint32_t temporaries) {
  const auto release = [&](std::uint32_t slot) {
    if (slot < temporaries) e.released.push_back(slot);
  };
  for (; i != end; i = i->next()) {
    if (i->flags & Instruction::consume_b || i->op == Opcode::move) release(i->b);
    if (i->flags & Instruction::consume_c) release(i->c);
  }
  e.knows_released = true;
}

// Smaller arrays are worth no plan that is made for them alone.
constexpr std::size_t fewest_bytes = 12288, shortest_range = 4096;

inline const Value& value_of(const FusedExpression::Source& source, const Value* base, const Environment* environment) {
  if (source.kind == FusedExpression::Source::Kind::slot) return base[source.a];
  for (std::uint32_t hops = source.a; hops; hops--) environment = environment->parent;
  return environment->slots()[source.b];
}

bool is_worth_a_plan(const FusedExpression& expression, const Value* const* variables) {
  for (std::size_t i = 0; i < expression.sources.size(); i++) {
    const FusedExpression::Source& source = expression.sources[i];
    const Value& v = i < expression.variables ? *variables[i] : source.constant;
    if (source.range ? v.is_number() && v.number() >= shortest_range
                     : v.is_array() && bytes_for(v.array().type(), v.array().length) >= fewest_bytes)
      return true;
  }
  return false;
}

// Tells whether a device takes the expression.
[[gnu::noinline]] bool is_elsewhere(Context& cx, const FusedExpression& expression, const Value* const* variables) {
  double longest_range_there = 0;
  for (std::size_t i = 0; i < expression.sources.size(); i++) {
    const FusedExpression::Source& source = expression.sources[i];
    const Value& v = i < expression.variables ? *variables[i] : source.constant;
    if (belongs_to_device(cx, v)) return true;
    if (source.range && v.is_number() && v.number() >= static_cast<double>(cx.device->from))
      longest_range_there = std::max(longest_range_there, v.number());
  }
  if (longest_range_there == 0) return false;
  const bool stays = expression.sink == FusedExpression::Sink::elements;
  const std::size_t functions = expression.nodes.size() - expression.sources.size() + !stays;
  return cx.device->takes_range(longest_range_there, functions, stays);
}

// Tells the device that the host computes the expression.
[[gnu::noinline]] void compute_here(Context& cx, const FusedExpression& expression, const Value* const* variables) {
  std::size_t longest = 0;
  for (std::size_t k = 0; k < expression.variables; k++)
    if (variables[k]->is_array()) longest = std::max(longest, variables[k]->array().length);
  if (longest < cx.device->large_from) return;
  double bytes = 0, most = 0;
  for (std::size_t k = 0; k < expression.variables; k++) {
    if (!variables[k]->is_array()) continue;
    const Array& a = variables[k]->array();
    const auto of_it = static_cast<double>(bytes_for(a.type(), a.length));
    bytes += of_it;
    most = std::max(most, of_it);
  }
  const std::size_t functions = expression.nodes.size() - expression.sources.size();
  cx.device->computes_here(longest, bytes + most * static_cast<double>(functions));
}

// Tells whether an operand has enough elements.
inline bool is_long_enough(const FusedExpression& expression, const Value& v, bool range) {
  if (v.is_array()) return !expression.is_too_short(v.array());
  return range && v.is_number() && v.number() >= FusedExpression::usual_shortest;
}

// Evaluates the expression where that is worth it, else gives the absent value.
[[gnu::noinline]] Value evaluate_anew(Context& cx, const FusedExpression& expression, const Value* const* variables) {
  bool ranges = expression.has_constant_range;
  std::size_t longest = 0;
  for (std::size_t k = 0; k < expression.variables; k++) {
    const Value& v = *variables[k];
    if (v.is_array())
      longest = std::max(longest, v.array().length);
    else
      ranges |= expression.sources[k].range;
  }
  if (expression.keeps_some() && longest > FusedExpression::longest_of_kept) return Value();
  if (cx.device != nullptr && is_elsewhere(cx, expression, variables)) return Value();
  // Few elements are few bytes.
  const bool worth_a_plan = (longest * sizeof(double) >= fewest_bytes || ranges) && is_worth_a_plan(expression, variables);
  return evaluate(cx, expression, variables, worth_a_plan);
}

}  // namespace

bool Machine::fused(Vm& vm, Value* base, const Instruction* i, const Environment* environment) {
  Context& cx = vm.cx_;
  if (cx.general_ways) return false;
  const FusedExpression& expression = *i->pointer<const FusedExpression>(0);
  const Value* variables[FusedExpression::most_sources];
  bool may_gain = expression.has_constant_range;
  for (std::size_t k = 0; k < expression.variables; k++) {
    variables[k] = &value_of(expression.sources[k], base, environment);
    may_gain |= is_long_enough(expression, *variables[k], expression.sources[k].range);
  }
  if (!may_gain) return false;
  if (cx.device != nullptr) [[unlikely]]
    compute_here(cx, expression, variables);
  Value result;
  if (may_remember(cx) && !expression.has_constant_range) result = evaluate_again(cx, expression, variables);
  if (result.is_absent()) result = evaluate_anew(cx, expression, variables);
  if (result.is_absent()) return false;
  if (cx.observer != nullptr) [[unlikely]]
    cx.observer->computed(&expression, {variables, expression.variables}, result);
  if (!expression.knows_released) {
    find_released(expression, i->next(), i + static_cast<std::int32_t>(i->immediate(1)), i->a);
  }
  for (const std::uint32_t slot : expression.released) base[slot] = Value();
  if (i->flags & Instruction::consume_b) base[i->a] = Value();
  new (base + i->a) Value(std::move(result));
  return true;
}

std::int32_t Machine::fold_parts(Vm& vm, Value* base, const Instruction* i, bool dyadic) {
  Context& cx = vm.cx_;
  if (cx.general_ways) return 0;
  const bool turned = i->next()->op == Opcode::monad;
  const Instruction* const call = turned ? i->next()->next() : i->next();
  const Value &w = base[i->b], &x = base[dyadic ? i->c : i->b];
  const Value& f = call->value(0);
  Value result = i->pointer<const PrimitiveFunctionEntry>(0)->fold_parts(cx, f, turned, dyadic ? w : Value(), x);
  if (result.is_absent()) return 0;
  if (cx.observer != nullptr) [[unlikely]] {
    const Value* const operands[] = {&x, &w};
    cx.observer->computed(i, {operands, std::size_t{1} + dyadic}, result);
  }
  if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
  if (dyadic && i->flags & Instruction::consume_c) drop_consumed(base[i->c]);
  put(base[call->a], std::move(result));
  return static_cast<std::int32_t>(call->next() - i);
}

}  // namespace griddle
