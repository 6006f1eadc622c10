// Synchronous trial deletion: take away every reference that comes from an object reachable from the environments. What is then
// still referred to is in use, with all it reaches; environments outside of that are garbage.
#include "runtime/value/cycles.h"

#include <algorithm>
#include <new>
#include <type_traits>
#include <vector>

#include "runtime/value/references.h"

namespace griddle {

namespace {

constexpr std::uint8_t visited = Object::gc_gray;
constexpr std::uint8_t in_use = Object::gc_white;

// Tells that an object holds no reference, so that it is never part of a cycle.
bool is_leaf(const Object* o) {
  switch (o->kind) {
    case ObjectKind::primitive_function:
    case ObjectKind::primitive_modifier:
    case ObjectKind::native_modifier: return true;
    case ObjectKind::array: {
      const Array& a = *static_cast<const Array*>(o);
      return a.type() != ElementType::boxed && !a.is_view();
    }
    default: return false;
  }
}

// Nested fills hold only data, but they may sit in flat arrays: those count as leaves, so their fills must not be visited.
template <class Action>
struct EachChild final : ObjectVisitor {
  EachChild(std::uint8_t skipped, Action action) : skipped(skipped), action(action) {}
  void visit(Object* child) override {
    if (!(child->flags & skipped) && !is_leaf(child)) action(child);
  }
  std::uint8_t skipped;
  Action action;
};

// `skipped` holds gc_old where only young objects are looked at, else 0.
template <class Action>
void each_child(Object* o, std::uint8_t skipped, Action action) {
  EachChild<Action> visitor(skipped, action);
  if (o->kind == ObjectKind::native)
    static_cast<NativeObject*>(o)->trace(visitor);
  else
    each_reference(o, [&](auto&& reference) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(reference)>, Value>) {
        if (reference.is_object()) visitor.visit(reference.object());
      } else {
        visitor.visit(reference);
      }
    });
}

bool push(std::vector<Object*>& list, Object* o) noexcept {
  try {
    list.push_back(o);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// Gives back the references that the first `count` objects of the list took away, and the colours.
void restore(const std::vector<Object*>& objects, std::size_t count, std::uint8_t skipped) {
  for (std::size_t i = 0; i < count; i++) each_child(objects[i], skipped, [](Object* child) { ++child->refs; });
  for (Object* o : objects) o->flags &= static_cast<std::uint8_t>(~(visited | in_use));
}

// Tells whether a young environment is no part of a cycle for what it refers to: nothing but atoms, flat arrays and old scopes.
bool refers_to_nothing_young(const Environment& e) {
  if (e.parent && !(e.parent->flags & Object::gc_old)) return false;
  for (std::uint32_t i = 0; i < e.count; i++)
    if (const Value& v = e.slots()[i]; v.is_object() && !is_leaf(v.object())) return false;
  return true;
}

void free_garbage(Heap::Cycles& cycles, std::uint8_t skipped) {
  std::vector<Object*> objects;
  bool complete = true;
  auto discover = [&](Object* o) {
    if (o->flags & visited) return;
    if (push(objects, o))
      o->flags |= visited;
    else
      complete = false;
  };
  for (Environment* e = cycles.first; e && !(e->flags & skipped); e = e->next) {
    if (skipped && refers_to_nothing_young(*e)) {
      e->flags |= Object::gc_old;
      --cycles.young, ++cycles.old;
    } else {
      discover(e);
    }
  }
  std::size_t processed = 0;
  for (; complete && processed < objects.size(); processed++)
    each_child(objects[processed], skipped, [&](Object* child) {
      --child->refs;
      discover(child);
    });

  // Keeps what something else refers to, and all it reaches.
  std::vector<Object*> pending;
  auto keep = [&](Object* o) {
    if (o->flags & in_use) return;
    o->flags |= in_use;
    if (!push(pending, o)) complete = false;
  };
  for (std::size_t i = 0; complete && i < objects.size(); i++) {
    if (objects[i]->refs == 0) continue;
    keep(objects[i]);
    while (complete && !pending.empty()) {
      Object* o = pending.back();
      pending.pop_back();
      each_child(o, skipped, keep);
    }
  }

  std::vector<Ref<Object>> garbage;
  if (complete) {
    try {
      for (Object* o : objects)
        if (!(o->flags & in_use) && (o->kind == ObjectKind::environment || o->kind == ObjectKind::native))
          garbage.push_back(nullptr);
    } catch (const std::bad_alloc&) {
      complete = false;
    }
  }
  if (complete) {
    std::size_t i = 0;
    for (Object* o : objects)
      if (!(o->flags & in_use) && (o->kind == ObjectKind::environment || o->kind == ObjectKind::native))
        garbage[i++] = Ref<Object>(o);
  }
  std::vector<Object*> survivors;
  if (complete) {
    // Marks only after restoring, which has to look at the same objects as before.
    for (Object* o : objects)
      if (o->flags & in_use && !(o->flags & Object::gc_old) && !push(survivors, o)) break;
  }
  restore(objects, processed, skipped);
  for (Object* o : survivors) {
    o->flags |= Object::gc_old;
    if (o->kind == ObjectKind::environment) --cycles.young, ++cycles.old;
  }
  if (!complete) {
    // Not even the lists could be made: forgets what was found, and tries again later.
    for (Ref<Object>& o : garbage) o.leak();
    return;
  }
  // Emptying the environments takes every cycle apart; reference counts do the rest.
  for (Ref<Object>& o : garbage) retain(o.get());
  for (Ref<Object>& o : garbage) {
    if (o->kind == ObjectKind::native) {
      static_cast<NativeObject*>(o.get())->clear();
      continue;
    }
    Environment* e = static_cast<Environment*>(o.get());
    for (std::uint32_t i = 0; i < e->count; i++) Value dropped = std::move(e->slots()[i]);
  }
}

}  // namespace

Heap::Cycles& cycles_begin(Heap& heap) {
  if (!heap.cycles) heap.cycles = new Heap::Cycles;
  return *heap.cycles;
}

void cycles_finish(Heap& heap) noexcept {
  delete heap.cycles;
  heap.cycles = nullptr;
}

void collect_cycles(Heap& heap) {
  Heap::Cycles& cycles = cycles_begin(heap);
  if (cycles.collecting) return;
  cycles.collecting = true;
  free_garbage(cycles, 0);
  cycles.collecting = false;
  cycles.old_limit = std::max(cycles.old * 3, Heap::Cycles::least_old_limit);
  cycles.bytes_limit = heap.bytes_in_use() * 2 + (std::size_t{256} << 20);
}

void collect_young_cycles(Heap& heap) {
  Heap::Cycles& cycles = cycles_begin(heap);
  if (cycles.collecting) return;
  if (cycles.old > cycles.old_limit || heap.bytes_in_use() > cycles.bytes_limit) return collect_cycles(heap);
  cycles.collecting = true;
  free_garbage(cycles, Object::gc_old);
  cycles.collecting = false;
}

}  // namespace griddle
