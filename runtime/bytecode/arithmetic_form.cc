// Finds the train that a leaf block is equal to, element by element: {1+2×𝕩} is 1+2×⊢, {𝕨+𝕩} is +. Follows the instructions from
// an entry to the end with a function for each slot instead of a value; a branch or too much work ends the attempt.
#include "runtime/bytecode/arithmetic_form.h"

#include "runtime/vm/call.h"

namespace griddle {

namespace {

constexpr std::uint32_t most_slots = 24;
constexpr unsigned most_operations = 24;

struct Form {
  Value value;              // a function, or a number; absent where the slot holds neither
  unsigned operations = 0;  // that computing it takes
};

bool is_glyph(const Value& v, char32_t glyph) { return glyph_of(v) == glyph; }

// Gives a value that stands in the code, which keeps it.
const Value& immediate(const Instruction& i, int which) { return reinterpret_cast<const Value*>(&i)[1 + which]; }

Value combined(Context& cx, const Value& f, const Form& w, const Form& x) {
  if (is_glyph(w.value, U'⊣') && is_glyph(x.value, U'⊢')) return f;
  return make_fork(cx, Value(w.value), Value(f), Value(x.value));
}

}  // namespace

Value arithmetic_form(Context& cx, const Code& code, Entry entry) {
  const Instruction* i = code.entry[static_cast<int>(entry)];
  if (i == nullptr || code.frame_size > most_slots) return Value();
  Form slots[most_slots];
  slots[0].value = primitive(cx, U'⊢');
  if (entry == Entry::dyad) slots[1].value = primitive(cx, U'⊣');
  const auto jump = [&](std::int32_t distance) {
    i = reinterpret_cast<const Instruction*>(reinterpret_cast<const std::uint64_t*>(i) + distance);
  };
  for (;;) {
    switch (i->op) {
      case Opcode::constant: slots[i->a] = {immediate(*i, 0), 0}; break;
      case Opcode::copy:
      case Opcode::move: slots[i->a] = slots[i->b]; break;
      case Opcode::leave: slots[i->a] = slots[i->c]; break;
      case Opcode::nothing: slots[i->a] = {Value::nothing(), 0}; break;
      case Opcode::fused:  // the ordinary instructions follow
      case Opcode::drop:
      case Opcode::absent:
      case Opcode::clear: break;
      case Opcode::jump: jump(i->distance()); continue;
      case Opcode::jump_dyadic:
        if (slots[i->a].value.is_nothing()) break;
        jump(i->distance());
        continue;
      case Opcode::return_value: {
        const Form& result = slots[i->a];
        return result.value.is_function() ? result.value : Value();
      }
      default: {
        const bool one = i->op == Opcode::negate || i->op == Opcode::complement || i->op == Opcode::magnitude;
        const bool two = i->op >= Opcode::add && i->op <= Opcode::not_equal_constant;
        if (!one && !two) return Value();
        const Value& f = primitive(cx, i->pointer<const PrimitiveFunctionEntry>(0)->glyph);
        Form w = slots[i->b], x;
        if (two) x = immediates_of(i->op) == 2 ? Form{immediate(*i, 1), 0} : slots[i->c];
        if (two && i->flags & Instruction::swapped && immediates_of(i->op) == 2) std::swap(w, x);
        const unsigned operations = 1 + w.operations + x.operations;
        const auto usable = [](const Form& form) { return form.value.is_function() || form.value.is_number(); };
        if (operations > most_operations || !usable(w) || (two && (!usable(x) || (w.value.is_number() && x.value.is_number()))))
          return Value();
        slots[i->a] = {two ? combined(cx, f, w, x) : make_atop(cx, Value(f), Value(w.value)), operations};
      }
    }
    i = i->next();
  }
}

Value applied_function(Context& cx, const Code& code) {
  const Instruction* i = code.entry[static_cast<int>(Entry::monad)];
  if (i == nullptr || code.type != BlockType::function) return Value();
  std::uint32_t argument = 0, result = 0;
  Value applied;
  for (;; i = i->next()) {
    switch (i->op) {
      case Opcode::copy:
      case Opcode::move:
        if (!applied.is_absent() || i->b != argument) return Value();
        argument = i->a;
        break;
      case Opcode::monad:
        if (!applied.is_absent() || i->b != argument || i->flags & Instruction::modify) return Value();
        result = i->a;
        applied = primitive(cx, i->pointer<const PrimitiveFunctionEntry>(0)->glyph);
        break;
      case Opcode::call1_constant: {
        if (!applied.is_absent() || i->a != argument) return Value();
        const Value& f = reinterpret_cast<const Value*>(i)[1];
        if (!f.is_function() || !f.function().is_pure()) return Value();
        result = i->a;
        applied = f;
        break;
      }
      case Opcode::return_value: return i->a == result ? applied : Value();
      default: return Value();
    }
  }
}

}  // namespace griddle
