#include "repl/server/open_text.h"

#include <algorithm>

namespace griddle::repl {

namespace {

std::size_t count_of(const Json& number) { return static_cast<std::size_t>(std::clamp(number.number(), 0.0, 4294967295.0)); }

}  // namespace

void OpenText::change(const Json& change) {
  if (const Json& range = change["range"]; range.is_null()) {
    text_ = change["text"].text();
  } else {
    const std::size_t start = byte_of(range["start"]), end = std::max(start, byte_of(range["end"]));
    text_.replace(start, end - start, change["text"].text());
  }
  lines_ = Positions(text_);
  reading_.reset();
}

const SourceReading& OpenText::reading(Interpreter& interpreter) {
  if (!reading_) reading_ = std::make_unique<SourceReading>(read_source(interpreter, text_));
  return *reading_;
}

std::size_t OpenText::byte_of(const Json& position) const {
  return lines_.byte_of(text_, {count_of(position["line"]), count_of(position["character"])}, units_);
}

Json OpenText::position_of(std::size_t byte) const {
  const Position position = lines_.position_of(text_, byte, units_);
  return Json::object({{"line", position.line}, {"character", position.character}});
}

Json OpenText::range_of(const Piece& p) const {
  return Json::object({{"start", position_of(p.start)}, {"end", position_of(p.end)}});
}

}  // namespace griddle::repl
