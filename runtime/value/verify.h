// Recounts every reference of the heap, in builds with -DGRIDDLE_VERIFY.
#pragma once

#include <vector>

#include "runtime/value/function.h"

namespace griddle {

// Gives the live objects whose reference count differs from the references that exist: those inside the heap and those
// that `roots` visits, once a reference. Finds nothing in builds without a ledger.
std::vector<Object*> miscounted_objects(Heap&, void (*roots)(void* owner, ObjectVisitor&), void* owner);

}  // namespace griddle
