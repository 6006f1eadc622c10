// Functions of programs, called with texts that need no quotes doubled.
#pragma once

#include "tests/support/host.h"

namespace griddle::testing {

// Gives the display text of `function` of a text, or "! " and the message of the error.
inline std::string called(Host& run, std::string_view function, std::string_view text) {
  const Result f = run.bqn.eval(run.before + std::string(function));
  if (!f) return "! " + f.failure().message;
  const Result result = (*f)(run.bqn.text(text));
  return result ? result->format() : "! " + result.failure().message;
}

}  // namespace griddle::testing
