// What a function is made of that trains, ∘ ○ ⊸ ⟜ ˜ and ⊘ put together. Where such a function is called at once, its parts are
// called one after the other, and no function is made.
#pragma once

#include "runtime/primitive.h"
#include "runtime/source/ast.h"

namespace griddle {

struct Parts {
  using Kind = Combinator;
  Kind kind = Kind::none;
  // Operands: f⊸g, f⟜g, f⊘g, g∘h, g○h, g˜; of trains f g h, g h.
  Node* f = nullptr;
  Node* g = nullptr;
  Node* h = nullptr;
};

// Gives the primitive modifier of a derived function; none for any other modifier.
inline Glyph modifier_of(const DeriveNode& d) {
  return d.modifier->kind == NodeKind::primitive ? static_cast<const Primitive*>(d.modifier)->name : Glyph::none;
}

inline Combinator combinator_of(const DeriveNode& d) {
  const Glyph modifier = modifier_of(d);
  return modifier == Glyph::none ? Combinator::none : modifier_entry_of(modifier).combinator;
}

inline Applies applies_of(const DeriveNode& d) {
  const Glyph modifier = modifier_of(d);
  return modifier == Glyph::none ? Applies::otherwise : modifier_entry_of(modifier).applies;
}
inline Reduces reduces_of(const DeriveNode& d) {
  const Glyph modifier = modifier_of(d);
  return modifier == Glyph::none ? Reduces::no : modifier_entry_of(modifier).reduces;
}

// Kind none: a function that is called as it is, or one of which a part may be Nothing.
Parts parts_of(const Node&);

// Calls `visit` with every part that has no parts itself, in the order in which they are evaluated.
template <class Visit>
void each_part(Node& n, Visit&& visit) {
  const Parts p = parts_of(n);
  if (p.kind == Parts::Kind::none) return visit(n);
  for (Node* part : {p.h, p.g, p.f})
    if (part) each_part(*part, visit);
}

}  // namespace griddle
