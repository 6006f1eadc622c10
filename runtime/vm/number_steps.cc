#include "runtime/vm/number_steps.h"

#include "runtime/vm/call.h"
#include "runtime/vm/scalar.h"
#include "runtime/vm/wiring.h"

namespace griddle {

namespace {

constexpr int deepest = 12;

bool has_dyad(ScalarOp op) {
  return op != ScalarOp::none && op != ScalarOp::power && op != ScalarOp::root && op != ScalarOp::span_not;
}
// Computes on what is no NaN.
inline double of_two_numbers(ScalarOp op, double w, double x) {
  switch (op) {
    case ScalarOp::minimum: return w < x ? w : x;
    case ScalarOp::maximum: return w > x ? w : x;
    case ScalarOp::less: return w < x;
    case ScalarOp::less_equal: return w <= x;
    case ScalarOp::equal: return w == x;
    case ScalarOp::greater_equal: return w >= x;
    case ScalarOp::greater: return w > x;
    case ScalarOp::not_equal: return w != x;
    default: return scalar_numbers(op, w, x);
  }
}

}  // namespace

NumberSteps::NumberSteps(const Function& f) {
  const int w = 0;
  result_ = add(Value::share(const_cast<Function*>(&f)), &w, 1, deepest);
  usable_ = result_ != failed;
}

int NumberSteps::constant(double number) {
  if (number_count_ == most_numbers || number != number) return failed;
  numbers_[number_count_] = number;
  return number_count_++;
}

int NumberSteps::add_primitive(ScalarOp op, int w, int x) {
  if (op == ScalarOp::right || (op == ScalarOp::left && w == none)) return x;
  if (op == ScalarOp::left) return w;
  const bool alone = w == none;
  if (!(alone ? has_scalar_monad(op) : has_dyad(op)) || step_count_ == most_steps) return failed;
  const int place = constant(0);
  if (place == failed) return failed;
  const auto operand = [&](int from) { return static_cast<std::uint8_t>(from == last_place_ ? place_of_last : from); };
  steps_[step_count_++] = {op, alone, operand(alone ? x : w), operand(x), static_cast<std::uint8_t>(place)};
  return last_place_ = place;
}

int NumberSteps::add(const Value& v, const int* w, int x, int depth) {
  if (v.is_number()) return constant(v.number());
  if (!v.is_function() || depth == 0) return failed;
  const Function& f = v.function();
  if (f.kind == ObjectKind::primitive_function)
    return add_primitive(static_cast<const PrimitiveFunction&>(f).scalar(), w == nullptr ? none : *w, x);
  const Wiring wiring = wiring_of(f, w != nullptr);
  if (!wiring) return failed;
  const auto apply = [&](const Value& g, const int* l, int r) { return add(g, l, r, depth - 1); };
  return follow(wiring, w, x, apply, [](int place) { return place != failed; });
}

double NumberSteps::added_factor() const {
  const Step &first = steps_[0], &last = steps_[1];
  if (step_count_ != 2 || result_ != last_place_ || first.alone || last.alone || last.op != ScalarOp::add) return NAN;
  // The left argument is at 0, the right one at 1, and constants follow.
  if (!(last.w == 0 && last.x == place_of_last) && !(last.x == 0 && last.w == place_of_last)) return NAN;
  if (first.op == ScalarOp::add) return first.w == 1 && first.x == 1 ? 2 : NAN;
  if (first.op != ScalarOp::multiply || (first.w != 1) == (first.x != 1)) return NAN;
  const int factor = first.w == 1 ? first.x : first.w;
  return factor != 0 ? numbers_[factor] : NAN;
}

double NumberSteps::operator()(double w, double x) {
  if (w != w || x != x) return NAN;
  numbers_[0] = w;
  numbers_[1] = x;
  // Most steps go on with the result before, which need not come from memory.
  double last = 0;
  for (int i = 0; i < step_count_; i++) {
    const Step s = steps_[i];
    const double right = s.x == place_of_last ? last : numbers_[s.x];
    const double result =
        s.alone ? scalar_number(s.op, right) : of_two_numbers(s.op, s.w == place_of_last ? last : numbers_[s.w], right);
    if (result != result) return result;
    numbers_[s.to] = last = result;
  }
  return result_ == last_place_ ? last : numbers_[result_];
}

}  // namespace griddle
