#include "runtime/bytecode/chunk.h"

#include <algorithm>

namespace griddle {

const Position* Code::position_of(std::uint32_t word) const {
  const Position* begin = positions.get();
  const Position* end = begin + position_count;
  const Position* after = std::upper_bound(begin, end, word, [](std::uint32_t w, const Position& p) { return w < p.word; });
  return after == begin ? nullptr : after - 1;
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
