#include "repl/commands/pager.h"

#include <stdlib.h>

#include <algorithm>

#include "repl/other_programs.h"
#include "runtime/text_width.h"

namespace griddle::repl {

namespace {

// Shows pages without any other program.
void show_pages(StandardConsole& console, std::string_view text) {
  constexpr std::string_view question = "(a key for more, q to end)", rubout = "\r\x1b[K";
  const std::size_t rows = std::max<std::size_t>(console.rows(), 3) - 1, columns = console.columns();
  console.set_raw(true);
  for (std::size_t used = 0; !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    // Long lines take several rows of the terminal.
    const std::size_t width = columns_of(line);
    const std::size_t taken = std::max<std::size_t>(1, (width + columns - 2) / columns);
    if (used > 0 && used + taken > rows) {
      console.write(question);
      const int key = console.read_byte(true);
      console.write(rubout);
      if (key < 0 || key == 'q' || key == 'Q') break;
      used = 0;
    }
    console.write(line);
    used += taken;
    text.remove_prefix(end);
  }
  console.set_raw(false);
}

}  // namespace

void page_text(StandardConsole& console, std::string_view text) {
  if (!console.input_is_terminal() || !console.output_is_terminal()) {
    console.write(text);
    return;
  }
  const char* pager = secure_getenv("PAGER");
  if (pager == nullptr || *pager == '\0' || run_on_terminal(console, pager, &text) < 0) show_pages(console, text);
}

}  // namespace griddle::repl
