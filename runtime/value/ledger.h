// The ledger of a heap's live objects, for the files that keep and read it.
#pragma once

#include <unordered_set>

#include "runtime/value/heap.h"

namespace griddle {

struct Heap::Ledger {
  std::unordered_set<Object*> objects;
};

}  // namespace griddle
