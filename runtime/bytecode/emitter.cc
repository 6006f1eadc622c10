#include "runtime/bytecode/emitter.h"

#include <algorithm>

namespace griddle {

void Emitter::consume(std::uint32_t from, std::uint32_t count, std::uint32_t earliest) {
  for (std::uint32_t slot = from; slot < from + count && slot < reads_.size(); slot++) {
    auto [index, flag] = reads_[slot];
    if (index == no_instruction || index < earliest || flag == 0) continue;
    Instruction& i = at(index);
    if (i.op == Opcode::copy)
      i.op = Opcode::move;
    else
      i.flags |= flag;
  }
}

void Emitter::finish(Code& code) {
  Heap& heap = Heap::of(&code);
  code.words = make_heap_array<std::uint64_t>(heap, words_.size());
  std::copy(words_.begin(), words_.end(), code.words.get());
  code.word_count = static_cast<std::uint32_t>(words_.size());
  code.positions = make_heap_array<Position>(heap, positions_.size());
  std::copy(positions_.begin(), positions_.end(), code.positions.get());
  code.position_count = static_cast<std::uint32_t>(positions_.size());
  code.owned.assign(std::make_move_iterator(owned_.begin()), std::make_move_iterator(owned_.end()));
  code.frame_size = frame_size_ + 1;
  words_.clear();
  positions_.clear();
  owned_.clear();
  reads_.clear();
  last_ = no_instruction;
  frame_size_ = 0;
  environment_ = false;
}

}  // namespace griddle
