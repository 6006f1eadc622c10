#include "runtime/primitive.h"

#include <array>
#include <cassert>
#include <utility>

namespace griddle {

namespace {

// The order of Context::primitives: functions, 1-modifiers, 2-modifiers. primitives/table.cc has the same order.
constexpr char32_t glyphs[] = U"+-×÷⋆√⌊⌈|¬∧∨<>≠=≤≥≡≢⊣⊢⥊∾≍⋈↑↓↕«»⌽⍉/⍋⍒⊏⊑⊐⊒∊⍷⊔!˙˜˘¨⌜⁼´˝`∘○⊸⟜⌾⊘◶⎉⚇⍟⎊";
constexpr int glyph_count = sizeof(glyphs) / sizeof(glyphs[0]) - 1;
constexpr int function_count = 44;
constexpr int modifier1_count = 9;
static_assert(glyph_count == 64 && glyph_count <= Context::max_primitives);
static_assert(function_count == static_cast<int>(Glyph::constant) && glyph_count == static_cast<int>(Glyph::none));
static_assert(function_count + modifier1_count == static_cast<int>(Glyph::atop));

constexpr unsigned slot_count = 1024;
constexpr unsigned slot_of(char32_t c) { return (c * 2654435761u) >> 22; }

// Open addressing, built at compile time: index + 1 of a glyph, 0 where the slot is free.
constexpr std::array<std::uint8_t, slot_count> make_slots() {
  std::array<std::uint8_t, slot_count> slots{};
  for (int i = 0; i < glyph_count; i++) {
    unsigned s = slot_of(glyphs[i]);
    while (slots[s]) s = (s + 1) % slot_count;
    slots[s] = static_cast<std::uint8_t>(i + 1);
  }
  return slots;
}
constexpr auto slots = make_slots();

Value primitive_monad(Context& cx, const Function& self, Value x) {
  return call_primitive(cx, *static_cast<const PrimitiveFunction&>(self).entry, std::move(x));
}
Value primitive_dyad(Context& cx, const Function& self, Value w, Value x) {
  return call_primitive(cx, *static_cast<const PrimitiveFunction&>(self).entry, std::move(w), std::move(x));
}

Value derive_by_primitive(Context& cx, Modifier& self, Value f, Value g) {
  retain(&self);
  return derive_primitive(cx, self.a == 1 ? Value::modifier1(&self) : Value::modifier2(&self), std::move(f), std::move(g));
}

Value make_primitive_function(Heap& heap, const PrimitiveFunctionEntry& entry) {
  PrimitiveFunction* p = allocate_operation<PrimitiveFunction>(heap, ObjectKind::primitive_function);
  p->flags = Function::pure;
  p->a = static_cast<std::uint8_t>(entry.scalar);
  p->monad = primitive_monad;
  p->dyad = primitive_dyad;
  p->entry = &entry;
  return Value(static_cast<Function*>(p));
}

Value make_primitive_modifier(Heap& heap, const PrimitiveModifierEntry& entry) {
  PrimitiveModifier* p = allocate_operation<PrimitiveModifier>(heap, ObjectKind::primitive_modifier);
  p->a = static_cast<std::uint8_t>(entry.operands);
  p->derive = derive_by_primitive;
  p->entry = &entry;
  return entry.operands == 1 ? Value::modifier1(p) : Value::modifier2(p);
}

}  // namespace

int primitive_index(char32_t c) {
  for (unsigned s = slot_of(c); slots[s]; s = (s + 1) % slot_count)
    if (glyphs[slots[s] - 1] == c) return slots[s] - 1;
  return -1;
}

Glyph glyph_name(char32_t c) {
  const int i = primitive_index(c);
  return i < 0 ? Glyph::none : static_cast<Glyph>(i);
}

GlyphRole glyph_role(char32_t c) {
  int i = primitive_index(c);
  if (i < 0) return GlyphRole::none;
  if (i < function_count) return GlyphRole::function;
  return i < function_count + modifier1_count ? GlyphRole::modifier1 : GlyphRole::modifier2;
}

namespace {

void use_doors_of(Context& cx, const PrimitiveTable& table) {
  int i = 0;
  for (const PrimitiveFunctionEntry& e : table.functions)
    static_cast<PrimitiveFunction&>(cx.primitives[i++].function()).entry = &e;
}

}  // namespace

void observe_primitives(Context& cx, PrimitiveObserver& observer) {
  observer.before_ = std::exchange(cx.observer, &observer);
  use_doors_of(cx, observed_primitive_table());
}
void end_observation(Context& cx, PrimitiveObserver& observer) {
  PrimitiveObserver** place = &cx.observer;
  while (*place != &observer) place = &(*place)->before_;
  *place = observer.before_;
  if (cx.observer == nullptr) use_doors_of(cx, primitive_table(cx.general_ways));
}

void make_primitives(Context& cx) {
  const PrimitiveTable& table = primitive_table(cx.general_ways);
  int i = 0;
  for (const PrimitiveFunctionEntry& e : table.functions) {
    assert(e.glyph == glyphs[i] && e.name == static_cast<Glyph>(i));
    cx.primitives[i++] = make_primitive_function(cx.heap, e);
  }
  for (const PrimitiveModifierEntry& e : table.modifiers) {
    assert(e.glyph == glyphs[i] && e.name == static_cast<Glyph>(i));
    cx.primitives[i++] = make_primitive_modifier(cx.heap, e);
  }
  assert(i == glyph_count);
}

}  // namespace griddle
