// Machine code for calls of blocks and other values, and for returns.
#include "runtime/native/steps.h"
#include "runtime/native/translator.h"

namespace griddle {

void Translator::enter_or_go_on(const Instruction* i, const void* function) {
  const auto entered = std::make_shared<Label>();
  call_step(function, i);
  forget_all();
  CodeGenerator::test(rax, rax);
  jnz(*entered, T_NEAR);
  later([this, entered] {
    L(*entered);
    mov(rdx, address(in_.innermost));
    mov(r13, qword[rdx]);
    mov(r12, qword[r13 + offsetof(Frame, base)]);
    jmp(in_.goes_on, T_NEAR);
  });
}

// Begins a frame, as the loop does, for the code in r8, whose first instruction is in rax, with its function in rsi, its
// environment in rdi and what it keeps in r9. Where there is no room for it, or the host wants something, nothing has happened.
void Translator::begin_frame(const Instruction* i, bool moves_w, Label& other, Label& ended) {
  lea(rdx, ptr[r13 + static_cast<int>(sizeof(Frame))]);
  mov(r10, address(in_.frame_limit));
  cmp(rdx, qword[r10]);
  jae(other, T_NEAR);
  lea(rcx, ptr[r12 + i->a * 8]);
  mov(r11d, dword[r8 + code_frame_size]);
  lea(r11, ptr[rcx + r11 * 8]);
  mov(r10, address(in_.slot_limit));
  cmp(r11, qword[r10]);
  ja(other, T_NEAR);
  mov(r10, address(in_.checked_limit));
  cmp(qword[r10], -1);
  je(other, T_NEAR);
  mov(r10, address(in_.steps_left));
  sub(qword[r10], 1);
  js(ended, T_NEAR);
  if (moves_w) {
    mov(r10, slot(i->a + 2));
    mov(slot(i->a + 1), r10);
  }
  mov(qword[rdx + offsetof(Frame, pc)], rax);
  mov(qword[rdx + offsetof(Frame, base)], rcx);
  mov(qword[rdx + offsetof(Frame, code)], r8);
  mov(qword[rdx + offsetof(Frame, self)], rsi);
  mov(qword[rdx + offsetof(Frame, environment)], rdi);
  mov(qword[rdx + offsetof(Frame, keep)], r9);
  mov(r10, address(i->next()));
  mov(qword[r13 + offsetof(Frame, pc)], r10);
  mov(r13, rdx);
  mov(r12, rcx);
  mov(rdx, address(in_.innermost));
  mov(qword[rdx], r13);
}

// Has `function` make a call where begin_frame did not: it may begin a frame, too.
void Translator::enter_otherwise(const Instruction* i, const void* function, const std::shared_ptr<Label>& other,
                                 const std::shared_ptr<Label>& ended) {
  forget_all();
  later([this, i, function, other, ended] {
    L(*ended);
    mov(rax, address(in_.steps_left));
    add(qword[rax], 1);
    L(*other);
    call_step(function, i);
    CodeGenerator::test(rax, rax);
    jz(label_of(i->next()), T_NEAR);
    mov(rdx, address(in_.innermost));
    mov(r13, qword[rdx]);
    mov(r12, qword[r13 + offsetof(Frame, base)]);
    jmp(in_.goes_on, T_NEAR);
  });
}

// Calls a block that is known. One that has no machine code yet is for `function`, which counts.
void Translator::enter_block(const Instruction* i, const Code& callee, Entry entry, const void* function) {
  const auto other = std::make_shared<Label>(), ended = std::make_shared<Label>();
  mov(r8, address(&callee));
  if (&callee != &code_) {
    cmp(qword[r8 + places_offset], 0);
    je(*other, T_NEAR);
  }
  if (i->op == Opcode::call1_block || i->op == Opcode::call2_block) {
    mov(rsi, i->immediate(0) & Value::pointer_mask);
    mov(rdi, qword[rsi + block_scope]);
  } else {
    mov(rsi, qword[r13 + offsetof(Frame, self)]);
    mov(rdi, i->op == Opcode::run_block ? qword[r13 + offsetof(Frame, environment)] : qword[rsi + block_scope]);
  }
  xor_(r9d, r9d);
  const Instruction* const first = callee.entry[static_cast<int>(entry)];
  mov(rax, address(first));
  begin_frame(i, false, *other, *ended);
  if (&callee == &code_)
    jmp(label_of(first), T_NEAR);
  else
    jmp(in_.goes_on, T_NEAR);
  enter_otherwise(i, function, other, ended);
}

// Finds the code, the scope and the first instruction of the block function in rax, where it is one that has machine code: in the
// registers where begin_frame looks for them.
void Translator::look_up_block(Entry entry, Label& other) {
  mov(rsi, rax);
  shr(rax, 48);
  cmp(eax, Value::function_tag);
  jne(other, T_NEAR);
  shl(rsi, 16);
  shr(rsi, 16);
  cmp(byte[rsi + object_kind], static_cast<int>(ObjectKind::block_function));
  jne(other, T_NEAR);
  mov(r8, qword[rsi + block_code]);
  // The function has the code as an object, which is a part of it.
  const auto* const part = reinterpret_cast<const char*>(static_cast<const Object*>(&code_));
  if (const auto before = part - reinterpret_cast<const char*>(&code_); before != 0) sub(r8, static_cast<std::uint32_t>(before));
  cmp(qword[r8 + places_offset], 0);
  je(other, T_NEAR);
  mov(rdi, qword[rsi + block_scope]);
  mov(rax, qword[r8 + code_entries + static_cast<int>(entry) * 8]);
}

// Calls what a variable holds, mostly a block.
void Translator::enter_variable(const Instruction* i, bool is_outer, Entry entry, const void* function) {
  const auto other = std::make_shared<Label>(), ended = std::make_shared<Label>();
  if (is_outer) {
    outward(rcx, i->b);
    mov(rax, qword[rcx + static_cast<int>(environment_slots + i->c * 8)]);
  } else {
    mov(rax, slot(i->b));
  }
  look_up_block(entry, *other);
  xor_(r9d, r9d);
  begin_frame(i, false, *other, *ended);
  jmp(in_.goes_on, T_NEAR);
  enter_otherwise(i, function, other, ended);
}

// Calls what lies among its arguments, mostly a block.
void Translator::enter_stacked(const Instruction* i) {
  const auto other = std::make_shared<Label>(), ended = std::make_shared<Label>();
  const bool dyadic = i->op == Opcode::call2_value || (i->op == Opcode::call_maybe && i->b != 0);
  if (i->op == Opcode::call_maybe)
    for (const unsigned s : {unsigned{i->a}, i->a + 2u}) {
      if ((s != i->a && !dyadic) || is_number(s)) continue;
      mov(rax, slot(s));
      shr(rax, 48);
      cmp(eax, Value::mark_tag);
      je(*other, T_NEAR);
    }
  mov(rax, slot(i->a + 1));
  look_up_block(dyadic ? Entry::dyad : Entry::monad, *other);
  mov(r9, slot(i->a + 1));
  begin_frame(i, dyadic, *other, *ended);
  jmp(in_.goes_on, T_NEAR);
  enter_otherwise(i, step(NativeSteps::call_stacked), other, ended);
}

namespace {

// Tells whether a constant is called that has a way of its own for arrays, as folds have.
bool calls_directly(const Instruction* i) {
  if (i->op != Opcode::call1_constant || !i->value(0).is_function()) return false;
  const Function& f = i->value(0).function();
  return f.kind == ObjectKind::derived && static_cast<const Derived&>(f).direct != nullptr;
}

}  // namespace

bool Translator::emit_call(const Instruction* i) {
  if (calls_directly(i)) {
    call_step(step(NativeSteps::call_direct), i);
    forget_all();
    return true;
  }
  switch (i->op) {
    case Opcode::call1_block:
    case Opcode::call2_block:
      enter_block(i, *code_of(static_cast<const BlockFunction*>(object(i->immediate(0)))->code),
                  i->op == Opcode::call1_block ? Entry::monad : Entry::dyad, step(NativeSteps::call_constant));
      return true;
    case Opcode::call1_self:
    case Opcode::call2_self:
      enter_block(i, code_, i->op == Opcode::call1_self ? Entry::monad : Entry::dyad, step(NativeSteps::call_self));
      return true;
    case Opcode::run_block: enter_block(i, *i->pointer<const Code>(0), Entry::monad, step(NativeSteps::run_block)); return true;
    case Opcode::call1_constant:
    case Opcode::call2_constant: enter_or_go_on(i, step(NativeSteps::call_constant)); return true;
    case Opcode::call1_local: enter_variable(i, false, Entry::monad, step(NativeSteps::call_local)); return true;
    case Opcode::call2_local: enter_variable(i, false, Entry::dyad, step(NativeSteps::call_local)); return true;
    case Opcode::call1_outer: enter_variable(i, true, Entry::monad, step(NativeSteps::call_outer)); return true;
    case Opcode::call2_outer: enter_variable(i, true, Entry::dyad, step(NativeSteps::call_outer)); return true;
    case Opcode::call1_operand:
    case Opcode::call2_operand: enter_or_go_on(i, step(NativeSteps::call_operand)); return true;
    case Opcode::call1_value:
    case Opcode::call2_value:
    case Opcode::call_maybe: enter_stacked(i); return true;
    default: return false;
  }
}

// --- returns

void Translator::return_value(const Instruction* i) {
  if (i->op == Opcode::return_environment) {
    const auto gone = std::make_shared<Label>(), back = std::make_shared<Label>();
    mov(rdi, qword[r13 + offsetof(Frame, environment)]);
    sub(dword[rdi], 1);
    jz(*gone, T_NEAR);
    L(*back);
    later([this, gone, back] {
      L(*gone);
      call_plain(reinterpret_cast<const void*>(static_cast<void (*)(Object*) noexcept>(destroy)));
      jmp(*back, T_NEAR);
    });
  }
  for (unsigned s = i->b; s-- > 0;)
    if (s != i->a && !is_number(s)) {
      mov(rdi, slot(s));
      release_rdi();
    }
  if (i->a != 0) {
    mov(rax, slot(i->a));
    mov(slot(0), rax);
  }
  const auto last = std::make_shared<Label>();
  mov(rdi, qword[r13 + offsetof(Frame, keep)]);
  cmp(r13, qword[rsp]);
  je(*last, T_NEAR);
  sub(r13, sizeof(Frame));
  mov(rax, address(in_.innermost));
  mov(qword[rax], r13);
  release_rdi();
  mov(r12, qword[r13 + offsetof(Frame, base)]);
  mov(rax, qword[r13 + offsetof(Frame, pc)]);
  forget_all();
  jmp(in_.goes_on, T_NEAR);
  // What C++ entered ends the code as well.
  later([this, last] {
    L(*last);
    sub(r13, sizeof(Frame));
    mov(rax, address(in_.innermost));
    mov(qword[rax], r13);
    forget_all();
    release_rdi();
    xor_(eax, eax);
    jmp(in_.leave, T_NEAR);
  });
}

}  // namespace griddle
