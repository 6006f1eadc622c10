// Renames what a name means in all sources that use it.
#pragma once

#include <map>

#include "repl/server/meanings.h"
#include "repl/server/spelling.h"

namespace griddle::repl {

class Renaming {
 public:
  Renaming(Interpreter& interpreter, Workspace& workspace, Meanings& meanings)
      : interpreter_(interpreter), workspace_(workspace), meanings_(meanings) {}

  // Gives the edits of each source, or says in `problem` why a program would mean something else afterwards.
  std::map<Document*, std::vector<TextEdit>> edits(const Meaning&, std::string_view new_name);
  std::string problem;

 private:
  bool fits_importers(const Meaning&);

  Interpreter& interpreter_;
  Workspace& workspace_;
  Meanings& meanings_;
};

}  // namespace griddle::repl
