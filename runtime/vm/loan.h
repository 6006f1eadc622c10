// Reuse of arrays that only one variable holds.
#pragma once

#include "runtime/value/array.h"

namespace griddle {

// Marks an array as lent while a pure function changes the variable that holds it.
class Loan {
 public:
  explicit Loan(const Value& variable) {
    if (variable.is_array() && variable.array().refs == 1) {
      array_ = &variable.array();
      array_->change_flags(0, Object::lent);
    }
  }
  ~Loan() {
    if (array_) array_->change_flags(Object::lent, 0);
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

 private:
  Array* array_ = nullptr;
};

}  // namespace griddle
