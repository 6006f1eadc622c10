// Translator: makes machine code of the instructions of one block (bytecode/chunk.h), for x86-64.
//
// The code does what the loop does (vm/loop.cc), instruction by instruction, on the same frames and slots, so that it may begin
// and end anywhere. Where something turns up that it doesn't know, it leaves, and the loop does that instruction.
//
// Values that were computed stay in registers as well as in their slots: memory is always as the loop would have it.
#pragma once

#include <xbyak/xbyak.h>

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/bytecode/chunk.h"
#include "runtime/vm/dispatch.h"
#include "runtime/vm/machine.h"

namespace griddle {

// What the code of one machine reads and writes, by address.
struct NativePlaces {
  Vm* vm;
  Context* context;
  Frame** innermost;
  Frame* const* frame_limit;
  Value* const* slot_limit;
  std::int64_t* steps_left;
  const std::uintptr_t* checked_limit;
  const std::uint8_t* leave;    // ends the code: the next instruction is in rax
  const std::uint8_t* goes_on;  // goes on at the instruction in rax, of the innermost frame
  const std::uint8_t* constants;
};

// An address as an operand.
template <class T>
std::uint64_t address(const T* p) {
  return reinterpret_cast<std::uint64_t>(p);
}

// A function as one that machine code calls.
template <class F>
const void* step(F* f) {
  return reinterpret_cast<const void*>(f);
}

// Gives what follows the call that folds windows or groups; windows may be turned before it.
inline const Instruction* behind_folded_parts(const Instruction* parts) {
  const Instruction* const next = parts->next();
  return (next->op == Opcode::monad ? next->next() : next)->next();
}

class Translator : private Xbyak::CodeGenerator {
 public:
  // The constants that the code needs in memory, at multiples of 16 bytes.
  enum Constant { one_constant, magnitude_constant, sign_constant, constant_count };

  Translator(const Code&, const NativePlaces&, std::uint8_t* memory, std::size_t room);
  // Stores for each word where its code begins; null where nothing may begin. Throws Xbyak::Error.
  std::size_t translate(const void** places);

 private:
  using Xmm = Xbyak::Xmm;
  using Label = Xbyak::Label;

  // An operand: a slot, or a constant.
  struct Operand {
    int slot;
    Bits constant;
  };
  static constexpr int no_slot = -1;
  static constexpr int first_register = 4, register_count = 12;
  using Registers = std::array<int, register_count>;

  const Instruction* instruction(std::uint32_t word) const {
    return reinterpret_cast<const Instruction*>(code_.words.get() + word);
  }
  std::uint32_t word_of(const Instruction* i) const {
    return static_cast<std::uint32_t>(reinterpret_cast<const std::uint64_t*>(i) - code_.words.get());
  }
  Label& label_of(const Instruction* i) { return labels_[word_of(i)]; }
  Xbyak::Address slot(unsigned s) { return qword[r12 + static_cast<int>(s * 8)]; }
  Xbyak::Address constant(Constant c) { return ptr[rbx + static_cast<int>(c) * 16]; }

  void find_beginnings();
  void emit(const Instruction*);
  bool emit_move(const Instruction*);
  bool emit_ending(const Instruction*);
  bool emit_variable(const Instruction*);
  bool emit_arithmetic(const Instruction*);
  bool emit_comparison(const Instruction*);
  bool emit_array(const Instruction*);
  bool emit_jump(const Instruction*);
  bool emit_loop(const Instruction*);
  bool emit_call(const Instruction*);
  bool emit_step(const Instruction*);

  // Registers of doubles that hold slots.
  Xmm load(const Operand&);
  void load_bits(const Xbyak::Reg64& to, const Operand&);
  Xmm fresh();
  Xmm copied(const Xmm&, const Operand&);
  void store(unsigned slot, const Xmm&);
  void forget(unsigned slot);
  void forget_all();
  bool is_number(unsigned slot) const { return slot < numbers_.size() && numbers_[slot]; }
  void note_number(unsigned slot, bool is);
  void reload(const Registers&);

  // Code that stands behind all else, since it seldom runs.
  void later(std::function<void()> emit) { later_.push_back(std::move(emit)); }
  void leave_at(const Instruction*);
  void leave_later(const Instruction*, const std::shared_ptr<Label>& here);
  void step_later(const Instruction*, const void* function, const std::shared_ptr<Label>& here,
                  const std::shared_ptr<Label>& back);
  // Calls a function of Machine(vm, base, instruction, environment).
  void call_step(const void* function, const Instruction*);
  void call_plain(const void* function);
  void object_in(const Xbyak::Reg64& to, unsigned slot, Value::Tag, Label& other);
  void take(unsigned from, bool gives);
  void carry(unsigned to, unsigned from, bool gives);
  void release_rdi();
  void retain_rax();
  void drop_slot(unsigned s);
  void outward(const Xbyak::Reg64& to, unsigned hops);
  void count_round(const Instruction*);
  void each_next(const Instruction*, Label& end);
  void keep_of_each(const Instruction*);

  void integer_in(const Xbyak::Reg32e& to, const Xmm&, Label& other);
  void two_numbers(const Instruction*, ScalarOp, Operand w, Operand x);
  void modulus(const Instruction*, Operand w, Operand x);
  void one_number(const Instruction*);
  void floor(const Instruction*);
  void finish(const Instruction*, const Xmm& result, const void* function);
  void as_before(const Instruction*, bool dyadic, Operand w, Operand x, Label& otherwise);
  bool remembers(const Instruction*) const;
  void compare_characters(Operand w, Operand x, Label& step);
  void rejoin(const Instruction*, const void* function, const std::shared_ptr<Label>& other, const std::shared_ptr<Label>& back);
  void compare(const Instruction*, ScalarOp, Operand w, Operand x);
  void test(const Instruction*, ScalarOp, Operand w, Operand x, const Instruction* target);
  void elements_in(unsigned slot, Label& other);
  void element(const Xmm& r, bool foresees_all, Label& other);
  void store_element(const Instruction*, const Xmm& r, unsigned array, bool gives);
  void first(const Instruction*);
  void pick(const Instruction*);
  void element_of_loop(unsigned loop, unsigned from, unsigned to, Label& other);
  void fold_next(const Instruction*, Label& end);
  void length(const Instruction*);
  void begin_frame(const Instruction*, bool moves_w, Label& other, Label& ended);
  void enter_otherwise(const Instruction*, const void* function, const std::shared_ptr<Label>& other,
                       const std::shared_ptr<Label>& ended);
  void enter_stacked(const Instruction*);
  void enter_variable(const Instruction*, bool is_outer, Entry, const void* function);
  void look_up_block(Entry, Label& other);
  void enter_block(const Instruction*, const Code& callee, Entry, const void* function);
  void fused(const Instruction*);
  void call_primitive(const Instruction*);
  void enter_or_go_on(const Instruction*, const void* function);
  void return_value(const Instruction*);

  const Code& code_;
  const NativePlaces& in_;
  std::vector<Label> labels_;
  std::vector<bool> begins_;
  std::vector<std::function<void()>> later_;
  // The slot in each register. What an instruction has in hand is locked until the next one.
  Registers held_;
  unsigned locked_ = 0;
  int next_register_ = 0;
  std::vector<bool> numbers_;  // whether a slot is known to hold a number
};

}  // namespace griddle
