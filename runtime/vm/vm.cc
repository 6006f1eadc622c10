#include "runtime/vm/vm.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "runtime/address_space.h"
#include "runtime/value/verify.h"
#include "runtime/vm/dispatch.h"
#include "runtime/vm/machine.h"

namespace griddle {

namespace {

// Room for eight slots in each frame: most have fewer.
constexpr std::size_t slots_of_frame = 8;
// Slots beyond the limit, for the arguments of the call that finds it.
constexpr std::size_t spare_slots = 1 << 17;

// Says how many frames have room. Memory is taken only as they are used, but where address space is limited, room counts.
std::size_t frames_with_room() {
  constexpr std::size_t most = 1 << 20, fewest = 1 << 12, share = 16;
  return std::clamp(address_space() / share / (sizeof(Frame) + slots_of_frame * sizeof(Value)), fewest, most);
}

}  // namespace

ReservedMemory::ReservedMemory(std::size_t bytes)
    : memory(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)), bytes_(bytes) {
  if (memory == MAP_FAILED) throw OutOfMemory(bytes);
}
ReservedMemory::~ReservedMemory() { munmap(memory, bytes_); }

Vm::Vm(Context& cx)
    : cx_(cx),
      host_(make_native<Code>(cx.heap)),
      no_memory_(make_string(cx.heap, std::string_view("Out of memory"))),
      most_frames_(frames_with_room()),
      site_memory_(RecentCalls<RecentDyad>::bytes + RecentCalls<RecentMonad>::bytes),
      frame_memory_(most_frames_ * sizeof(Frame)),
      slot_memory_(slot_bytes()),
      recent_dyads_(site_memory_.memory),
      recent_monads_(static_cast<char*>(site_memory_.memory) + RecentCalls<RecentDyad>::bytes),
      frames_(static_cast<Frame*>(frame_memory_.memory)),
      slots_(static_cast<Value*>(slot_memory_.memory)) {
  frame_limit_ = frames_ + most_frames_ - 1;
  slot_limit_ = slots_ + most_frames_ * slots_of_frame;
  frame_ = frames_;
  *frame_ = {nullptr, slots_, host_.get(), nullptr, nullptr, 0};
  for (const PrimitiveModifierEntry& entry : primitive_table().modifiers)
    if (entry.applies == Applies::to_tell_choice) choose_code_ = entry.monad;
  cx.vm = this;
  cx.inner_lists = &inner_lists_;
}

#ifndef GRIDDLE_NATIVE
// Where no machine code can be made, every block is interpreted.
const void* Machine::native_at(Vm&, const Code&, const Instruction*) { return nullptr; }
void Machine::make_native_room(Vm&) {}
void Machine::end_native(Vm&) {}
#endif

Vm::~Vm() {
  Machine::end_native(*this);
  cx_.vm = nullptr;
  cx_.inner_lists = nullptr;
}

std::size_t Vm::slot_bytes() const { return (most_frames_ * slots_of_frame + spare_slots) * sizeof(Value); }

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

void Vm::limit_depth(std::size_t calls) { frame_limit_ = frames_ + std::min(calls + 2, most_frames_ - 1); }

void Vm::check_room(const Code& code, const Frame* next, const Value* base) {
  cx_.check_stack();
  if (next >= frame_limit_ || base + code.frame_size > slot_limit_ || cx_.interrupt_requested() || !cx_.may_step()) [[unlikely]]
    Machine::check_call(*this);
}

inline Value* Vm::push_frame(const Code& code, const Instruction* entry, const Object* self, Environment* scope) {
  Frame* f = frame_ + 1;
  Value* base = frame_->base + frame_->code->frame_size;
  check_room(code, f, base);
  *f = {entry, base, &code, self, scope, 0};
  frame_ = f;
  return base;
}

// Tells whether a leaf may run on an argument.
inline bool suits_leaf(const Code& code, std::uint64_t x) {
  return is_number_or_character(x) || (code.reads && x >> 48 == Value::array_tag);
}

std::uint64_t Vm::leaf_result(const Instruction* entry, Environment* scope, std::uint64_t x) {
  auto* const base = reinterpret_cast<std::uint64_t*>(frame_->base + frame_->code->frame_size);
  *base = x;
  return Machine::run_leaf(entry, base, scope) ? *base : Value::absent_bits;
}

inline Value Vm::run_block(const Code& code, const Instruction* entry, const Object* self, Environment* scope, Value& x) {
  if (code.leaf && suits_leaf(code, x.bits()) && cx_.may_step())
    if (const std::uint64_t result = leaf_result(entry, scope, x.bits()); result != Value::absent_bits)
      return Value::from_bits(result);
  Value* base = push_frame(code, entry, self, scope);
  new (base) Value(std::move(x));
  execute();
  return Value::from_bits(base->bits());
}
inline Value Vm::run_block(const Code& code, const Instruction* entry, const Object* self, Environment* scope, Value& w,
                           Value& x) {
  Value* base = push_frame(code, entry, self, scope);
  new (base) Value(std::move(x));
  new (base + 1) Value(std::move(w));
  execute();
  return Value::from_bits(base->bits());
}

Value Vm::enter(const Code& code, const Instruction* entry, const Object* self, Environment* scope, Value x) {
  return run_block(code, entry, self, scope, x);
}
Value Vm::enter(const Code& code, const Instruction* entry, const Object* self, Environment* scope, Value w, Value x) {
  return run_block(code, entry, self, scope, w, x);
}

Value Machine::block_monad(Context& cx, const Function& self, Value x) {
  const BlockTarget t = block_target(self);
  return cx.vm->run_block(*t.code, t.code->entry[static_cast<int>(Entry::monad)], &self, t.scope, x);
}
Value Machine::block_dyad(Context& cx, const Function& self, Value w, Value x) {
  const BlockTarget t = block_target(self);
  return cx.vm->run_block(*t.code, t.code->entry[static_cast<int>(Entry::dyad)], &self, t.scope, w, x);
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
  if (!cx_.may_step()) [[unlikely]]
    Machine::check_call(vm);
  if (code_->leaf && suits_leaf(*code_, x.bits())) {
    auto* const slots = reinterpret_cast<std::uint64_t*>(base_);
    slots[0] = x.bits();
    if (Machine::run_leaf(code_->entry[static_cast<int>(Entry::monad)], slots, scope_)) return Value::from_bits(slots[0]);
  }
  // Other calls may have used the frame in between.
  *frame_ = {code_->entry[static_cast<int>(Entry::monad)], base_, code_, &f_.function(), scope_, 0};
  vm.frame_ = frame_;
  new (base_) Value(std::move(x));
  vm.execute();
  return Value::from_bits(base_->bits());
}

Value Caller::call_block(Value w, Value x) {
  Vm& vm = *cx_.vm;
  if (!cx_.may_step()) [[unlikely]]
    Machine::check_call(vm);
  if (code_->leaf && suits_leaf(*code_, x.bits()) && suits_leaf(*code_, w.bits())) {
    auto* const slots = reinterpret_cast<std::uint64_t*>(base_);
    slots[0] = x.bits(), slots[1] = w.bits();
    if (Machine::run_leaf(code_->entry[static_cast<int>(Entry::dyad)], slots, scope_)) return Value::from_bits(slots[0]);
  }
  *frame_ = {code_->entry[static_cast<int>(Entry::dyad)], base_, code_, &f_.function(), scope_, 0};
  vm.frame_ = frame_;
  new (base_) Value(std::move(x));
  new (base_ + 1) Value(std::move(w));
  vm.execute();
  return Value::from_bits(base_->bits());
}

Value Vm::run(const Code& code, Environment* root) {
  bool outermost = frame_ == frames_;
  if (outermost) Machine::make_native_room(*this);
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

}  // namespace griddle
