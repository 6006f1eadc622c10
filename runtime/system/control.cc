// The course of a program: •_while_ •CurrentError •Exit
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/vm/call.h"
#include "runtime/vm/scalar.h"

namespace griddle::system_functions {

namespace {

// Calls one function many times, often on numbers.
class Step {
 public:
  Step(Context& cx, const Value& f) : f_(f), caller_(cx, f) {}
  Value operator()(Value x) {
    if (const double v = on_numbers(f_, x); v == v) return v;
    return caller_(std::move(x));
  }
  Value operator()(const Value& w, Value x) {
    if (const double v = on_numbers(f_, w, x); v == v) return v;
    return caller_(w, std::move(x));
  }

 private:
  const Value& f_;
  Caller caller_;
};

bool goes_on(Context& cx, const Function& self, const Value& answer) {
  return boolean_argument(cx, self, answer, "The result of 𝔾");
}

}  // namespace

Value while_monad(Context& cx, const Function& self, Value x) {
  auto& derived = static_cast<const Derived&>(self);
  Step step(cx, derived.f), condition(cx, derived.g);
  while (goes_on(cx, self, condition(x))) {
    cx.step();
    x = step(std::move(x));
  }
  return x;
}

Value while_dyad(Context& cx, const Function& self, Value w, Value x) {
  auto& derived = static_cast<const Derived&>(self);
  Step step(cx, derived.f), condition(cx, derived.g);
  while (goes_on(cx, self, condition(w, x))) {
    cx.step();
    x = step(w, std::move(x));
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
