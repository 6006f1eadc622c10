// What a person may have meant whose program is none: the line "Hint: …" below an error. Looks at text alone, after the error, so
// that errors themselves cost nothing more.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/source/ast.h"

namespace griddle {

// A name that a program may use besides those that it defines.
struct KnownName {
  std::string_view spelling;  // with • where it is a system value
  Role role;
};

// Gives one line of text without a line break; empty where nothing is known that would help. `place` is where the error is
// marked.
std::string hint_for(std::string_view message, std::string_view source, Span place, std::span<const KnownName> names = {});

}  // namespace griddle
