#include "runtime/plot/png.h"

#include <doctest/doctest.h>

#include <string>

using namespace griddle;

TEST_CASE("a file is a signature and three parts, each with its length and checksum") {
  Heap heap;
  const plot::Pixels pixels(heap, 2, 3, plot::white);
  const std::string file(plot::png_of(heap, pixels));
  CHECK(file.starts_with("\x89PNG\r\n\x1A\n"));
  const auto number = [&](std::size_t at) {
    std::uint32_t v = 0;
    for (std::size_t k = 0; k < 4; k++) v = v << 8 | static_cast<unsigned char>(file[at + k]);
    return v;
  };
  CHECK(number(8) == 13);
  CHECK(file.substr(12, 4) == "IHDR");
  CHECK(number(16) == 2);
  CHECK(number(20) == 3);
  const std::size_t data = number(33);
  CHECK(file.substr(37, 4) == "IDAT");
  // What the standard's checksum gives for the last part, which is the same in every file.
  CHECK(file.substr(33 + 12 + data) == std::string("\0\0\0\0IEND\xAE\x42\x60\x82", 12));
}

TEST_CASE("pictures of one colour are small, and noise is hardly larger than its pixels") {
  Heap heap;
  plot::Pixels pixels(heap, 400, 300, plot::ink);
  CHECK(plot::png_of(heap, pixels).size() < 4000);
  std::uint32_t state = 1;
  for (plot::Color& c : pixels.data) {
    state = state * 1664525 + 1013904223;
    c = {static_cast<std::uint8_t>(state >> 24), static_cast<std::uint8_t>(state >> 16), static_cast<std::uint8_t>(state >> 8)};
  }
  CHECK(plot::png_of(heap, pixels).size() < pixels.data.size() * 3 * 11 / 10);
}
