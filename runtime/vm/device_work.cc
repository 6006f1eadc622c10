#include "runtime/vm/device_work.h"

#include "runtime/vm/vm.h"

namespace griddle {

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
