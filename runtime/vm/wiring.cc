#include "runtime/vm/wiring.h"

namespace griddle {

namespace {

using From = Wiring::From;

// What the part of a train is given.
Wiring::Input along(const Value& part, bool dyadic) { return {dyadic ? From::both : From::x, &part}; }

Wiring wiring_of_derived(const Derived& d, bool dyadic) {
  const From first = dyadic ? From::w : From::x;
  switch (combinator_of(d.modifier)) {
    case Combinator::swap: return {&d.f, {From::x}, {first}};
    case Combinator::atop: return {&d.f, {}, along(d.g, dyadic)};
    case Combinator::over: return {&d.f, dyadic ? Wiring::Input{From::w, &d.g} : Wiring::Input{}, {From::x, &d.g}};
    case Combinator::before: return {&d.g, {first, &d.f}, {From::x}};
    case Combinator::after: return {&d.f, {first}, {From::x, &d.g}};
    case Combinator::valences: return dyadic ? Wiring{&d.g, {From::w}, {From::x}} : Wiring{&d.f, {}, {From::x}};
    default: return {};
  }
}

}  // namespace

Wiring wiring_of(const Function& f, bool dyadic) {
  if (f.kind == ObjectKind::derived) return wiring_of_derived(static_cast<const Derived&>(f), dyadic);
  if (f.kind != ObjectKind::train) return {};
  const Train& t = static_cast<const Train&>(f);
  return {&t.g, t.f.is_absent() ? Wiring::Input{} : along(t.f, dyadic), along(t.h, dyadic)};
}

}  // namespace griddle
