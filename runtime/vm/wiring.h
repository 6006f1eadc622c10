// Wiring: which parts of a function meet which arguments. Trains and ˜ ∘ ○ ⊸ ⟜ ⊘ compute nothing themselves; whoever looks into
// functions follows their wiring, and has to know only what stands at its ends: primitives, other modifiers, blocks and data.
#pragma once

#include "runtime/primitive.h"

namespace griddle {

struct Wiring {
  enum class From : std::uint8_t { nothing, w, x, both };
  // An argument of the function that is called last: an argument of the whole, or what a part gives for one of those or both.
  struct Input {
    From from = From::nothing;
    const Value* by = nullptr;  // the part, which may be data; null for the argument itself
  };
  const Value* last = nullptr;  // called with the inputs; null where the function is no wiring
  Input left, right;            // the left one comes from nothing where there is one input
  explicit operator bool() const { return last != nullptr; }
  bool has_left() const { return left.from != From::nothing; }
  // What is done first and last, where the function does one after the other, to all its arguments.
  bool is_sequence() const { return last != nullptr && !has_left() && right.by != nullptr; }
};

// Gives the wiring of a function that is called with one argument or two.
Wiring wiring_of(const Function&, bool dyadic);
inline Wiring wiring_of(const Value& f, bool dyadic) {
  if (!f.is_function()) return {};
  const ObjectKind kind = f.function().kind;
  return kind == ObjectKind::train || kind == ObjectKind::derived ? wiring_of(f.function(), dyadic) : Wiring();
}

// Evaluates wiring on whatever stands for the arguments; `w` is null where there is one. Calls apply(f, w, x) for the parts, the
// right one first, and gives what is not known() at once.
template <class Part, class Apply, class Known>
Part follow(const Wiring& wiring, const Part* w, const Part& x, Apply apply, Known known) {
  using From = Wiring::From;
  const auto input = [&](const Wiring::Input& i) -> Part {
    const Part& one = i.from == From::w ? *w : x;
    return i.by == nullptr ? one : apply(*i.by, i.from == From::both ? w : nullptr, one);
  };
  const Part right = input(wiring.right);
  if (!known(right)) return right;
  if (!wiring.has_left()) return apply(*wiring.last, nullptr, right);
  const Part left = input(wiring.left);
  return known(left) ? apply(*wiring.last, &left, right) : left;
}

}  // namespace griddle
