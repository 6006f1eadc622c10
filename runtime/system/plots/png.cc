// Pictures in files: •png
#include "runtime/plot/png.h"

#include <algorithm>

#include "runtime/system/files/file_contents.h"
#include "runtime/system/functions.h"
#include "runtime/system/plots/png_reader.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"

namespace griddle::system_functions {

namespace {

Value parse_png(Context& cx, const Function& self, Value x) {
  const BytesToWrite bytes = BytesToWrite::of_bytes(cx, self, x);
  return PngReader(cx, self, bytes.view()).read();
}

Value parse_png_file(Context& cx, const Function& self, Value x) {
  const Value bytes = read_bytes(cx, self, x);
  return PngReader(cx, self, {bytes.array().as<char>(), bytes.array().length}).read();
}

// Gives the bytes of a file, with eight bits a sample.
Value format_png(Context& cx, const Function& self, Value x) {
  constexpr std::size_t most = (std::size_t{1} << 31) - 1;
  const std::size_t rank = x.is_array() ? x.array().rank() : 0;
  if (rank != 2 && rank != 3)
    fail_in(cx, self, "𝕩 must be rows of columns of samples, or of lists of samples (got a " + kind_text(x) + ")");
  const Array& a = x.array();
  const std::size_t height = a.shape()[0], width = a.shape()[1], samples = rank == 3 ? a.shape()[2] : 1;
  if (samples == 0 || samples > 4) fail_in(cx, self, "A place has 1 to 4 samples (got " + std::to_string(samples) + ")");
  if (height == 0 || width == 0 || height > most || width > most)
    fail_in(cx, self, "A picture has at least one row and one column");
  if (a.type() == ElementType::boxed || is_character(a.type())) fail_in(cx, self, "Samples must be numbers from 0 to 255");
  const std::size_t row = width * samples;
  HeapText rows(cx.heap);
  rows.reserve(height * (row + 1));
  for (std::size_t y = 0; y < height; y++) {
    cx.check_interrupt();
    rows += '\0';
    for (std::size_t i = y * row; i < (y + 1) * row; i++) {
      const double sample = number_at(a, i);
      const auto byte = static_cast<unsigned char>(sample >= 0 && sample <= 255 ? sample : 0);
      if (byte != sample)
        fail_in(cx, self,
                "Samples must be integers from 0 to 255 (row " + std::to_string(y) + ", column " +
                    std::to_string(i % row / samples) + ")");
      rows += static_cast<char>(byte);
    }
  }
  const HeapText file = plot::png_of_rows(cx.heap, rows, width, height, samples);
  Ref<Array> bytes = make_list(cx.heap, ElementType::c8, file.size());
  std::ranges::copy(file, bytes->as<char>());
  return to_value(std::move(bytes));
}

constexpr SystemEntry png_entries[] = {
    function_in_unit("•png.Parse", parse_png),
    function_in_unit("•png.ParseFile", parse_png_file).reaching(Reach::read_files),
    function_in_unit("•png.Format", format_png),
};

}  // namespace

Value png_namespace(Context& cx, Unit& unit) { return make_entry_namespace(cx, unit, png_entries); }

}  // namespace griddle::system_functions
