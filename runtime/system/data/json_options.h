// The options of •json, which a namespace on the left gives.
#pragma once

#include "runtime/system/argument.h"

namespace griddle {

struct JsonOptions {
  // What becomes of an integer beyond 2⋆53: the nearest number, a string of its digits, or an error.
  enum class Large : std::uint8_t { round, text, error };
  static constexpr std::size_t most_indent = 16;

  // What stands for true, false and null. For a function that formats absent unless given: numbers are written as numbers, and
  // enclosed words as words.
  Value yes, no, null;
  Large large = Large::round;
  std::size_t indent = 0;  // blanks for each level where an array or object takes several lines; 0: all in one
};

// Reads the options of a function that parses, or of one that formats; 𝕨 may be absent.
JsonOptions json_parse_options(Context&, const Function& self, const Value& w);
JsonOptions json_format_options(Context&, const Function& self, const Value& w);

}  // namespace griddle
