// The course of a program: •_while_ •CurrentError •Exit
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/vm/call.h"

namespace griddle::system_functions {

Value while_monad(Context& cx, const Function& self, Value x) {
  auto& derived = static_cast<const Derived&>(self);
  while (boolean_argument(cx, self, call(cx, derived.g, x), "The result of 𝔾")) {
    cx.check_interrupt();
    x = call(cx, derived.f, std::move(x));
  }
  return x;
}

Value while_dyad(Context& cx, const Function& self, Value w, Value x) {
  auto& derived = static_cast<const Derived&>(self);
  while (boolean_argument(cx, self, call(cx, derived.g, w, x), "The result of 𝔾")) {
    cx.check_interrupt();
    x = call(cx, derived.f, w, std::move(x));
  }
  return x;
}

Value current_error(Context& cx, const Function& self, Value) {
  if (cx.current_error.is_absent()) fail_in(cx, self, "There is no current error outside of ⎊");
  return cx.current_error;
}

Value exit_program(Context&, const Function&, Value x) {
  constexpr int default_code = 0;
  int code;
  throw ExitRequest{x.to_integer(code) ? code : default_code};
}

}  // namespace griddle::system_functions
