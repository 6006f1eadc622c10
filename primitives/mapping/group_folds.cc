#include "primitives/mapping/each.h"

#include <utility>

#include "primitives/common/pervasive.h"
#include "runtime/value/fill.h"
#include "runtime/value/remote.h"
#include "runtime/vm/call.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {
namespace {

// Gives ≠ for that, ⊑ for that of lists, the folding primitive for a fold of lists or an insert into tables, or none.
Glyph group_fold(const Value& f, bool of_tables) {
  if (reduces_by(f) == (of_tables ? Reduces::inserts : Reduces::folds))
    return name_of(static_cast<const Derived&>(f.function()).f);
  const Glyph name = name_of(f);
  return name == Glyph::not_equal || (is_pick(f) && !of_tables) ? name : Glyph::none;
}

// Asks the device for f¨ of groups that it has: folds, and trains of folds that work on atoms otherwise.
Value folded_groups(Context& cx, const Value& f, const Value& x, bool of_tables) {
  if (const Glyph glyph = group_fold(f, of_tables); glyph != Glyph::none) return cx.device->fold_groups(cx, glyph, x);
  const Wiring wiring = wiring_of(f, false);
  if (!wiring) return Value();
  const auto part = [&](const Wiring::Input& i) {
    if (i.by == nullptr) return Value();
    return i.by->is_atom() && !i.by->is_operation() ? *i.by : folded_groups(cx, *i.by, x, of_tables);
  };
  if (!(wiring.has_left() ? is_pervasive_dyad(*wiring.last) : is_pervasive(*wiring.last))) return Value();
  Value right = part(wiring.right);
  if (right.is_absent() || !wiring.has_left()) return right.is_absent() ? right : call(cx, *wiring.last, std::move(right));
  Value left = part(wiring.left);
  return left.is_absent() ? left : call(cx, *wiring.last, std::move(left), std::move(right));
}

}  // namespace

Value fold_groups_there(Context& cx, const Value& f, const Value& groups) {
  Value folded = folded_groups(cx, f, groups, rank_of(fill_of(cx.heap, groups)) > 1);
  return folded.is_array() ? folded : Value();
}

}  // namespace griddle::primitives
