#include "runtime/value/verify.h"

#include <unordered_map>

#include "runtime/value/heap.h"

namespace griddle {

namespace {

struct Counter final : ObjectVisitor {
  void visit(Object* o) override { ++counts[o]; }
  std::unordered_map<Object*, std::uint32_t> counts;
};

}  // namespace

std::vector<Object*> miscounted_objects(Heap& heap, void (*roots)(void* owner, ObjectVisitor&), void* owner) {
  std::vector<Object*> wrong;
  if (!heap.ledger) return wrong;
  Counter counter;
  roots(owner, counter);
  for (Object* o : *heap.ledger) trace(o, counter);
  for (Object* o : *heap.ledger)
    if (o->refs != counter.counts[o]) wrong.push_back(o);
  return wrong;
}

}  // namespace griddle
