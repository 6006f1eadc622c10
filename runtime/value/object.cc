#include "runtime/value/object.h"

#include "runtime/value/array.h"
#include "runtime/value/cycles.h"
#include "runtime/value/references.h"

namespace griddle {

namespace {

// Nesting that destroy() follows on the C++ stack before it puts objects aside.
constexpr unsigned deepest_recursion = 200;

void drop(Object* o) { release(o); }
void drop(Value& v) { v.~Value(); }

inline void destroy_now(Heap& heap, Object* o) noexcept {
  if (Heap::verifies()) heap.ledger->erase(o);
  if (o->kind == ObjectKind::native) {
    NativeObject* n = static_cast<NativeObject*>(o);
    n->~NativeObject();
    Heap::free(n);
    return;
  }
  if (o->kind == ObjectKind::environment) cycles_unregister(heap, static_cast<Environment*>(o));
  each_reference(o, [](auto&& reference) { drop(reference); });
  Heap::free(o);
}

[[gnu::noinline]] void destroy_other(Heap&, Object*) noexcept;

void destroy_doomed(Heap& heap) noexcept {
  heap.destroy_depth++;
  while (!heap.doomed.empty()) {
    Object* next = heap.doomed.back();
    heap.doomed.pop_back();
    destroy_other(heap, next);
  }
  heap.destroy_depth--;
}

void destroy_other(Heap& heap, Object* o) noexcept {
  if (heap.destroy_depth >= deepest_recursion) {
    heap.doomed.push_back(o);
    return;
  }
  heap.destroy_depth++;
  destroy_now(heap, o);
  if (--heap.destroy_depth == 0 && !heap.doomed.empty()) [[unlikely]]
    destroy_doomed(heap);
}

}  // namespace

void destroy(Object* o) noexcept {
  Heap& heap = Heap::of(o);
  // Plain arrays, by far the most, hold nothing.
  if (o->kind == ObjectKind::array && !Heap::verifies()) {
    const Array& a = *static_cast<Array*>(o);
    if (a.type() != ElementType::boxed && !a.is_view() && a.fill_kind() != FillKind::nested) return Heap::free(o);
  }
  destroy_other(heap, o);
}

void trace(Object* o, ObjectVisitor& visitor) {
  if (o->kind == ObjectKind::native) {
    static_cast<NativeObject*>(o)->trace(visitor);
    return;
  }
  each_reference(o, [&](auto&& reference) { visitor.visit(reference); });
}

}  // namespace griddle
