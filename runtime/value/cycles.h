// Frees closure cycles, which reference counts alone would leak.
//
// Everything but an Environment is immutable once made (native objects answer for themselves), so every cycle passes
// through an Environment. All of them form a list; a collection looks for those that only garbage refers to. What survives one
// counts as old and is left alone by most later ones, so that a program with much live data does not pay for it again and again.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/value/function.h"
#include "runtime/value/heap.h"

namespace griddle {

struct Heap::Cycles {
  Environment* first = nullptr;  // the newest; old ones stand behind all young ones
  std::size_t young = 0;
  std::size_t old = 0;  // environments that survived a collection
  // So many young environments start a collection among the young, and so does the growth of memory, which sets the limit to 0.
  // Where most are garbage, few start the next one, so that they, and what they hold, are still in the processor's cache. Where
  // most live on, as in a program that builds something, looking for garbage is in vain.
  static constexpr std::size_t least_young_limit = 1'000;
  static constexpr std::size_t most_young_limit = 200'000;
  std::size_t young_limit = least_young_limit;
  static constexpr std::size_t least_growth = std::size_t{48} << 20;
  static constexpr std::size_t growth_by_garbage = std::size_t{4} << 20;
  std::size_t growth_limit = least_growth;
  // What lives while the young are looked at counts as old from then on, be it only what just ran. A full collection follows when
  // the old environments, or the memory in use, have grown to these limits.
  static constexpr std::size_t least_old_limit = 2'000;
  std::size_t old_limit = least_old_limit;
  std::size_t bytes_limit = std::size_t{256} << 20;
  bool collecting = false;
  // What collections use; kept, because they may come often.
  struct List {
    std::unique_ptr<Object*[]> objects;
    std::size_t room = 0;
    bool grow();
  };
  List objects;
  List waiting;

  std::size_t live() const { return young + old; }
};

// Frees every environment that only cycles keep alive, and what hangs on it. Safe wherever all references are counted.
void collect_cycles(Heap&);
// Looks at the young environments only, as long as the old ones are few: what registering many environments calls.
void collect_young_cycles(Heap&);
// Frees the collector's own state; the heap's destructor calls it.
void cycles_finish(Heap&) noexcept;
// Makes the collector's state where there is none yet.
Heap::Cycles& cycles_begin(Heap&);

// Adds a complete environment to the list, and collects where many are new. The collector's state is there.
inline void cycles_register(Heap& heap, Environment* e) {
  Heap::Cycles& cycles = *heap.cycles;
  e->previous = nullptr;
  e->next = cycles.first;
  if (cycles.first) cycles.first->previous = e;
  cycles.first = e;
  if (++cycles.young >= cycles.young_limit) [[unlikely]]
    collect_young_cycles(heap);
}

inline void cycles_unregister(Heap& heap, Environment* e) noexcept {
  Heap::Cycles& cycles = *heap.cycles;
  (e->previous ? e->previous->next : cycles.first) = e->next;
  if (e->next) e->next->previous = e->previous;
  --(e->flags & Object::gc_old ? cycles.old : cycles.young);
}

}  // namespace griddle
