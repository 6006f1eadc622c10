#include "runtime/plot/terminal_image.h"

#include <doctest/doctest.h>

#include <string>

using namespace griddle;
using namespace griddle::plot;

TEST_CASE("kitty gets pieces of at most 4096 bytes, of which the last says so") {
  Heap heap;
  Pixels pixels(heap, 100, 100, white);
  std::uint32_t state = 1;
  for (Color& c : pixels.data) c.red = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  const std::string text(kitty_image(heap, pixels));
  std::size_t pieces = 0;
  for (std::size_t at = 0; at < text.size(); pieces++) {
    const std::size_t end = text.find("\x1b\\", at);
    REQUIRE(end != text.npos);
    const std::string piece = text.substr(at, end - at), data = piece.substr(piece.find(';') + 1);
    CHECK(piece.starts_with(at == 0 ? "\x1b_Ga=T,f=100,q=2,m=1;iVBOR" : "\x1b_Gm="));
    CHECK(data.size() <= 4096);
    at = end + 2;
    CHECK(piece.find(at == text.size() ? "m=0;" : "m=1;") != piece.npos);
  }
  CHECK(pieces > 1);
}

TEST_CASE("sixels are six rows at once, a colour after the other") {
  Heap heap;
  Pixels pixels(heap, 5, 7, white);
  pixels.data[0] = black;
  CHECK(std::string(sixel_image(heap, pixels)) == "\x1bPq\"1;1;5;7#0;2;0;0;0#215;2;100;100;100#0@!4?$#215}!4~$-#215!5@$-\x1b\\");
}
