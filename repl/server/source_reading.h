// What the library finds in a source text (griddle_analyse), as the requests of an editor ask for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/api/griddle.hpp"
#include "runtime/names.h"

namespace griddle::repl {

struct Piece {  // bytes [start, end) of the text
  std::size_t start = 0, end = 0;
  bool holds(const Piece& inner) const { return start <= inner.start && inner.end <= end; }
  bool operator==(const Piece&) const = default;
};

struct NameToken : Piece {
  griddle_token_kind kind;
  Role role;
  griddle_name_use use;
  std::size_t definition;  // which one a name means; their number where that is not known
};
struct NameDefinition {
  std::size_t token;
  Piece scope, statement, block;
  bool exported, changed;
};
struct TextError {
  std::string message, hint;
  Piece place, related;
};

struct SourceReading {
  std::vector<NameToken> tokens;
  std::vector<NameDefinition> definitions;
  std::vector<TextError> errors;

  // Gives the token that holds a byte, or ends there; nothing where there is none.
  std::optional<std::size_t> token_at(std::size_t byte) const;
  // Gives the definition that a token means: of a name, or of a field of a name whose value is a block of this text.
  std::optional<std::size_t> definition_of(std::string_view text, std::size_t token) const;
  // Gives what a name would mean by its letters alone, where a statement in error does not say so.
  std::optional<std::size_t> visible_definition(std::string_view text, std::size_t token) const;
  // Gives the definitions of the fields of a definition's block.
  std::vector<std::size_t> fields_of(std::size_t definition) const;
  // Gives the tokens that mean a definition, in order; itself among them.
  std::vector<std::size_t> uses_of(std::string_view text, std::size_t definition) const;
};

// Reads a text. Where that is not possible, for want of memory, this is its only error.
SourceReading read_source(Interpreter&, std::string_view text);

}  // namespace griddle::repl
