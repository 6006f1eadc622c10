// Emitter: writes the instructions of one block.
//
// It also finds out where a slot is read for the last time, so that the value can be moved out of it: instructions are written in
// the order in which they run (jumps only lead forward), hence the last one written that reads a slot is the last one that runs.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "runtime/bytecode/chunk.h"

namespace griddle {

class Emitter {
 public:
  static constexpr std::uint32_t most_slots = 60'000;

  // Writes an instruction and gives its index in words. Immediate words follow.
  std::uint32_t emit(Opcode op, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0, std::uint8_t flags = 0) {
    std::uint32_t index = static_cast<std::uint32_t>(words_.size());
    Instruction i{op, flags, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), static_cast<std::uint16_t>(c)};
    words_.push_back(std::bit_cast<std::uint64_t>(i));
    before_last_ = last_;
    last_ = index;
    return index;
  }
  void immediate(std::uint64_t word) { words_.push_back(word); }
  template <class T>
  void immediate_pointer(const T* p) {
    immediate(reinterpret_cast<std::uint64_t>(p));
  }
  // Writes a value as immediate word; the code owns it.
  void immediate_value(const Value& v) {
    immediate(v.bits());
    if (v.is_object()) own(v.object());
  }
  void own(Object* o) { owned_.push_back(Ref<Object>::share(o)); }

  // Notes the place of the latest instruction in the source; `depth` slots of the frame are in use before it.
  void position(Span span, std::uint32_t depth) { positions_.push_back({last_, span, depth, environment_}); }
  // Tells whether the frame owns its environment from here on.
  void set_environment(bool own) { environment_ = own; }
  void use_slots(std::uint32_t count) {
    if (count > frame_size_) frame_size_ = count;
  }

  Instruction& at(std::uint32_t index) { return reinterpret_cast<Instruction&>(words_[index]); }
  std::uint64_t& word(std::uint32_t index) { return words_[index]; }
  // Gives the index where the next instruction goes. A jump leads there: the instruction before it must stay as it is.
  std::uint32_t label() {
    last_ = no_instruction;
    return static_cast<std::uint32_t>(words_.size());
  }
  std::uint32_t here() const { return static_cast<std::uint32_t>(words_.size()); }
  // Takes back the latest instruction, which has no immediate words.
  void remove_last() {
    words_.pop_back();
    last_ = no_instruction;
  }
  // Gives the latest instruction, or no_instruction after a label.
  static constexpr std::uint32_t no_instruction = ~0u;
  std::uint32_t last() const { return last_; }
  // The same of the one before the latest.
  std::uint32_t before_last() const { return last_ == no_instruction ? no_instruction : before_last_; }
  // Lets a jump (in fields b and c) lead to the next instruction.
  void land(std::uint32_t jump) { at(jump).set_distance(static_cast<std::int32_t>(label() - jump)); }

  // --- last reads
  // Starts to watch slots from .. from+count-1.
  void watch(std::uint32_t from, std::uint32_t count) {
    if (reads_.size() < from + count) reads_.resize(from + count);
    for (std::uint32_t i = 0; i < count; i++) reads_[from + i] = {};
  }
  // Notes that the latest instruction reads a watched slot. `flag`: what marks the operand as consumed; 0: it never is.
  void read(std::uint32_t slot, std::uint8_t flag) {
    if (slot < reads_.size()) reads_[slot] = {last_, slot < loop_floor_ ? std::uint8_t{0} : flag};
  }
  // Enters a loop: slots below `floor` are read again in the next round. Gives the floor to restore at its end.
  std::uint32_t enter_loop(std::uint32_t floor) { return std::exchange(loop_floor_, std::max(floor, loop_floor_)); }
  void leave_loop(std::uint32_t floor) { loop_floor_ = floor; }
  // Lets the last reads of slots from .. from+count-1 consume them, where they come at or after `earliest`.
  void consume(std::uint32_t from, std::uint32_t count, std::uint32_t earliest = 0);

  // Moves everything into the code and forgets it, keeping the room.
  void finish(Code&);

 private:
  struct Read {
    std::uint32_t index = no_instruction;
    std::uint8_t flag = 0;
  };
  std::vector<std::uint64_t> words_;
  std::vector<Position> positions_;
  std::vector<Ref<Object>> owned_;
  std::vector<Read> reads_;
  std::uint32_t last_ = no_instruction, before_last_ = no_instruction;
  std::uint32_t frame_size_ = 0;
  std::uint32_t loop_floor_ = 0;
  bool environment_ = false;
};

}  // namespace griddle
