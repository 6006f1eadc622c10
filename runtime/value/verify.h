// Recounts references, in builds with -DGRIDDLE_VERIFY.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "runtime/value/function.h"
#include "runtime/value/heap.h"
#include "runtime/value/value.h"

namespace griddle {

// The live objects of a heap.
struct Heap::Ledger {
  std::unordered_set<Object*> objects;
};

// Remembers how often something outside the heap refers to each object. Running a program may give new outside references to
// nothing but its result; any other difference is a reference too many or too few. Needs a heap with a ledger.
class ReferenceBalance {
 public:
  // `known` visits what C++ code keeps from one program to the next; it counts as part of the heap.
  explicit ReferenceBalance(Heap&, std::function<void(ObjectVisitor&)> known);
  // Tells whether the counts agree after a program has run, whose result the caller holds.
  bool holds_after(const Value& result) const;
  // Tells the same while the program runs, between two of its statements: its variables and its environment (which may be null)
  // count as known.
  bool holds_between(std::span<const Value> variables, const Object* environment) const;

 private:
  using Counts = std::unordered_map<const Object*, std::int64_t>;
  Counts outside() const;
  bool agrees(const Counts& now) const;
  Heap& heap_;
  std::function<void(ObjectVisitor&)> known_;
  Counts before_;
};

}  // namespace griddle
