// What a source text holds, for editors: its tokens, which definition each name means, and its errors. Runs nothing. Where the
// text has errors, what surrounds them is read all the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/source/parser.h"

namespace griddle {

enum class SourceKind : std::uint8_t {
  comment,
  number,
  text,  // a character or a string
  name,
  field,  // a name behind a point
  special,
  system,
  primitive,
  nothing,
  bracket,
  separator,
  arrow,
  strand,
  dot,
  unknown,  // what is no token
};

enum class NameUse : std::uint8_t { none, definition, change, use, exporting };

inline constexpr std::uint32_t no_definition = 0xFFFFFFFF;

struct SourceToken {
  Span span;
  SourceKind kind;
  Role role;  // of what has one
  NameUse use = NameUse::none;
  std::uint32_t definition = no_definition;  // which of the definitions a name means, where that is known
};

struct SourceDefinition {
  std::uint32_t token;  // where the name is defined first
  Span scope;           // the body that the name belongs to
  Span statement;       // the statement, or header, that defines it
  Span block = {0, 0};  // the block in braces that is its value, where it is one; else empty
  bool exported, changed;
};

struct TextProblem {
  std::string message;
  Span span;
  Span related = {0, 0};  // as in SyntaxError
};

struct SourceAnalysis {
  std::vector<SourceToken> tokens;  // in the order of the text
  std::vector<SourceDefinition> definitions;
  std::vector<TextProblem> problems;  // the first one is what running the program would say
};

// Of `options` counts what says how to read: the stack, glyphs and the watch.
SourceAnalysis analyse(const SourceText&, const ParseOptions& options);

}  // namespace griddle
