// Errors of primitives that name their operands, so that a report can show them.
#pragma once

#include "runtime/vm/error.h"

namespace griddle {

// Keeps the operands alive until somebody has told them. `w` is absent where there is one.
class OperandError final : public Error {
 public:
  OperandError(Value message, Value w, Value x) : Error(std::move(message)), w(std::move(w)), x(std::move(x)) {}
  Value w, x;
};

// Throws one. Operands are as the primitive got them: whoever has begun to change them calls `fail`.
[[noreturn]] void fail_on(Value message, const Value& w, const Value& x);

}  // namespace griddle
