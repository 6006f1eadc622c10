// What names mean across files: a field of an imported namespace is a name that another source exports.
#pragma once

#include "repl/server/workspace.h"

namespace griddle::repl {

// A definition in one of the sources.
struct Meaning {
  Document* document;
  std::size_t definition;
  bool operator==(const Meaning&) const = default;
};
struct Use {
  Document* document;
  std::size_t token;
};

class Meanings {
 public:
  Meanings(Interpreter& interpreter, Workspace& workspace) : interpreter_(interpreter), workspace_(workspace) {}

  // Gives the definition that a token means, wherever it stands; nothing where that is not known.
  std::optional<Meaning> of_token(Document&, std::size_t token);
  // Follows a name that takes a field of an imported file to where that is defined.
  Meaning origin(Meaning);
  // Gives the definitions of the fields that a definition's value has, as far as they can be seen.
  std::vector<Meaning> fields(const Meaning&);
  // Gives all tokens that mean a definition: in its own source, and where others see it in all of them.
  std::vector<Use> uses(const Meaning&);
  // Tells whether other files can see a definition, by importing its own.
  bool is_shared(const Meaning&);

  const SourceReading& reading(Document& document) { return document.text.reading(interpreter_); }
  // Gives the name of a definition, as all its spellings have it.
  std::string name_of(const Meaning&);

 private:
  std::optional<Meaning> field(const Meaning& object, std::string_view name);
  std::optional<Meaning> of_token(Document&, std::size_t token, int depth);
  Meaning origin(Meaning, int depth);

  Interpreter& interpreter_;
  Workspace& workspace_;
};

}  // namespace griddle::repl
