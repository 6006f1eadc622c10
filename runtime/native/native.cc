#include "runtime/native/native.h"

#include <algorithm>

#include "runtime/native/steps.h"

namespace griddle {

namespace {

// Makes what all code shares: how it is entered, how it ends. Fills in those places; gives how many bytes it takes, and the
// function that enters.
std::size_t make_common(std::uint8_t* memory, std::size_t room, NativePlaces& places, const std::uint8_t*& enter) {
  Xbyak::CodeGenerator g(room, memory);
  using namespace Xbyak::util;
  for (const Bits b : {one, Bits{0}, ~Bits{0} >> 1, ~Bits{0} >> 1, Bits{1} << 63, Bits{1} << 63}) g.dq(b);
  places.constants = memory;
  // enter(place, machine, entry frame)
  enter = g.getCurr();
  for (const Xbyak::Reg64& r : {rbp, rbx, r12, r13, r14, r15}) g.push(r);
  g.push(rdx);
  g.mov(r14, rsi);
  g.mov(rax, address(places.innermost));
  g.mov(r13, g.qword[rax]);
  g.mov(r12, g.qword[r13 + offsetof(Frame, base)]);
  g.mov(r15, Value::first_object);
  g.mov(rbp, one);
  g.mov(rbx, address(places.constants));
  g.jmp(rdi);
  places.goes_on = g.getCurr();
  g.mov(rcx, g.qword[r13 + offsetof(Frame, code)]);
  g.mov(rdx, g.qword[rcx + places_offset]);
  Xbyak::Label leave;
  g.test(rdx, rdx);
  g.jz(leave);
  g.mov(rsi, rax);
  g.sub(rsi, g.qword[rcx + words_offset]);
  g.shr(rsi, 3);
  g.mov(rdx, g.qword[rdx + rsi * 8]);
  g.test(rdx, rdx);
  g.jz(leave);
  g.jmp(rdx);
  g.L(leave);
  places.leave = g.getCurr();
  g.pop(rdx);
  for (const Xbyak::Reg64& r : {r15, r14, r13, r12, rbx, rbp}) g.pop(r);
  g.ret();
  return g.getSize();
}

// Never asks again.
void give_up(NativeCode& native) {
  native.places = nullptr;
  native.patience = Context::never_translates;
}

}  // namespace

Native::Native(Vm& vm) {
  if (!arena_.usable()) return;
  places_ = {.vm = &vm,
             .context = &vm.cx_,
             .innermost = &vm.frame_,
             .frame_limit = &vm.frame_limit_,
             .slot_limit = &vm.slot_limit_,
             .steps_left = vm.cx_.step_counter(),
             .checked_limit = vm.cx_.interrupt_mark(),
             .leave = nullptr,
             .goes_on = nullptr,
             .constants = nullptr};
  const std::uint8_t* enter = nullptr;
  common_ = make_common(arena_.begin(), arena_.room(), places_, enter);
  arena_.keep(common_);
  if (arena_.seal()) vm.enter_native_ = reinterpret_cast<Vm::EnterNative>(reinterpret_cast<std::uintptr_t>(enter));
}

void Native::forget_all() {
  while (translated_.next != &translated_) translated_.next->forget();
  arena_.keep_only(common_);
  is_full_ = false;
}

bool Native::translate(Context& cx, const Code& code) {
  NativeCode& native = code.native;
  if (places_.constants == nullptr || !arena_.write()) return false;
  bool done = false;
  native.join_ring(translated_);
  try {
    if (native.gives_array == nullptr) {
      native.gives_array = make_heap_array<std::uint8_t>(cx.heap, code.word_count);
      std::fill_n(native.gives_array.get(), code.word_count, std::uint8_t{0});
    }
    if (native.places == nullptr) native.places = make_heap_array<const void*>(cx.heap, code.word_count);
    std::fill_n(native.places.get(), code.word_count, nullptr);
    Translator translator(code, places_, arena_.next(), arena_.room());
    arena_.keep(translator.translate(native.places.get()));
    native.surprises = 0;
    done = true;
  } catch (const Xbyak::Error&) {
    is_full_ = true;
  } catch (const OutOfMemory&) {
  } catch (const std::bad_alloc&) {
  }
  if (!done) native.places = nullptr;
  return arena_.seal() && done;
}

// Null where there is no memory.
Native* Native::made(Vm& vm) {
  try {
    return new Native(vm);
  } catch (const std::exception&) {
    return nullptr;
  }
}

const void* Machine::native_at(Vm& vm, const Code& code, const Instruction* pc) {
  NativeCode& native = code.native;
  if (!native.is_watched) {
    native.is_watched = true;
    native.patience = vm.cx_.translates_after;
    if (native.patience > 0) return nullptr;
  }
  if (native.places == nullptr) {
    if (vm.native_ == nullptr) vm.native_ = Native::made(vm);
    if (vm.native_ == nullptr || !vm.native_->translate(vm.cx_, code)) {
      give_up(native);
      return nullptr;
    }
  }
  return native.places[word_of(code, pc)];
}

void Machine::make_native_room(Vm& vm) {
  if (vm.native_ != nullptr) vm.native_->make_room();
}
void Machine::end_native(Vm& vm) { delete vm.native_; }

}  // namespace griddle
