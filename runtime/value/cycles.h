// Frees closure cycles, which reference counts alone would leak.
//
// Everything but an Environment is immutable once made (native objects answer for themselves), so every cycle passes
// through an Environment. All of them form a list; a collection looks for those that only garbage refers to.
#pragma once

#include <cstddef>

#include "runtime/value/function.h"
#include "runtime/value/heap.h"

namespace griddle {

struct Heap::Cycles {
  Environment* first = nullptr;
  std::size_t live = 0;
  static constexpr std::size_t least_threshold = 30'000;
  std::size_t threshold = least_threshold;  // a collection starts when so many are alive
  bool collecting = false;
};

// Frees every environment that only cycles keep alive, and what hangs on it. Safe wherever all references are counted.
void collect_cycles(Heap&);
// Frees the collector's own state; the heap's destructor calls it.
void cycles_finish(Heap&) noexcept;
// Makes the collector's state where there is none yet.
Heap::Cycles& cycles_begin(Heap&);

// Adds a complete environment to the list, and collects where many are new.
inline void cycles_register(Heap& heap, Environment* e) {
  Heap::Cycles& cycles = heap.cycles ? *heap.cycles : cycles_begin(heap);
  e->previous = nullptr;
  e->next = cycles.first;
  if (cycles.first) cycles.first->previous = e;
  cycles.first = e;
  if (++cycles.live >= cycles.threshold) [[unlikely]]
    collect_cycles(heap);
}

inline void cycles_unregister(Heap& heap, Environment* e) noexcept {
  Heap::Cycles& cycles = *heap.cycles;
  (e->previous ? e->previous->next : cycles.first) = e->next;
  if (e->next) e->next->previous = e->previous;
  --cycles.live;
}

}  // namespace griddle
