#include "runtime/native/steps.h"

#include "runtime/native/native.h"
#include "runtime/value/append.h"
#include "runtime/value/fused_expression.h"
#include "runtime/vm/dispatch.h"
#include "runtime/vm/error.h"

namespace griddle {

namespace {

const PrimitiveFunctionEntry& entry_of(const Instruction* i) { return *i->pointer<const PrimitiveFunctionEntry>(0); }

// Computes on two atoms what needs no door; gives false for all else.
bool on_atoms(Context& cx, const PrimitiveFunctionEntry& entry, const Value& w, const Value& x, Value& result) {
  if (!is_number_or_character(w.bits()) || !is_number_or_character(x.bits())) return false;
  result = result_on_atoms(entry, w, x);
  if (result.is_absent() && entry.dyad_rule != nullptr && w.is_number() && x.is_number())
    result = call_on_numbers(cx, entry, w.number(), x.number());
  return !result.is_absent();
}

// Computes by the way for arrays that a function has; gives false where that declines.
bool goes_directly(Vm& vm, const Derived& derived, const Instruction* i, Value& x) {
  Bits result = Machine::direct_again(vm, derived, i, x);
  if (result == Value::absent_bits) result = Machine::direct(vm, derived, i, x);
  if (result == Value::absent_bits) return false;
  x = Value::from_bits(result);
  return true;
}

}  // namespace

void NativeSteps::two(Vm& vm, Value* base, const Instruction* i) {
  if (i->flags & (Instruction::modify | Instruction::maybe)) {
    if (Machine::dyad_again_otherwise(vm, base, i)) return;
    return Machine::dyad(vm, base, i);
  }
  const PrimitiveFunctionEntry& entry = entry_of(i);
  const Bits result = Machine::dyad_again(vm, entry, i, base[i->b].bits(), base[i->c].bits());
  if (result == Value::absent_bits) {
    if (Value of_atoms; on_atoms(vm.cx_, entry, base[i->b], base[i->c], of_atoms)) return put(base[i->a], std::move(of_atoms));
    return Machine::dyad(vm, base, i);
  }
  if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
  if (i->flags & Instruction::consume_c) drop_consumed(base[i->c]);
  put(base[i->a], Value::from_bits(result));
}

void NativeSteps::constant(Vm& vm, Value* base, const Instruction* i) {
  if (i->flags & Instruction::modify) return Machine::dyad_constant(vm, base, i);
  const PrimitiveFunctionEntry& entry = entry_of(i);
  const bool swapped = i->flags & Instruction::swapped;
  const Value &w = swapped ? i->value(1) : base[i->b], &x = swapped ? base[i->b] : i->value(1);
  const Bits result = Machine::dyad_again(vm, entry, i, w.bits(), x.bits());
  if (result == Value::absent_bits) {
    if (Value of_atoms; on_atoms(vm.cx_, entry, w, x, of_atoms)) return put(base[i->a], std::move(of_atoms));
    return Machine::dyad_constant(vm, base, i);
  }
  if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
  put(base[i->a], Value::from_bits(result));
}

void NativeSteps::alone(Vm& vm, Value* base, const Instruction* i) {
  if (!(i->flags & Instruction::modify)) {
    const Bits result = Machine::monad_again(vm, entry_of(i), i, base[i->b].bits());
    if (result != Value::absent_bits) {
      if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
      return put(base[i->a], Value::from_bits(result));
    }
  }
  Machine::monad(vm, base, i);
}

void NativeSteps::modulus(Vm& vm, Value* base, const Instruction* i) {
  const bool by_constant = i->op == Opcode::constant_modulus;
  const double w = by_constant ? number(i->immediate(1)) : number(base[i->b].bits());
  const double x = number(base[by_constant ? i->b : i->c].bits());
  if (const double v = integer_modulus(w, x); v == v) return put(base[i->a], Value(v));
  if (by_constant)
    constant(vm, base, i);
  else
    two(vm, base, i);
}

bool NativeSteps::test(Vm& vm, Value* base, const Instruction* i) {
  if (Value result; on_atoms(vm.cx_, entry_of(i), base[i->b], base[i->c], result)) return result.number() == 1;
  return Machine::test(vm, base, i);
}
bool NativeSteps::test_constant(Vm& vm, Value* base, const Instruction* i) {
  const bool swapped = i->flags & Instruction::swapped;
  const Value &w = swapped ? i->value(1) : base[i->b], &x = swapped ? base[i->b] : i->value(1);
  if (Value result; on_atoms(vm.cx_, entry_of(i), w, x, result)) return result.number() == 1;
  return Machine::test_constant(vm, base, i);
}

void NativeSteps::dyad(Vm& vm, Value* base, const Instruction* i) {
  if (is_join(entry_of(i))) {
    const bool gives_w = i->flags & Instruction::consume_b, gives_x = i->flags & Instruction::consume_c;
    if ((gives_w || gives_x) && may_grow(i, base)) return Machine::dyad(vm, base, i);
    if (i->flags & Instruction::modify && gives_x && append(vm.cx_.heap, base[i->a], base[i->c]))
      return drop_consumed(base[i->c]);
  }
  two(vm, base, i);
}

void NativeSteps::first(Vm& vm, Value* base, const Instruction* i) {
  const Array* const a = array_in(base[i->b].bits());
  if (a == nullptr || a->length == 0) return alone(vm, base, i);
  const Bits v = element_bits(*a, 0);
  if (v >= Value::first_object) retain(object(v));
  if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
  put(base[i->a], Value::from_bits(v));
}

void NativeSteps::pick(Vm& vm, Value* base, const Instruction* i) {
  const Array* const a = array_in(base[i->c].bits());
  std::size_t place;
  if (a == nullptr) return two(vm, base, i);
  if (!finds_place(*a, number(base[i->b].bits()), place)) {
    if (!finds_place(*a, base[i->b].bits(), place)) return two(vm, base, i);
    if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
  }
  const Bits v = element_bits(*a, place);
  if (v >= Value::first_object) retain(object(v));
  if (i->flags & Instruction::consume_c) drop_consumed(base[i->c]);
  put(base[i->a], Value::from_bits(v));
}

void NativeSteps::length(Vm& vm, Value* base, const Instruction* i) {
  if (!base[i->b].is_array()) return alone(vm, base, i);
  const std::size_t cells = base[i->b].array().cells();
  if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
  put(base[i->a], Value(cells));
}

bool NativeSteps::monad_then_first(Vm& vm, Value* base, const Instruction* i) {
  if (Machine::first_of(vm, base, i, false) != 0) return true;
  alone(vm, base, i);
  return false;
}
bool NativeSteps::monad_then_fold(Vm& vm, Value* base, const Instruction* i) {
  if (Machine::fold_parts(vm, base, i, false) != 0) return true;
  alone(vm, base, i);
  return false;
}
bool NativeSteps::dyad_then_fold(Vm& vm, Value* base, const Instruction* i) {
  if (Machine::fold_parts(vm, base, i, true) != 0) return true;
  two(vm, base, i);
  return false;
}
bool NativeSteps::dyad_then_first(Vm& vm, Value* base, const Instruction* i) {
  if (Machine::first_of(vm, base, i, true) != 0) return true;
  two(vm, base, i);
  return false;
}
bool NativeSteps::fused(Vm& vm, Value* base, const Instruction* i, const Environment* e) {
  if (i->c != 0 && i->pointer<const FusedExpression>(0)->passes_over(base, i->c - 1)) return false;
  return Machine::fused(vm, base, i, e);
}

// --- variables

void NativeSteps::environment(Vm& vm, Value*, const Instruction* i) {
  Frame& frame = *vm.frame_;
  frame.environment = make_environment(vm.cx_.heap, frame.environment, static_cast<std::uint32_t>(i->distance())).leak();
}
void NativeSteps::leave_environment(Vm& vm) {
  Environment* const own = vm.frame_->environment;
  vm.frame_->environment = own->parent;
  release(own);
}
void NativeSteps::modifier_self(Vm& vm, Value* base, const Instruction* i) { Machine::modifier_self(base, i, vm.frame_->self); }
void NativeSteps::operand(Vm& vm, Value* base, const Instruction* i) {
  put(base[i->a], Value(Machine::operand(*vm.frame_, i->b)));
}
void NativeSteps::set_outer(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  Machine::set_outer(vm, base, i, e, i->c);
}
void NativeSteps::modify_outer(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  Machine::modify_outer(vm, base, i, e);
}
void NativeSteps::append_outer(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  if (append(vm.cx_.heap, outward(e, i->b)->slots()[i->c], base[i->a]))
    drop_consumed(base[i->a]);
  else
    Machine::modify_outer(vm, base, i, e);
}
void NativeSteps::change_outer(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  Machine::change_element(vm, base + i->a, outward(e, i->b)->slots()[i->c]);
}
void NativeSteps::change_local(Vm& vm, Value* base, const Instruction* i) {
  Machine::change_element(vm, base + i->a, base[i->b]);
}

// --- loops over elements

bool NativeSteps::next_of_each(Vm& vm, Value* base, const Instruction* i) { return Machine::next_of_each(vm, base + i->a, i->b); }
bool NativeSteps::next_of_fold(Vm&, Value* base, const Instruction* i) { return Machine::next_of_fold(base + i->a); }
void NativeSteps::count_round(Vm& vm) { vm.cx_.step(); }
std::uint32_t NativeSteps::begin_each(Vm& vm, Value* base, const Instruction* i) {
  Value* const slots = base + i->a;
  if (i->c >> ElementLoop::longest_shift && Machine::is_longer(slots, i)) return 2;
  return Machine::begin_each(vm, slots, i->b, i->c & ElementLoop::for_effect) ? 0 : 1;
}
void NativeSteps::end_each(Vm& vm, Value* base, const Instruction* i) { Machine::end_each(vm, base + i->a, i->b); }
bool NativeSteps::begin_fold(Vm&, Value* base, const Instruction* i) { return Machine::begin_fold(base + i->a, i->b != 0); }

// --- calls

const Instruction* NativeSteps::push(Vm& vm, Value* base, const Instruction* i, const Code& callee, Entry entry,
                                     const Object* self, Environment* scope) {
  Frame* const frame = vm.frame_;
  Frame* const next = frame + 1;
  Value* const slots = base + i->a;
  Context& cx = vm.cx_;
  if (next >= vm.frame_limit_ || slots + callee.frame_size > vm.slot_limit_ || cx.interrupt_requested() || !cx.may_step())
      [[unlikely]]
    Machine::check_call(vm);
  const Instruction* const first = callee.entry[static_cast<int>(entry)];
  *next = {first, slots, &callee, self, scope, 0};
  frame->pc = i->next();
  vm.frame_ = next;
  if (--callee.native.patience < 0 && callee.native.places == nullptr) [[unlikely]]
    Machine::native_at(vm, callee, first);
  return first;
}

const Instruction* NativeSteps::enter(Vm& vm, Value* base, const Instruction* i, const Function& block, bool dyadic) {
  const BlockTarget target = block_target(block);
  return push(vm, base, i, *target.code, dyadic ? Entry::dyad : Entry::monad, &block, target.scope);
}

const Instruction* NativeSteps::call(Vm& vm, Value* base, const Instruction* i, const Value& called, bool dyadic) {
  Value &x = base[i->a], &w = base[i->a + 1];
  const Value* f = &called;
  while (f->is_function()) {
    const Function& function = f->function();
    if (is_block(function)) return enter(vm, base, i, function, dyadic);
    if (function.kind == ObjectKind::primitive_function) {
      const PrimitiveFunctionEntry& entry = primitive_entry_of(function);
      Bits result;
      if (dyadic) {
        if (x.is_number() && w.is_number())
          if (const double v = scalar_numbers(entry.scalar, w.number(), x.number()); v == v) {
            put(x, Value(v));
            return nullptr;
          }
        result = Machine::dyad_again(vm, entry, i, w.bits(), x.bits());
      } else {
        if (x.is_number())
          if (const double v = scalar_number(entry.scalar, x.number()); v == v) {
            put(x, Value(v));
            return nullptr;
          }
        result = Machine::monad_again(vm, entry, i, x.bits());
      }
      if (result == Value::absent_bits) {
        Machine::call_primitive(vm, i, entry, &x, dyadic);
        return nullptr;
      }
      if (dyadic) drop_consumed(w);
      x = Value::from_bits(result);
      return nullptr;
    }
    if (function.kind == ObjectKind::native_function) {
      Machine::call_native(vm, &x, function, dyadic);
      return nullptr;
    }
    if (function.monad == vm.choose_code_) {
      const Value* const chosen = &Machine::chosen(vm, *f, &x, dyadic);
      const bool found = chosen != f && chosen != &vm.picked_;
      f = chosen;
      if (found) continue;
      break;
    }
    if (dyadic) break;
    if (function.kind == ObjectKind::derived && x.is_array()) {
      const Derived& derived = static_cast<const Derived&>(function);
      if (derived.direct != nullptr && goes_directly(vm, derived, i, x)) return nullptr;
      break;
    }
    if (x.is_number())
      if (const double v = arithmetic(function, x.number()); v == v) {
        put(x, Value(v));
        return nullptr;
      }
    break;
  }
  Machine::call(vm, base, i, *f, dyadic);
  return nullptr;
}

void NativeSteps::call_direct(Vm& vm, Value* base, const Instruction* i) {
  Value& x = base[i->a];
  const Value& f = i->value(0);
  if (x.is_array() && goes_directly(vm, static_cast<const Derived&>(f.function()), i, x)) return;
  Machine::call(vm, base, i, f, false);
}
const Instruction* NativeSteps::call_constant(Vm& vm, Value* base, const Instruction* i) {
  return call(vm, base, i, i->value(0), i->op == Opcode::call2_constant || i->op == Opcode::call2_block);
}
const Instruction* NativeSteps::call_self(Vm& vm, Value* base, const Instruction* i) {
  const Frame& frame = *vm.frame_;
  return push(vm, base, i, *frame.code, i->op == Opcode::call2_self ? Entry::dyad : Entry::monad, frame.self,
              static_cast<const BlockFunction*>(frame.self)->scope);
}
const Instruction* NativeSteps::call_local(Vm& vm, Value* base, const Instruction* i) {
  return call(vm, base, i, base[i->b], i->op == Opcode::call2_local);
}
const Instruction* NativeSteps::call_outer(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  return call(vm, base, i, Machine::outer(vm, e, i->b, i->c), i->op == Opcode::call2_outer);
}
const Instruction* NativeSteps::call_operand(Vm& vm, Value* base, const Instruction* i) {
  return call(vm, base, i, Machine::operand(*vm.frame_, i->b), i->op == Opcode::call2_operand);
}
const Instruction* NativeSteps::call_stacked(Vm& vm, Value* base, const Instruction* i) {
  bool dyadic = i->op == Opcode::call2_value;
  if (i->op == Opcode::call_maybe) {
    dyadic = i->b != 0;
    if (base[i->a].is_mark()) {
      Machine::call_stacked(vm, base, i, dyadic);
      return nullptr;
    }
    if (dyadic && base[i->a + 2].is_mark()) dyadic = false;
  }
  Value& f = base[i->a + 1];
  if (f.is_function() && is_block(f.function())) {
    const Function& block = f.function();
    // The frame takes the function over; where there are two arguments, w lies in its place then.
    const Instruction* const first = enter(vm, base, i, block, dyadic);
    vm.frame_->keep = f.leak();
    if (dyadic) put(f, std::move(base[i->a + 2]));
    return first;
  }
  Machine::call_stacked(vm, base, i, dyadic);
  return nullptr;
}
const Instruction* NativeSteps::run_block(Vm& vm, Value* base, const Instruction* i) {
  const Frame& frame = *vm.frame_;
  return push(vm, base, i, *i->pointer<const Code>(0), Entry::monad, frame.self, frame.environment);
}

// --- taking values apart

namespace {

// Goes on where a pattern says, or fails.
bool mismatched(Value& raised, Value* base, const Instruction* i) {
  if (!raised.is_absent()) throw Error(std::move(raised));
  const Mismatch m = std::bit_cast<Mismatch>(i->immediate(1));
  Machine::clear(base, m.from, m.to);
  return false;
}

}  // namespace

bool NativeSteps::match(Vm& vm, Value* base, const Instruction* i) {
  return Machine::match(vm, base, i) || mismatched(vm.raised_, base, i);
}
bool NativeSteps::unpack(Vm& vm, Value* base, const Instruction* i) {
  return Machine::unpack(vm, base, i) || mismatched(vm.raised_, base, i);
}
bool NativeSteps::unpack_cells(Vm& vm, Value* base, const Instruction* i) {
  return Machine::unpack_cells(vm, base, i) || mismatched(vm.raised_, base, i);
}
void NativeSteps::field(Vm& vm, Value* base, const Instruction* i) {
  const FieldCache::Kind& kind = i->pointer<const FieldCache>(0)->kinds[0];
  if (base[i->b].is_namespace() && base[i->b].name_space().table == kind.table.get()) {
    if (Value v = base[i->b].name_space().environment->slots()[kind.slot]; !v.is_absent()) {
      if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
      return put(base[i->a], std::move(v));
    }
  }
  if (!Machine::field(vm, base, i)) throw Error(std::move(vm.raised_));
}

void NativeSteps::note_array(Vm& vm, Value*, const Instruction* i) {
  const Code& code = *vm.frame_->code;
  code.native.note_array(static_cast<std::uint32_t>(word_of(code, i)));
}

}  // namespace griddle
