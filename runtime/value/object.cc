#include "runtime/value/object.h"

#include <bit>
#include <cstring>

#include "runtime/value/array.h"
#include "runtime/value/cycles.h"
#include "runtime/value/references.h"
#include "runtime/value/verify.h"

namespace griddle {

namespace {

// Nesting that destroy() follows on the C++ stack, of which little may be left, before it puts objects aside.
constexpr unsigned deepest_recursion = 50;

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

// Tells whether an object is an array that shows a part of another one, the only object it refers to.
bool is_plain_view(const Object* o) {
  if (o->kind != ObjectKind::array || Heap::verifies()) return false;
  const Array& a = *static_cast<const Array*>(o);
  return a.is_view() && a.fill_kind() != FillKind::nested;
}

// Drops a reference that an object held; what it was the last one to is destroyed one level further down.
inline void drop_held(Heap& heap, Object* o) noexcept {
  if (--o->refs == 0) [[unlikely]]
    refers_to_nothing(o) ? Heap::free(o) : destroy_other(heap, o);
}
inline void drop_held(Heap& heap, std::uint64_t bits) noexcept {
  if (bits >= Value::first_object) drop_held(heap, reinterpret_cast<Object*>(bits & Value::pointer_mask));
}

inline void destroy_plain_view(Heap& heap, Object* o) noexcept {
  Object* owner = static_cast<Array*>(o)->owner();
  Heap::free(o);
  drop_held(heap, owner);
}

// Tells whether some boxes are all atoms, which need nothing.
bool are_atoms(const Value* boxes, std::size_t count) noexcept {
  bool objects = false;
  for (std::size_t i = 0; i < count; i++) objects |= boxes[i].is_object();
  return !objects;
}

// Tells whether an object is a list of few values that are all atoms, such as a number beside a character.
bool holds_few_atoms(const Object* o) noexcept {
  constexpr std::size_t few = 4;
  if (o->kind != ObjectKind::array || Heap::verifies()) return false;
  const Array& a = *static_cast<const Array*>(o);
  return a.type() == ElementType::boxed && !a.is_view() && a.length <= few && a.fill_kind() != FillKind::nested &&
         are_atoms(a.as<Value>(), a.length);
}

// Drops an element that several places of an array of boxes hold: short lists by far the most, which take no call each.
[[gnu::always_inline]] inline void drop_box(Heap& heap, const Value& box, std::size_t places) noexcept {
  Object* o = box.object();
  o->refs -= static_cast<std::uint32_t>(places);
  if (o->refs != 0) return;
  if (refers_to_nothing(o)) {
    Heap::free(o);
  } else if (is_plain_view(o)) {
    destroy_plain_view(heap, o);
  } else if (holds_few_atoms(o)) {
    Heap::free(o);
  } else {
    destroy_other(heap, o);
  }
}

// Drops the elements from `first` on that are one object; gives how many.
[[gnu::noinline]] std::size_t drop_equal_boxes(Heap& heap, std::span<Value> boxes, std::size_t first) noexcept {
  // To count one by one would wait for each count before.
  std::size_t end = first + 1;
  while (end < boxes.size() && boxes[end].same(boxes[first])) end++;
  drop_box(heap, boxes[first], end - first);
  return end - first;
}

[[gnu::always_inline]] inline void drop_boxes(Heap& heap, std::span<Value> boxes) noexcept {
  constexpr std::size_t ahead = 8, short_list = 32;
  if (boxes.size() <= short_list) {
    for (const Value& box : boxes)
      if (box.is_object()) drop_box(heap, box, 1);
    return;
  }
  std::size_t i = 0;
  for (const std::size_t with_more = boxes.size() - ahead; i < with_more;) {
    if (!boxes[i].is_object()) {
      i += are_atoms(&boxes[i], ahead) ? ahead : 1;
      continue;
    }
    // What was made long ago is no longer in the caches.
    __builtin_prefetch(reinterpret_cast<const void*>(boxes[i + ahead].bits() & Value::pointer_mask));
    if (boxes[i + 1].same(boxes[i])) [[unlikely]]
      i += drop_equal_boxes(heap, boxes, i);
    else
      drop_box(heap, boxes[i++], 1);
  }
  for (; i < boxes.size(); i++)
    if (boxes[i].is_object()) drop_box(heap, boxes[i], 1);
}

// Tells whether an object is a function made of others, which programs form and drop as they run.
bool is_composed(const Object* o) {
  static_assert(static_cast<int>(ObjectKind::derived) + 1 == static_cast<int>(ObjectKind::train) &&
                static_cast<int>(ObjectKind::train) + 1 == static_cast<int>(ObjectKind::derived_block));
  return o->kind >= ObjectKind::derived && o->kind <= ObjectKind::derived_block && !Heap::verifies();
}
// Follows functions inside functions `depth` levels down itself.
[[gnu::noinline]] void destroy_composed(Heap& heap, Object* o, unsigned depth = 8) noexcept {
  static_assert(sizeof(Train) == sizeof(DerivedBlock));
  // All of them hold three values in the same place, and are freed before these, so that little needs to be kept.
  const Train& t = *static_cast<const Train*>(o);
  const std::uint64_t first = t.f.bits(), second = t.g.bits(), third = t.h.bits();
  o->kind == ObjectKind::derived ? heap.free_tiny(o, sizeof(Derived)) : heap.free_tiny(o, sizeof(Train));
  const auto drop_part = [&](std::uint64_t bits) {
    if (bits < Value::first_object) return;
    Object* part = reinterpret_cast<Object*>(bits & Value::pointer_mask);
    if (--part->refs != 0) [[likely]]
      return;
    if (depth > 0 && is_composed(part))
      destroy_composed(heap, part, depth - 1);
    else
      refers_to_nothing(part) ? Heap::free(part) : destroy_other(heap, part);
  };
  drop_part(first);
  drop_part(second);
  drop_part(third);
}

bool has_boxes(const Object* o) {
  if (o->kind != ObjectKind::array) return false;
  const Array& a = *static_cast<const Array*>(o);
  return a.type() == ElementType::boxed && !a.is_view();
}
void destroy_few_boxes(Heap& heap, Array* a) noexcept {
  drop_boxes(heap, a->boxes());
  if (a->fill_kind() == FillKind::nested) drop_held(heap, a->nested_fill().bits());
  Heap::free(a);
}
[[gnu::noinline]] void destroy_many_boxes(Heap& heap, Array* a) noexcept {
  !Heap::verifies() && heap.puts_off(a->length) ? heap.put_off.push(a) : destroy_few_boxes(heap, a);
}
[[gnu::always_inline]] inline void destroy_boxes(Heap& heap, Array* a) noexcept {
  a->length < Heap::many_boxes ? destroy_few_boxes(heap, a) : destroy_many_boxes(heap, a);
}

void destroy_environment(Heap& heap, Environment* e) noexcept {
  cycles_unregister(heap, e);
  if (e->parent) drop_held(heap, e->parent);
  for (std::uint32_t i = 0; i < e->count; i++) drop_held(heap, e->slots()[i].bits());
  Heap::free(e);
}

void destroy_block(Heap& heap, BlockFunction* block) noexcept {
  Object* const code = block->code;
  Object* const scope = block->scope;
  heap.free_tiny(block, sizeof(BlockFunction));
  drop_held(heap, code);
  if (scope != nullptr) drop_held(heap, scope);
}

void destroy_native(NativeObject* n) noexcept {
  n->~NativeObject();
  Heap::free(n);
}

[[gnu::noinline]] void destroy_now(Heap& heap, Object* o) noexcept {
  if (Heap::verifies()) heap.ledger->objects.erase(o);
  if (o->kind == ObjectKind::native) return destroy_native(static_cast<NativeObject*>(o));
  if (has_boxes(o)) return destroy_boxes(heap, static_cast<Array*>(o));
  if (o->kind == ObjectKind::environment) return destroy_environment(heap, static_cast<Environment*>(o));
  each_reference(o, [&](Object* held) { drop_held(heap, held); });
  Heap::free(o);
}

void destroy_doomed(Heap& heap) noexcept {
  heap.destroy_depth++;
  while (!heap.doomed.empty()) {
    destroy_other(heap, heap.doomed.pop());
  }
  heap.destroy_depth--;
}

void destroy_other(Heap& heap, Object* o) noexcept {
  if (heap.destroy_depth >= deepest_recursion) {
    heap.doomed.push(o);
    return;
  }
  heap.destroy_depth++;
  is_composed(o) ? destroy_composed(heap, o) : destroy_now(heap, o);
  if (--heap.destroy_depth == 0 && !heap.doomed.empty()) [[unlikely]]
    destroy_doomed(heap);
}

// Stands apart, so that what refers to nothing is freed without a frame.
[[gnu::noinline]] void destroy_holder(Object* o) noexcept {
  Heap& heap = Heap::of(o);
  if (Heap::verifies()) return destroy_other(heap, o);
  if (is_plain_view(o)) return destroy_plain_view(heap, o);
  if (has_boxes(o)) return destroy_boxes(heap, static_cast<Array*>(o));
  if (is_composed(o)) return destroy_composed(heap, o);
  if (o->kind == ObjectKind::environment) return destroy_environment(heap, static_cast<Environment*>(o));
  if (o->kind == ObjectKind::block_function) return destroy_block(heap, static_cast<BlockFunction*>(o));
  destroy_other(heap, o);
}

}  // namespace

void destroy(Object* o) noexcept { refers_to_nothing(o) ? Heap::free(o) : destroy_holder(o); }

void free_put_off(Heap& heap, std::size_t boxes) noexcept {
  while (boxes != 0 && !heap.put_off.empty()) {
    Array* const a = static_cast<Array*>(heap.put_off.pop());
    const std::size_t some = std::min(boxes, a->length);
    drop_boxes(heap, a->boxes().last(some));
    a->length -= some;
    boxes -= some;
    if (a->length != 0) {
      heap.put_off.push(a);
      continue;
    }
    if (a->fill_kind() == FillKind::nested) drop_held(heap, a->nested_fill().bits());
    Heap::free(a);
  }
}

void free_emptied(Object* o) noexcept {
  if (Heap::verifies()) Heap::of(o).ledger->objects.erase(o);
  if (o->kind == ObjectKind::native) return destroy_native(static_cast<NativeObject*>(o));
  Heap::free(o);
}

void trace(Object* o, ObjectVisitor& visitor) {
  if (o->kind == ObjectKind::native) {
    static_cast<NativeObject*>(o)->trace(visitor);
    return;
  }
  each_reference(o, [&](Object* held) { visitor.visit(held); });
}

}  // namespace griddle
