#include "runtime/value/object.h"

#include <bit>
#include <cstring>

#include "runtime/value/array.h"
#include "runtime/value/cycles.h"
#include "runtime/value/references.h"

namespace griddle {

namespace {

// Nesting that destroy() follows on the C++ stack, of which little may be left, before it puts objects aside.
constexpr unsigned deepest_recursion = 50;

void drop(Object* o) { release(o); }
void drop(Value& v) { v.~Value(); }

[[gnu::noinline]] void destroy_other(Heap&, Object*) noexcept;

// Tells whether an object is an array of atoms with memory of its own, as most are: it refers to nothing.
bool refers_to_nothing(const Object* o) {
  // Looks at kind, type and flags at once: of all types, only that of boxes has this bit.
  static_assert(std::endian::native == std::endian::little && static_cast<int>(ObjectKind::array) == 0);
  constexpr std::uint32_t boxed = std::uint32_t{static_cast<std::uint8_t>(ElementType::boxed)} << 8;
  constexpr std::uint32_t nested = std::uint32_t{static_cast<std::uint8_t>(FillKind::nested)} << 24;
  static_assert(boxed == 0x800 && element_type_count == 9 && nested == 0x03000000);
  std::uint32_t head;
  std::memcpy(&head, reinterpret_cast<const unsigned char*>(o) + offsetof(Object, kind), sizeof head);
  return (head & (0xFF | boxed | std::uint32_t{Array::view_flag} << 24)) == 0 && (head & nested) != nested && !Heap::verifies();
}

// Tells whether an object is an array that shows a part of another, which somebody else holds too.
bool is_view_among_others(const Object* o) {
  if (o->kind != ObjectKind::array || Heap::verifies()) return false;
  const Array& a = *static_cast<const Array*>(o);
  return a.is_view() && a.fill_kind() != FillKind::nested && a.owner()->refs > 1;
}

// Drops the elements of an array of boxes: short lists by far the most, which take no call each.
void drop_boxes(Heap& heap, Array& a) noexcept {
  constexpr std::size_t ahead = 8;
  const std::span<Value> boxes = a.boxes();
  for (std::size_t i = 0; i < boxes.size(); i++) {
    // What was made long ago is no longer in the caches.
    if (i + ahead < boxes.size())
      __builtin_prefetch(reinterpret_cast<const void*>(boxes[i + ahead].bits() & Value::pointer_mask));
    if (!boxes[i].is_object()) continue;
    Object* o = boxes[i].object();
    if (--o->refs != 0) continue;
    if (refers_to_nothing(o)) {
      Heap::free(o);
    } else if (is_view_among_others(o)) {
      --static_cast<Array*>(o)->owner()->refs;
      Heap::free(o);
    } else {
      destroy_other(heap, o);
    }
  }
}

inline void destroy_now(Heap& heap, Object* o) noexcept {
  if (Heap::verifies()) heap.ledger->erase(o);
  if (o->kind == ObjectKind::native) {
    NativeObject* n = static_cast<NativeObject*>(o);
    n->~NativeObject();
    Heap::free(n);
    return;
  }
  if (o->kind == ObjectKind::array) {
    Array& a = *static_cast<Array*>(o);
    if (a.type() == ElementType::boxed && !a.is_view()) {
      drop_boxes(heap, a);
      if (a.fill_kind() == FillKind::nested) drop(const_cast<Value&>(a.nested_fill()));
      Heap::free(o);
      return;
    }
  }
  if (o->kind == ObjectKind::environment) cycles_unregister(heap, static_cast<Environment*>(o));
  each_reference(o, [](auto&& reference) { drop(reference); });
  Heap::free(o);
}

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

namespace {

// Drops a reference that an object held; what it was the last one to is destroyed one level further down.
inline void drop_held(Object* o) noexcept {
  if (--o->refs == 0) [[unlikely]]
    refers_to_nothing(o) ? Heap::free(o) : destroy_other(Heap::of(o), o);
}
inline void drop_held(std::uint64_t bits) noexcept {
  if (bits >= Value::first_object) drop_held(reinterpret_cast<Object*>(bits & Value::pointer_mask));
}

}  // namespace

void destroy(Object* o) noexcept {
  if (refers_to_nothing(o)) return Heap::free(o);
  if (is_view_among_others(o)) {
    --static_cast<Array*>(o)->owner()->refs;
    return Heap::free(o);
  }
  // Functions that programs form and drop as they run: read first, so that nothing needs to be kept.
  if (o->kind == ObjectKind::derived && !Heap::verifies()) {
    const Derived& d = *static_cast<const Derived*>(o);
    const std::uint64_t modifier = d.modifier.bits(), f = d.f.bits(), g = d.g.bits();
    Heap::free(o);
    drop_held(modifier);
    drop_held(f);
    return drop_held(g);
  }
  if (o->kind == ObjectKind::train && !Heap::verifies()) {
    const Train& t = *static_cast<const Train*>(o);
    const std::uint64_t f = t.f.bits(), g = t.g.bits(), h = t.h.bits();
    Heap::free(o);
    drop_held(f);
    drop_held(g);
    return drop_held(h);
  }
  if (o->kind == ObjectKind::block_function && !Heap::verifies()) {
    const BlockFunction& block = *static_cast<const BlockFunction*>(o);
    Object* const code = block.code;
    Object* const scope = block.scope;
    Heap::free(o);
    drop_held(code);
    if (scope != nullptr) drop_held(scope);
    return;
  }
  destroy_other(Heap::of(o), o);
}

void trace(Object* o, ObjectVisitor& visitor) {
  if (o->kind == ObjectKind::native) {
    static_cast<NativeObject*>(o)->trace(visitor);
    return;
  }
  each_reference(o, [&](auto&& reference) { visitor.visit(reference); });
}

}  // namespace griddle
