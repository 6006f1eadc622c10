#include "runtime/system/data/csv_writer.h"

#include <algorithm>
#include <cmath>

#include "runtime/system/data/json_writer.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/value/utf8.h"

namespace griddle {

void CsvWriter::fail_shape(const Value& v) {
  fail_in(cx_, self_, "𝕩 must be a list of columns, or a table of names over columns (got a " + kind_text(v) + ")");
}

Value CsvWriter::text_of(const Value& v) {
  if (!v.is_array()) fail_shape(v);
  const Array& given = v.array();
  const bool has_header = given.rank() == 2 && given.shape()[0] == 2;
  if (!has_header && !given.is_list()) fail_shape(v);
  if (given.length == 0) return to_value(make_list(cx_.heap, ElementType::c8, 0));
  if (given.type() != ElementType::boxed) fail_shape(v);
  const std::span<const Value> columns = given.boxes().subspan(has_header ? given.length / 2 : 0);
  std::size_t rows = 0;
  for (const Value& column : columns) {
    if (!column.is_array() || !column.array().is_list())
      fail_in(cx_, self_, "A column must be a list (got a " + kind_text(column) + ")");
    if (&column != &columns[0] && column.array().length != rows)
      fail_in(
          cx_, self_,
          "Columns must have one length (got " + std::to_string(rows) + " and " + std::to_string(column.array().length) + ")");
    rows = column.array().length;
  }
  const auto end_row = [&] {
    if (options_.ends_with_cr) text_ += '\r';
    text_ += '\n';
  };
  if (has_header) {
    for (std::size_t i = 0; i < columns.size(); i++) {
      if (!is_string(given.boxes()[i]))
        fail_in(cx_, self_, "A name must be a string (got a " + kind_text(given.boxes()[i]) + ")");
      if (i > 0) text_ += options_.separator;
      write_field(given.boxes()[i], columns.size() == 1);
    }
    end_row();
  }
  for (std::size_t row = 0; row < rows; row++) {
    if (row % check_after == 0) cx_.check_interrupt();
    write_row(columns, row);
    end_row();
  }
  return checked_text(cx_.heap, text_);
}

void CsvWriter::write_row(std::span<const Value> columns, std::size_t row) {
  for (std::size_t i = 0; i < columns.size(); i++) {
    if (i > 0) text_ += options_.separator;
    write_field(element(columns[i].array(), row), columns.size() == 1);
  }
}

void CsvWriter::write_field(const Value& v, bool is_only) {
  if (v.is_number()) {
    const double number = v.number();
    if (!options_.missing.is_absent() && options_.missing.same(v)) {
      field_.clear();
      return write_quoted(is_only);
    }
    if (!std::isfinite(number)) fail_in(cx_, self_, "CSV has nothing for " + number_text(number));
    char digits[most_number_bytes];
    text_.append(digits, static_cast<std::size_t>(write_decimal(digits, number) - digits));
    return;
  }
  field_.clear();
  if (v.is_character())
    append_utf8(field_, v.character());
  else if (is_string(v))
    append_text(field_, v.array());
  else
    fail_in(cx_, self_, "A field must be a number, a character or a string (got a " + kind_text(v) + ")");
  write_quoted(is_only);
}

// Writes the text of a field, in quotes where it would be read as something else without.
void CsvWriter::write_quoted(bool is_only) {
  const auto is_mark = [&](char c) {
    return c == options_.separator || c == '\n' || c == '\r' || (options_.has_quote && c == options_.quote);
  };
  if (!std::any_of(field_.begin(), field_.end(), is_mark) && !(is_only && field_.empty())) {
    text_ += field_;
    return;
  }
  if (!options_.has_quote) fail_in(cx_, self_, "A field that holds a separator, or nothing alone in its row, needs quotes");
  text_ += options_.quote;
  for (const char c : field_) {
    if (c == options_.quote) text_ += c;
    text_ += c;
  }
  text_ += options_.quote;
}

}  // namespace griddle
