// Programs as the instructions that they are compiled to.
#pragma once

#include <string>
#include <string_view>

#include "tests/support/program.h"

namespace griddle::testing {

// Gives "! " and the message where a text is no program.
inline std::string listing(std::string_view source) {
  Machinery m;
  try {
    return disassemble(*m.code(source));
  } catch (const Error& e) {
    return "! " + to_utf8(e.message.array());
  }
}

// Tells whether the instructions of a program hold a text.
inline bool compiles_to(std::string_view source, std::string_view part) {
  return listing(source).find(part) != std::string::npos;
}

}  // namespace griddle::testing
