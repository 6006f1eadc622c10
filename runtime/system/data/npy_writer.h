// From arrays to NumPy's files of one array (.npy).
#pragma once

#include <optional>
#include <string>

#include "runtime/system/argument.h"
#include "runtime/system/data/npy_type.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

// The options of •npy.Format and •npy.Parse, which a namespace on the left gives.
struct NpyOptions {
  std::optional<NpyType> type;  // of elements; nothing: the one that is nearest to how they are stored
  bool compresses = false;      // the arrays of an archive
  bool fails_beyond = false;    // where an integer beyond 2⋆53 is read
};
NpyOptions npy_parse_options(Context&, const Function& self, const Value& w);
NpyOptions npy_format_options(Context&, const Function& self, const Value& w);

class NpyWriter {
 public:
  NpyWriter(Context& cx, const Function& self, const NpyOptions& options) : cx_(cx), self_(self), options_(options) {}

  // Gives the file as a list of bytes.
  Value file_of(const Value&);

 private:
  NpyType type_of(const Array&) const;
  std::size_t longest_text(const Array&) const;
  void write_elements(char* to, const Array&, const NpyType&) const;
  void write_numbers(char* to, const Array&, const NpyType&) const;
  template <class T>
  void write_numbers_as(char* to, const Array&, const char* name) const;
  void write_texts(char* to, const Array&, const NpyType&) const;

  Context& cx_;
  const Function& self_;
  const NpyOptions& options_;
};

}  // namespace griddle
