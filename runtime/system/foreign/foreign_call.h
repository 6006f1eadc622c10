// ForeignCall: stands while foreign code runs, so that the functions which that code calls back (api/griddle_ffi.h) find their
// interpreter. A C function has no argument to carry it, so each thread knows its innermost call: the only state outside of an
// interpreter, and it is gone when the call is.
#pragma once

#include <exception>
#include <utility>

#include "runtime/bytecode/unit.h"
#include "runtime/value/context.h"

namespace griddle {

class ForeignCall {
 public:
  // `unit` is the source that the call is made from; it outlives the call.
  ForeignCall(Context& cx, Unit& unit) : cx(cx), unit(unit), outer_(std::exchange(innermost_, this)) {}
  ~ForeignCall() { innermost_ = outer_; }
  ForeignCall(const ForeignCall&) = delete;
  ForeignCall& operator=(const ForeignCall&) = delete;

  // Gives the innermost call of this thread; null where none runs.
  static ForeignCall* innermost() { return innermost_; }

  // Keeps the exception that is being handled until the foreign code has returned: none may pass through C. The first one
  // counts.
  void keep_failure() noexcept {
    if (!failure_) failure_ = std::current_exception();
  }
  bool has_failed() const { return failure_ != nullptr; }
  // Throws what was kept. Call it once the foreign code has returned.
  void rethrow() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  Context& cx;
  Unit& unit;

 private:
  inline static thread_local ForeignCall* innermost_ = nullptr;
  std::exception_ptr failure_;
  ForeignCall* outer_;
};

}  // namespace griddle
