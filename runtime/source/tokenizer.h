// Cuts a source into tokens, one top-level statement at a time, and matches brackets on the way.
#pragma once

#include <string>
#include <vector>

#include "runtime/source/glyphs.h"
#include "runtime/source/symbol.h"
#include "runtime/source/text.h"
#include "runtime/source/token.h"
#include "runtime/source/watch.h"

namespace griddle {

class Tokenizer {
 public:
  // `glyphs` may be null: the usual primitives.
  Tokenizer(const SourceText&, SymbolTable&, const GlyphSet* glyphs = nullptr, Watch watch = {});

  // Reads the next top-level statement into the vectors below, replacing what they held; false at the end of the source.
  // The separator that ends it is not part of it. Throws SyntaxError.
  bool next_statement();

  std::vector<Token> tokens;
  std::vector<double> numbers;
  std::vector<BlockTokens> blocks;
  std::vector<BodyTokens> bodies;

 private:
  void read_word();
  void read_number(const char* start, const char* end);
  void read_identifier(const char* start, const char* end);
  void read_system(const char* start);
  void read_character();
  void read_string();
  void read_other();
  // Reads a primitive. Tells whether it was one.
  bool read_glyph(char32_t, const char* end);
  void skip_comment();
  void open(TokenKind, const char* end);
  void close(TokenKind, const char* end);
  void separate(TokenKind, const char* end);
  void special(SpecialName, Role, SpecialRow, const char* end);
  void end_body(std::uint32_t next_first);
  const char* word_end(const char* start) const;
  void push(TokenKind, Role, const char* end, std::uint32_t payload);
  std::uint32_t offset(const char* p) const { return static_cast<std::uint32_t>(p - begin_); }
  [[noreturn]] void fail(std::string message, const char* start, const char* end) const;
  [[noreturn]] void fail_at_bracket(std::string message, std::uint32_t token) const;

  SymbolTable& symbols_;
  const GlyphSet* const glyphs_;
  const char* const begin_;
  const char* const end_;
  const char* position_;
  const Watch watch_;
  std::vector<std::uint32_t> brackets_;  // tokens of the open ones
  std::vector<std::uint32_t> braces_;    // indices into `blocks` of the open ones
  std::string normalised_;
};

}  // namespace griddle
