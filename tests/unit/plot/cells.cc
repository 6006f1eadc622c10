#include "runtime/plot/cells.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "runtime/value/utf8.h"

using namespace griddle;
using namespace griddle::plot;

namespace {

std::string rows(Cells& cells) {
  std::string text;
  const auto& characters = cells.finish();
  for (std::size_t i = 0; i < characters.size(); i++) {
    append_utf8(text, characters[i]);
    if ((i + 1) % cells.columns() == 0) text += '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("the first line is dots of Braille, another one signs") {
  Heap heap;
  Cells cells(heap, 4, 2);
  const Point rising[] = {{0.5, 7.5}, {7.5, 0.5}}, flat[] = {{0, 0}, {3, 0}};
  cells.curve(rising, 0);
  CHECK(rows(cells) == "  ⡠⠊\n⡠⠊  \n");
  cells.curve(flat, 1);
  CHECK(rows(cells) == "++⡠⠊\n⡠⠊  \n");
}

TEST_CASE("bars end in eighths, and those of a second series in half rows") {
  Heap heap;
  Cells cells(heap, 4, 2);
  cells.bar(0, 1, 2, 8, 0);
  cells.bar(2, 6.5, 4, 8, 0);
  cells.bar(4, 2, 6, 8, 1);
  CHECK(rows(cells) == "▆ ▒ \n█▃▒ \n");
}

TEST_CASE("text moves into the picture, and nothing is drawn outside") {
  Heap heap;
  Cells cells(heap, 6, 1);
  cells.text(0, 2, Anchor::middle, "abc");
  cells.text(12, 2, Anchor::end, "é𝕩\n");
  cells.text(100, 2, Anchor::start, "z");
  const Point far[] = {{-1e300, 0}, {1e300, 0}, {NAN, NAN}, {1, 1e9}};
  cells.dots(far, 0);
  CHECK(rows(cells) == "abcé𝕩\uFFFD\n");
}

TEST_CASE("pixels become shades") {
  Heap heap;
  Cells cells(heap, 5, 1);
  Pixels pixels(heap, 5, 1, black);
  for (std::size_t i = 0; i < 5; i++)
    pixels.data[i] = {static_cast<std::uint8_t>(i * 63), static_cast<std::uint8_t>(i * 63), static_cast<std::uint8_t>(i * 63)};
  cells.image(0, 0, 10, 4, pixels);
  CHECK(rows(cells) == " ░▒▓█\n");
}
