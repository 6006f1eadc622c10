// A text that an editor has open: its contents, its lines, and what was read in it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "repl/server/json.h"
#include "repl/server/positions.h"
#include "repl/server/source_reading.h"

namespace griddle::repl {

class OpenText {
 public:
  OpenText(std::string contents, CodeUnits units) : text_(std::move(contents)), lines_(text_), units_(units) {}

  // Makes a change as the editor tells it: a piece with a new text, or the whole text.
  void change(const Json&);
  const std::string& text() const { return text_; }
  const Positions& lines() const { return lines_; }
  std::string_view piece(const Piece& p) const { return std::string_view(text_).substr(p.start, p.end - p.start); }
  // Reads the text, once until it changes.
  const SourceReading& reading(Interpreter&);

  // Translate places for the editor.
  std::size_t byte_of(const Json& position) const;
  Json position_of(std::size_t byte) const;
  Json range_of(const Piece&) const;

 private:
  std::string text_;
  Positions lines_;
  CodeUnits units_;
  std::unique_ptr<SourceReading> reading_;
};

}  // namespace griddle::repl
