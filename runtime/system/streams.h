// What the host gives a program to write to and read from. The library itself never prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace griddle {

// How the terminal of a host shows pictures, if it has one: as characters, or as pixels in one of two ways. What is asked is
// said by the host before the first picture.
enum class Pictures : std::uint8_t { none, text, kitty, sixel, asked, png };

class Streams {
 public:
  virtual ~Streams() = default;
  // Writes bytes to standard output; they may wait in a buffer.
  virtual void write(std::string_view bytes) = 0;
  // Writes bytes to standard error, after everything that waits for standard output.
  virtual void write_error(std::string_view bytes) = 0;
  // Sends out what waits in buffers.
  virtual void flush() = 0;
  // Reads up to the next LF and drops it. Tells whether there was anything to read.
  virtual bool read_line(std::string& line) = 0;
  // Gives the next byte of input, or -1 at its end. Where `wait` is false also -1 if none is there yet.
  virtual int read_byte(bool wait) = 0;
  // Makes a terminal hand over keys as they are pressed, or lines again.
  virtual void set_raw(bool raw) = 0;
  // Tells whether output goes to a terminal, and how large that is.
  virtual bool terminal_size(std::size_t& rows, std::size_t& columns) = 0;
  // Gives how many columns the terminal has that errors go to; 0 where they go to none.
  virtual std::size_t error_columns() = 0;
  // Says how the terminal shows pictures.
  virtual Pictures pictures() = 0;
};

// Files that the host makes up.
class FileProvider {
 public:
  virtual ~FileProvider() = default;
  // Gives the contents of a file. Tells whether there is one.
  virtual bool read(const std::string& path, std::string& contents) = 0;
};

}  // namespace griddle
