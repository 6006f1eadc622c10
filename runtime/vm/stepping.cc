#include "runtime/vm/stepping.h"

#include <string_view>

#include "runtime/vm/machine.h"

namespace griddle {

namespace {

constexpr std::string_view operands[opcode_count] = {
#define OPCODE(name, immediates, operands) operands,
#include "runtime/bytecode/opcodes.inc"
#undef OPCODE
};

// Tells whether the first slot of an instruction holds what it gives, when it is done. What changes a variable may leave its
// operands there, or nothing that still lives.
bool gives_value(Opcode op) {
  switch (op) {
    case Opcode::absent:
    case Opcode::clear:
    case Opcode::unpack:
    case Opcode::unpack_cells:
    case Opcode::modify_outer:
    case Opcode::add_outer:
    case Opcode::append_outer:
    case Opcode::modify_local:
    case Opcode::change_outer:
    case Opcode::change_local: return false;
    default: return operands[static_cast<int>(op)][0] == 's' || operands[static_cast<int>(op)][0] == 't';
  }
}

}  // namespace

void Machine::step(const Vm& vm, const Frame& frame, const Instruction* pc, const Value* base) noexcept {
  if (!gives_value(pc->op)) return;
  const Code& code = *frame.code;
  const Position* position = code.position_of(pc);
  const auto word = static_cast<std::uint32_t>(reinterpret_cast<const std::uint64_t*>(pc) - code.words.get());
  if (position == nullptr || position->word != word) return;
  if (const Value& v = base[pc->a]; !v.is_mark())
    vm.steps_->gave(static_cast<std::size_t>(&frame - vm.frames_), code, *position, v);
}

void Machine::entered(const Vm& vm, const Frame& frame) noexcept {
  const Code& code = *frame.code;
  const auto depth = static_cast<std::size_t>(&frame - vm.frames_);
  if (is_any_entry(code, frame.pc, {Entry::dyad, Entry::undo_dyad, Entry::undo_swapped_dyad}))
    vm.steps_->entered(depth, code, frame.base[1], frame.base[0]);
  else if (code.type == BlockType::immediate)
    vm.steps_->entered(depth, code, Value(), Value());
  else
    vm.steps_->entered(depth, code, Value(), frame.base[0]);
}

bool Machine::is_any_entry(const Code& code, const Instruction* pc, std::initializer_list<Entry> entries) noexcept {
  for (const Entry entry : entries)
    if (code.entry[static_cast<int>(entry)] == pc && code.entry[static_cast<int>(Entry::monad)] != pc) return true;
  return false;
}

void Machine::left(const Vm& vm, const Frame* frame, const Frame* entry) noexcept {
  const Value& result = *frame->base;
  const auto depth = static_cast<std::size_t>(frame - vm.frames_);
  vm.steps_->left(depth, *frame->code, result);
  if (frame == entry || result.is_mark()) return;
  // The caller goes on behind the call.
  const Frame& caller = frame[-1];
  const auto behind = static_cast<std::uint32_t>(reinterpret_cast<const std::uint64_t*>(caller.pc) - caller.code->words.get());
  if (const Position* position = behind > 0 ? caller.code->position_of(behind - 1) : nullptr)
    vm.steps_->gave(depth - 1, *caller.code, *position, result);
}

}  // namespace griddle
