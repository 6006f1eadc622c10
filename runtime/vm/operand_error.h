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
// Does what only reads the operands of a primitive: an error of it names them. `w` is absent where there is one.
template <class Step>
auto on_operands(const Value& w, const Value& x, Step step) {
  try {
    return step();
  } catch (const OperandError&) {
    throw;
  } catch (const Error& error) {
    if (!error.catchable || !error.frames.empty()) throw;
    throw OperandError(error.message, w, x);
  }
}

}  // namespace griddle
