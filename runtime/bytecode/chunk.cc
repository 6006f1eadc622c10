#include "runtime/bytecode/chunk.h"

#include <algorithm>
#include <string_view>

namespace griddle {

const Position* Code::position_of(std::uint32_t word) const {
  const Position* begin = positions.get();
  const Position* end = begin + position_count;
  const Position* after = std::upper_bound(begin, end, word, [](std::uint32_t w, const Position& p) { return w < p.word; });
  return after == begin ? nullptr : after - 1;
}

namespace {

constexpr bool leaf_opcodes[opcode_count] = {
#define OPCODE(name, immediates, operands) false,
#define LEAF_OPCODE(name, immediates, operands) true,
#include "runtime/bytecode/opcodes.inc"
#undef OPCODE
};

// Tells whether an instruction holds data that is no atom: a block that computes with it is none of plain arithmetic.
bool holds_array(const Instruction& i) {
  static constexpr std::string_view operands_of[opcode_count] = {
#define OPCODE(name, immediates, operands) operands,
#include "runtime/bytecode/opcodes.inc"
#undef OPCODE
  };
  constexpr std::size_t fields = 3;  // a, b and c come before the immediate words
  const std::size_t place = operands_of[static_cast<int>(i.op)].find('V');
  return place != std::string_view::npos && i.immediate(static_cast<int>(place - fields)) >> 48 == Value::array_tag;
}

}  // namespace

void find_leaf(Code& code) {
  // Leaves run beyond the frames, in the slots that are kept spare.
  if (code.type != BlockType::function || code.frame_size > 1000) return;
  bool arrays = false, reads = false;
  const std::uint64_t* end = code.words.get() + code.word_count;
  for (const std::uint64_t* word = code.words.get(); word < end;) {
    const Instruction& i = *reinterpret_cast<const Instruction*>(word);
    // A body that does not apply ends in an error, which the ordinary loop finds.
    if (!leaf_opcodes[static_cast<int>(i.op)] && i.op != Opcode::no_body) return;
    if (i.flags & Instruction::modify) return;
    arrays |= holds_array(i);
    if (i.op == Opcode::constant && i.immediate(0) >= Value::absent_bits && !holds_array(i)) return;
    reads |= i.op >= Opcode::matches && i.op <= Opcode::length;
    word += 1 + immediates_of(i.op);
  }
  code.leaf = reads || !arrays;
  code.reads = reads;
}

void Code::trace(ObjectVisitor& visitor) {
  for (const Ref<Object>& o : owned) visitor.visit(o.get());
  for (const auto& f : fields)
    for (const FieldCache::Kind& kind : f->kinds)
      if (kind.table) visitor.visit(kind.table.get());
  for (const Value& form : forms) visitor.visit(form);
  if (unit) visitor.visit(unit.get());
}

void Code::clear() {
  owned.clear();
  fields.clear();
  for (Value& form : forms) form = Value();
  unit = nullptr;
}

}  // namespace griddle
