// What a function is made of that trains, ∘ ○ ⊸ ⟜ ˜ and ⊘ put together. Where such a function is called at once, its parts are
// called one after the other, and no function is made.
#pragma once

#include "runtime/source/ast.h"

namespace griddle {

struct Parts {
  enum class Kind : std::uint8_t {
    none,
    atop,      // g of h
    fork,      // f g h
    over,      // g on each argument's h
    before,    // f⊸g
    after,     // f⟜g
    swap,      // g˜
    valences,  // f⊘g
  };
  Kind kind = Kind::none;
  Node* f = nullptr;
  Node* g = nullptr;
  Node* h = nullptr;
};

// Gives the primitive modifier of a derived function; none for any other modifier.
inline Glyph modifier_of(const DeriveNode& d) {
  return d.modifier->kind == NodeKind::primitive ? static_cast<const Primitive*>(d.modifier)->name : Glyph::none;
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
