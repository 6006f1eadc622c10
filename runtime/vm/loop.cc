// The loop: runs the innermost frame to its end. It has no objects with destructors; whatever may fail lies in Machine.
#include <cmath>

#include "runtime/value/append.h"
#include "runtime/value/fused_expression.h"
#include "runtime/vm/dispatch.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/native.h"
#include "runtime/vm/scalar.h"

namespace griddle {

#define VALUES reinterpret_cast<Value*>(base)

namespace {

// Gives the variable of an environment, which may be undefined yet, that an instruction reads.
inline const Value& variable_of(const Environment* e, const Instruction* i) { return outward(e, i->b)->slots()[i->c]; }
inline Bits shared(const Value& v) {
  if (v.is_object()) retain(v.object());
  return v.bits();
}

}  // namespace

// Notes the place before a call that can fail. So all of them share one landing place, which an exception finds quickly.
#define NOTED(call) (frame->pc = pc, call)

// Goes to where lists and all other values are computed on, from two slots, from one and the constant, or from one alone.
#define OPERATE(name)                               \
  do {                                              \
    if constexpr (immediates_of(Opcode::name) == 1) \
      goto operate_two;                             \
    else                                            \
      goto operate_constant;                        \
  } while (0)
// A call for the sums of characters would have all of arithmetic keep more registers: 4 % of the instructions of a recursion.
#define SUM(name, op, w, x) OPERATE(name)
#define OPERATE_ALONE goto operate_alone
#define TEST(name, holds)                                                            \
  holds = immediates_of(Opcode::name) == 2 ? NOTED(Machine::test(*this, VALUES, pc)) \
                                           : NOTED(Machine::test_constant(*this, VALUES, pc))

// Tells whoever sees the steps what the instruction has given, before the next one.
#undef NEXT
#define NEXT(name)                                                   \
  do {                                                               \
    if constexpr (stepped) Machine::step(*this, *frame, pc, VALUES); \
    pc += 1 + immediates_of(Opcode::name);                           \
    goto* labels[static_cast<std::uint8_t>(pc->op)];                 \
  } while (0)

// Asks for machine code where the instruction that comes next is that of a call, of a round, or of a return.
#define IS_NATIVE(code) (has_native && !stepped && --(code)->native.patience < 0)

template <bool stepped>
void Vm::execute_as() {
  static const void* const labels[opcode_count] = {
#define OPCODE(name, immediates, operands) &&do_##name,
#include "runtime/bytecode/opcodes.inc"
#undef OPCODE
  };
  Frame* frame = frame_;
  Frame* const entry = frame;
  Value* const message = std::exchange(message_, nullptr);
  Bits* base = reinterpret_cast<Bits*>(frame->base);
  const Instruction* pc = frame->pc;
  if constexpr (stepped) Machine::entered(*this, *frame);
  try {
    if (IS_NATIVE(frame->code)) goto ask_native;
    goto* labels[static_cast<std::uint8_t>(pc->op)];

    // --- moving values
  do_constant : {
    Bits v = pc->immediate(0);
    if (v >= Value::first_object) retain(object(v));
    base[pc->a] = v;
    NEXT(constant);
  }
  do_copy : {
    Bits v = base[pc->b];
    if (v >= Value::first_object) retain(object(v));
    base[pc->a] = v;
    NEXT(copy);
  }
  do_move : {
    Bits v = base[pc->b];
    base[pc->b] = Value::absent_bits;
    base[pc->a] = v;
    NEXT(move);
  }
  do_assign : {
    Bits v = base[pc->b];
    if (pc->flags & Instruction::consume_b)
      base[pc->b] = Value::absent_bits;
    else if (v >= Value::first_object)
      retain(object(v));
    Bits old = base[pc->a];
    base[pc->a] = v;
    if (old >= Value::first_object) release(object(old));
    NEXT(assign);
  }
  do_drop : {
    Bits v = base[pc->a];
    base[pc->a] = Value::absent_bits;
    if (v >= Value::first_object) release(object(v));
    NEXT(drop);
  }
  do_absent : {
    Bits* slot = base + pc->a;
    for (unsigned n = pc->b; n; n--) *slot++ = Value::absent_bits;
    NEXT(absent);
  }
  do_clear:
    Machine::clear(VALUES, pc->a, pc->a + pc->b);
    NEXT(clear);
  do_nothing:
    base[pc->a] = Value::nothing_bits;
    NEXT(nothing);
  do_check:
    if (VALUES[pc->a].is_mark()) NOTED(Machine::fail_nothing(*this));
    NEXT(check);
  do_self:
    new (VALUES + pc->a) Value(Value::share(const_cast<Function*>(static_cast<const Function*>(frame->self))));
    NEXT(self);
  do_modifier_self:
    NOTED(Machine::modifier_self(VALUES, pc, frame->self));
    NEXT(modifier_self);
  do_operand:
    new (VALUES + pc->a) Value(Machine::operand(*frame, pc->b));
    NEXT(operand);

    // --- environments
  do_environment:
    frame->environment = NOTED(make_environment(cx_.heap, frame->environment, static_cast<std::uint32_t>(pc->distance()))).leak();
    NEXT(environment);
  do_leave_environment : {
    Environment* own = frame->environment;
    frame->environment = own->parent;
    release(own);
    NEXT(leave_environment);
  }
  do_outer : {
    const Environment* e = outward(frame->environment, pc->b);
    Bits v = e->slots()[pc->c].bits();
    if (v >= Value::first_object)
      retain(object(v));
    else if (v == Value::absent_bits) [[unlikely]]
      NOTED(Machine::undefined(*this));
    base[pc->a] = v;
    NEXT(outer);
  }
  do_outer_wide:
    new (VALUES + pc->a)
        Value(NOTED(Machine::outer(*this, frame->environment, pc->b, static_cast<std::uint32_t>(pc->immediate(0)))));
    NEXT(outer_wide);
  do_set_outer : {
    Environment* e = outward(frame->environment, pc->b);
    Bits& variable = reinterpret_cast<Bits*>(e->slots())[pc->c];
    Bits v = base[pc->a];
    const bool too_early = pc->flags & Instruction::checked && variable == Value::absent_bits;
    if (variable < Value::first_object && !too_early) [[likely]] {
      if (pc->flags & Instruction::consume_b) [[likely]]
        base[pc->a] = Value::absent_bits;
      else if (v >= Value::first_object)
        retain(object(v));
      variable = v;
    } else {
      NOTED(Machine::set_outer(*this, VALUES, pc, frame->environment, pc->c));
    }
    NEXT(set_outer);
  }
  do_add_outer : {
    Environment* e = outward(frame->environment, pc->b);
    Bits& variable = reinterpret_cast<Bits*>(e->slots())[pc->c];
    double v = number(variable) + number(base[pc->a]);
    if (v != v) [[unlikely]]
      NOTED(Machine::modify_outer(*this, VALUES, pc, frame->environment));
    else
      variable = bits(v);
    NEXT(add_outer);
  }
  do_set_outer_wide:
    NOTED(Machine::set_outer(*this, VALUES, pc, frame->environment, static_cast<std::uint32_t>(pc->immediate(0))));
    NEXT(set_outer_wide);
  do_modify_outer:
    NOTED(Machine::modify_outer(*this, VALUES, pc, frame->environment));
    NEXT(modify_outer);
  do_append_outer : {
    Environment* e = outward(frame->environment, pc->b);
    if (NOTED(append(cx_.heap, e->slots()[pc->c], VALUES[pc->a]))) [[likely]] {
      const Bits rest = base[pc->a];
      base[pc->a] = Value::absent_bits;
      if (rest >= Value::first_object) release(object(rest));
    } else {
      NOTED(Machine::modify_outer(*this, VALUES, pc, frame->environment));
    }
    NEXT(append_outer);
  }
  do_modify_local:
    NOTED(Machine::modify_local(*this, VALUES, pc));
    NEXT(modify_local);
  do_change_outer : {
    Environment* e = outward(frame->environment, pc->b);
    NOTED(Machine::change_element(*this, VALUES + pc->a, e->slots()[pc->c]));
    NEXT(change_outer);
  }
  do_change_local:
    NOTED(Machine::change_element(*this, VALUES + pc->a, VALUES[pc->b]));
    NEXT(change_local);

    // --- primitives, and expressions of nothing else
  do_monad:
    goto operate_alone;
  do_dyad:
    // A list that ∾ takes over may grow in place.
    if (!(pc->flags & (Instruction::consume_b | Instruction::consume_c)) ||
        !is_join(*pc->pointer<const PrimitiveFunctionEntry>(0)) || !may_grow(pc, VALUES)) {
      if (pc->flags & Instruction::modify && pc->flags & Instruction::consume_c &&
          is_join(*pc->pointer<const PrimitiveFunctionEntry>(0)) && NOTED(append(cx_.heap, VALUES[pc->a], VALUES[pc->c]))) {
        drop_consumed(VALUES[pc->c]);
        NEXT(dyad);
      }
      goto operate_two;
    }
    if (message != nullptr && NOTED(Machine::refuses(*this, VALUES, pc, true))) [[unlikely]]
      goto raise;
    NOTED(Machine::dyad(*this, VALUES, pc));
    NEXT(dyad);
  do_monad_then_fold:
    if (const std::int32_t distance = NOTED(Machine::fold_parts(*this, VALUES, pc, false)); distance != 0) JUMP(distance);
    goto operate_alone;
  do_dyad_then_fold:
    if (const std::int32_t distance = NOTED(Machine::fold_parts(*this, VALUES, pc, true)); distance != 0) JUMP(distance);
    goto operate_two;
    // Who sees the steps wants both.
  do_monad_then_first:
    if (!stepped)
      if (const std::int32_t distance = NOTED(Machine::first_of(*this, VALUES, pc, false)); distance != 0) JUMP(distance);
    goto operate_alone;
  do_dyad_then_first:
    if (!stepped)
      if (const std::int32_t distance = NOTED(Machine::first_of(*this, VALUES, pc, true)); distance != 0) JUMP(distance);
    goto operate_two;
  do_fused:
    if (pc->c != 0 && pc->pointer<const FusedExpression>(0)->passes_over(VALUES, pc->c - 1)) NEXT(fused);
    if (NOTED(Machine::fused(*this, VALUES, pc, frame->environment))) JUMP(static_cast<std::int32_t>(pc->immediate(1)));
    NEXT(fused);

    // --- calls
#include "runtime/vm/call_instructions.inc"

    // --- making values
  do_list:
    NOTED(Machine::list(*this, VALUES, pc));
    NEXT(list);
  do_join_lists:
    NOTED(Machine::join_lists(*this, VALUES, pc));
    NEXT(join_lists);
  do_derive1:
    NOTED(Machine::derive1(*this, VALUES, pc));
    NEXT(derive1);
  do_derive2:
    NOTED(Machine::derive2(*this, VALUES, pc));
    NEXT(derive2);
  do_derive1_primitive:
    NOTED(Machine::derive1_primitive(*this, VALUES, pc));
    NEXT(derive1_primitive);
  do_derive2_primitive:
    NOTED(Machine::derive2_primitive(*this, VALUES, pc));
    NEXT(derive2_primitive);
  do_atop:
    NOTED(Machine::atop(*this, VALUES, pc));
    NEXT(atop);
  do_fork:
    NOTED(Machine::fork(*this, VALUES, pc));
    NEXT(fork);
  do_closure:
    NOTED(Machine::closure(*this, VALUES, pc, frame->environment));
    NEXT(closure);
  do_scoped:
    NOTED(Machine::scoped(*this, VALUES, pc, frame->environment));
    NEXT(scoped);
  do_field : {
    const FieldCache::Kind& kind = pc->pointer<const FieldCache>(0)->kinds[0];
    const Bits from = base[pc->b];
    if (VALUES[pc->b].is_namespace() && VALUES[pc->b].name_space().table == kind.table.get()) {
      const Bits v = VALUES[pc->b].name_space().environment->slots()[kind.slot].bits();
      if (v != Value::absent_bits) {
        if (v >= Value::first_object) retain(object(v));
        const bool consume = pc->flags & Instruction::consume_b;
        if (consume) base[pc->b] = Value::absent_bits;
        base[pc->a] = v;
        if (consume) release(object(from));
        NEXT(field);
      }
    }
  }
    if (!NOTED(Machine::field(*this, VALUES, pc))) goto raise;
    NEXT(field);
  do_name_space:
    NOTED(Machine::name_space(*this, VALUES, pc, frame->environment));
    NEXT(name_space);

    // --- control
#include "runtime/vm/control_instructions.inc"

    // --- taking values apart
  do_match:
    if (NOTED(Machine::match(*this, VALUES, pc))) NEXT(match);
    goto mismatch;
  do_unpack:
    if (NOTED(Machine::unpack(*this, VALUES, pc))) NEXT(unpack);
    goto mismatch;
  do_unpack_cells:
    if (NOTED(Machine::unpack_cells(*this, VALUES, pc))) NEXT(unpack_cells);
  mismatch : {
    if (!raised_.is_absent()) goto raise;
    Mismatch m = std::bit_cast<Mismatch>(pc->immediate(1));
    Machine::clear(VALUES, m.from, m.to);
    JUMP(m.distance);
  }

  // --- operations with a fast path
#include "runtime/vm/scalar_instructions.inc"
  // What the operations come to where an operand is no number. As the last time, or as the primitive says.
  operate_two : {
    RecentDyad& recent = recent_dyads_.at(pc);
    if (pc->flags & (Instruction::modify | Instruction::maybe)) [[unlikely]] {
      if (NOTED(Machine::dyad_again_otherwise(*this, VALUES, pc))) NEXT(dyad);
    } else if (recent.entry == pc->pointer<const PrimitiveFunctionEntry>(0)) [[likely]] {
      const Bits result = NOTED(recent.compute(cx_, base[pc->b], base[pc->c], recent));
      if (result != Value::absent_bits) [[likely]] {
        if (pc->flags & Instruction::consume_b) drop_consumed(VALUES[pc->b]);
        if (pc->flags & Instruction::consume_c) drop_consumed(VALUES[pc->c]);
        base[pc->a] = result;
        NEXT(dyad);
      }
    }
    if (message != nullptr && NOTED(Machine::refuses(*this, VALUES, pc, true))) [[unlikely]]
      goto raise;
    NOTED(Machine::dyad(*this, VALUES, pc));
    NEXT(dyad);
  }
  operate_constant : {
    RecentDyad& recent = recent_dyads_.at(pc);
    if (recent.entry == pc->pointer<const PrimitiveFunctionEntry>(0) && !(pc->flags & Instruction::modify)) [[likely]] {
      const bool swapped = pc->flags & Instruction::swapped;
      const Bits constant = pc->immediate(1), other = base[pc->b];
      const Bits result = NOTED(recent.compute(cx_, swapped ? constant : other, swapped ? other : constant, recent));
      if (result != Value::absent_bits) [[likely]] {
        if (pc->flags & Instruction::consume_b) drop_consumed(VALUES[pc->b]);
        base[pc->a] = result;
        NEXT(add_constant);
      }
    }
    if (message != nullptr && NOTED(Machine::refuses_constant(*this, VALUES, pc))) [[unlikely]]
      goto raise;
    NOTED(Machine::dyad_constant(*this, VALUES, pc));
    NEXT(add_constant);
  }
  operate_alone : {
    RecentMonad& recent = recent_monads_.at(pc);
    if (recent.entry == pc->pointer<const PrimitiveFunctionEntry>(0) && !(pc->flags & Instruction::modify)) [[likely]] {
      const Bits result = NOTED(recent.compute(cx_, base[pc->b], recent));
      if (result != Value::absent_bits) [[likely]] {
        if (pc->flags & Instruction::consume_b) drop_consumed(VALUES[pc->b]);
        base[pc->a] = result;
        NEXT(monad);
      }
    }
    if (message != nullptr && NOTED(Machine::refuses(*this, VALUES, pc, false))) [[unlikely]]
      goto raise;
    NOTED(Machine::monad(*this, VALUES, pc));
    NEXT(monad);
  }
  do_first : {
    const Array* const a = array_in(base[pc->b]);
    if (a == nullptr || a->length == 0) OPERATE_ALONE;
    const Bits v = element_bits(*a, 0);
    if (v >= Value::first_object) retain(object(v));
    if (pc->flags & Instruction::consume_b) drop_consumed(VALUES[pc->b]);
    base[pc->a] = v;
    NEXT(first);
  }
  do_pick : {
    const Array* const a = array_in(base[pc->c]);
    std::size_t i;
    if (a == nullptr) OPERATE(pick);
    if (!finds_place(*a, number(base[pc->b]), i)) {
      if (!finds_place(*a, base[pc->b], i)) OPERATE(pick);
      if (pc->flags & Instruction::consume_b) drop_consumed(VALUES[pc->b]);
    }
    const Bits v = element_bits(*a, i);
    if (v >= Value::first_object) retain(object(v));
    if (pc->flags & Instruction::consume_c) drop_consumed(VALUES[pc->c]);
    base[pc->a] = v;
    NEXT(pick);
  }
  do_length : {
    const Bits v = base[pc->b];
    if (v >> 48 != Value::array_tag) OPERATE_ALONE;
    const std::size_t cells = static_cast<const Array*>(object(v))->cells();
    if (pc->flags & Instruction::consume_b) drop_consumed(VALUES[pc->b]);
    base[pc->a] = bits(static_cast<double>(cells));
    NEXT(length);
  }
  do_require:
    if (base[pc->b] == one) {
      base[pc->a] = one;
      NEXT(require);
    }
    if (NOTED(Machine::require(*this, VALUES, pc, false))) NEXT(require);
    goto raise;
  do_require_for:
    if (NOTED(Machine::require(*this, VALUES, pc, true))) NEXT(require_for);
    goto raise;

  ask_native:
    if (const NativeCode& native = frame->code->native; message == nullptr || !native.fails_often()) {
      const void* const place =
          native.places != nullptr ? native.places[word_of(*frame->code, pc)] : Machine::native_at(*this, *frame->code, pc);
      if (place != nullptr) {
        pc = enter_native_(place, this, entry);
        if (pc == nullptr) return;
        frame = frame_;
        base = reinterpret_cast<Bits*>(frame->base);
      }
    }
    goto* labels[static_cast<std::uint8_t>(pc->op)];

  raise:
    if (!message) goto throw_raised;
    Machine::unwind(*this, frame, entry, pc, nullptr);
    *message = std::move(raised_);
    return;
  } catch (Error& error) {
    // Machine code may have gone on from where the loop stood.
    assert(frame_ >= entry);
    if (message && error.catchable) {
      if constexpr (has_native) Machine::note_failure(frame_, entry);
      Machine::unwind(*this, frame_, entry, frame_->pc, nullptr);
      *message = std::move(error.message);
      return;
    }
    Machine::unwind(*this, frame_, entry, frame_->pc, &error);
    throw;
  } catch (const OutOfMemory&) {
    throw_out_of_memory(frame_, entry, frame_->pc);
  } catch (const std::bad_alloc&) {
    throw_out_of_memory(frame_, entry, frame_->pc);
  } catch (...) {
    Machine::unwind(*this, frame_, entry, frame_->pc, nullptr);
    throw;
  }
  // Stands outside of the try block: the error goes straight to whoever catches it.
throw_raised:
  throw_raised(frame, entry, pc);
}

template void Vm::execute_as<false>();
template void Vm::execute_as<true>();

}  // namespace griddle

#undef VALUES
#undef NOTED
#undef IS_NATIVE
#undef SUM
#undef OPERATE
#undef OPERATE_ALONE
#undef TEST
