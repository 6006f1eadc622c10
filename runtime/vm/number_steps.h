// NumberSteps: a function made of the arithmetic of numbers alone, taken apart once into steps for callers that compute it often.
#pragma once

#include "runtime/primitive.h"

namespace griddle {

class NumberSteps {
 public:
  // Takes apart `w F x`. Not usable where F is made of anything else, or of very much.
  explicit NumberSteps(const Function& f);
  bool usable() const { return usable_; }
  // Gives the factor where `w F x` is `w + factor × x`, as where digits are read: +⟜(10⊸×), 10⊸×⊸+˜, ⊣+10×⊢ … Else NaN.
  double added_factor() const;

  // Gives NaN where the result is rare: then F itself has to be called.
  double operator()(double w, double x);

 private:
  struct Step {
    ScalarOp op;
    bool alone;  // has one argument, at `x`
    std::uint8_t w, x, to;
  };
  static constexpr int most_steps = 16, most_numbers = 32, none = -1, failed = -2;
  static constexpr std::uint8_t place_of_last = 0xFF;

  // Write the steps of `w F x`, of which w may be null or `none`; give the place of the result.
  int add(const Value& f, const int* w, int x, int depth);
  int add_primitive(ScalarOp, int w, int x);
  int constant(double);

  Step steps_[most_steps];
  // Left argument, right argument; constants and results of steps as they come.
  double numbers_[most_numbers];
  int step_count_ = 0;
  int number_count_ = 2;
  int last_place_ = none;
  int result_ = failed;
  bool usable_ = false;
};

}  // namespace griddle
