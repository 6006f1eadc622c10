#include "runtime/plot/terminal_image.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "runtime/plot/base64.h"
#include "runtime/plot/png.h"
#include "runtime/value/checkpoint.h"

namespace griddle::plot {

namespace {

constexpr std::size_t levels = 6, palette_size = levels * levels * levels;
constexpr std::size_t band_height = 6;

void append_integer(HeapText& out, std::size_t n) { out += std::to_string(n); }

std::uint8_t palette_index(const Color& c) {
  const auto level = [](std::uint8_t part) { return (part * (levels - 1) + 127) / 255; };
  return static_cast<std::uint8_t>((level(c.red) * levels + level(c.green)) * levels + level(c.blue));
}

// Appends a sixel so many times.
void append_run(HeapText& out, char sixel, std::size_t count) {
  constexpr std::size_t worth_a_count = 4;
  if (count >= worth_a_count) {
    out += '!';
    append_integer(out, count);
    out += sixel;
  } else {
    out.append(count, sixel);
  }
}

}  // namespace

HeapText kitty_image(Heap& heap, const Pixels& pixels) {
  constexpr std::size_t piece = 4096;
  HeapText text(heap), out(heap);
  append_base64(text, png_of(heap, pixels));
  for (std::size_t at = 0; at < text.size(); at += piece) {
    out += "\x1b_G";
    // q=2: the terminal answers nothing, which a program would read as input.
    if (at == 0) out += "a=T,f=100,q=2,";
    out += at + piece < text.size() ? "m=1;" : "m=0;";
    out.append(text, at, piece);
    out += "\x1b\\";
  }
  return out;
}

HeapText sixel_image(Heap& heap, const Pixels& pixels) {
  HeapText out(heap);
  out += "\x1bPq\"1;1;";
  append_integer(out, pixels.width);
  out += ';';
  append_integer(out, pixels.height);
  HeapVector<std::uint8_t> indices(pixels.data.size(), 0, heap);
  std::array<bool, palette_size> used{};
  for (std::size_t i = 0; i < indices.size(); i++) {
    if (i % pixels.width == 0) checkpoint();
    used[indices[i] = palette_index(pixels.data[i])] = true;
  }
  for (std::size_t c = 0; c < palette_size; c++) {
    if (!used[c]) continue;
    constexpr std::size_t percent = 100 / (levels - 1);
    out += '#';
    append_integer(out, c);
    out += ";2";
    for (const std::size_t part : {c / levels / levels, c / levels % levels, c % levels}) {
      out += ';';
      append_integer(out, part * percent);
    }
  }
  for (std::size_t top = 0; top < pixels.height; top += band_height) {
    checkpoint();
    const std::size_t height = std::min(band_height, pixels.height - top);
    std::array<bool, palette_size> here{};
    for (std::size_t i = top * pixels.width; i < (top + height) * pixels.width; i++) here[indices[i]] = true;
    for (std::size_t c = 0; c < palette_size; c++) {
      if (!here[c]) continue;
      out += '#';
      append_integer(out, c);
      char last = 0;
      std::size_t count = 0;
      for (std::size_t x = 0; x < pixels.width; x++) {
        unsigned bits = 0;
        for (std::size_t y = 0; y < height; y++) bits |= static_cast<unsigned>(indices[(top + y) * pixels.width + x] == c) << y;
        const char sixel = static_cast<char>('?' + bits);
        if (count > 0 && sixel != last) append_run(out, last, std::exchange(count, 0));
        last = sixel;
        count++;
      }
      append_run(out, last, count);
      out += '$';  // back to the left, for the next colour
    }
    out += '-';
  }
  return out += "\x1b\\";
}

}  // namespace griddle::plot
