// What a line of a session defines, for those who want to show it, keep it or go back to it.
#pragma once

#include <string>
#include <vector>

#include "runtime/source/ast.h"
#include "runtime/source/text.h"

namespace griddle {

struct Definitions {
  // A name that a statement of the program itself, not of a block in it, gives a value.
  struct Definition {
    std::string spelling;
    std::string text;  // of the whole statement
  };
  std::vector<Definition> names;
  // Whether the last statement gives names their values, so that its own value need not be shown.
  bool ends_in_assignment = false;
};

Definitions definitions_of(const SourceText&, const Body& root);

}  // namespace griddle
