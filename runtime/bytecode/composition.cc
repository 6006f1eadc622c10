// Finds the train that a block is equal to. Follows the instructions from an entry to the end with a function for each slot
// instead of a value; too much work ends the attempt, and so does a branch, unless choices are asked for: then both sides are
// followed to the end.
#include "runtime/bytecode/composition.h"

#include <algorithm>

#include "runtime/value/heap_memory.h"
#include "runtime/vm/call.h"

namespace griddle {

namespace {

constexpr std::uint32_t most_slots = 24;
constexpr unsigned most_operations = 24;  // from the entry to one end
constexpr unsigned most_work = 96;        // to all ends together
constexpr unsigned most_sides = 8;

// Follows the instructions of a block with what its slots hold: functions of the argument, or data.
class Composer {
 public:
  Composer(Context& cx, Environment* scope, bool choices, int depth) : cx_(cx), scope_(scope), depth_(depth), choices_(choices) {}

  Value compose(const Code& code, Entry entry) {
    const Instruction* i = code.entry[static_cast<int>(entry)];
    if (i == nullptr || code.type != BlockType::function || code.frame_size > most_slots || depth_ == 0) return Value();
    now_.slots[0] = {primitive(cx_, Glyph::right), true};
    dyadic_ = entry == Entry::dyad;
    if (dyadic_) now_.slots[1] = {primitive(cx_, Glyph::left), true};
    Slot result;
    return follow_to_end(i, result) && result.varies ? result.value : Value();
  }

 private:
  struct Slot {
    Value value;
    bool varies = false;  // is a function of the argument
    unsigned call = 0;    // that made it, from 1 on
  };
  // What is known at an instruction.
  struct State {
    Slot slots[most_slots];
    unsigned calls = 0;
    bool used[most_operations + 1] = {};
  };

  bool follow_to_end(const Instruction* i, Slot& result) {
    while (i->op != Opcode::return_value) {
      // There is a left argument, or the instruction is none of those that are followed.
      if (i->op == Opcode::jump || (i->op == Opcode::jump_dyadic && dyadic_ && now_.slots[i->a].varies)) {
        i += i->distance();
        continue;
      }
      if (choices_ && is_branch(i->op)) return branch(i, result);
      if (i->op == Opcode::each_begin || i->op == Opcode::fold_begin) {
        if ((i = call_whole(i)) == nullptr) return false;
        continue;
      }
      if (!follow(*i)) return false;
      i = i->next();
    }
    result = now_.slots[i->a];
    // What is computed for nothing may still fail.
    for (unsigned call = 1; call <= now_.calls; call++)
      if (!now_.used[call] && call != result.call) return false;
    return true;
  }

  // Calls what meets a whole array in place of a loop that begins there, if it is known; gives what follows, or null.
  const Instruction* call_whole(const Instruction* begin) {
    const bool folds = begin->op == Opcode::fold_begin;
    if (!folds && begin->c >> ElementLoop::longest_shift == 0) return nullptr;
    const Instruction* i = begin + static_cast<std::int32_t>(begin->immediate(folds ? 0 : 1));
    if (i->op != Opcode::constant) return nullptr;
    const Value& f = i->value(0);
    while ((i = i->next())->op == Opcode::move) {
    }
    Slot& x = now_.slots[begin->a];
    const bool called = i->op == Opcode::call1_value   ? call(f, begin->a)
                        : i->op == Opcode::call2_value ? call_with_two(f, x, now_.slots[begin->a + ElementLoop::w], x)
                                                       : false;
    return called ? i->next() : nullptr;
  }

  static bool is_branch(Opcode op) {
    return op == Opcode::test || op == Opcode::choose || (op >= Opcode::test_less && op <= Opcode::test_not_equal_constant);
  }
  // Gives the choice between what the sides of a branch come to, or follows the one that is always taken.
  bool branch(const Instruction* i, Slot& result) {
    const bool chooses = i->op == Opcode::choose;
    const Instruction* sides[most_sides];
    const std::size_t count = chooses ? i->b : 2;
    // Each branch may double what is to be followed.
    if (count > most_sides || ++work_ > most_work) return false;
    Slot condition;
    if (chooses) {
      condition = now_.slots[i->a];
      for (std::size_t k = 0; k < count; k++) sides[k] = i + 1 + k;
    } else {
      std::int32_t distance = i->distance();
      if (i->op == Opcode::test) {
        condition = now_.slots[i->a];
      } else {
        distance = static_cast<std::int32_t>(i->immediate(immediates_of(i->op) - 1));
        if (!compare(*i, condition)) return false;
      }
      sides[0] = i + distance;
      sides[1] = i->next();
    }
    if (!condition.varies) {
      for (std::size_t k = 0; k < count; k++)
        if (condition.value.is_number() && condition.value.number() == static_cast<double>(k)) {
          now_.used[condition.call] = true;
          return follow_to_end(sides[k], result);
        }
      return false;
    }
    now_.used[condition.call] = true;
    const State before = now_;
    Value results[most_sides];
    for (std::size_t k = 0; k < count; k++) {
      if (k != 0) now_ = before;
      Slot end;
      if (!follow_to_end(sides[k], end) || end.value.is_mark() || end.value.is_modifier()) return false;
      if (!end.varies && end.value.is_operation()) return false;
      results[k] = std::move(end.value);
    }
    const Value sides_as_list = make_values(cx_.heap, {results, count});
    result = {derive2(cx_, primitive(cx_, Glyph::choose), condition.value, sides_as_list), true};
    return true;
  }
  // Finds the operands of arithmetic or a comparison.
  void operands_of(const Instruction& i, bool is_constant, Slot& w, Slot& x) const {
    w = now_.slots[i.b];
    x = is_constant ? Slot{i.value(1)} : now_.slots[i.c];
    if (i.flags & Instruction::swapped && is_constant) std::swap(w, x);
  }
  // Computes the condition of a predicate that compares.
  bool compare(const Instruction& i, Slot& condition) {
    Slot w, x;
    operands_of(i, immediates_of(i.op) == 3, w, x);
    return call_with_two(glyph(i), condition, w, x);
  }

  bool follow(const Instruction& i) {
    if (i.flags & Instruction::modify || (i.flags & Instruction::maybe && !dyadic_)) return false;
    switch (i.op) {
      case Opcode::constant: return hold(i.a, i.value(0));
      case Opcode::copy:
      case Opcode::move: now_.slots[i.a] = now_.slots[i.b]; return true;
      case Opcode::leave: now_.slots[i.a] = now_.slots[i.c]; return true;
      case Opcode::nothing: now_.slots[i.a] = {Value::nothing()}; return true;
      case Opcode::outer:
      case Opcode::call1_of_outer:  // the instructions that it stands for follow
      case Opcode::call2_of_outer: return hold(i.a, variable(i));
      case Opcode::fused:  // likewise
      case Opcode::drop:
      case Opcode::absent:
      case Opcode::clear: return true;
      case Opcode::list: return enlist(i.a, i.b);
      case Opcode::jump_nothing:
      case Opcode::check: return dyadic_ && now_.slots[i.a].varies;
      case Opcode::call1_constant:
      case Opcode::call1_block: return call(i.value(0), i.a);
      case Opcode::call2_constant: return call_with_two(i.value(0), now_.slots[i.a], now_.slots[i.a + 1], now_.slots[i.a]);
      case Opcode::call1_outer: return call(variable(i), i.a);
      case Opcode::call2_outer: return call_with_two(variable(i), now_.slots[i.a], now_.slots[i.a + 1], now_.slots[i.a]);
      case Opcode::monad:
      case Opcode::monad_then_first:
      case Opcode::monad_then_fold:
      case Opcode::negate:
      case Opcode::complement:
      case Opcode::floor:
      case Opcode::magnitude:
      case Opcode::square_root:
      case Opcode::reciprocal:
      case Opcode::sign:
      case Opcode::first:
      case Opcode::length: now_.slots[i.a] = now_.slots[i.b]; return call(glyph(i), i.a);
      case Opcode::dyad:
      case Opcode::dyad_then_first:
      case Opcode::dyad_then_fold:
      case Opcode::matches:
      case Opcode::differs:
      case Opcode::pick: return call_with_two(glyph(i), now_.slots[i.a], now_.slots[i.b], now_.slots[i.c]);
      default: {
        if (i.op < Opcode::add || i.op > Opcode::not_equal_constant) return false;
        Slot w, x;
        operands_of(i, immediates_of(i.op) == 2, w, x);
        return call_with_two(glyph(i), now_.slots[i.a], w, x);
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
    now_.slots[slot] = {v, false};
    return true;
  }
  // Gives a pure function that does what f does; absent where there is none.
  Value pure(const Value& f) const {
    if (!f.is_function()) return Value();
    if (f.function().is_pure()) return f;
    if (f.function().kind != ObjectKind::block_function) return Value();
    const BlockFunction& block = static_cast<const BlockFunction&>(f.function());
    return Composer(cx_, block.scope, choices_, depth_ - 1)
        .compose(*static_cast<const Code*>(static_cast<NativeObject*>(block.code)), Entry::monad);
  }
  bool call(const Value& f, std::uint32_t slot) {
    const Value function = pure(f);
    Slot& x = now_.slots[slot];
    if (function.is_absent() || x.value.is_mark() || !count_call()) return false;
    now_.used[x.call] = true;
    if (!x.varies) {
      x = {griddle::call(cx_, f, x.value), false, now_.calls};
      return !x.value.is_operation();
    }
    const bool alone = !dyadic_ && side_passed_by(x.value) == ScalarOp::right;
    x = {alone ? function : make_atop(cx_, Value(function), Value(x.value)), true, now_.calls};
    return true;
  }
  bool call_with_two(const Value& f, Slot& target, const Slot& w, const Slot& x) {
    if (!f.is_function() || !f.function().is_pure() || w.value.is_mark() || x.value.is_mark() || !count_call()) return false;
    now_.used[w.call] = now_.used[x.call] = true;
    if (!w.varies && !x.varies) {
      Value made = griddle::call(cx_, f, w.value, x.value);
      if (made.is_operation()) return false;
      target = {std::move(made), false, now_.calls};
      return true;
    }
    if (const Value bound = bound_to_data(f, w, x); !bound.is_absent()) {
      target = {bound, true, now_.calls};
      return true;
    }
    const bool alone = side_passed_by(w.value) == ScalarOp::left && side_passed_by(x.value) == ScalarOp::right;
    target = {alone ? f : make_fork(cx_, Value(w.value), Value(f), Value(x.value)), true, now_.calls};
    return true;
  }
  // Gives f⟜k or k⊸f where data meets the argument itself, so that whoever looks for ways of such functions finds them; absent
  // for arithmetic, whose trains are computed at once.
  Value bound_to_data(const Value& f, const Slot& w, const Slot& x) {
    const bool is_arithmetic = f.function().kind == ObjectKind::primitive_function &&
                               static_cast<const PrimitiveFunction&>(f.function()).entry->pervasive_dyad;
    if (dyadic_ || is_arithmetic) return Value();
    if (!x.varies && side_passed_by(w.value) == ScalarOp::right) return derive2(cx_, primitive(cx_, Glyph::after), f, x.value);
    if (!w.varies && side_passed_by(x.value) == ScalarOp::right) return derive2(cx_, primitive(cx_, Glyph::before), w.value, f);
    return Value();
  }
  // Makes a list of one or two, which ⋈ makes too, or of what does not vary.
  bool enlist(std::uint32_t slot, std::uint32_t count) {
    if (slot + count > most_slots) return false;
    const std::span<Slot> elements(now_.slots + slot, count);
    if (std::ranges::any_of(elements, [](const Slot& s) { return s.value.is_mark(); })) return false;
    const Value& pairing = primitive(cx_, Glyph::pair);
    if (count == 1) return call(pairing, slot);
    if (std::ranges::any_of(elements, [](const Slot& s) { return s.varies; }))
      return count == 2 && call_with_two(pairing, now_.slots[slot], elements[0], elements[1]);
    if (!count_call()) return false;
    HeapVector<Value> values(cx_.heap);
    for (const Slot& s : elements) {
      now_.used[s.call] = true;
      values.push_back(s.value);
    }
    now_.slots[slot] = {make_literal(cx_.heap, {values.data(), count}), false, now_.calls};
    return true;
  }
  bool count_call() { return ++now_.calls <= most_operations && ++work_ <= most_work; }

  Context& cx_;
  Environment* scope_;
  int depth_;
  bool choices_;
  State now_;
  unsigned work_ = 0;
  bool dyadic_ = false;
};

}  // namespace

Value composition_of(Context& cx, const Code& code, Environment* scope, Entry entry, bool choices) {
  constexpr int deepest = 4;
  return Composer(cx, scope, choices, deepest).compose(code, entry);
}

}  // namespace griddle
