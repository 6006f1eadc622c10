// Machine code for the instructions on numbers (vm/scalar_instructions.inc).
#include "runtime/native/steps.h"
#include "runtime/native/translator.h"

namespace griddle {

namespace {

// What an instruction on numbers computes, of which operands.
enum class Form : std::uint8_t { none, slots, right_constant, left_constant, test_slots, test_constant };
struct Scalar {
  Form form = Form::none;
  ScalarOp op = ScalarOp::none;
};
constexpr Scalar scalar_of(Opcode op) {
  switch (op) {
#define TWO(name)                                          \
  case Opcode::name: return {Form::slots, ScalarOp::name}; \
  case Opcode::name##_constant: return {Form::right_constant, ScalarOp::name};
    TWO(add)
    TWO(subtract)
    TWO(multiply)
    TWO(divide)
    TWO(minimum)
    TWO(maximum)
    TWO(less)
    TWO(less_equal)
    TWO(equal)
    TWO(greater_equal)
    TWO(greater)
    TWO(not_equal)
#undef TWO
#define TEST(name)                                                     \
  case Opcode::test_##name: return {Form::test_slots, ScalarOp::name}; \
  case Opcode::test_##name##_constant: return {Form::test_constant, ScalarOp::name};
    TEST(less)
    TEST(less_equal)
    TEST(equal)
    TEST(greater_equal)
    TEST(greater)
    TEST(not_equal)
#undef TEST
    case Opcode::constant_subtract: return {Form::left_constant, ScalarOp::subtract};
    case Opcode::constant_divide: return {Form::left_constant, ScalarOp::divide};
    case Opcode::modulus: return {Form::slots, ScalarOp::modulus};
    case Opcode::constant_modulus: return {Form::left_constant, ScalarOp::modulus};
    case Opcode::logic_and: return {Form::slots, ScalarOp::logic_and};
    case Opcode::logic_or: return {Form::slots, ScalarOp::logic_or};
    case Opcode::matches: return {Form::slots, ScalarOp::equal};
    case Opcode::differs: return {Form::slots, ScalarOp::not_equal};
    default: return {};
  }
}
constexpr bool is_comparison(ScalarOp op) { return op >= ScalarOp::less && op <= ScalarOp::not_equal; }

// Tells whether an instruction calls a primitive where its operands are no numbers, by its site.
bool is_arithmetic(Opcode op) {
  return (op >= Opcode::add && op <= Opcode::magnitude) || op == Opcode::matches || op == Opcode::differs;
}

const void* step_of(Form form) {
  return reinterpret_cast<const void*>(form == Form::slots ? NativeSteps::two : NativeSteps::constant);
}

}  // namespace

bool Translator::emit_arithmetic(const Instruction* i) {
  switch (i->op) {
    case Opcode::negate:
    case Opcode::complement:
    case Opcode::magnitude:
    case Opcode::square_root:
    case Opcode::reciprocal:
    case Opcode::sign: one_number(i); return true;
    case Opcode::floor: floor(i); return true;
    default: break;
  }
  const Scalar s = scalar_of(i->op);
  if (s.form == Form::none || s.form >= Form::test_slots || is_comparison(s.op)) return false;
  Operand w = {i->b, 0}, x = {i->c, 0};
  if (s.form == Form::right_constant) x = {no_slot, i->immediate(1)};
  if (s.form == Form::left_constant) x = {i->b, 0}, w = {no_slot, i->immediate(1)};
  if (s.op == ScalarOp::modulus)
    modulus(i, w, x);
  else
    two_numbers(i, s.op, w, x);
  return true;
}

bool Translator::emit_comparison(const Instruction* i) {
  const Scalar s = scalar_of(i->op);
  if (s.form == Form::none || !is_comparison(s.op)) return false;
  const bool constant = s.form == Form::right_constant || s.form == Form::test_constant;
  const Operand w = {i->b, 0}, x = constant ? Operand{no_slot, i->immediate(1)} : Operand{i->c, 0};
  if (s.form < Form::test_slots)
    compare(i, s.op, w, x);
  else
    test(i, s.op, w, x, i + static_cast<std::int32_t>(i->immediate(immediates_of(i->op) - 1)));
  return true;
}

// Stores a result that is a number. Where it is a NaN, an operand is none, or the loop does not compute it itself: `function`
// does.
void Translator::finish(const Instruction* i, const Xmm& result, const void* function) {
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  ucomisd(result, result);
  jp(*other, T_NEAR);
  store(i->a, result);
  rejoin(i, function, other, back);
}

// Has `function` do an instruction that gives something into slot a, where code has come to `other`.
void Translator::rejoin(const Instruction* i, const void* function, const std::shared_ptr<Label>& other,
                        const std::shared_ptr<Label>& back) {
  const bool surprising = code_.native.is_known_for_arrays(word_of(i));
  note_number(i->a, !surprising);
  L(*back);
  later([this, i, function, other, back, held = held_, surprising] {
    L(*other);
    Label step, done;
    // What sites remember of arithmetic declines Nothing.
    if (surprising && !(i->flags & Instruction::modify) && is_arithmetic(i->op)) {
      const Scalar s = scalar_of(i->op);
      Operand w = {i->b, 0}, x = {i->c, 0};
      if (immediates_of(i->op) == 2) {
        x = {no_slot, i->immediate(1)};
        if (i->flags & Instruction::swapped) x = {i->b, 0}, w = {no_slot, i->immediate(1)};
      }
      as_before(i, s.form != Form::none, w, s.form == Form::none ? Operand{i->b, 0} : x, step);
      jmp(done, T_NEAR);
      L(step);
    }
    call_step(function, i);
    L(done);
    if (!surprising) {
      // What follows takes it for a number.
      Label number;
      mov(rax, slot(i->a));
      mov(rdx, Value::first_tagged);
      cmp(rax, rdx);
      jb(number);
      call_step(reinterpret_cast<const void*>(NativeSteps::note_array), i);
      leave_at(i->next());
      L(number);
    }
    reload(held);
    jmp(*back, T_NEAR);
  });
}

// Tells whether an instruction that calls a primitive goes by what its site remembers, whatever its operands are.
bool Translator::remembers(const Instruction* i) const { return !(i->flags & (Instruction::modify | Instruction::maybe)); }

// Calls what the site of an instruction remembers, and stores the result; goes elsewhere where that is not for these operands.
void Translator::as_before(const Instruction* i, bool dyadic, Operand w, Operand x, Label& otherwise) {
  static_assert(offsetof(RecentDyad, entry) == offsetof(RecentMonad, entry) &&
                offsetof(RecentDyad, compute) == offsetof(RecentMonad, compute));
  const Xbyak::Reg64& site = dyadic ? rcx : rdx;
  mov(site, dyadic ? address(in_.vm->dyad_site(i)) : address(in_.vm->monad_site(i)));
  mov(rax, i->immediate(0));
  cmp(qword[site + offsetof(RecentDyad, entry)], rax);
  jne(otherwise, T_NEAR);
  mov(rax, address(i));
  mov(qword[r13 + offsetof(Frame, pc)], rax);
  mov(rdi, address(in_.context));
  load_bits(rsi, dyadic ? w : x);
  if (dyadic) load_bits(rdx, x);
  call(qword[site + offsetof(RecentDyad, compute)]);
  mov(rdx, Value::absent_bits);
  cmp(rax, rdx);
  je(otherwise, T_NEAR);
  // The slots that the result leaves empty.
  const bool gives_b = i->flags & Instruction::consume_b, gives_c = i->flags & Instruction::consume_c && x.slot == i->c;
  held_.fill(no_slot);
  if (gives_b && gives_c) mov(rbp, rax);
  const auto release = [&](unsigned s) {
    mov(rdi, slot(s));
    if (s != i->a) mov(slot(s), rdx);
  };
  if (gives_b) release(i->b);
  if (gives_b && gives_c) {
    release_rdi();
    mov(rdx, Value::absent_bits);
  }
  if (gives_c) release(i->c);
  if (gives_b && gives_c) {
    release_rdi();
    mov(slot(i->a), rbp);
    mov(rbp, one);
  } else {
    mov(slot(i->a), rax);
    if (gives_b || gives_c) release_rdi();
  }
}

void Translator::two_numbers(const Instruction* i, ScalarOp op, Operand w, Operand x) {
  const Xmm a = load(w), b = load(x);
  const void* const function = step_of(immediates_of(i->op) == 1 ? Form::slots : Form::right_constant);
  const Xmm r = copied(a, w);
  switch (op) {
    case ScalarOp::add: addsd(r, b); break;
    case ScalarOp::subtract: subsd(r, b); break;
    case ScalarOp::logic_and:
    case ScalarOp::multiply: mulsd(r, b); break;
    case ScalarOp::divide: {
      // A negative zero as divisor counts as zero.
      if (x.slot != no_slot) {
        xorps(xmm0, xmm0);
        addsd(xmm0, b);
        divsd(r, xmm0);
      } else {
        divsd(r, b);
      }
      break;
    }
    case ScalarOp::logic_or:
      addsd(r, b);
      movaps(xmm0, a);
      if (w.slot == no_slot) throw Xbyak::Error(Xbyak::ERR_INTERNAL);
      mulsd(xmm0, b);
      subsd(r, xmm0);
      break;
    case ScalarOp::minimum:
    case ScalarOp::maximum: {
      const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
      ucomisd(r, b);
      jp(*other, T_NEAR);
      if (op == ScalarOp::minimum)
        minsd(r, b);
      else
        maxsd(r, b);
      store(i->a, r);
      return rejoin(i, function, other, back);
    }
    default: break;
  }
  finish(i, r, function);
}

// Converts a double that is an integer; goes elsewhere where it is none, or does not fit.
void Translator::integer_in(const Xbyak::Reg32e& to, const Xmm& x, Label& other) {
  cvttsd2si(to, x);
  xorps(xmm0, xmm0);
  cvtsi2sd(xmm0, to);
  ucomisd(xmm0, x);
  jne(other, T_NEAR);
  jp(other, T_NEAR);
}

// Of integers of 32 bits; the step computes larger ones.
void Translator::modulus(const Instruction* i, Operand w, Operand x) {
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  const void* const function = reinterpret_cast<const void*>(NativeSteps::modulus);
  const double n = number(w.constant);
  const bool whole = w.slot == no_slot && n >= 1 && n < 2147483648.0 && n == static_cast<std::int32_t>(n);
  const Xmm a = whole ? xmm0 : load(w), b = load(x);
  integer_in(eax, b, *other);
  if (whole && (static_cast<std::int32_t>(n) & (static_cast<std::int32_t>(n) - 1)) == 0) {
    and_(eax, static_cast<std::int32_t>(n) - 1);
  } else {
    if (whole) {
      mov(ecx, static_cast<std::int32_t>(n));
    } else {
      integer_in(ecx, a, *other);
      CodeGenerator::test(ecx, ecx);
      jle(*other, T_NEAR);
    }
    cdq();
    idiv(ecx);
    mov(eax, edx);
    add(edx, ecx);
    // The rest has the sign of x.
    CodeGenerator::test(eax, eax);
    cmovs(eax, edx);
  }
  const Xmm r = fresh();
  xorps(r, r);
  cvtsi2sd(r, eax);
  store(i->a, r);
  rejoin(i, function, other, back);
}

void Translator::one_number(const Instruction* i) {
  const Operand x = {i->b, 0};
  const Xmm b = load(x);
  const void* const function = reinterpret_cast<const void*>(NativeSteps::alone);
  const Xmm r = fresh();
  switch (i->op) {
    case Opcode::negate:
      movaps(r, b);
      xorps(r, constant(sign_constant));
      break;
    case Opcode::complement:
      movsd(r, constant(one_constant));
      subsd(r, b);
      break;
    case Opcode::magnitude:
      movaps(r, b);
      andps(r, constant(magnitude_constant));
      break;
    case Opcode::square_root: sqrtsd(r, b); break;
    case Opcode::reciprocal:
      movsd(r, constant(one_constant));
      divsd(r, b);
      break;
    default: {
      const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
      ucomisd(b, b);
      jp(*other, T_NEAR);
      xorps(r, r);
      movaps(xmm0, b);
      cmpltsd(xmm0, r);
      andps(xmm0, constant(one_constant));
      cmpltsd(r, b);
      andps(r, constant(one_constant));
      subsd(r, xmm0);
      store(i->a, r);
      return rejoin(i, function, other, back);
    }
  }
  finish(i, r, function);
}

void Translator::floor(const Instruction* i) {
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  const Xmm b = load({i->b, 0}), r = fresh();
  // What is no number, or too large, gives the least integer.
  cvttsd2si(eax, b);
  cmp(eax, 0x80000000);
  je(*other, T_NEAR);
  xorps(r, r);
  cvtsi2sd(r, eax);
  movaps(xmm0, b);
  cmpltsd(xmm0, r);
  andps(xmm0, constant(one_constant));
  subsd(r, xmm0);
  store(i->a, r);
  rejoin(i, reinterpret_cast<const void*>(NativeSteps::alone), other, back);
}

// Compares atoms of which one is a character, by their bits; goes to the step for all else. Leaves the flags of an unsigned
// comparison.
void Translator::compare_characters(Operand w, Operand x, Label& step) {
  Label characters;
  load_bits(rax, w);
  load_bits(rcx, x);
  mov(rdx, Value::absent_bits);
  cmp(rax, rdx);
  jae(step, T_NEAR);
  cmp(rcx, rdx);
  jae(step, T_NEAR);
  mov(rdx, Value::first_tagged);
  cmp(rax, rdx);
  jae(characters);
  cmp(rcx, rdx);
  jb(step, T_NEAR);
  L(characters);
  cmp(rax, rcx);
}

void Translator::compare(const Instruction* i, ScalarOp op, Operand w, Operand x) {
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  const Xmm a = load(w), b = load(x), r = fresh();
  const bool swapped = op == ScalarOp::greater || op == ScalarOp::greater_equal;
  const Xmm &first = swapped ? b : a, &second = swapped ? a : b;
  ucomisd(a, b);
  jp(*other, T_NEAR);
  movaps(r, first);
  switch (op) {
    case ScalarOp::less:
    case ScalarOp::greater: cmpltsd(r, second); break;
    case ScalarOp::less_equal:
    case ScalarOp::greater_equal: cmplesd(r, second); break;
    case ScalarOp::equal: cmpeqsd(r, second); break;
    default: cmpneqsd(r, second); break;
  }
  andps(r, constant(one_constant));
  store(i->a, r);
  const auto others = std::make_shared<Label>();
  later([this, i, op, w, x, r, other, others, back] {
    L(*other);
    compare_characters(w, x, *others);
    switch (op) {
      case ScalarOp::less: setb(al); break;
      case ScalarOp::less_equal: setbe(al); break;
      case ScalarOp::equal: sete(al); break;
      case ScalarOp::greater_equal: setae(al); break;
      case ScalarOp::greater: seta(al); break;
      default: setne(al); break;
    }
    movzx(eax, al);
    xorps(r, r);
    cvtsi2sd(r, eax);
    movsd(slot(i->a), r);
    jmp(*back, T_NEAR);
  });
  rejoin(i, step_of(immediates_of(i->op) == 1 ? Form::slots : Form::right_constant), others, back);
}

void Translator::test(const Instruction* i, ScalarOp op, Operand w, Operand x, const Instruction* target) {
  const auto other = std::make_shared<Label>(), back = std::make_shared<Label>();
  const Xmm a = load(w), b = load(x);
  Label& to = label_of(target);
  switch (op) {
    case ScalarOp::less:
    case ScalarOp::less_equal: ucomisd(b, a); break;
    default: ucomisd(a, b); break;
  }
  jp(*other, T_NEAR);
  switch (op) {
    case ScalarOp::less:
    case ScalarOp::greater: jbe(to, T_NEAR); break;
    case ScalarOp::less_equal:
    case ScalarOp::greater_equal: jb(to, T_NEAR); break;
    case ScalarOp::equal: jne(to, T_NEAR); break;
    default: je(to, T_NEAR); break;
  }
  L(*back);
  const void* const function =
      reinterpret_cast<const void*>(immediates_of(i->op) == 2 ? NativeSteps::test : NativeSteps::test_constant);
  later([this, i, op, w, x, function, other, back, held = held_, &to] {
    Label step;
    L(*other);
    compare_characters(w, x, step);
    switch (op) {
      case ScalarOp::less: jae(to, T_NEAR); break;
      case ScalarOp::less_equal: ja(to, T_NEAR); break;
      case ScalarOp::equal: jne(to, T_NEAR); break;
      case ScalarOp::greater_equal: jb(to, T_NEAR); break;
      case ScalarOp::greater: jbe(to, T_NEAR); break;
      default: je(to, T_NEAR); break;
    }
    jmp(*back, T_NEAR);
    L(step);
    call_step(function, i);
    CodeGenerator::test(al, al);
    jz(to, T_NEAR);
    reload(held);
    jmp(*back, T_NEAR);
  });
}

}  // namespace griddle
