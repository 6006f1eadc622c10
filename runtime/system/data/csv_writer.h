// From columns to CSV.
#pragma once

#include "runtime/system/data/csv_options.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

class CsvWriter {
 public:
  CsvWriter(Context& cx, const Function& self, const CsvOptions& options)
      : cx_(cx), self_(self), options_(options), text_(cx.heap), field_(cx.heap) {}

  // Gives a list of columns, or a table of names over columns, as text.
  Value text_of(const Value&);

 private:
  void write_row(std::span<const Value> columns, std::size_t row);
  void write_field(const Value&, bool is_only);
  void write_quoted(bool is_only);
  [[noreturn]] void fail_shape(const Value&);

  static constexpr std::size_t check_after = std::size_t{1} << 10;
  Context& cx_;
  const Function& self_;
  const CsvOptions& options_;
  HeapText text_;
  HeapText field_;
};

}  // namespace griddle
