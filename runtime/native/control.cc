// Machine code for instructions that read elements, jump and repeat, and for what C++ does.
#include "runtime/native/steps.h"
#include "runtime/native/translator.h"
#include "runtime/value/fused_expression.h"

namespace griddle {

// --- arrays

bool Translator::emit_array(const Instruction* i) {
  switch (i->op) {
    case Opcode::pick: pick(i); return true;
    case Opcode::first: first(i); return true;
    case Opcode::length: length(i); return true;
    default: return false;
  }
}

// Of a list; the step counts all else.
void Translator::length(const Instruction* i) {
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  const Xmm r = fresh();
  object_in(rsi, i->b, Value::array_tag, *other);
  cmp(byte[rsi + array_rank], 1);
  jne(*other, T_NEAR);
  xorps(r, r);
  cvtsi2sd(r, qword[rsi + array_length]);
  store_element(i, r, i->b, i->flags & Instruction::consume_b);
  rejoin(i, step(NativeSteps::length), other, back);
}

// Gets the array that a slot holds in rsi, and where its elements begin in rdi; goes elsewhere where they are not here.
void Translator::elements_in(unsigned s, Label& other) {
  object_in(rsi, s, Value::array_tag, other);
  mov(rdi, qword[rsi + array_data]);
  CodeGenerator::test(rdi, rdi);
  jz(other, T_NEAR);
}

// Reads element rdx of the array in rsi, whose elements begin at rdi. What may be something else than a number is read by its
// bits; where only numbers are foreseen, all else goes elsewhere.
void Translator::element(const Xmm& r, bool foresees_all, Label& other) {
  movzx(eax, byte[rsi + array_type]);
  Label integer, done, not_i8, not_i32, not_f64, not_i16;
  xorps(r, r);
  cmp(eax, static_cast<int>(ElementType::i8));
  jne(not_i8);
  movsx(eax, byte[rdi + rdx]);
  jmp(integer, T_NEAR);
  L(not_i8);
  if (foresees_all) {
    Label not_boxed, plain, not_c8;
    cmp(eax, static_cast<int>(ElementType::boxed));
    jne(not_boxed);
    mov(rax, qword[rdi + rdx * 8]);
    cmp(rax, r15);
    jb(plain);
    mov(rdi, rax);
    shl(rdi, 16);
    shr(rdi, 16);
    add(dword[rdi], 1);
    L(plain);
    movq(r, rax);
    jmp(done, T_NEAR);
    L(not_boxed);
    cmp(eax, static_cast<int>(ElementType::c8));
    jne(not_c8);
    movzx(eax, byte[rdi + rdx]);
    mov(rcx, Value::first_tagged);
    or_(rax, rcx);
    movq(r, rax);
    jmp(done, T_NEAR);
    L(not_c8);
  }
  cmp(eax, static_cast<int>(ElementType::i32));
  jne(not_i32);
  mov(eax, dword[rdi + rdx * 4]);
  jmp(integer);
  L(not_i32);
  cmp(eax, static_cast<int>(ElementType::f64));
  jne(not_f64);
  movsd(r, qword[rdi + rdx * 8]);
  ucomisd(r, r);
  jp(other, T_NEAR);
  jmp(done);
  L(not_f64);
  cmp(eax, static_cast<int>(ElementType::i16));
  jne(not_i16);
  movsx(eax, word[rdi + rdx * 2]);
  jmp(integer);
  L(not_i16);
  cmp(eax, static_cast<int>(ElementType::bit));
  jne(other, T_NEAR);
  xor_(eax, eax);
  bt(dword[rdi], edx);
  adc(eax, eax);
  L(integer);
  cvtsi2sd(r, eax);
  L(done);
}

// Stores what was read from the array in a slot, which may be given.
void Translator::store_element(const Instruction* i, const Xmm& r, unsigned array, bool gives) {
  if (!gives) return store(i->a, r);
  // A number needs no release: the slot holds the array.
  mov(rdi, slot(array));
  if (i->a != array) {
    mov(rax, Value::absent_bits);
    mov(slot(array), rax);
    forget(array);
  }
  store(i->a, r);
  release_rdi();
}

void Translator::first(const Instruction* i) {
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  const Xmm r = fresh();
  elements_in(i->b, *other);
  cmp(qword[rsi + array_length], 0);
  je(*other, T_NEAR);
  xor_(edx, edx);
  element(r, code_.native.is_known_for_arrays(word_of(i)), *other);
  store_element(i, r, i->b, i->flags & Instruction::consume_b);
  rejoin(i, step(NativeSteps::first), other, back);
}

void Translator::pick(const Instruction* i) {
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  const Xmm index = load({i->b, 0}), r = fresh();
  elements_in(i->c, *other);
  integer_in(edx, index, *other);
  cmp(byte[rsi + array_rank], 1);
  jne(*other, T_NEAR);
  movsxd(rdx, edx);
  mov(rcx, qword[rsi + array_length]);
  lea(rax, ptr[rdx + rcx]);
  CodeGenerator::test(rdx, rdx);
  cmovs(rdx, rax);
  cmp(rdx, rcx);
  jae(*other, T_NEAR);
  element(r, code_.native.is_known_for_arrays(word_of(i)), *other);
  store_element(i, r, i->c, i->flags & Instruction::consume_c);
  rejoin(i, step(NativeSteps::pick), other, back);
}

// --- jumps

bool Translator::emit_jump(const Instruction* i) {
  const auto go = [&](std::int32_t distance) -> Label& { return label_of(i + distance); };
  switch (i->op) {
    case Opcode::jump: jmp(go(i->distance()), T_NEAR); return true;
    case Opcode::jump_dyadic:
    case Opcode::jump_nothing:
      mov(rax, Value::nothing_bits);
      cmp(slot(i->a), rax);
      if (i->op == Opcode::jump_dyadic)
        jne(go(i->distance()), T_NEAR);
      else
        je(go(i->distance()), T_NEAR);
      return true;
    case Opcode::jump_data:
      mov(rax, slot(i->a));
      shr(rax, 48);
      sub(eax, Value::function_tag);
      cmp(eax, Value::modifier2_tag - Value::function_tag);
      ja(go(i->distance()), T_NEAR);
      return true;
    case Opcode::test:
    case Opcode::goes_on: {
      const auto other = std::make_shared<Label>();
      mov(rax, slot(i->a));
      CodeGenerator::test(rax, rax);
      jz(go(i->distance()), T_NEAR);
      cmp(rax, rbp);
      jne(*other, T_NEAR);
      leave_later(i, other);
      return true;
    }
    case Opcode::choose: {
      const auto other = std::make_shared<Label>();
      const Xmm index = load({i->a, 0});
      integer_in(eax, index, *other);
      for (int k = 0; k < i->b; k++) {
        cmp(eax, k);
        je(go(1 + k), T_NEAR);
      }
      L(*other);
      leave_at(i);
      return true;
    }
    case Opcode::match:
    case Opcode::unpack:
    case Opcode::unpack_cells: {
      const std::int32_t distance = std::bit_cast<Mismatch>(i->immediate(1)).distance;
      call_step(i->op == Opcode::match    ? step(NativeSteps::match)
                : i->op == Opcode::unpack ? step(NativeSteps::unpack)
                                          : step(NativeSteps::unpack_cells),
                i);
      forget_all();
      if (distance == 0) return true;
      CodeGenerator::test(al, al);
      jz(go(distance), T_NEAR);
      return true;
    }
    default: return false;
  }
}

// --- loops

// Counts a round of a loop, and does what the host asks for.
void Translator::count_round(const Instruction* i) {
  const auto asked = std::make_shared<Label>(), back = std::make_shared<Label>();
  mov(rax, address(in_.steps_left));
  sub(qword[rax], 1);
  js(*asked, T_NEAR);
  mov(rdx, address(in_.checked_limit));
  cmp(qword[rdx], -1);
  je(*asked, T_NEAR);
  L(*back);
  later([this, i, asked, back, held = held_] {
    L(*asked);
    // The step counts it again.
    mov(rax, address(in_.steps_left));
    add(qword[rax], 1);
    call_step(step(NativeSteps::count_round), i);
    reload(held);
    jmp(*back, T_NEAR);
  });
}

// Gets the next elements, or goes to the end. The slot of an argument holds no object here.
void Translator::each_next(const Instruction* i, Label& end) {
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>(), other_left = std::make_shared<Label>();
  forget_all();
  if (i->b == ElementLoop::one) {
    const Xmm r = fresh();
    elements_in(i->a + ElementLoop::x, *other);
    cvttsd2si(rdx, slot(i->a + ElementLoop::index));
    cmp(rdx, qword[rsi + array_length]);
    je(end, T_NEAR);
    element(r, true, *other);
    movsd(slot(i->a + ElementLoop::argument_x), r);
  } else {
    movsd(xmm0, slot(i->a + ElementLoop::index));
    ucomisd(xmm0, slot(i->a + ElementLoop::rounds));
    je(end, T_NEAR);
    if (i->b == ElementLoop::cells) jmp(*other, T_NEAR);
  }
  if (i->b == ElementLoop::two) {
    element_of_loop(i->a, ElementLoop::x, ElementLoop::argument_x, *other);
    element_of_loop(i->a, ElementLoop::w, ElementLoop::argument_w, *other_left);
  }
  L(*back);
  later([this, i, other, other_left, back, &end] {
    L(*other_left);
    mov(rdi, slot(i->a + ElementLoop::argument_x));
    release_rdi();
    L(*other);
    call_step(step(NativeSteps::next_of_each), i);
    CodeGenerator::test(al, al);
    jz(end, T_NEAR);
    jmp(*back, T_NEAR);
  });
}

// Has the next element of an argument of a loop in a slot; an atom, or what a unit holds, meets each element of the other one.
void Translator::element_of_loop(unsigned loop, unsigned from, unsigned to, Label& other) {
  const Xmm r = fresh();
  Label array, first, done;
  mov(rax, slot(loop + from));
  cmp(rax, r15);
  jae(array);
  mov(slot(loop + to), rax);
  jmp(done, T_NEAR);
  L(array);
  elements_in(loop + from, other);
  xor_(edx, edx);
  cmp(byte[rsi + array_rank], 0);
  je(first);
  cvttsd2si(rdx, slot(loop + ElementLoop::index));
  L(first);
  element(r, true, other);
  movsd(slot(loop + to), r);
  L(done);
}

void Translator::fold_next(const Instruction* i, Label& end) {
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  forget_all();
  const Xmm r = fresh();
  cvttsd2si(rdx, slot(i->a + ElementLoop::index));
  sub(rdx, 1);
  js(end, T_NEAR);
  elements_in(i->a + ElementLoop::x, *other);
  element(r, true, *other);
  movsd(slot(i->a + ElementLoop::argument_w), r);
  xorps(xmm0, xmm0);
  cvtsi2sd(xmm0, rdx);
  movsd(slot(i->a + ElementLoop::index), xmm0);
  L(*back);
  later([this, i, other, back] {
    L(*other);
    call_step(step(NativeSteps::next_of_fold), i);
    jmp(*back, T_NEAR);
  });
}

// Keeps a result, where results are wanted, and counts.
void Translator::keep_of_each(const Instruction* i) {
  const auto drop = std::make_shared<Label>(), back = std::make_shared<Label>();
  forget_all();
  mov(rax, slot(i->a + ElementLoop::argument_x));
  mov(rcx, Value::absent_bits);
  mov(slot(i->a + ElementLoop::argument_x), rcx);
  movsd(xmm0, slot(i->a + ElementLoop::index));
  mov(rsi, slot(i->a + ElementLoop::results));
  cmp(rsi, r15);
  jb(*drop, T_NEAR);
  shl(rsi, 16);
  shr(rsi, 16);
  mov(rdi, qword[rsi + array_data]);
  cvttsd2si(rdx, xmm0);
  mov(qword[rdi + rdx * 8], rax);
  L(*back);
  addsd(xmm0, constant(one_constant));
  movsd(slot(i->a + ElementLoop::index), xmm0);
  later([this, i, drop, back] {
    L(*drop);
    mov(rdi, rax);
    release_rdi();
    movsd(xmm0, slot(i->a + ElementLoop::index));
    jmp(*back, T_NEAR);
  });
}

bool Translator::emit_loop(const Instruction* i) {
  const auto go = [&](std::int32_t distance) -> Label& { return label_of(i + distance); };
  switch (i->op) {
    case Opcode::again:
      count_round(i);
      jmp(go(i->distance()), T_NEAR);
      return true;
    case Opcode::repeat_again: {
      const Xmm rest = fresh(), none = fresh();
      movsd(rest, slot(i->a));
      subsd(rest, constant(one_constant));
      store(i->a, rest);
      count_round(i);
      xorps(none, none);
      ucomisd(rest, none);
      ja(go(i->distance()), T_NEAR);
      return true;
    }
    case Opcode::repeat: {
      const auto other = std::make_shared<Label>();
      const Xmm count = load({i->a, 0});
      integer_in(rax, count, *other);
      CodeGenerator::test(rax, rax);
      jz(go(i->distance()), T_NEAR);
      mov(rdx, std::uint64_t{1} << 53);
      cmp(rax, rdx);
      jae(*other, T_NEAR);
      leave_later(i, other);
      return true;
    }
    case Opcode::each_next: each_next(i, go(static_cast<std::int32_t>(i->immediate(0)))); return true;
    case Opcode::fold_next: fold_next(i, go(i->distance())); return true;
    case Opcode::each_begin:
      call_step(step(NativeSteps::begin_each), i);
      forget_all();
      cmp(eax, 1);
      je(go(static_cast<std::int32_t>(i->immediate(0))), T_NEAR);
      if (i->c >> ElementLoop::longest_shift) ja(go(static_cast<std::int32_t>(i->immediate(1))), T_NEAR);
      return true;
    case Opcode::fold_begin:
      call_step(step(NativeSteps::begin_fold), i);
      forget_all();
      CodeGenerator::test(al, al);
      jz(go(static_cast<std::int32_t>(i->immediate(0))), T_NEAR);
      return true;
    case Opcode::each_again:
      keep_of_each(i);
      count_round(i);
      jmp(go(i->distance()), T_NEAR);
      return true;
    case Opcode::return_value:
    case Opcode::return_environment: return_value(i); return true;
    default: return false;
  }
}

// --- what C++ does

// An expression of variables that are no arrays is left to the instructions that follow.
void Translator::fused(const Instruction* i) {
  const FusedExpression& expression = *i->pointer<const FusedExpression>(0);
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  bool counts = expression.has_constant_range;
  for (std::size_t k = 0; k < expression.variables; k++) counts |= expression.sources[k].range;
  if (counts) {
    jmp(*other, T_NEAR);
  } else {
    for (std::size_t k = 0; k < expression.variables; k++) {
      const FusedExpression::Source& source = expression.sources[k];
      if (source.kind == FusedExpression::Source::Kind::slot) {
        if (is_number(source.a)) continue;
        mov(rax, slot(source.a));
      } else {
        outward(rcx, source.a);
        mov(rax, qword[rcx + static_cast<int>(environment_slots + source.b * 8)]);
      }
      shr(rax, 48);
      cmp(eax, Value::array_tag);
      je(*other, T_NEAR);
    }
  }
  L(*back);
  later([this, i, other, back, held = held_] {
    L(*other);
    call_step(step(NativeSteps::fused), i);
    CodeGenerator::test(al, al);
    jnz(label_of(i + static_cast<std::int32_t>(i->immediate(1))), T_NEAR);
    reload(held);
    jmp(*back, T_NEAR);
  });
}

// Calls a primitive. What ∾ takes over may grow in place, which the step looks at.
void Translator::call_primitive(const Instruction* i) {
  const bool dyadic = i->op == Opcode::dyad;
  const void* const function = dyadic ? step(NativeSteps::dyad) : step(NativeSteps::alone);
  forget_all();
  if (!remembers(i) || (dyadic && is_join(*i->pointer<const PrimitiveFunctionEntry>(0)))) return call_step(function, i);
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  as_before(i, dyadic, {i->b, 0}, {dyadic ? i->c : i->b, 0}, *other);
  L(*back);
  step_later(i, function, other, back);
}

bool Translator::emit_step(const Instruction* i) {
  switch (i->op) {
    case Opcode::fused: fused(i); return true;
    case Opcode::monad:
    case Opcode::dyad: call_primitive(i); return true;
    default: break;
  }
  const void* function = nullptr;
  const Instruction* beyond = nullptr;  // where it goes on after what is done as well
  switch (i->op) {
    case Opcode::monad_then_first: function = step(NativeSteps::monad_then_first), beyond = i->next()->next(); break;
    case Opcode::monad_then_fold: function = step(NativeSteps::monad_then_fold), beyond = behind_folded_parts(i); break;
    case Opcode::dyad_then_fold: function = step(NativeSteps::dyad_then_fold), beyond = behind_folded_parts(i); break;
    case Opcode::dyad_then_first: function = step(NativeSteps::dyad_then_first), beyond = i->next()->next(); break;
    case Opcode::modify_outer: function = step(NativeSteps::modify_outer); break;
    case Opcode::append_outer: function = step(NativeSteps::append_outer); break;
    case Opcode::modify_local: function = step(Machine::modify_local); break;
    case Opcode::change_outer: function = step(NativeSteps::change_outer); break;
    case Opcode::change_local: function = step(NativeSteps::change_local); break;
    case Opcode::list: function = step(Machine::list); break;
    case Opcode::join_lists: function = step(Machine::join_lists); break;
    case Opcode::derive1: function = step(Machine::derive1); break;
    case Opcode::derive2: function = step(Machine::derive2); break;
    case Opcode::derive1_primitive: function = step(Machine::derive1_primitive); break;
    case Opcode::derive2_primitive: function = step(Machine::derive2_primitive); break;
    case Opcode::atop: function = step(Machine::atop); break;
    case Opcode::fork: function = step(Machine::fork); break;
    case Opcode::closure: function = step(Machine::closure); break;
    case Opcode::scoped: function = step(Machine::scoped); break;
    case Opcode::name_space: function = step(Machine::name_space); break;
    case Opcode::field: function = step(NativeSteps::field); break;
    case Opcode::each_end: function = step(NativeSteps::end_each); break;
    case Opcode::environment: function = step(NativeSteps::environment); break;
    case Opcode::leave_environment: function = step(NativeSteps::leave_environment); break;
    case Opcode::modifier_self: function = step(NativeSteps::modifier_self); break;
    case Opcode::operand: function = step(NativeSteps::operand); break;
    default: return false;
  }
  call_step(function, i);
  forget_all();
  if (beyond != nullptr) {
    CodeGenerator::test(al, al);
    jnz(label_of(beyond), T_NEAR);
  }
  return true;
}

}  // namespace griddle
