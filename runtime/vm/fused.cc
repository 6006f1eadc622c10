// Expressions that one instruction computes block by block.
#include "runtime/value/fused_expression.h"

#include <algorithm>
#include <new>

#include "runtime/value/array.h"
#include "runtime/vm/machine.h"

namespace griddle {

namespace {

// Leaves the variables as the instructions from `i` to `end` would have.
void consume(Value* base, const Instruction* i, const Instruction* end, std::uint32_t temporaries) {
  const auto release = [&](std::uint32_t slot) {
    if (slot < temporaries) base[slot] = Value();
  };
  for (; i != end; i = i->next()) {
    if (i->flags & Instruction::consume_b || i->op == Opcode::move) release(i->b);
    if (i->flags & Instruction::consume_c) release(i->c);
  }
}

}  // namespace

bool Machine::fused(Vm& vm, Value* base, const Instruction* i, const Environment* environment) {
  // Smaller arrays are sooner done one primitive after the other.
  constexpr std::size_t fewest_bytes = 8192, shortest_range = 4096;
  const FusedExpression& expression = *i->pointer<const FusedExpression>(0);
  const Value* values[FusedExpression::most_sources];
  bool pays = false;
  std::size_t count = 0;
  double longest_range_there = 0;
  for (const FusedExpression::Source& source : expression.sources) {
    const Value* v = &source.constant;
    if (source.kind == FusedExpression::Source::Kind::constant && !source.range) {
      values[count++] = v;
      continue;
    }
    if (source.kind == FusedExpression::Source::Kind::slot) {
      v = base + source.a;
    } else if (source.kind == FusedExpression::Source::Kind::outer) {
      const Environment* e = environment;
      for (std::uint32_t hops = source.a; hops; hops--) e = e->parent;
      v = e->slots() + source.b;
    }
    if (vm.cx_.device != nullptr) [[unlikely]] {
      if (belongs_to_device(vm.cx_, *v)) return false;
      if (source.range && v->is_number() && v->number() >= static_cast<double>(vm.cx_.device->from))
        longest_range_there = std::max(longest_range_there, v->number());
    }
    values[count++] = v;
    pays |= source.range ? v->is_number() && v->number() >= shortest_range
                         : v->is_array() && bytes_for(v->array().type(), v->array().length) >= fewest_bytes;
  }
  if (!pays) return false;
  if (longest_range_there > 0) [[unlikely]] {
    const bool stays = expression.sink == FusedExpression::Sink::elements;
    const std::size_t functions = expression.nodes.size() - count + !stays;
    if (vm.cx_.device->takes_range(longest_range_there, functions, stays)) return false;
  }
  Value result = evaluate(vm.cx_, expression, {values, count});
  if (result.is_absent()) return false;
  const Instruction* end = reinterpret_cast<const Instruction*>(reinterpret_cast<const std::uint64_t*>(i) +
                                                                static_cast<std::int32_t>(i->immediate(1)));
  consume(base, i->next(), end, i->a);
  if (i->flags & Instruction::consume_b) base[i->a] = Value();
  new (base + i->a) Value(std::move(result));
  return true;
}

}  // namespace griddle
