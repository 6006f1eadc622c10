// Recounts every reference of the heap, in builds with -DGRIDDLE_VERIFY.
#pragma once

#include "runtime/value/function.h"

namespace griddle {

// Shows the collector's opposite: objects that something outside the heap refers to, once a reference.
using RootsVisitor = void (*)(void* owner, ObjectVisitor&);

// Compares the reference count of every live object with the references that exist; asserts that they agree.
// `roots` visits what the owner holds outside the heap. Does nothing in builds without a ledger.
void verify_references(Heap&, RootsVisitor roots, void* owner);

}  // namespace griddle
