#include "primitives/folds/results.h"

#include "primitives/common/number_lanes.h"
#include "primitives/kernels/elementwise/bitwise.h"
#include "primitives/kernels/folds/reduce.h"

namespace griddle::primitives {

void flip_bits(Array& a) { kernels::bitwise().logic_not(a.data, a.data, a.data, (a.length + 63) / 64); }

Value narrowed_integers(Context& cx, Value list) {
  const Array& a = list.array();
  if (a.length == 0 || a.type() == ElementType::bit) return list;
  const int lane = lane_above_bits(a.type());
  const double least = kernels::reduce().fold_minimum[lane](a.data, a.length);
  const double greatest = kernels::reduce().fold_maximum[lane](a.data, a.length);
  const ElementType type = wider(element_type_of(Value(least)), element_type_of(Value(greatest)));
  return type >= a.type() ? std::move(list) : converted(cx.heap, a, type);
}

}  // namespace griddle::primitives
