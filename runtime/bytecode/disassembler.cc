#include <cstdio>
#include <string_view>

#include "runtime/bytecode/chunk.h"
#include "runtime/primitive.h"
#include "runtime/value/array.h"
#include "runtime/value/utf8.h"

namespace griddle {

namespace {

struct OpcodeDescription {
  const char* name;
  const char* operands;
};
constexpr OpcodeDescription descriptions[] = {
#define OPCODE(name, immediates, operands) {#name, operands},
#include "runtime/bytecode/opcodes.inc"
#undef OPCODE
};

// The letters of operands that are immediate words.
constexpr std::string_view immediate_kinds = "VPCNTUFJWXB";

std::string immediate_text(std::uint64_t bits) {
  Value v = Value::from_bits(bits);
  std::string text;
  if (v.is_number()) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", v.number());
    text = digits;
  } else {
    text = v.is_character()  ? "character"
           : v.is_array()    ? "array"
           : v.is_function() ? "function"
           : v.is_modifier() ? "modifier"
                             : "value";
  }
  v.leak();
  return text;
}

void describe_immediate(std::string& out, char kind, const Instruction& i, int index, std::uint32_t word) {
  out += ' ';
  switch (kind) {
    case 'V': out += immediate_text(i.immediate(index)); break;
    case 'P': out += i.pointer<const PrimitiveFunctionEntry>(index)->dyad_name; break;
    case 'N': out += i.pointer<const FieldCache>(index)->name; break;
    case 'J': out += "→" + std::to_string(word + static_cast<std::int32_t>(i.immediate(index))); break;
    case 'F': out += "→" + std::to_string(word + std::bit_cast<Mismatch>(i.immediate(index)).distance); break;
    case 'W': out += std::to_string(i.immediate(index)); break;
    default: out += kind; break;
  }
}

}  // namespace

const char* name_of(Opcode op) { return descriptions[static_cast<int>(op)].name; }

bool names_primitive(Opcode op) {
  const std::string_view operands = descriptions[static_cast<int>(op)].operands;
  const std::size_t first = operands.find_first_of(immediate_kinds);
  return first != operands.npos && operands[first] == 'P';
}

std::string disassemble(const Code& code) {
  std::string out = "block " + code.label + ", " + std::to_string(code.frame_size) + " slots\n";
  for (std::uint32_t word = 0; word < code.word_count;) {
    const Instruction& i = *reinterpret_cast<const Instruction*>(code.words.get() + word);
    const OpcodeDescription& d = descriptions[static_cast<int>(i.op)];
    for (int e = 0; e < entry_count; e++)
      if (code.entry[e] == &i) out += "entry " + std::to_string(e) + ":\n";
    out += std::to_string(word) + "\t" + d.name;
    std::string_view operands = d.operands;
    int field = 0;
    for (char kind : operands.substr(0, operands.find_first_of(immediate_kinds))) {
      std::uint32_t value = field == 0 ? i.a : field == 1 ? i.b : i.c;
      if (kind == 'j')
        out += " →" + std::to_string(static_cast<std::int64_t>(word) + i.distance());
      else if (kind != '-')
        out.append(kind == 's' || kind == 'r' || kind == 't' ? " r" : " ").append(std::to_string(value));
      field++;
    }
    std::size_t first = operands.find_first_of(immediate_kinds);
    if (first != std::string_view::npos)
      for (int k = 0; k < immediates_of(i.op); k++) describe_immediate(out, operands[first + k], i, k, word);
    if (i.flags & Instruction::consume_b) out += " consumes b";
    if (i.flags & Instruction::consume_c) out += " consumes c";
    if (i.flags & Instruction::modify) out += " modifies";
    out += '\n';
    word += 1 + static_cast<std::uint32_t>(immediates_of(i.op));
  }
  each_inner_block(code, [&out](const Code& inner) { out += disassemble(inner); });
  return out;
}

void each_inner_block(const Code& code, const std::function<void(const Code&)>& visit) {
  for (const Ref<Object>& o : code.owned) {
    const Code* inner = nullptr;
    if (o->kind == ObjectKind::native) inner = dynamic_cast<const Code*>(static_cast<const NativeObject*>(o.get()));
    if (o->kind == ObjectKind::block_function)
      inner = static_cast<const Code*>(static_cast<const NativeObject*>(static_cast<const BlockFunction*>(o.get())->code));
    if (o->kind == ObjectKind::block_modifier)
      inner = static_cast<const Code*>(static_cast<const NativeObject*>(static_cast<const BlockModifier*>(o.get())->code));
    if (inner) visit(*inner);
  }
}

}  // namespace griddle
