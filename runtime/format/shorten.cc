#include "runtime/format/shorten.h"

#include "runtime/value/utf8.h"

namespace griddle {

namespace {

constexpr std::string_view ellipsis = "…";

// Appends as many characters of a line as there are columns; the last one is an ellipsis where more than blanks are left. Tells
// whether there is nothing more.
bool append_within(HeapText& out, std::string_view line, std::size_t columns) {
  std::size_t end = 0, kept_end = 0, count = 0;
  while (end < line.size() && count < columns) {
    kept_end = end;
    end++;
    while (end < line.size() && continues_utf8(line[end])) end++;
    count++;
  }
  if (line.find_first_not_of(' ', end) == line.npos) {
    out += line.substr(0, end);
    return true;
  }
  (out += line.substr(0, kept_end)) += ellipsis;
  return false;
}

}  // namespace

HeapText shortened(Context& cx, std::string_view text, const TextRoom& room, bool& is_whole) {
  HeapText out(cx.heap);
  is_whole = true;
  for (std::size_t row = 1;; row++) {
    const std::size_t end = text.find('\n');
    const bool last = end == text.npos;
    if (!last && row == room.rows) {
      is_whole = false;
      return out += ellipsis;
    }
    is_whole &= append_within(out, text.substr(0, end), room.columns);
    if (last) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace griddle
