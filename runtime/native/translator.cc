#include "runtime/native/translator.h"

#include <cstddef>
#include <utility>

#include "runtime/native/steps.h"

namespace griddle {

namespace {

constexpr std::string_view operands_of[opcode_count] = {
#define OPCODE(name, immediates, operands) operands,
#include "runtime/bytecode/opcodes.inc"
#undef OPCODE
};
}  // namespace

Translator::Translator(const Code& code, const NativePlaces& in, std::uint8_t* memory, std::size_t room)
    : CodeGenerator(room, memory),
      code_(code),
      in_(in),
      labels_(code.word_count),
      begins_(code.word_count),
      numbers_(code.frame_size) {
  held_.fill(no_slot);
}

void Translator::find_beginnings() {
  for (const Instruction* i : code_.entry)
    if (i != nullptr) begins_[word_of(i)] = true;
  for (std::uint32_t word = 0; word < code_.word_count;) {
    const Instruction* const i = instruction(word);
    const std::string_view operands = operands_of[static_cast<int>(i->op)];
    const auto mark = [&](std::int64_t distance) {
      begins_[static_cast<std::size_t>(static_cast<std::int64_t>(word) + distance)] = true;
    };
    int word_of_operand = 0;
    for (const char operand : operands) {
      // The number of slots of an environment takes the same field.
      if (operand == 'j' && i->op != Opcode::environment) mark(i->distance());
      if (operand == 'J') mark(static_cast<std::int32_t>(i->immediate(word_of_operand)));
      if (operand == 'F')
        if (const auto m = std::bit_cast<Mismatch>(i->immediate(word_of_operand)); m.distance != 0) mark(m.distance);
      // Capital letters stand for words behind the instruction.
      word_of_operand += operand >= 'A' && operand <= 'Z';
    }
    if (i->op == Opcode::monad_then_first || i->op == Opcode::dyad_then_first) mark(i->next()->next() - i);
    if (i->op == Opcode::monad_then_fold || i->op == Opcode::dyad_then_fold) mark(behind_folded_parts(i) - i);
    if (i->op == Opcode::choose)
      for (unsigned choice = 0; choice < i->b; choice++) mark(1 + choice);
    word += 1 + static_cast<std::uint32_t>(immediates_of(i->op));
    if (word < code_.word_count && !stays_in_code(i->op)) begins_[word] = true;
  }
}

std::size_t Translator::translate(const void** places) {
  find_beginnings();
  for (std::uint32_t word = 0; word < code_.word_count;) {
    const Instruction* const i = instruction(word);
    if (begins_[word]) {
      forget_all();
      L(labels_[word]);
      places[word] = getCurr();
    }
    locked_ = 0;
    emit(i);
    word += 1 + static_cast<std::uint32_t>(immediates_of(i->op));
  }
  // Each may add others.
  for (std::size_t k = 0; k < later_.size(); k++) std::exchange(later_[k], nullptr)();
  ready();
  return getSize();
}

void Translator::emit(const Instruction* i) {
  if (emit_move(i) || emit_variable(i) || emit_arithmetic(i) || emit_comparison(i) || emit_array(i) || emit_jump(i) ||
      emit_loop(i) || emit_call(i) || emit_step(i))
    return;
  leave_at(i);
}

// --- registers of doubles

void Translator::note_number(unsigned s, bool is) {
  if (s < numbers_.size()) numbers_[s] = is;
}

Xbyak::Xmm Translator::fresh() {
  while (locked_ >> next_register_ & 1) next_register_ = (next_register_ + 1) % register_count;
  const int r = next_register_;
  next_register_ = (next_register_ + 1) % register_count;
  held_[static_cast<std::size_t>(r)] = no_slot;
  locked_ |= 1u << r;
  return Xmm(first_register + r);
}

Xbyak::Xmm Translator::load(const Operand& operand) {
  if (operand.slot == no_slot) {
    const Xmm r = fresh();
    if (operand.constant == 0) {
      xorps(r, r);
    } else {
      mov(rax, operand.constant);
      movq(r, rax);
    }
    return r;
  }
  for (int r = 0; r < register_count; r++)
    if (held_[static_cast<std::size_t>(r)] == operand.slot) {
      locked_ |= 1u << r;
      return Xmm(first_register + r);
    }
  const Xmm r = fresh();
  movsd(r, slot(static_cast<unsigned>(operand.slot)));
  held_[static_cast<std::size_t>(r.getIdx() - first_register)] = operand.slot;
  return r;
}

// Loads an operand as bits.
void Translator::load_bits(const Xbyak::Reg64& to, const Operand& operand) {
  if (operand.slot == no_slot)
    mov(to, operand.constant);
  else
    mov(to, slot(static_cast<unsigned>(operand.slot)));
}

// Gives a register with the same that may be changed.
Xbyak::Xmm Translator::copied(const Xmm& r, const Operand& operand) {
  if (operand.slot == no_slot) return r;
  const Xmm to = fresh();
  movaps(to, r);
  return to;
}

void Translator::store(unsigned s, const Xmm& r) {
  forget(s);
  movsd(slot(s), r);
  held_[static_cast<std::size_t>(r.getIdx() - first_register)] = static_cast<int>(s);
}

void Translator::forget(unsigned s) {
  for (int& held : held_)
    if (held == static_cast<int>(s)) held = no_slot;
  note_number(s, false);
}
void Translator::forget_all() {
  held_.fill(no_slot);
  numbers_.assign(numbers_.size(), false);
}

void Translator::reload(const Registers& held) {
  for (int r = 0; r < register_count; r++)
    if (const int s = held[static_cast<std::size_t>(r)]; s != no_slot)
      movsd(Xmm(first_register + r), slot(static_cast<unsigned>(s)));
}

// --- calls of C++, and the end

void Translator::leave_at(const Instruction* i) {
  mov(rax, address(i));
  jmp(in_.leave, T_NEAR);
}

// Leaves where code has come to `here`.
void Translator::leave_later(const Instruction* i, const std::shared_ptr<Label>& here) {
  later([this, i, here] {
    L(*here);
    leave_at(i);
  });
}

// Has a step do an instruction where code has come to `here`, and goes back.
void Translator::step_later(const Instruction* i, const void* function, const std::shared_ptr<Label>& here,
                            const std::shared_ptr<Label>& back) {
  later([this, i, function, here, back, held = held_] {
    L(*here);
    call_step(function, i);
    reload(held);
    jmp(*back, T_NEAR);
  });
}

void Translator::call_plain(const void* function) {
  mov(rax, address(function));
  call(rax);
}

void Translator::call_step(const void* function, const Instruction* i) {
  mov(rdx, address(i));
  mov(qword[r13 + offsetof(Frame, pc)], rdx);
  mov(rdi, r14);
  mov(rsi, r12);
  mov(rcx, qword[r13 + offsetof(Frame, environment)]);
  call_plain(function);
}

void Translator::retain_rax() {
  // A copy without its tag.
  mov(rdx, rax);
  shl(rdx, 16);
  shr(rdx, 16);
  add(dword[rdx], 1);
}

// Gets the object that a slot holds with a tag; goes elsewhere where it holds something else.
void Translator::object_in(const Xbyak::Reg64& to, unsigned s, Value::Tag tag, Label& other) {
  mov(to, slot(s));
  mov(rax, to);
  shr(rax, 48);
  cmp(eax, tag);
  jne(other, T_NEAR);
  shl(to, 16);
  shr(to, 16);
}

// Releases the object in rdi, if it is one.
void Translator::release_rdi() {
  const auto object = std::make_shared<Label>(), back = std::make_shared<Label>();
  cmp(rdi, r15);
  jae(*object, T_NEAR);
  L(*back);
  later([this, object, back, held = held_] {
    L(*object);
    shl(rdi, 16);
    shr(rdi, 16);
    sub(dword[rdi], 1);
    jnz(*back, T_NEAR);
    call_plain(reinterpret_cast<const void*>(static_cast<void (*)(Object*) noexcept>(destroy)));
    reload(held);
    jmp(*back, T_NEAR);
  });
}

// Releases what a slot holds and leaves it absent.
void Translator::drop_slot(unsigned s) {
  if (is_number(s)) return;
  mov(rdi, slot(s));
  forget(s);
  mov(rax, Value::absent_bits);
  mov(slot(s), rax);
  release_rdi();
}

// --- moving values

// Takes what a slot holds to rax: out of the slot if that gives it, or shared.
void Translator::take(unsigned from, bool gives) {
  mov(rax, slot(from));
  if (gives) {
    mov(rdx, Value::absent_bits);
    mov(slot(from), rdx);
    forget(from);
  } else {
    Label plain;
    cmp(rax, r15);
    jb(plain);
    retain_rax();
    L(plain);
  }
}

// The same into another slot. A number may stay behind.
void Translator::carry(unsigned to, unsigned from, bool gives) {
  if (is_number(from)) {
    const Xmm r = load({static_cast<int>(from), 0});
    forget(to);
    movsd(slot(to), r);
    note_number(to, true);
  } else {
    take(from, gives);
    forget(to);
    mov(slot(to), rax);
  }
}

bool Translator::emit_move(const Instruction* i) {
  switch (i->op) {
    case Opcode::constant: {
      const Bits v = i->immediate(0);
      mov(rax, v);
      if (v >= Value::first_object) retain_rax();
      forget(i->a);
      mov(slot(i->a), rax);
      note_number(i->a, v < Value::first_tagged);
      return true;
    }
    case Opcode::copy:
    case Opcode::move: carry(i->a, i->b, i->op == Opcode::move); return true;
    case Opcode::assign: {
      const bool was_number = is_number(i->a);
      if (!was_number) mov(rdi, slot(i->a));
      carry(i->a, i->b, i->flags & Instruction::consume_b);
      if (!was_number) release_rdi();
      return true;
    }
    default: return emit_ending(i);
  }
}

// What ends values, and makes those that every frame has.
bool Translator::emit_ending(const Instruction* i) {
  switch (i->op) {
    case Opcode::drop: drop_slot(i->a); return true;
    case Opcode::absent:
      mov(rax, Value::absent_bits);
      for (unsigned k = 0; k < i->b; k++) {
        forget(i->a + k);
        mov(slot(i->a + k), rax);
      }
      return true;
    case Opcode::clear:
      for (unsigned k = 0; k < i->b; k++) drop_slot(i->a + k);
      return true;
    case Opcode::self:
      mov(rdx, qword[r13 + offsetof(Frame, self)]);
      add(dword[rdx], 1);
      mov(rax, std::uint64_t{Value::function_tag} << 48);
      or_(rax, rdx);
      forget(i->a);
      mov(slot(i->a), rax);
      return true;
    case Opcode::check: {
      if (is_number(i->a)) return true;
      const auto fails = std::make_shared<Label>();
      mov(rax, slot(i->a));
      shr(rax, 48);
      cmp(eax, Value::mark_tag);
      je(*fails, T_NEAR);
      leave_later(i, fails);
      return true;
    }
    case Opcode::nothing:
      forget(i->a);
      mov(rax, Value::nothing_bits);
      mov(slot(i->a), rax);
      return true;
    case Opcode::leave: {
      const bool number = is_number(i->c);
      for (unsigned k = 0; k < i->b; k++)
        if (i->a + k != i->c) drop_slot(i->a + k);
      if (i->a == i->c) return true;
      if (number) {
        const Xmm r = load({i->c, 0});
        store(i->a, r);
        note_number(i->a, true);
        return true;
      }
      mov(rax, slot(i->c));
      mov(rdx, Value::absent_bits);
      mov(slot(i->c), rdx);
      forget(i->c);
      forget(i->a);
      mov(slot(i->a), rax);
      return true;
    }
    default: return false;
  }
}

// --- variables of environments

void Translator::outward(const Xbyak::Reg64& to, unsigned hops) {
  mov(to, qword[r13 + offsetof(Frame, environment)]);
  for (; hops; hops--) mov(to, qword[to + environment_parent]);
}

bool Translator::emit_variable(const Instruction* i) {
  const int place = static_cast<int>(environment_slots + i->c * 8);
  switch (i->op) {
    case Opcode::outer: {
      const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
      outward(rcx, i->b);
      mov(rax, qword[rcx + place]);
      mov(rdx, Value::absent_bits);
      cmp(rax, rdx);
      jae(*other, T_NEAR);
      L(*back);
      forget(i->a);
      mov(slot(i->a), rax);
      later([this, i, other, back] {
        L(*other);
        Label undefined;
        je(undefined);
        Label mark;
        cmp(rax, r15);
        jb(mark);
        retain_rax();
        L(mark);
        jmp(*back, T_NEAR);
        L(undefined);
        leave_at(i);
      });
      return true;
    }
    case Opcode::set_outer: {
      const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
      outward(rcx, i->b);
      mov(rdx, qword[rcx + place]);
      if (i->flags & Instruction::checked) {
        mov(rax, Value::absent_bits);
        cmp(rdx, rax);
        je(*other, T_NEAR);
      }
      cmp(rdx, r15);
      jae(*other, T_NEAR);
      if (is_number(i->a))
        mov(rax, slot(i->a));
      else
        take(i->a, i->flags & Instruction::consume_b);
      mov(qword[rcx + place], rax);
      L(*back);
      step_later(i, step(NativeSteps::set_outer), other, back);
      return true;
    }
    case Opcode::add_outer: {
      const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
      outward(rcx, i->b);
      const Xmm x = load({i->a, 0}), sum = fresh();
      movsd(sum, qword[rcx + place]);
      addsd(sum, x);
      ucomisd(sum, sum);
      jp(*other, T_NEAR);
      movsd(qword[rcx + place], sum);
      L(*back);
      forget(i->a);
      step_later(i, step(NativeSteps::modify_outer), other, back);
      return true;
    }
    default: return false;
  }
}

}  // namespace griddle
