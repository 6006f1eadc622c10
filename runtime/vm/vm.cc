#include "runtime/vm/vm.h"

#include <sys/mman.h>

#include <cmath>
#include <new>

#include "runtime/value/verify.h"
#include "runtime/vm/machine.h"

namespace griddle {

namespace {

constexpr std::size_t most_frames = 1 << 20;
constexpr std::size_t most_slots = 1 << 25;
// Slots beyond the limit, for the arguments of the call that finds it.
constexpr std::size_t spare_slots = 1 << 17;

constexpr Instruction exit_instruction{Opcode::exit, 0, 0, 0, 0};

using Bits = std::uint64_t;
constexpr Bits one = std::bit_cast<Bits>(1.0);

double number(Bits b) { return std::bit_cast<double>(b); }
Bits bits(double d) { return std::bit_cast<Bits>(d); }
Object* object(Bits b) { return reinterpret_cast<Object*>(b & Value::pointer_mask); }

void* map(std::size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw OutOfMemory(bytes);
  return p;
}

}  // namespace

Vm::Vm(Context& cx) : cx_(cx), host_(make_native<Code>(cx.heap)) {
  frames_ = static_cast<Frame*>(map(most_frames * sizeof(Frame)));
  try {
    slots_ = static_cast<Value*>(map((most_slots + spare_slots) * sizeof(Value)));
  } catch (...) {
    munmap(frames_, most_frames * sizeof(Frame));
    throw;
  }
  frame_limit_ = frames_ + most_frames - 1;
  slot_limit_ = slots_ + most_slots;
  frame_ = frames_;
  *frame_ = {&exit_instruction, slots_, host_.get(), nullptr, nullptr, 0};
  for (const PrimitiveModifierEntry& entry : primitive_table().modifiers)
    if (entry.glyph == U'◶') choose_code_ = entry.monad;
  cx.vm = this;
}

Vm::~Vm() {
  cx_.vm = nullptr;
  munmap(frames_, most_frames * sizeof(Frame));
  munmap(slots_, (most_slots + spare_slots) * sizeof(Value));
}

Unit* Vm::unit() const { return frame_->code->unit.get(); }

Ref<Environment> Vm::make_root(Heap& heap, std::uint32_t capacity, Environment* parent) {
  Ref<Environment> root = make_environment(heap, parent, capacity);
  root->reserved = capacity;
  root->count = 0;
  return root;
}

void Vm::grow(Context& cx, Environment& root, std::size_t count) {
  if (count > root.reserved) fail(cx, "This session has too many variables");
  if (count > root.count) root.count = static_cast<std::uint32_t>(count);
}

void Vm::check_room(const Code& code, const Frame* next, const Value* base) {
  cx_.check_stack();
  if (next >= frame_limit_ || base + code.frame_size > slot_limit_ || cx_.interrupt.load(std::memory_order_relaxed)) [[unlikely]]
    Machine::check_call(*this);
}

inline Value* Vm::push_frame(const Code& code, const Instruction* entry, const Object* self, Environment* scope) {
  Frame* f = frame_ + 1;
  Value* base = frame_->base + frame_->code->frame_size;
  check_room(code, f, base);
  frame_->pc = &exit_instruction;
  *f = {entry, base, &code, self, scope, 0};
  frame_ = f;
  return base;
}

Value Vm::enter(const Code& code, const Instruction* entry, const Object* self, Environment* scope, Value x) {
  if (code.leaf && x.is_number()) {
    Value* base = frame_->base + frame_->code->frame_size;
    new (base) Value(x);
    if (Machine::run_leaf(entry, reinterpret_cast<Bits*>(base))) return Value::from_bits(base->bits());
  }
  Value* base = push_frame(code, entry, self, scope);
  new (base) Value(std::move(x));
  execute();
  return Value::from_bits(base->bits());
}

Value Vm::enter(const Code& code, const Instruction* entry, const Object* self, Environment* scope, Value w, Value x) {
  Value* base = push_frame(code, entry, self, scope);
  new (base) Value(std::move(x));
  new (base + 1) Value(std::move(w));
  execute();
  return Value::from_bits(base->bits());
}

Value Vm::attempt(const Code& code, const Instruction* entry, const Object* self, Environment* scope, Value w, Value x,
                  Value& message) {
  Value* base = push_frame(code, entry, self, scope);
  new (base) Value(std::move(x));
  if (!w.is_absent()) new (base + 1) Value(std::move(w));
  message_ = &message;
  execute();
  return message.is_absent() ? Value::from_bits(base->bits()) : Value();
}

Caller::Caller(Context& cx, const Value& f) : cx_(cx), f_(f) {
  if (!f.is_function() || !is_block(f.function())) return;
  BlockTarget target = block_target(f.function());
  Vm& vm = *cx.vm;
  code_ = target.code;
  scope_ = target.scope;
  frame_ = vm.frame_ + 1;
  base_ = vm.frame_->base + vm.frame_->code->frame_size;
  vm.check_room(*code_, frame_, base_);
}

Value Caller::call_block(Value x) {
  Vm& vm = *cx_.vm;
  if (code_->leaf && x.is_number()) {
    new (base_) Value(x);
    if (Machine::run_leaf(code_->entry[static_cast<int>(Entry::monad)], reinterpret_cast<Bits*>(base_)))
      return Value::from_bits(base_->bits());
  }
  // Other calls may have used the frame in between.
  frame_[-1].pc = &exit_instruction;
  *frame_ = {code_->entry[static_cast<int>(Entry::monad)], base_, code_, &f_.function(), scope_, 0};
  vm.frame_ = frame_;
  new (base_) Value(std::move(x));
  vm.execute();
  return Value::from_bits(base_->bits());
}

Value Caller::call_block(Value w, Value x) {
  Vm& vm = *cx_.vm;
  if (code_->leaf && x.is_number() && w.is_number()) {
    new (base_) Value(x);
    new (base_ + 1) Value(w);
    if (Machine::run_leaf(code_->entry[static_cast<int>(Entry::dyad)], reinterpret_cast<Bits*>(base_)))
      return Value::from_bits(base_->bits());
  }
  frame_[-1].pc = &exit_instruction;
  *frame_ = {code_->entry[static_cast<int>(Entry::dyad)], base_, code_, &f_.function(), scope_, 0};
  vm.frame_ = frame_;
  new (base_) Value(std::move(x));
  new (base_ + 1) Value(std::move(w));
  vm.execute();
  return Value::from_bits(base_->bits());
}

Value Vm::run(const Code& code, Environment* root) {
  bool outermost = frame_ == frames_;
#ifdef GRIDDLE_VERIFY
  SystemResolver* resolver = code.unit ? code.unit->resolver : nullptr;
  ReferenceBalance before(cx_.heap, [resolver](ObjectVisitor& visitor) {
    if (resolver) resolver->trace(visitor);
  });
#endif
#ifdef GRIDDLE_VERIFY
  const ReferenceBalance* outer = std::exchange(balance_, outermost ? &before : nullptr);
#endif
  Value* base = push_frame(code, code.entry[0], nullptr, root);
#ifdef GRIDDLE_VERIFY
  struct Restore {
    const ReferenceBalance*& balance;
    const ReferenceBalance* outer;
    ~Restore() { balance = outer; }
  } restore{balance_, outer};
#endif
  execute();
  Value result = Value::from_bits(base->bits());
#ifdef GRIDDLE_VERIFY
  if (outermost) assert(before.holds_after(result));
#endif
  (void)outermost;
  return result;
}

// --- the loop. Slots are handled as bits: a number that stays behind in a dead slot does no harm, and everything tagged is a NaN
// as a double, so that one test of the result finds both a NaN and an operand that is no number.

#define NEXT(name)                                   \
  do {                                               \
    pc += 1 + immediates_of(Opcode::name);           \
    goto* labels[static_cast<std::uint8_t>(pc->op)]; \
  } while (0)
#define JUMP(distance)                                                                         \
  do {                                                                                         \
    pc = reinterpret_cast<const Instruction*>(reinterpret_cast<const Bits*>(pc) + (distance)); \
    goto* labels[static_cast<std::uint8_t>(pc->op)];                                           \
  } while (0)
#define VALUES reinterpret_cast<Value*>(base)

// Calls a block whose arguments lie from slot pc->a on. `keep_` is evaluated after everything that can fail.
#define CALL_BLOCK(name, target_code, entry_, self_, scope_, keep_)                                      \
  do {                                                                                                   \
    const Code* callee = target_code;                                                                    \
    Frame* next = frame + 1;                                                                             \
    Bits* next_base = base + pc->a;                                                                      \
    if (next >= frame_limit_ || next_base + callee->frame_size > reinterpret_cast<Bits*>(slot_limit_) || \
        cx_.interrupt.load(std::memory_order_relaxed)) [[unlikely]]                                      \
      Machine::check_call(*this);                                                                        \
    next->self = self_;                                                                                  \
    next->environment = scope_;                                                                          \
    next->keep = keep_;                                                                                  \
    frame->pc = pc + 1 + immediates_of(Opcode::name);                                                    \
    next->base = reinterpret_cast<Value*>(next_base);                                                    \
    next->code = callee;                                                                                 \
    frame = next;                                                                                        \
    frame_ = next;                                                                                       \
    base = next_base;                                                                                    \
    pc = callee->entry[static_cast<int>(Entry::entry_)];                                                 \
    goto* labels[static_cast<std::uint8_t>(pc->op)];                                                     \
  } while (0)

// Calls any value that stays where it is.
#define CALL_VALUE(name, entry_, value_, dyadic_)                                            \
  do {                                                                                       \
    const Value* f = &(value_);                                                              \
    if (f->is_function()) [[likely]] {                                                       \
      if (f->function().monad == choose_code_) {                                             \
        f = &Machine::chosen(*this, *f, VALUES + pc->a, dyadic_);                            \
        if (f == &picked_ || !f->is_function()) goto call_##name;                            \
      }                                                                                      \
      const Function& function = f->function();                                              \
      if (is_block(function)) {                                                              \
        BlockTarget target = block_target(function);                                         \
        CALL_BLOCK(name, target.code, entry_, &function, target.scope, 0);                   \
      }                                                                                      \
      if (function.kind == ObjectKind::primitive_function) {                                 \
        const ScalarOp op = static_cast<const PrimitiveFunction&>(function).scalar();        \
        if (dyadic_) {                                                                       \
          const double v = scalar_numbers(op, number(base[pc->a + 1]), number(base[pc->a])); \
          if (v == v) {                                                                      \
            base[pc->a] = bits(v);                                                           \
            NEXT(name);                                                                      \
          }                                                                                  \
        } else if (op == ScalarOp::right || op == ScalarOp::left) {                          \
          NEXT(name);                                                                        \
        }                                                                                    \
        Machine::call_primitive(*this, VALUES + pc->a, function, dyadic_);                   \
        NEXT(name);                                                                          \
      }                                                                                      \
      if (!(dyadic_) && base[pc->a] < Value::first_tagged) {                                 \
        const double v = arithmetic(function, number(base[pc->a]));                          \
        if (v == v) {                                                                        \
          base[pc->a] = bits(v);                                                             \
          NEXT(name);                                                                        \
        }                                                                                    \
      }                                                                                      \
    }                                                                                        \
    call_##name : Machine::call(*this, VALUES, pc, *f, dyadic_);                             \
    NEXT(name);                                                                              \
  } while (0)

#define ARITHMETIC(name, result)                             \
  do {                                                       \
    double w = number(base[pc->b]), x = number(base[pc->c]); \
    double v = result;                                       \
    if (v != v) [[unlikely]]                                 \
      Machine::dyad(*this, VALUES, pc);                      \
    else                                                     \
      base[pc->a] = bits(v);                                 \
    NEXT(name);                                              \
  } while (0)
#define ARITHMETIC_CONSTANT(name, result)                            \
  do {                                                               \
    double slot = number(base[pc->b]), k = number(pc->immediate(1)); \
    double v = result;                                               \
    if (v != v) [[unlikely]]                                         \
      Machine::dyad_constant(*this, VALUES, pc);                     \
    else                                                             \
      base[pc->a] = bits(v);                                         \
    NEXT(name);                                                      \
  } while (0)
#define COMPARE(name, relation)                              \
  do {                                                       \
    double w = number(base[pc->b]), x = number(base[pc->c]); \
    if (__builtin_isunordered(w, x)) [[unlikely]]            \
      Machine::dyad(*this, VALUES, pc);                      \
    else                                                     \
      base[pc->a] = w relation x ? one : 0;                  \
    NEXT(name);                                              \
  } while (0)
#define COMPARE_CONSTANT(name, relation)                          \
  do {                                                            \
    double w = number(base[pc->b]), x = number(pc->immediate(1)); \
    if (__builtin_isunordered(w, x)) [[unlikely]]                 \
      Machine::dyad_constant(*this, VALUES, pc);                  \
    else                                                          \
      base[pc->a] = w relation x ? one : 0;                       \
    NEXT(name);                                                   \
  } while (0)
#define TEST(name, relation)                                                                    \
  do {                                                                                          \
    double w = number(base[pc->b]), x = number(base[pc->c]);                                    \
    bool holds = __builtin_isunordered(w, x) ? Machine::test(*this, VALUES, pc) : w relation x; \
    if (holds) NEXT(name);                                                                      \
    JUMP(static_cast<std::int32_t>(pc->immediate(1)));                                          \
  } while (0)
#define TEST_CONSTANT(name, relation)                                                                    \
  do {                                                                                                   \
    double w = number(base[pc->b]), x = number(pc->immediate(1));                                        \
    bool holds = __builtin_isunordered(w, x) ? Machine::test_constant(*this, VALUES, pc) : w relation x; \
    if (holds) NEXT(name);                                                                               \
    JUMP(static_cast<std::int32_t>(pc->immediate(2)));                                                   \
  } while (0)

void Vm::execute() {
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
  try {
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
    if (VALUES[pc->a].is_mark()) Machine::fail_nothing(*this);
    NEXT(check);
  do_self:
    Machine::self(VALUES, pc, frame->self);
    NEXT(self);
  do_modifier_self:
    Machine::modifier_self(VALUES, pc, frame->self);
    NEXT(modifier_self);
  do_operand:
    new (VALUES + pc->a) Value(Machine::operand(*frame, pc->b));
    NEXT(operand);

    // --- environments
  do_environment:
    frame->environment = make_environment(cx_.heap, frame->environment, static_cast<std::uint32_t>(pc->distance())).leak();
    NEXT(environment);
  do_leave_environment : {
    Environment* own = frame->environment;
    frame->environment = own->parent;
    release(own);
    NEXT(leave_environment);
  }
  do_outer : {
    const Environment* e = frame->environment;
    for (unsigned hops = pc->b; hops; hops--) e = e->parent;
    Bits v = e->slots()[pc->c].bits();
    if (v >= Value::first_object)
      retain(object(v));
    else if (v == Value::absent_bits) [[unlikely]]
      Machine::undefined(*this);
    base[pc->a] = v;
    NEXT(outer);
  }
  do_outer_wide:
    new (VALUES + pc->a) Value(Machine::outer(*this, frame->environment, pc->b, static_cast<std::uint32_t>(pc->immediate(0))));
    NEXT(outer_wide);
  do_set_outer : {
    Environment* e = frame->environment;
    for (unsigned hops = pc->b; hops; hops--) e = e->parent;
    Bits& variable = reinterpret_cast<Bits*>(e->slots())[pc->c];
    Bits v = base[pc->a];
    if (variable < Value::first_tagged && v < Value::first_tagged) [[likely]]
      variable = v;
    else
      Machine::set_outer(*this, VALUES, pc, frame->environment, pc->c);
    NEXT(set_outer);
  }
  do_add_outer : {
    Environment* e = frame->environment;
    for (unsigned hops = pc->b; hops; hops--) e = e->parent;
    Bits& variable = reinterpret_cast<Bits*>(e->slots())[pc->c];
    double v = number(variable) + number(base[pc->a]);
    if (v != v) [[unlikely]]
      Machine::modify_outer(*this, VALUES, pc, frame->environment);
    else
      variable = bits(v);
    NEXT(add_outer);
  }
  do_set_outer_wide:
    Machine::set_outer(*this, VALUES, pc, frame->environment, static_cast<std::uint32_t>(pc->immediate(0)));
    NEXT(set_outer_wide);
  do_modify_outer:
    Machine::modify_outer(*this, VALUES, pc, frame->environment);
    NEXT(modify_outer);
  do_modify_local:
    Machine::modify_local(*this, VALUES, pc);
    NEXT(modify_local);

    // --- calls
  do_monad:
    Machine::monad(*this, VALUES, pc);
    NEXT(monad);
  do_dyad:
    Machine::dyad(*this, VALUES, pc);
    NEXT(dyad);
  do_call1_constant:
    CALL_VALUE(call1_constant, monad, reinterpret_cast<const Value*>(pc)[1], false);
  do_call2_constant:
    CALL_VALUE(call2_constant, dyad, reinterpret_cast<const Value*>(pc)[1], true);
  do_call1_block : {
    const BlockFunction* f = static_cast<const BlockFunction*>(object(pc->immediate(0)));
    CALL_BLOCK(call1_block, code_of(f->code), monad, f, f->scope, 0);
  }
  do_call2_block : {
    const BlockFunction* f = static_cast<const BlockFunction*>(object(pc->immediate(0)));
    CALL_BLOCK(call2_block, code_of(f->code), dyad, f, f->scope, 0);
  }
  do_call1_self:
    CALL_BLOCK(call1_self, frame->code, monad, frame->self, static_cast<const BlockFunction*>(frame->self)->scope, 0);
  do_call2_self:
    CALL_BLOCK(call2_self, frame->code, dyad, frame->self, static_cast<const BlockFunction*>(frame->self)->scope, 0);
  do_call1_local:
    CALL_VALUE(call1_local, monad, VALUES[pc->b], false);
  do_call2_local:
    CALL_VALUE(call2_local, dyad, VALUES[pc->b], true);
  do_call1_outer:
    CALL_VALUE(call1_outer, monad, Machine::outer(*this, frame->environment, pc->b, pc->c), false);
  do_call2_outer:
    CALL_VALUE(call2_outer, dyad, Machine::outer(*this, frame->environment, pc->b, pc->c), true);
  do_call1_operand:
    CALL_VALUE(call1_operand, monad, Machine::operand(*frame, pc->b), false);
  do_call2_operand:
    CALL_VALUE(call2_operand, dyad, Machine::operand(*frame, pc->b), true);
  do_call_maybe:
    if (!VALUES[pc->a].is_mark()) {
      if (pc->b == 0 || VALUES[pc->a + 2].is_mark()) goto do_call1_value;
      goto do_call2_value;
    }
    Machine::call_stacked(*this, VALUES, pc, pc->b);
    NEXT(call_maybe);
  do_call1_value : {
    // The frame takes the function over.
    Bits f = base[pc->a + 1];
    if (VALUES[pc->a + 1].is_function()) [[likely]] {
      const Function& function = VALUES[pc->a + 1].function();
      if (is_block(function)) {
        BlockTarget target = block_target(function);
        CALL_BLOCK(call1_value, target.code, monad, &function, target.scope, f);
      }
    }
    Machine::call_stacked(*this, VALUES, pc, false);
    NEXT(call1_value);
  }
  do_call2_value : {
    Bits f = base[pc->a + 1];
    if (VALUES[pc->a + 1].is_function()) [[likely]] {
      const Function& function = VALUES[pc->a + 1].function();
      if (is_block(function)) {
        BlockTarget target = block_target(function);
        CALL_BLOCK(call2_value, target.code, dyad, &function, target.scope, (base[pc->a + 1] = base[pc->a + 2], f));
      }
    }
    Machine::call_stacked(*this, VALUES, pc, true);
    NEXT(call2_value);
  }
  do_run_block:
    CALL_BLOCK(run_block, pc->pointer<const Code>(0), monad, frame->self, frame->environment, 0);

  do_fused:
    if (Machine::fused(*this, VALUES, pc, frame->environment)) JUMP(static_cast<std::int32_t>(pc->immediate(1)));
    NEXT(fused);

    // --- making values
  do_list:
    Machine::list(*this, VALUES, pc);
    NEXT(list);
  do_join_lists:
    Machine::join_lists(*this, VALUES, pc);
    NEXT(join_lists);
  do_derive1:
    Machine::derive1(*this, VALUES, pc);
    NEXT(derive1);
  do_derive2:
    Machine::derive2(*this, VALUES, pc);
    NEXT(derive2);
  do_atop:
  do_fork:
    Machine::train(*this, VALUES, pc);
    NEXT(fork);
  do_closure:
    Machine::closure(*this, VALUES, pc, frame->environment);
    NEXT(closure);
  do_scoped:
    Machine::scoped(*this, VALUES, pc, frame->environment);
    NEXT(scoped);
  do_field:
    Machine::field(*this, VALUES, pc);
    NEXT(field);
  do_name_space:
    Machine::name_space(*this, VALUES, pc, frame->environment);
    NEXT(name_space);

    // --- control
  do_jump:
    JUMP(pc->distance());
  do_jump_dyadic:
    if (base[pc->a] == Value::nothing_bits) NEXT(jump_dyadic);
    JUMP(pc->distance());
  do_test : {
    double v = number(base[pc->a]);
    if (v == 1) NEXT(test);
    if (v != 0) [[unlikely]]
      Machine::test_value(*this, VALUES[pc->a]);
    JUMP(pc->distance());
  }
  do_choose : {
    double v = number(base[pc->a]);
    std::uint32_t i;
    if (v >= 0 && v < pc->b && static_cast<std::int32_t>(v) == v) [[likely]] {
      i = static_cast<std::uint32_t>(v);
    } else {
      i = Machine::choice(*this, VALUES[pc->a], pc->b, pc->flags & Instruction::maybe);
      if (i < pc->b) VALUES[pc->a] = Value();
    }
    JUMP(1 + i);
  }
  do_repeat : {
    double v = number(base[pc->a]);
    if (v >= 1 && v < 9007199254740992.0 && static_cast<double>(static_cast<std::int64_t>(v)) == v) [[likely]] {
      base[pc->a] = bits(v - 1);
      if (cx_.interrupt.load(std::memory_order_relaxed)) [[unlikely]]
        cx_.check_interrupt();
      NEXT(repeat);
    }
    if (v == 0) JUMP(pc->distance());
    JUMP(static_cast<std::int32_t>(pc->immediate(0)));
  }
  do_verify:
#ifdef GRIDDLE_VERIFY
    if (balance_)
      assert(balance_->holds_between({VALUES, static_cast<std::size_t>(pc->a)}, pc->b ? frame->environment : nullptr));
#endif
    NEXT(verify);
  do_no_body:
    Machine::no_body(*this, *frame);
  do_leave : {
    Bits result = base[pc->c];
    base[pc->c] = Value::absent_bits;
    Bits* slot = base + pc->a;
    for (unsigned n = pc->b; n; n--, slot++)
      if (*slot >= Value::first_object) release(object(*slot));
    base[pc->a] = result;
    NEXT(leave);
  }
  do_return_environment:
    release(frame->environment);
  do_return_value : {
    Bits result = base[pc->a];
    base[pc->a] = Value::absent_bits;
    Bits* slot = base;
    for (unsigned n = pc->b; n; n--, slot++)
      if (*slot >= Value::first_object) release(object(*slot));
    *base = result;
    Bits keep = frame->keep;
    frame--;
    frame_ = frame;
    base = reinterpret_cast<Bits*>(frame->base);
    pc = frame->pc;
    if (keep >= Value::first_object) release(object(keep));
    goto* labels[static_cast<std::uint8_t>(pc->op)];
  }
  do_exit:
    return;

    // --- taking values apart
  do_match:
    if (Machine::match(*this, VALUES, pc)) NEXT(match);
    goto mismatch;
  do_unpack:
    if (Machine::unpack(*this, VALUES, pc)) NEXT(unpack);
    goto mismatch;
  do_unpack_cells:
    if (Machine::unpack_cells(*this, VALUES, pc)) NEXT(unpack_cells);
  mismatch : {
    Mismatch m = std::bit_cast<Mismatch>(pc->immediate(1));
    Machine::clear(VALUES, m.from, m.to);
    JUMP(m.distance);
  }

    // --- operations with a fast path
  do_add:
    ARITHMETIC(add, w + x);
  do_add_constant:
    ARITHMETIC_CONSTANT(add_constant, slot + k);
  do_subtract:
    ARITHMETIC(subtract, w - x);
  do_subtract_constant:
    ARITHMETIC_CONSTANT(subtract_constant, slot - k);
  do_constant_subtract:
    ARITHMETIC_CONSTANT(constant_subtract, k - slot);
  do_multiply:
    ARITHMETIC(multiply, w * x);
  do_multiply_constant:
    ARITHMETIC_CONSTANT(multiply_constant, slot * k);
    // A negative zero as divisor counts as zero.
  do_divide:
    ARITHMETIC(divide, w / (x + 0.0));
  do_divide_constant:
    ARITHMETIC_CONSTANT(divide_constant, slot / (k + 0.0));
  do_constant_divide:
    ARITHMETIC_CONSTANT(constant_divide, k / (slot + 0.0));
  do_modulus:
    ARITHMETIC(modulus, small_modulus(w, x));
  do_constant_modulus:
    ARITHMETIC_CONSTANT(constant_modulus, small_modulus(k, slot));
  do_minimum:
    ARITHMETIC(minimum, __builtin_isunordered(w, x) ? NAN : w < x ? w : x);
  do_minimum_constant:
    ARITHMETIC_CONSTANT(minimum_constant, __builtin_isunordered(slot, k) ? NAN : slot < k ? slot : k);
  do_maximum:
    ARITHMETIC(maximum, __builtin_isunordered(w, x) ? NAN : w > x ? w : x);
  do_maximum_constant:
    ARITHMETIC_CONSTANT(maximum_constant, __builtin_isunordered(slot, k) ? NAN : slot > k ? slot : k);
  do_logic_and:
    ARITHMETIC(logic_and, w * x);
  do_logic_or:
    ARITHMETIC(logic_or, w + x - w * x);
  do_less:
    COMPARE(less, <);
  do_less_constant:
    COMPARE_CONSTANT(less_constant, <);
  do_less_equal:
    COMPARE(less_equal, <=);
  do_less_equal_constant:
    COMPARE_CONSTANT(less_equal_constant, <=);
  do_equal:
    COMPARE(equal, ==);
  do_equal_constant:
    COMPARE_CONSTANT(equal_constant, ==);
  do_greater_equal:
    COMPARE(greater_equal, >=);
  do_greater_equal_constant:
    COMPARE_CONSTANT(greater_equal_constant, >=);
  do_greater:
    COMPARE(greater, >);
  do_greater_constant:
    COMPARE_CONSTANT(greater_constant, >);
  do_not_equal:
    COMPARE(not_equal, !=);
  do_not_equal_constant:
    COMPARE_CONSTANT(not_equal_constant, !=);
  do_negate : {
    double x = number(base[pc->b]);
    if (x != x) [[unlikely]]
      Machine::monad(*this, VALUES, pc);
    else
      base[pc->a] = bits(-x);
    NEXT(negate);
  }
  do_complement : {
    double v = 1 - number(base[pc->b]);
    if (v != v) [[unlikely]]
      Machine::monad(*this, VALUES, pc);
    else
      base[pc->a] = bits(v);
    NEXT(complement);
  }
  do_floor : {
    double x = number(base[pc->b]);
    if (!(x >= -2147483648.0 && x < 2147483648.0)) [[unlikely]] {
      Machine::monad(*this, VALUES, pc);
    } else {
      double whole = static_cast<std::int32_t>(x);
      base[pc->a] = bits(whole > x ? whole - 1 : whole);
    }
    NEXT(floor);
  }
  do_magnitude : {
    double x = number(base[pc->b]);
    if (x != x) [[unlikely]]
      Machine::monad(*this, VALUES, pc);
    else
      base[pc->a] = bits(std::fabs(x));
    NEXT(magnitude);
  }
  do_pick : {
    double w = number(base[pc->b]);
    if (VALUES[pc->c].is_array() && !(pc->flags & Instruction::consume_c) && w >= 0 && w < 2147483648.0) {
      const Array& a = VALUES[pc->c].array();
      std::uint32_t i = static_cast<std::uint32_t>(w);
      if (a.rank() == 1 && i < a.length && i == w) {
        if (a.type() == ElementType::i32) {
          base[pc->a] = bits(a.as<std::int32_t>()[i]);
          NEXT(pick);
        }
        if (a.type() == ElementType::f64) {
          base[pc->a] = Value(a.as<double>()[i]).bits();
          NEXT(pick);
        }
        if (a.type() == ElementType::boxed) {
          new (VALUES + pc->a) Value(a.boxes()[i]);
          NEXT(pick);
        }
      }
    }
    Machine::pick(*this, VALUES, pc);
    NEXT(pick);
  }
  do_length:
    Machine::length(*this, VALUES, pc);
    NEXT(length);
  do_require:
    if (base[pc->b] == one) {
      base[pc->a] = one;
      NEXT(require);
    }
    if (Machine::require(*this, VALUES, pc, false)) NEXT(require);
    goto raise;
  do_require_for:
    if (Machine::require(*this, VALUES, pc, true)) NEXT(require_for);
    goto raise;

    // --- predicates
  do_test_less:
    TEST(test_less, <);
  do_test_less_constant:
    TEST_CONSTANT(test_less_constant, <);
  do_test_less_equal:
    TEST(test_less_equal, <=);
  do_test_less_equal_constant:
    TEST_CONSTANT(test_less_equal_constant, <=);
  do_test_equal:
    TEST(test_equal, ==);
  do_test_equal_constant:
    TEST_CONSTANT(test_equal_constant, ==);
  do_test_greater_equal:
    TEST(test_greater_equal, >=);
  do_test_greater_equal_constant:
    TEST_CONSTANT(test_greater_equal_constant, >=);
  do_test_greater:
    TEST(test_greater, >);
  do_test_greater_constant:
    TEST_CONSTANT(test_greater_constant, >);
  do_test_not_equal:
    TEST(test_not_equal, !=);
  do_test_not_equal_constant:
    TEST_CONSTANT(test_not_equal_constant, !=);
  raise:
    if (!message) goto throw_raised;
    Machine::unwind(*this, frame, entry, pc, nullptr);
    *message = std::move(raised_);
    return;
  } catch (Error& error) {
    if (message && error.catchable) {
      Machine::unwind(*this, frame, entry, pc, nullptr);
      *message = std::move(error.message);
      return;
    }
    Machine::unwind(*this, frame, entry, pc, &error);
    throw;
  } catch (const OutOfMemory&) {
    throw_out_of_memory(frame, entry, pc);
  } catch (const std::bad_alloc&) {
    throw_out_of_memory(frame, entry, pc);
  } catch (...) {
    Machine::unwind(*this, frame, entry, pc, nullptr);
    throw;
  }
  // Stands outside of the try block: the error goes straight to whoever catches it.
throw_raised:
  throw_raised(frame, entry, pc);
}

void Vm::throw_raised(Frame* frame, Frame* entry, const Instruction* pc) {
  Error error(std::move(raised_));
  Machine::unwind(*this, frame, entry, pc, &error);
  throw error;
}

void Vm::throw_out_of_memory(Frame* frame, Frame* entry, const Instruction* pc) {
  Error error(make_string(cx_.heap, std::string_view("Out of memory")));
  Machine::unwind(*this, frame, entry, pc, &error);
  throw error;
}

}  // namespace griddle
