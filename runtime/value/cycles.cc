// Synchronous trial deletion: take away every reference that comes from an object reachable from the environments. What is then
// still referred to is in use, with all it reaches; the rest is garbage.
#include "runtime/value/cycles.h"

#include <algorithm>
#include <new>
#include <span>

#include "runtime/value/references.h"

namespace griddle {

namespace {

constexpr std::uint8_t visited = Object::gc_visited;
constexpr std::uint8_t in_use = Object::gc_in_use;

// Tells whether an object is an array of atoms, of which no cycle is part. There the marks mean something else.
bool is_flat(const Object* o) {
  return o->kind == ObjectKind::array && static_cast<const Array*>(o)->type() != ElementType::boxed;
}

// Tells whether a collection follows references to an object: only a full one looks at old objects.
template <bool full>
bool follows(const Object* o) {
  return (full || !(o->flags & Object::gc_old)) && !is_flat(o);
}

template <bool full, class Action>
[[gnu::noinline]] void each_child_of_native(Object* o, Action& action) {
  struct Visitor final : ObjectVisitor {
    explicit Visitor(Action& action) : action(action) {}
    void visit(Object* child) override {
      if (follows<full>(child)) action(child);
    }
    Action& action;
  } visitor(action);
  static_cast<NativeObject*>(o)->trace(visitor);
}

// Calls `action` with every object that another one refers to, as far as a collection follows it.
template <bool full, class Action>
[[gnu::always_inline]] inline void each_child(Object* o, Action& action) {
  if (o->kind == ObjectKind::native) [[unlikely]] {
    // Only a copy has an address, so that the original may stay in registers.
    Action copy = action;
    each_child_of_native<full>(o, copy);
    action = copy;
    return;
  }
  each_reference(o, [&](Object* child) {
    if (follows<full>(child)) action(child);
  });
}

// Takes a reference away, and lists what it has not seen yet.
struct TakeAway {
  Heap::Cycles::List* list;
  Object** objects = list->objects.get();
  std::size_t room = list->room;
  std::size_t count = 0;
  bool complete = true;

  void operator()(Object* child) {
    --child->refs;
    discover(child);
  }
  void discover(Object* o) {
    if (o->flags & visited) return;
    if (count == room) [[unlikely]] {
      complete = complete && list->grow();
      if (!complete) return;
      objects = list->objects.get();
      room = list->room;
    }
    o->flags |= visited;
    objects[count++] = o;
  }
};

struct GiveBack {
  void operator()(Object* child) { ++child->refs; }
};

// Gives a reference back that comes from what is in use; what it leads to is so, too, and waits to be looked at.
struct Keep {
  Object** waiting;
  std::size_t count = 0;

  void operator()(Object* child) {
    ++child->refs;
    keep(child);
  }
  void keep(Object* o) {
    if (o->flags & in_use) return;
    o->flags |= in_use;
    waiting[count++] = o;
  }
};

template <bool full>
class Collection {
 public:
  explicit Collection(Heap::Cycles& cycles) : cycles_(cycles) {}

  void run() {
    if (!take_references_away()) return;
    keep_what_is_in_use();
    free_garbage();
  }

 private:
  // Finds all that environments lead to, and takes away the references among it. Gives false, with everything as before, where
  // there is no memory for the lists.
  bool take_references_away() {
    TakeAway take_away{&cycles_.objects};
    for (Environment* e = cycles_.first; e && (full || !(e->flags & Object::gc_old)); e = e->next) take_away.discover(e);
    std::size_t processed = 0;
    for (; take_away.complete && processed < take_away.count; processed++)
      each_child<full>(take_away.objects[processed], take_away);
    objects_ = {take_away.objects, take_away.count};
    while (take_away.complete && cycles_.waiting.room < objects_.size()) take_away.complete = cycles_.waiting.grow();
    if (take_away.complete) return true;
    GiveBack give_back;
    for (Object* o : objects_.first(processed)) each_child<full>(o, give_back);
    for (Object* o : objects_) o->flags &= static_cast<std::uint8_t>(~visited);
    return false;
  }

  void keep_what_is_in_use() {
    Keep keep{cycles_.waiting.objects.get()};
    for (Object* found : objects_) {
      if (found->refs == 0) continue;
      keep.keep(found);
      while (keep.count != 0) each_child<full>(keep.waiting[--keep.count], keep);
    }
  }

  // Frees the rest as a whole: what in it refers to each other, or to what is in use, was uncounted above.
  void free_garbage() {
    Heap::Cycles::List& last = cycles_.waiting;
    std::size_t garbage = 0, last_count = 0;
    bool natives = false;
    for (Object*& o : objects_) {
      if (o->flags & in_use) continue;
      // Keeps a reference, so that nothing frees it before its turn.
      ++o->refs;
      if (o->kind == ObjectKind::native) {
        // Drops its references itself.
        GiveBack give_back;
        each_child<full>(o, give_back);
        natives = true;
      } else {
        each_reference(o, [&](Object* held) {
          if (is_flat(held)) return release(held);
          if (held->flags & visited) return;
          // What nothing else refers to may keep something in use: it goes when the marks have gone.
          if (held->refs != 1)
            --held->refs;
          else if (last_count < last.room || last.grow())
            last.objects[last_count++] = held;
        });
      }
      std::swap(o, objects_[garbage++]);
    }
    for (Object* o : objects_.subspan(garbage)) {
      o->flags &= static_cast<std::uint8_t>(~(visited | in_use));
      if (o->kind == ObjectKind::environment && !(o->flags & Object::gc_old)) --cycles_.young, ++cycles_.old;
      o->flags |= Object::gc_old;
    }
    for (std::size_t i = 0; i < last_count; i++) release(last.objects[i]);
    if (natives)
      for (Object* o : objects_.first(garbage))
        if (o->kind == ObjectKind::native) static_cast<NativeObject*>(o)->clear();
    for (Object* o : objects_.first(garbage)) {
      if (o->kind == ObjectKind::environment) cycles_unregister(Heap::of(o), static_cast<Environment*>(o));
      free_emptied(o);
    }
  }

  Heap::Cycles& cycles_;
  std::span<Object*> objects_;
};

template <bool full>
void collect(Heap& heap) {
  Heap::Cycles& cycles = *heap.cycles;
  const std::size_t young = cycles.young, live = cycles.live();
  cycles.collecting = true;
  Collection<full>(cycles).run();
  cycles.collecting = false;
  constexpr std::size_t most_kept = 1 << 16;
  for (Heap::Cycles::List* list : {&cycles.objects, &cycles.waiting})
    if (list->room > most_kept) *list = {};
  const bool mostly_garbage = live - cycles.live() > young / 2;
  cycles.young_limit = mostly_garbage ? Heap::Cycles::least_young_limit : Heap::Cycles::most_young_limit;
  // Memory that garbage leaves serves for a while. Where it has been used up, what uses it is garbage again.
  cycles.growth_limit = heap.bytes_in_use() + (mostly_garbage ? Heap::Cycles::growth_by_garbage
                                                              : std::max(Heap::Cycles::least_growth, heap.bytes_in_use() / 2));
}

}  // namespace

bool Heap::Cycles::List::grow() {
  constexpr std::size_t least = 1000;
  const std::size_t more = std::max(2 * room, least);
  std::unique_ptr<Object*[]> bigger(new (std::nothrow) Object*[more]);
  if (bigger == nullptr) return false;
  std::copy_n(objects.get(), room, bigger.get());
  objects = std::move(bigger);
  room = more;
  return true;
}

Heap::Cycles& cycles_begin(Heap& heap) {
  if (!heap.cycles) heap.cycles = new Heap::Cycles;
  return *heap.cycles;
}

void cycles_finish(Heap& heap) noexcept {
  delete heap.cycles;
  heap.cycles = nullptr;
}

void collect_cycles(Heap& heap) {
  // Without a state there was never an environment.
  if (heap.cycles == nullptr || heap.cycles->collecting) return;
  Heap::Cycles& cycles = *heap.cycles;
  collect<true>(heap);
  cycles.old_limit = std::max(cycles.old * 3, Heap::Cycles::least_old_limit);
  cycles.bytes_limit = heap.bytes_in_use() * 2 + (std::size_t{256} << 20);
}

void collect_young_cycles(Heap& heap) {
  if (heap.cycles == nullptr || heap.cycles->collecting) return;
  const Heap::Cycles& cycles = *heap.cycles;
  if (cycles.old > cycles.old_limit || heap.bytes_in_use() > cycles.bytes_limit) return collect_cycles(heap);
  collect<false>(heap);
}

}  // namespace griddle
