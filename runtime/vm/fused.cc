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

namespace {

// Smaller arrays are sooner done one primitive after the other.
constexpr std::size_t fewest_bytes = Machine::shortest_fused * sizeof(double), shortest_range = 4096;

const Value& value_of(const FusedExpression::Source& source, const Value* base, const Environment* environment) {
  if (source.kind == FusedExpression::Source::Kind::constant) return source.constant;
  if (source.kind == FusedExpression::Source::Kind::slot) return base[source.a];
  for (std::uint32_t hops = source.a; hops; hops--) environment = environment->parent;
  return environment->slots()[source.b];
}

[[gnu::noinline]] bool compute(Context& cx, Value* base, const Instruction* i, const Environment* environment);

}  // namespace

bool Machine::fused(Vm& vm, Value* base, const Instruction* i, const Environment* environment) {
  // Tells quickly that all arrays are short, as they are most of the time.
  for (const FusedExpression::Source& source : i->pointer<const FusedExpression>(0)->sources) {
    const Value& v = value_of(source, base, environment);
    if (source.range || (v.is_array() && (v.array().length >= shortest_fused || vm.cx_.device != nullptr)))
      return compute(vm.cx_, base, i, environment);
  }
  return false;
}

namespace {

bool compute(Context& cx, Value* base, const Instruction* i, const Environment* environment) {
  const FusedExpression& expression = *i->pointer<const FusedExpression>(0);
  const Value* values[FusedExpression::most_sources];
  // The results of a single function are soon folded, too, unless products need not be made.
  const bool is_single =
      expression.nodes.size() == expression.sources.size() + 1 && expression.nodes.back().function->glyph != U'×';
  const std::size_t fewest = is_single ? 8 * fewest_bytes : fewest_bytes;
  bool pays = false;
  std::size_t count = 0;
  double longest_range_there = 0;
  for (const FusedExpression::Source& source : expression.sources) {
    const Value& v = value_of(source, base, environment);
    values[count++] = &v;
    if (cx.device != nullptr) [[unlikely]] {
      if (belongs_to_device(cx, v)) return false;
      if (source.range && v.is_number() && v.number() >= static_cast<double>(cx.device->from))
        longest_range_there = std::max(longest_range_there, v.number());
    }
    pays |= source.range ? v.is_number() && v.number() >= shortest_range
                         : v.is_array() && bytes_for(v.array().type(), v.array().length) >= fewest;
  }
  if (!pays) return false;
  if (longest_range_there > 0) [[unlikely]] {
    const bool stays = expression.sink == FusedExpression::Sink::elements;
    const std::size_t functions = expression.nodes.size() - count + !stays;
    if (cx.device->takes_range(longest_range_there, functions, stays)) return false;
  }
  Value result = evaluate(cx, expression, {values, count});
  if (result.is_absent()) return false;
  const Instruction* end = reinterpret_cast<const Instruction*>(reinterpret_cast<const std::uint64_t*>(i) +
                                                                static_cast<std::int32_t>(i->immediate(1)));
  consume(base, i->next(), end, i->a);
  if (i->flags & Instruction::consume_b) base[i->a] = Value();
  new (base + i->a) Value(std::move(result));
  return true;
}

}  // namespace

}  // namespace griddle
