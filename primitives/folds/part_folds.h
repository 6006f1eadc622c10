// Folds of parts that need not be made: what is done to each window or group.
#pragma once

#include "primitives/common/pervasive.h"

namespace griddle::primitives {

struct PartFold {
  enum class Kind : std::uint8_t { none, fold, mean, length };
  Kind kind = Kind::none;
  ScalarOp by = ScalarOp::none;  // what folds; for means, what adds
  bool inserts = false;          // cells, so that the result is an array
};

// Reads a fold or an insert.
PartFold part_fold_by(const Value& f);
// Reads a function of one part: a fold, +´÷≠ or ≠, also where a block says it.
PartFold part_fold(Context&, const Value& f);

}  // namespace griddle::primitives
