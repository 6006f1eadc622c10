// Steps: what machine code has C++ do for it, mostly what the loop does for the same instruction (vm/loop.cc).
#pragma once

#include <cstddef>

#include "runtime/vm/dispatch.h"
#include "runtime/vm/machine.h"

namespace griddle {

// Each does one instruction on the slots of the innermost frame, which knows the place.
struct NativeSteps {
  static void two(Vm&, Value* base, const Instruction*);
  static void constant(Vm&, Value* base, const Instruction*);
  static void alone(Vm&, Value* base, const Instruction*);
  static void modulus(Vm&, Value* base, const Instruction*);
  static bool test(Vm&, Value* base, const Instruction*);
  static bool test_constant(Vm&, Value* base, const Instruction*);
  static void dyad(Vm&, Value* base, const Instruction*);
  static void first(Vm&, Value* base, const Instruction*);
  static void pick(Vm&, Value* base, const Instruction*);
  static void length(Vm&, Value* base, const Instruction*);
  // Tell whether what follows is done as well.
  static bool monad_then_first(Vm&, Value* base, const Instruction*);
  static bool monad_then_fold(Vm&, Value* base, const Instruction*);
  static bool dyad_then_fold(Vm&, Value* base, const Instruction*);
  static bool dyad_then_first(Vm&, Value* base, const Instruction*);
  static bool fused(Vm&, Value* base, const Instruction*, const Environment*);

  static void environment(Vm&, Value* base, const Instruction*);
  static void leave_environment(Vm&);
  static void modifier_self(Vm&, Value* base, const Instruction*);
  static void operand(Vm&, Value* base, const Instruction*);
  static void set_outer(Vm&, Value* base, const Instruction*, Environment*);
  static void modify_outer(Vm&, Value* base, const Instruction*, Environment*);
  static void append_outer(Vm&, Value* base, const Instruction*, Environment*);
  static void change_outer(Vm&, Value* base, const Instruction*, Environment*);
  static void change_local(Vm&, Value* base, const Instruction*);

  // Loops over elements. The first gives 0 where there is one, 1 and 2 where the loop is not for the instruction to begin: which
  // of its places comes next. The others tell whether there is a next one.
  static std::uint32_t begin_each(Vm&, Value* base, const Instruction*);
  static bool next_of_each(Vm&, Value* base, const Instruction*);
  static void end_each(Vm&, Value* base, const Instruction*);
  static bool begin_fold(Vm&, Value* base, const Instruction*);
  static bool next_of_fold(Vm&, Value* base, const Instruction*);
  // Counts a round of a loop and does what the host asks for.
  static void count_round(Vm&);

  // Calls a constant that has a way of its own for arrays, and is no block.
  static void call_direct(Vm&, Value* base, const Instruction*);
  // Call: give the instruction that a block begins with, whose frame is the innermost now; null where the result is there.
  static const Instruction* call_constant(Vm&, Value* base, const Instruction*);
  static const Instruction* call_self(Vm&, Value* base, const Instruction*);
  static const Instruction* call_local(Vm&, Value* base, const Instruction*);
  static const Instruction* call_outer(Vm&, Value* base, const Instruction*, Environment*);
  static const Instruction* call_operand(Vm&, Value* base, const Instruction*);
  static const Instruction* call_stacked(Vm&, Value* base, const Instruction*);
  static const Instruction* run_block(Vm&, Value* base, const Instruction*);

  // Takes apart what matches; gives false where the instruction says how to go on, after what it says is released.
  static bool match(Vm&, Value* base, const Instruction*);
  static bool unpack(Vm&, Value* base, const Instruction*);
  static bool unpack_cells(Vm&, Value* base, const Instruction*);
  static void field(Vm&, Value* base, const Instruction*);

  // Notes that an instruction gives something else than a number, so that code made anew expects that.
  static void note_array(Vm&, Value* base, const Instruction*);

 private:
  static const Instruction* call(Vm&, Value* base, const Instruction*, const Value& f, bool dyadic);
  static const Instruction* enter(Vm&, Value* base, const Instruction*, const Function& block, bool dyadic);
  static const Instruction* push(Vm&, Value* base, const Instruction*, const Code&, Entry, const Object* self, Environment*);
};

// Tells whether machine code of an instruction always goes on, where it does, at the next one in the code, which therefore need
// not be where it may begin.
constexpr bool stays_in_code(Opcode op) {
  switch (op) {
    case Opcode::call1_constant:
    case Opcode::call2_constant:
    case Opcode::call1_block:
    case Opcode::call2_block:
    case Opcode::call1_self:
    case Opcode::call2_self:
    case Opcode::call1_local:
    case Opcode::call2_local:
    case Opcode::call1_outer:
    case Opcode::call2_outer:
    case Opcode::call1_operand:
    case Opcode::call2_operand:
    case Opcode::call1_value:
    case Opcode::call2_value:
    case Opcode::call_maybe:
    case Opcode::run_block: return false;
    default: return true;
  }
}

// Offsets of what machine code reads. Every compiler that makes such code knows them for classes with bases too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
inline constexpr int places_offset = offsetof(Code, native) + offsetof(NativeCode, places), words_offset = offsetof(Code, words);
inline constexpr int environment_parent = offsetof(Environment, parent), environment_slots = sizeof(Environment);
inline constexpr int code_frame_size = offsetof(Code, frame_size), code_entries = offsetof(Code, entry);
inline constexpr int object_kind = offsetof(Object, kind), block_scope = offsetof(BlockFunction, scope),
                     block_code = offsetof(BlockFunction, code);
inline constexpr int array_type = offsetof(Array, a), array_rank = offsetof(Array, b), array_length = offsetof(Array, length),
                     array_data = offsetof(Array, data);
#pragma GCC diagnostic pop

}  // namespace griddle
