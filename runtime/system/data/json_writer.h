// From values to JSON.
#pragma once

#include "runtime/system/data/json_options.h"
#include "runtime/value/heap_memory.h"

namespace griddle {

class JsonWriter {
 public:
  JsonWriter(Context& cx, const Function& self, const JsonOptions& options)
      : cx_(cx), self_(self), options_(options), text_(cx.heap) {}

  // Gives a value as text. Fails where JSON has nothing for it.
  Value text_of(const Value&);

 private:
  void write(const Value&, std::size_t level);
  void write_array(const Value&, std::size_t level);
  bool write_constant(const Value&);
  bool write_plain(const Array&);
  void write_cells(const Array&, std::size_t level);
  void write_object(const Array& names_over_values, std::size_t level);
  void write_fields(const Namespace&, std::size_t level);
  template <class Item>
  void write_items(char before, char after, std::size_t count, std::size_t level, Item item);
  void write_name(std::string_view utf8);
  void write_string(const Array&);
  void write_character(char32_t);
  void write_number(double);
  void begin_line(std::size_t level);

  Context& cx_;
  const Function& self_;
  const JsonOptions& options_;
  HeapText text_;
  std::size_t values_written_ = 0;
};

// Writes a finite number as JSON and CSV have it: `-`, and digits before an exponent or a point. Gives where it ends.
inline constexpr std::size_t most_number_bytes = 32;
char* write_decimal(char* to, double number);

}  // namespace griddle
