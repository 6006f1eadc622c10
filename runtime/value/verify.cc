#include "runtime/value/verify.h"

namespace griddle {

namespace {

template <class Counts>
struct Counter final : ObjectVisitor {
  explicit Counter(Counts& counts) : counts(counts) {}
  void visit(Object* o) override { --counts[o]; }
  Counts& counts;
};

}  // namespace

ReferenceBalance::ReferenceBalance(Heap& heap, std::function<void(ObjectVisitor&)> known)
    : heap_(heap), known_(std::move(known)), before_(outside()) {}

ReferenceBalance::Counts ReferenceBalance::outside() const {
  Counts counts;
  Counter<Counts> counter(counts);
  for (Object* o : heap_.ledger->objects) counts[o] += o->refs;
  for (Object* o : heap_.ledger->objects) trace(o, counter);
  known_(counter);
  return counts;
}

bool ReferenceBalance::agrees(const Counts& now) const {
  for (const auto& [object, count] : now) {
    if (count < 0) return false;
    auto known = before_.find(object);
    // An object may lie where a freed one was, so that only a rise tells of a leak.
    if (count > (known == before_.end() ? 0 : known->second)) return false;
  }
  return true;
}

bool ReferenceBalance::holds_after(const Value& result) const {
  Counts now = outside();
  if (result.is_object()) --now[result.object()];
  return agrees(now);
}

bool ReferenceBalance::holds_between(std::span<const Value> variables, const Object* environment) const {
  Counts now = outside();
  for (const Value& v : variables)
    if (v.is_object()) --now[v.object()];
  if (environment) --now[environment];
  return agrees(now);
}

}  // namespace griddle
