// The cycle collector. Reference counts free everything but cycles, and every cycle passes through an Environment.
#pragma once

#include "runtime/value/function.h"
#include "runtime/value/heap.h"

namespace griddle {

// Enter and leave the heap's list of environments (make_environment and destroy do).
void cycles_register(Heap&, Environment*);
void cycles_unregister(Heap&, Environment*) noexcept;
// Frees every environment that only cycles keep alive, with all they hold.
void collect_cycles(Heap&);

}  // namespace griddle
