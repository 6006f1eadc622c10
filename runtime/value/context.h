// Context: what every primitive is handed, one for each interpreter. Nothing else in the library is mutable state.
#pragma once

#include <algorithm>
#include <utility>

#include "runtime/value/heap.h"
#include "runtime/value/value.h"

namespace griddle {

class Device;
class PrimitiveObserver;
class SystemState;
class Vm;
struct RecentDyad;
struct RecentMonad;

class Context {
 public:
  Heap heap;
  Vm* vm = nullptr;               // the virtual machine that runs blocks (vm/vm.h)
  Device* device = nullptr;       // whom to ask about large arrays (value/remote.h); null where there is none
  SystemState* system = nullptr;  // what system values need (system/system.h)
  // The primitives of this interpreter as values, in the order of the primitive table.
  static constexpr int max_primitives = 80;
  Value primitives[max_primitives];
  // What arithmetic on lists inside others did last (runtime/value/recent_call.h); null where there is no machine.
  RecentDyad* inner_lists = nullptr;
  // Whether general functions alone do the work, for tests: fast paths must give the same. Set before the primitives are made.
  bool general_ways = false;
  // How many calls and rounds of its loops a block is interpreted before it is translated to machine code (runtime/native).
  static constexpr std::int64_t never_translates = ~std::uint64_t{0} >> 1;
  std::int64_t translates_after = 500;
  // Who sees each call of a primitive in its place (runtime/primitive.h); null but while a program is explained.
  PrimitiveObserver* observer = nullptr;
  // The message of the innermost error that a ⎊ is handling; absent outside of handlers.
  Value current_error;

  // Throws a BQN error "Stack overflow" where the C++ stack is nearly used up, and where the host asked for an interrupt. Call it
  // in anything that recurses with data.
  void check_stack() {
#ifdef __EMSCRIPTEN__
    // A browser keeps most of a frame on a stack of its own, which nobody can measure. So that the one that is measured ends
    // first, each frame that may be one of many takes a share of it.
    volatile char share[256];
    share[0] = 0;
#endif
    // A sanitizer may keep locals elsewhere.
    if (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < current_limit()) [[unlikely]]
      stack_ended();
  }
  // Throws a BQN error where the host asked for an interrupt. Call it in loops that may run long.
  void check_interrupt() {
    if (interrupt_requested()) [[unlikely]]
      interrupted();
  }
  // Throws a BQN error where what was read of a mapped file was not there. Call it before the result of a program is given.
  void check_mapped_files() {
    if (__atomic_load_n(&stops_, __ATOMIC_RELAXED) & file_cut) interrupted();
  }
  bool interrupt_requested() const { return __atomic_load_n(&checked_limit_, __ATOMIC_RELAXED) == above_all; }
  // Why an evaluation is to end. A request for `once` ends one, as do a call whose time is up and a mapped file that became
  // shorter, which programs may catch; the others end all that come, until they are taken back.
  enum Stop : std::uint8_t {
    once = 1,
    time_up = 2,
    deadline = 4,
    stopped = 8,
    out_of_steps = 16,
    file_cut = 32,
    call_time_up = 64
  };
  // Asks for an interrupt, from any thread and from signal handlers.
  void request_interrupt(Stop why = once) noexcept {
    __atomic_fetch_or(&stops_, why, __ATOMIC_SEQ_CST);
    __atomic_store_n(&checked_limit_, above_all, __ATOMIC_SEQ_CST);
  }
  // Takes a request back.
  void clear_interrupt(Stop why = once) noexcept {
    __atomic_fetch_and(&stops_, static_cast<std::uint8_t>(~why), __ATOMIC_SEQ_CST);
    __atomic_store_n(&checked_limit_, reinterpret_cast<std::uintptr_t>(stack_limit_), __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&stops_, __ATOMIC_SEQ_CST) != 0) __atomic_store_n(&checked_limit_, above_all, __ATOMIC_SEQ_CST);
  }
  // Tells what the last interrupt was for.
  Stop interrupted_by() const { return interrupted_by_; }

  // Counts a call of a block or a round of a loop, and asks for an interrupt where there have been as many as may be. Tells
  // whether there may be one.
  bool may_step() {
    if (--steps_left_ >= 0) [[likely]]
      return true;
    steps_ended();
    return false;
  }
  // Counts a round of a loop, and does what check_interrupt does.
  void step() {
    may_step();
    check_interrupt();
  }
  // Where machine code counts steps, and what has all bits set where somebody asks for an interrupt.
  std::int64_t* step_counter() { return &steps_left_; }
  const std::uintptr_t* interrupt_mark() const { return &checked_limit_; }
  std::uint64_t steps_left() const { return static_cast<std::uint64_t>(std::max<std::int64_t>(0, steps_left_)); }
  void set_steps(std::uint64_t steps) {
    steps_left_ = static_cast<std::int64_t>(std::min(steps, most_steps));
    clear_interrupt(out_of_steps);
  }

  // Lowest address that evaluation may use (vm/error.cc measures the thread it runs on).
  char* stack_limit() const { return stack_limit_; }
  void set_stack_limit(char* lowest) noexcept {
    std::uintptr_t before = reinterpret_cast<std::uintptr_t>(std::exchange(stack_limit_, lowest));
    // A request stays.
    __atomic_compare_exchange_n(&checked_limit_, &before, reinterpret_cast<std::uintptr_t>(lowest), false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
  }

  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

 private:
  [[noreturn]] void stack_ended();
  // Requests come from other threads: only a sanitizer wants to be told, as an atomic load costs compilers an instruction.
  std::uintptr_t current_limit() const {
#ifdef __SANITIZE_THREAD__
    return __atomic_load_n(&checked_limit_, __ATOMIC_RELAXED);
#else
    return checked_limit_;
#endif
  }
  [[noreturn]] void interrupted();
  void steps_ended();

  static constexpr std::uint64_t most_steps = ~std::uint64_t{0} >> 1;
  // No address lies below it.
  static constexpr std::uintptr_t above_all = ~std::uintptr_t{0};
  char* stack_limit_ = nullptr;
  // What check_stack compares with: the limit, or what every address lies below, where there is a request for an interrupt.
  std::uintptr_t checked_limit_ = 0;
  std::int64_t steps_left_ = most_steps;
  std::uint8_t stops_ = 0;  // of Stop: what asks for an interrupt
  Stop interrupted_by_ = once;
};

}  // namespace griddle
