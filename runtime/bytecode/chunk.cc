#include "runtime/bytecode/chunk.h"

#include <algorithm>

namespace griddle {

const Position* Code::position_of(std::uint32_t word) const {
  const Position* begin = positions.get();
  const Position* end = begin + position_count;
  const Position* after = std::upper_bound(begin, end, word, [](std::uint32_t w, const Position& p) { return w < p.word; });
  return after == begin ? nullptr : after - 1;
}

bool is_leaf(const Code& code) {
  // Leaves run beyond the frames, in the slots that are kept spare.
  if (code.type != BlockType::function || code.frame_size > 1000) return false;
  const std::uint64_t* end = code.words.get() + code.word_count;
  for (const std::uint64_t* word = code.words.get(); word < end;) {
    const Instruction& i = *reinterpret_cast<const Instruction*>(word);
    if (i.flags & Instruction::modify) return false;
    switch (i.op) {
      case Opcode::constant:
        if (i.immediate(0) >= Value::first_tagged) return false;
        break;
      case Opcode::copy:
      case Opcode::move:
      case Opcode::nothing:
      case Opcode::drop:
      case Opcode::absent:
      case Opcode::clear:
      case Opcode::jump:
      case Opcode::jump_dyadic:
      case Opcode::leave:
      case Opcode::return_value:
      case Opcode::no_body:
      case Opcode::test: break;
      case Opcode::floor:
      case Opcode::pick:
      case Opcode::length: return false;
      default:
        if (i.op < Opcode::add) return false;
    }
    word += 1 + immediates_of(i.op);
  }
  return true;
}

void Code::trace(ObjectVisitor& visitor) {
  for (const Ref<Object>& o : owned) visitor.visit(o.get());
  for (const auto& f : fields)
    if (f->table) visitor.visit(f->table.get());
  if (unit) visitor.visit(unit.get());
}

void Code::clear() {
  owned.clear();
  fields.clear();
  unit = nullptr;
}

}  // namespace griddle
