#include "primitives/folds/part_folds.h"

#include "primitives/common/mapping.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

PartFold part_fold_by(const Value& f) {
  if (!is_any(reduces_by(f), Reduces::folds, Reduces::inserts)) return {};
  const ScalarOp by = computed_by(operand(f.function()));
  return by == ScalarOp::none ? PartFold{} : PartFold{PartFold::Kind::fold, by, reduces_by(f) == Reduces::inserts};
}

PartFold part_fold(Context& cx, const Value& f) {
  if (!f.is_function()) return {};
  switch (f.function().kind) {
    case ObjectKind::primitive_function:
      return {computed_by(f) == ScalarOp::not_equal ? PartFold::Kind::length : PartFold::Kind::none};
    case ObjectKind::derived: return part_fold_by(f);
    case ObjectKind::train: {
      const Train& t = static_cast<const Train&>(f.function());
      const PartFold sum = part_fold_by(t.f);
      const bool is_mean =
          sum.by == ScalarOp::add && computed_by(t.g) == ScalarOp::divide && computed_by(t.h) == ScalarOp::not_equal;
      return is_mean ? PartFold{PartFold::Kind::mean, sum.by, sum.inserts} : PartFold{};
    }
    case ObjectKind::block_function: {
      const Value form = composed_by_block(cx, f, false);
      return form.is_function() && form.function().kind != ObjectKind::block_function ? part_fold(cx, form) : PartFold{};
    }
    default: return {};
  }
}

}  // namespace griddle::primitives
