// What happens to the frames of an activation that an error leaves.
#include "runtime/vm/machine.h"

namespace griddle {

void Machine::unwind(Vm& vm, Frame* top, Frame* entry, const Instruction* pc, Error* error) noexcept {
  constexpr std::size_t most_places = 256;
  Value* end = nullptr;  // of the slots in use
  for (Frame* f = top; f >= entry; f--) {
    const Code& code = *f->code;
    const std::uint64_t* at = reinterpret_cast<const std::uint64_t*>(f == top ? pc : f->pc);
    std::uint32_t word = static_cast<std::uint32_t>(at - code.words.get());
    const Position* position = code.position_of(f == top ? word : word - 1);
    if (error && position && code.unit) {
      try {
        // Of a very deep stack, keeps the innermost frames and the outermost one.
        if (error->frames.size() >= most_places) error->frames.pop_back();
        error->frames.push_back({code.unit->source, position->span.start, position->span.end});
      } catch (const std::bad_alloc&) {
      }
    }
    if (f == top) end = f->base + (position ? position->depth : 0);
    for (Value* slot = f->base; slot < end; slot++) slot->~Value();
    if (position && position->environment) release(f->environment);
    if (f->keep >= Value::first_object) release(reinterpret_cast<Object*>(f->keep & Value::pointer_mask));
    end = f->base;
  }
  vm.frame_ = entry - 1;
}

void Machine::note_failure(const Frame* top, const Frame* entry) noexcept {
  for (const Frame* f = top; f >= entry; f--) f->code->native.failures += f->code->native.places != nullptr;
}

void Vm::throw_raised(Frame* frame, Frame* entry, const Instruction* pc) {
  Error error(std::move(raised_));
  Machine::unwind(*this, frame, entry, pc, &error);
  throw error;
}

void Vm::throw_out_of_memory(Frame* frame, Frame* entry, const Instruction* pc) {
  Error error(no_memory_);
  Machine::unwind(*this, frame, entry, pc, &error);
  throw error;
}

}  // namespace griddle
