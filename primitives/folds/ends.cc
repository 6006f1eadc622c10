#include "primitives/folds/fold.h"

#include <algorithm>

#include "primitives/common/pervasive.h"
#include "primitives/functions.h"
#include "primitives/modifiers.h"
#include "runtime/value/array.h"
#include "runtime/value/fill.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {

namespace {

template <bool first>
Value fold_end(Context& cx, const Function& self, Value x) {
  if (rank_of(x) != 1 || x.array().length == 0) return fold_monad(cx, self, std::move(x));
  return element(x.array(), first ? 0 : x.array().length - 1);
}
template <bool first>
Value fold_end_onto(Context& cx, const Function& self, Value w, Value x) {
  if (rank_of(x) != 1 || x.array().length == 0) return fold_dyad(cx, self, std::move(w), std::move(x));
  return first ? element(x.array(), 0) : std::move(w);
}
template <bool first>
Value insert_end(Context& cx, const Function& self, Value x) {
  if (rank_of(x) == 0 || x.array().length == 0) return insert_monad(cx, self, std::move(x));
  const Array& a = x.array();
  return slice(cx.heap, x, first ? 0 : a.length - a.cell_length(), a.shape().subspan(1));
}
Value scan_first(Context& cx, const Function& self, Value x) {
  if (rank_of(x) == 0 || x.array().length == 0) return scan_monad(cx, self, std::move(x));
  Ref<Array> shape = make_list(cx.heap, ElementType::f64, x.array().rank());
  std::copy(x.array().shape().begin(), x.array().shape().end(), shape->as<double>());
  Value cell = slice(cx.heap, x, 0, x.array().shape().subspan(1));
  Value repeated = reshape(cx, to_value(std::move(shape)), std::move(cell));
  // Where 𝕩 has no fill that of the first cell is known.
  return x.array().fill_kind() == FillKind::none ? repeated : with_fill_like(cx.heap, std::move(repeated), x);
}
Value scan_last(Context& cx, const Function& self, Value x) {
  return rank_of(x) == 0 ? scan_monad(cx, self, std::move(x)) : std::move(x);
}

// Tells which argument a function gives back, as ⊣ and ⊢ do; none for others.
ScalarOp side(const Value& f) {
  if (const ScalarOp passed = side_passed_by(f); passed != ScalarOp::none) return passed;
  const Wiring wiring = wiring_of(f, true);
  return wiring.is_sequence() && side_passed_by(*wiring.last) != ScalarOp::none ? side(*wiring.right.by) : ScalarOp::none;
}

}  // namespace

bool attach_end(Derived& d, Glyph modifier) {
  const ScalarOp end = side(d.f);
  if (end == ScalarOp::none) return false;
  const bool first = end == ScalarOp::left;
  if (modifier == Glyph::fold) {
    d.monad = first ? fold_end<true> : fold_end<false>;
    d.dyad = first ? fold_end_onto<true> : fold_end_onto<false>;
  } else if (modifier == Glyph::insert) {
    d.monad = first ? insert_end<true> : insert_end<false>;
  } else {
    d.monad = first ? scan_first : scan_last;
  }
  return true;
}

}  // namespace griddle::primitives
