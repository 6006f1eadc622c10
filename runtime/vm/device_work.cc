#include "runtime/vm/device_work.h"

#include "runtime/vm/vm.h"

namespace griddle {

namespace {

double number_in(const Value& slot) { return slot.is_number() ? slot.number() : 0; }

// Tells how many rounds of a loop have not ended, given the instruction that ends a round; 0 where it is none that counts.
double rounds_left(const Instruction& ends, const Value* base) {
  const Value* const slots = base + ends.a;
  if (ends.op == Opcode::repeat_again) return number_in(*slots);
  if (ends.op != Opcode::each_again) return 0;
  return number_in(slots[ElementLoop::rounds]) - number_in(slots[ElementLoop::index]);
}

}  // namespace

std::vector<CountedLoop> counted_loops(const Context& cx) {
  std::vector<CountedLoop> loops;
  if (cx.vm == nullptr) return loops;
  cx.vm->see_slots([&](const Frame& f) {
    if (!f.code->unit) return;
    const auto* const end = reinterpret_cast<const Instruction*>(f.code->words.get() + f.code->word_count);
    for (auto* i = reinterpret_cast<const Instruction*>(f.code->words.get()); i < end; i = i->next()) {
      if (i < f.pc || (i->op != Opcode::repeat_again && i->op != Opcode::each_again) || i + i->distance() > f.pc) continue;
      if (const double left = rounds_left(*i, f.base); left > 0) loops.push_back({i, f.base, left});
    }
  });
  return loops;
}

Progress progress(const Context& cx) {
  Progress so_far;
  if (cx.vm == nullptr) return so_far;
  cx.vm->see_slots([&](const Frame& f) {
    if (!f.code->unit) return;
    const auto passed = reinterpret_cast<const std::uint8_t*>(f.pc) - reinterpret_cast<const std::uint8_t*>(f.code->words.get());
    so_far = {f.code, static_cast<double>(passed) / static_cast<double>(f.code->word_count * sizeof f.code->words[0])};
  });
  return so_far;
}

Location place_of_call(const Context& cx) {
  Location place;
  if (cx.vm == nullptr) return place;
  cx.vm->see_frames([&](const Code& code, const Instruction* pc, bool) {
    if (!code.unit) return false;
    const Position* position = code.position_of(pc);
    const Span span = position != nullptr ? position->span : code.span;
    place = {code.unit->source, span.start, span.end};
    return false;
  });
  return place;
}

}  // namespace griddle
