#include "repl/commands/pager.h"

#include <stdlib.h>

#include <algorithm>

#include "runtime/text_width.h"

namespace griddle::repl {

namespace {

// Shows pages without any other program.
class Pages {
 public:
  explicit Pages(StandardConsole& console)
      : console_(console), rows_(std::max<std::size_t>(console.rows(), 3) - 1), columns_(console.columns()) {}

  // Writes a piece, and waits for a key wherever a screen is full. Gives false where nobody wants more.
  bool take(std::string_view piece) {
    std::size_t written = 0;
    for (std::size_t i = 0, end; i < piece.size(); i = end) {
      for (end = i + 1; end < piece.size() && (piece[end] & 0xC0) == 0x80; end++) {
      }
      const bool ends_row = piece[i] == '\n';
      const std::size_t width = ends_row ? 0 : griddle::columns_of(piece.substr(i, end - i));
      // A long line goes on in the next row of the terminal.
      if (column_ + width > columns_) column_ = 0, used_++;
      if (used_ >= rows_) {
        console_.write(piece.substr(written, i - written));
        written = i;
        if (!wants_more()) return false;
        used_ = 0;
      }
      column_ += width;
      if (ends_row) column_ = 0, used_++;
    }
    console_.write(piece.substr(written));
    return true;
  }

 private:
  bool wants_more() {
    constexpr std::string_view question = "(a key for more, q to end)", rubout = "\r\x1b[K";
    console_.write(question);
    const int key = console_.read_byte(true);
    console_.write(rubout);
    return key >= 0 && key != 'q' && key != 'Q';
  }

  StandardConsole& console_;
  std::size_t rows_, columns_, used_ = 0, column_ = 0;
};

}  // namespace

void page_text(StandardConsole& console, const TextPieces& text) {
  if (!console.input_is_terminal() || !console.output_is_terminal()) {
    text([&](std::string_view piece) {
      console.write(piece);
      return !console.drops_output();
    });
    return;
  }
  const char* pager = secure_getenv("PAGER");
  if (pager != nullptr && *pager != '\0' && run_on_terminal(console, pager, &text) >= 0) return;
  Pages pages(console);
  console.set_raw(true);
  text([&](std::string_view piece) { return pages.take(piece); });
  console.set_raw(false);
}

}  // namespace griddle::repl
