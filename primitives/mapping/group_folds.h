// Folds of groups that a device has made.
#pragma once

#include "runtime/value/context.h"

namespace griddle::primitives {

// Gives f¨ of groups that are on a device, where f folds them, or is a train of folds that works on atoms otherwise; absent where
// it is neither, or the device declines.
Value fold_groups_there(Context&, const Value& f, const Value& groups);

}  // namespace griddle::primitives
