// Finds the train that a block is equal to. Follows the instructions from an entry to the end with a function for each slot
// instead of a value; a branch or too much work ends the attempt.
#include "runtime/bytecode/composition.h"

#include "runtime/vm/call.h"

namespace griddle {

namespace {

constexpr std::uint32_t most_slots = 24;
constexpr unsigned most_operations = 24;

// Follows the instructions of a block with what its slots hold: functions of the argument, or data.
class Composer {
 public:
  Composer(Context& cx, Environment* scope, int depth) : cx_(cx), scope_(scope), depth_(depth) {}

  Value compose(const Code& code, Entry entry) {
    const Instruction* i = code.entry[static_cast<int>(entry)];
    if (i == nullptr || code.type != BlockType::function || code.frame_size > most_slots || depth_ == 0) return Value();
    slots_[0] = {primitive(cx_, Glyph::right), true};
    dyadic_ = entry == Entry::dyad;
    if (dyadic_) slots_[1] = {primitive(cx_, Glyph::left), true};
    while (i->op != Opcode::return_value) {
      // There is a left argument, or the instruction is none of those that are followed.
      if (i->op == Opcode::jump || (i->op == Opcode::jump_dyadic && dyadic_ && slots_[i->a].varies)) {
        i += i->distance();
        continue;
      }
      if (!follow(*i)) return Value();
      i = i->next();
    }
    const Slot& result = slots_[i->a];
    // What is computed for nothing may still fail.
    for (unsigned call = 1; call <= calls_; call++)
      if (!used_[call] && call != result.call) return Value();
    return result.varies ? result.value : Value();
  }

 private:
  struct Slot {
    Value value;
    bool varies = false;  // is a function of the argument
    unsigned call = 0;    // that made it, from 1 on
  };

  bool follow(const Instruction& i) {
    if (i.flags & Instruction::modify || (i.flags & Instruction::maybe && !dyadic_)) return false;
    switch (i.op) {
      case Opcode::constant: return hold(i.a, i.value(0));
      case Opcode::copy:
      case Opcode::move: slots_[i.a] = slots_[i.b]; return true;
      case Opcode::leave: slots_[i.a] = slots_[i.c]; return true;
      case Opcode::nothing: slots_[i.a] = {Value::nothing()}; return true;
      case Opcode::outer:
      case Opcode::call1_of_outer:  // the instructions that it stands for follow
      case Opcode::call2_of_outer: return hold(i.a, variable(i));
      case Opcode::fused:  // likewise
      case Opcode::drop:
      case Opcode::absent:
      case Opcode::clear: return true;
      case Opcode::jump_nothing:
      case Opcode::check: return dyadic_ && slots_[i.a].varies;
      case Opcode::call1_constant:
      case Opcode::call1_block: return call(i.value(0), i.a);
      case Opcode::call2_constant: return call_with_two(i.value(0), i.a, slots_[i.a + 1], slots_[i.a]);
      case Opcode::call1_outer: return call(variable(i), i.a);
      case Opcode::call2_outer: return call_with_two(variable(i), i.a, slots_[i.a + 1], slots_[i.a]);
      case Opcode::monad:
      case Opcode::monad_then_first:
      case Opcode::negate:
      case Opcode::complement:
      case Opcode::floor:
      case Opcode::magnitude:
      case Opcode::square_root:
      case Opcode::reciprocal:
      case Opcode::sign:
      case Opcode::first:
      case Opcode::length: slots_[i.a] = slots_[i.b]; return call(glyph(i), i.a);
      case Opcode::dyad:
      case Opcode::dyad_then_first:
      case Opcode::fold_windows:
      case Opcode::matches:
      case Opcode::differs:
      case Opcode::pick: return call_with_two(glyph(i), i.a, slots_[i.b], slots_[i.c]);
      default: {
        if (i.op < Opcode::add || i.op > Opcode::not_equal_constant) return false;
        Slot w = slots_[i.b], x = slots_[i.c];
        if (immediates_of(i.op) == 2) x = {i.value(1), false};
        if (i.flags & Instruction::swapped && immediates_of(i.op) == 2) std::swap(w, x);
        return call_with_two(glyph(i), i.a, w, x);
      }
    }
  }

  const Value& glyph(const Instruction& i) const { return primitive(cx_, i.pointer<const PrimitiveFunctionEntry>(0)->name); }
  // Gives the absent value where no scope is given: then there are no variables whose values could be known.
  Value variable(const Instruction& i) const {
    if (scope_ == nullptr) return Value();
    Environment* e = scope_;
    for (unsigned up = i.b; up != 0; up--) e = e->parent;
    return e->slots()[i.c];
  }
  bool hold(std::uint32_t slot, const Value& v) {
    if (v.is_mark() || v.is_operation()) return false;
    slots_[slot] = {v, false};
    return true;
  }
  // Gives a pure function that does what f does; absent where there is none.
  Value pure(const Value& f) const {
    if (!f.is_function()) return Value();
    if (f.function().is_pure()) return f;
    if (f.function().kind != ObjectKind::block_function) return Value();
    const BlockFunction& block = static_cast<const BlockFunction&>(f.function());
    return Composer(cx_, block.scope, depth_ - 1)
        .compose(*static_cast<const Code*>(static_cast<NativeObject*>(block.code)), Entry::monad);
  }
  bool call(const Value& f, std::uint32_t slot) {
    const Value function = pure(f);
    Slot& x = slots_[slot];
    if (function.is_absent() || x.value.is_mark() || ++calls_ > most_operations) return false;
    used_[x.call] = true;
    if (!x.varies) {
      x = {griddle::call(cx_, function, x.value), false, calls_};
      return !x.value.is_operation();
    }
    const bool alone = !dyadic_ && name_of(x.value) == Glyph::right;
    x = {alone ? function : make_atop(cx_, Value(function), Value(x.value)), true, calls_};
    return true;
  }
  bool call_with_two(const Value& f, std::uint32_t target, const Slot& w, const Slot& x) {
    if (!f.is_function() || !f.function().is_pure() || w.value.is_mark() || x.value.is_mark() || ++calls_ > most_operations)
      return false;
    used_[w.call] = used_[x.call] = true;
    if (!w.varies && !x.varies) {
      Value made = griddle::call(cx_, f, w.value, x.value);
      if (made.is_operation()) return false;
      slots_[target] = {std::move(made), false, calls_};
      return true;
    }
    const bool alone = name_of(w.value) == Glyph::left && name_of(x.value) == Glyph::right;
    slots_[target] = {alone ? f : make_fork(cx_, Value(w.value), Value(f), Value(x.value)), true, calls_};
    return true;
  }

  Context& cx_;
  Environment* scope_;
  int depth_;
  Slot slots_[most_slots];
  unsigned calls_ = 0;
  bool dyadic_ = false;
  bool used_[most_operations + 1] = {};
};

}  // namespace

Value composition_of(Context& cx, const Code& code, Environment* scope, Entry entry) {
  constexpr int deepest = 4;
  return Composer(cx, scope, deepest).compose(code, entry);
}

}  // namespace griddle
