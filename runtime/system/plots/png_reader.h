// From PNG files to arrays of samples.
#pragma once

#include <string_view>

#include "runtime/system/argument.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

// Reads every kind of picture that the standard has (ISO 15948): any depth, palettes, transparent colours, interlaced rows.
class PngReader {
 public:
  PngReader(Context& cx, const Function& self, std::string_view bytes) : cx_(cx), self_(self), bytes_(bytes), joined_(cx.heap) {}

  // Gives rows of columns of samples, or of lists of two to four samples: gray, or red, green and blue, and how opaque the place
  // is.
  Value read();

 private:
  struct Chunk {
    std::string_view name, content;
  };
  // A part of the picture with rows of its own: all of it, or every so many places where it is interlaced.
  struct Part {
    std::size_t first_x, first_y, step_x, step_y, width, height;
  };
  [[noreturn]] void fail(const char* message) const;
  Chunk next_chunk();
  void read_header(std::string_view content);
  void read_chunks();
  std::size_t row_bytes(const Part&) const;
  template <class Take>
  void each_part(Take take) const;
  void restore(unsigned char* rows, const Part&) const;
  template <class T>
  void expand(T* to, const unsigned char* rows, const Part&) const;
  template <class T>
  void take_samples(T* to, const unsigned char* row, std::size_t x) const;
  unsigned sample(const unsigned char* row, std::size_t i) const;

  Context& cx_;
  const Function& self_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t width_ = 0, height_ = 0;
  unsigned depth_ = 0, stored_ = 0, samples_ = 0;  // bits of a sample; samples of a place in the file, and in the array
  bool has_palette_ = false, is_interlaced_ = false;
  std::string_view palette_, transparent_, packed_;
  HeapText joined_;  // the packed rows, where they come in several chunks
};

}  // namespace griddle
