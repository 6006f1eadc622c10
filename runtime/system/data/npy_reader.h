// From NumPy's files of one array (.npy) to arrays. What a header says is believed only as far as there are bytes.
#pragma once

#include <span>
#include <vector>

#include "runtime/system/data/byte_source.h"
#include "runtime/system/data/npy_type.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

// The text of a header: a dictionary of Python with three entries.
struct NpyHeader {
  NpyType type;
  bool is_by_columns = false;  // the first axis is the one whose elements are next to each other
  std::vector<std::size_t> shape;
};
// Reads it. Gives what is wrong with it; nothing where all is right.
std::string read_npy_header(std::string_view text, NpyHeader& header);

inline constexpr std::string_view npy_magic = "\x93NUMPY";

class NpyReader {
 public:
  // `fails_beyond` says that an integer beyond 2⋆53 is an error, rather than the number next to it.
  NpyReader(Context& cx, const Function& self, ByteSource& source, bool fails_beyond)
      : cx_(cx), self_(self), source_(source), fails_beyond_(fails_beyond) {}
  Value read();

 private:
  [[noreturn]] void fail(const std::string& message) const;
  NpyHeader read_header();
  Value read_elements(const NpyType&, std::span<const std::size_t> shape, std::size_t count);
  template <class Take>
  void read_pieces(const NpyType&, std::size_t count, Take take);
  template <class Stored, class To>
  Value read_as(const NpyType&, ElementType, std::span<const std::size_t> shape, std::size_t count);
  Value read_bits(const NpyType&, std::span<const std::size_t> shape, std::size_t count);
  Value read_integers(const NpyType&, std::span<const std::size_t> shape, std::size_t count);
  Value read_halves(const NpyType&, std::span<const std::size_t> shape, std::size_t count);
  Value read_texts(const NpyType&, std::span<const std::size_t> shape, std::size_t count);

  Context& cx_;
  const Function& self_;
  ByteSource& source_;
  bool fails_beyond_;
};

}  // namespace griddle
