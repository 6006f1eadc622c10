// Vm: runs compiled code. One for each Context, used by one thread at a time.
//
// Calls between blocks push a Frame and stay in one activation of `run`; calls that go through C++ (a modifier's code, say) nest
// activations. An Error that leaves an activation has unwound its frames and noted their places.
#pragma once

#include <utility>

#include "runtime/value/recent_call.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "runtime/vm/frame.h"
#ifdef GRIDDLE_VERIFY
#include "runtime/value/verify.h"
#endif

namespace griddle {

class Native;
class StepObserver;

// Memory of zeros, of which what nobody touches takes no room.
struct ReservedMemory {
  explicit ReservedMemory(std::size_t bytes);
  ~ReservedMemory();
  ReservedMemory(const ReservedMemory&) = delete;
  ReservedMemory& operator=(const ReservedMemory&) = delete;

  void* const memory;

 private:
  std::size_t bytes_;
};

class Vm {
 public:
  // Reserves the stacks and enters itself in the context. Throws OutOfMemory.
  explicit Vm(Context&);
  ~Vm();
  Vm(const Vm&) = delete;
  Vm& operator=(const Vm&) = delete;

  // Runs a program. `root` holds the root variables of code compiled with a shared root, else it is the innermost environment of
  // the scope that the program was compiled for, or null.
  Value run(const Code&, Environment* root = nullptr);

  // Makes the environment of a shared root scope: room for `capacity` variables, none in use.
  static Ref<Environment> make_root(Heap&, std::uint32_t capacity = 1 << 16, Environment* parent = nullptr);
  // Brings more of its variables into use. Throws an Error where there is no room.
  static void grow(Context&, Environment& root, std::size_t count);

  // Calls a block. `entry` must be one that the code has; `w` is absent or Nothing where there is one argument.
  Value enter(const Code&, const Instruction* entry, const Object* self, Environment* scope, Value x);
  Value enter(const Code&, const Instruction* entry, const Object* self, Environment* scope, Value w, Value x);

  // The same, but where the block's body fails with a catchable error, gives the absent value and stores the error's message.
  Value attempt(const Code&, const Instruction* entry, const Object* self, Environment* scope, Value w, Value x, Value& message);

  // Lets somebody see each step of what runs from now on, which takes longer; null: no more. Not while anything runs.
  // Has an observer, or none, see steps. Gives the one that did.
  StepObserver* observe_steps(StepObserver* observer) { return std::exchange(steps_, observer); }

  // Limits how many calls of blocks may stand within each other.
  void limit_depth(std::size_t calls);

  // Tell what a call from an instruction carries as its site. Few instructions share one.
  const RecentMonad* monad_site(const void* instruction) { return &recent_monads_.at(instruction); }
  const RecentDyad* dyad_site(const void* instruction) { return &recent_dyads_.at(instruction); }

  // Gives the unit of the innermost running block; null where none runs.
  Unit* unit() const;
  // Shows the code of each running block and the place in it, from the innermost on, until that is enough: see(code, pc,
  // innermost). The innermost place is that of the last call that could fail; the others are behind the call they wait for.
  // A signal handler may do so, on the thread that evaluates.
  template <class See>
  void see_frames(See see) const {
    for (const Frame* f = frame_; f > frames_; f--)
      if (!see(*f->code, f->pc, f == frame_)) return;
  }
  // Shows the frames themselves likewise.
  template <class See>
  void see_slots(See see) const {
    for (const Frame* f = frame_; f > frames_; f--) see(*f);
  }

 private:
  friend struct Machine;
  friend struct NativeSteps;
  friend class Native;
  friend class Caller;
  // Fails where there is no room for one more frame, or where the host has asked for an interrupt.
  void check_room(const Code&, const Frame* next, const Value* base);
  Value* push_frame(const Code&, const Instruction* entry, const Object* self, Environment* scope);
  // Gives the bits of what a leaf block makes of a number or character; those of the absent value where that is not for a leaf.
  [[gnu::noinline]] std::uint64_t leaf_result(const Instruction* entry, Environment* scope, std::uint64_t x);
  // Do what `enter` does, and take the arguments from where they are.
  Value run_block(const Code&, const Instruction* entry, const Object* self, Environment* scope, Value& x);
  Value run_block(const Code&, const Instruction* entry, const Object* self, Environment* scope, Value& w, Value& x);
  // Runs the innermost frame to its end. The result lies in its first slot.
  void execute() { steps_ != nullptr ? execute_as<true>() : execute_as<false>(); }
  template <bool stepped>
  void execute_as();
  // Unwind the frames of an activation and throw.
  [[noreturn]] void throw_raised(Frame*, Frame* entry, const Instruction* pc);
  [[noreturn]] void throw_out_of_memory(Frame*, Frame* entry, const Instruction* pc);

  Context& cx_;
  Ref<Code> host_;                   // stands for C++ at the bottom of the frames
  MonadCode choose_code_ = nullptr;  // of ◶, whose calls the loop follows itself
  Value* message_ = nullptr;         // where the next activation stores an error's message instead of throwing it on
  Value raised_;                     // the message of an error that the loop itself raises
  Value no_memory_;                  // the message of the error where there is none left to make one
  Value picked_;                     // what ◶ took from its list in an unusual way, until it is called
  const std::size_t most_frames_;
  const ReservedMemory site_memory_, frame_memory_, slot_memory_;
  // What instructions remember of arithmetic on lists. Nothing where there is a device, which has to be asked about every array.
  RecentCalls<RecentDyad> recent_dyads_;
  RecentCalls<RecentMonad> recent_monads_;
  RecentDyad inner_lists_;  // of lists inside others, wherever
#ifdef GRIDDLE_VERIFY
  const ReferenceBalance* balance_ = nullptr;  // of the outermost program, while no other runs inside it
#endif
  Native* native_ = nullptr;  // the translator, once there was something to translate
  // Runs machine code, which begins with the innermost frame, until the loop has to go on: at the instruction it gives, or not at
  // all, where the frame `entry` has ended. It may have begun some and ended others.
  using EnterNative = const Instruction* (*)(const void* place, Vm*, const Frame* entry);
  EnterNative enter_native_ = nullptr;
  StepObserver* steps_ = nullptr;  // null but while a program is explained or traced
  Frame* frame_;                   // the innermost
  Frame* frame_limit_;             // one before the end of the frames
  Value* slot_limit_;
  std::size_t slot_bytes() const;
  Frame* const frames_;
  Value* const slots_;
};

}  // namespace griddle
