// From CSV to columns: lists of numbers, or of strings.
#pragma once

#include "runtime/system/data/csv_options.h"
#include "runtime/system/data/number_list.h"
#include "runtime/system/data/text_cache.h"
#include "runtime/system/data/text_source.h"

namespace griddle {

// Numbers are stored as such while the rows are read. A column where a field is none is read as strings from there on; its rows
// before that are gone through once more, for all such columns together.
class CsvReader : private SourceReader {
 public:
  // `source` holds UTF-8.
  CsvReader(Context&, const CsvOptions&, const TextSource& source);

  // Gives a list of columns, or names over columns.
  Value read();

 private:
  struct Column {
    Column(Heap& heap, char type) : numbers(heap), texts(heap), type(type), is_text(type == 's') {}
    NumberList numbers;
    HeapVector<Value> texts;
    char type;  // as in the options
    bool is_text;
    std::size_t first_text = 0;  // the row of the first of the texts; those before are still to be read
  };
  // A field as it stands between separators or quotes.
  struct Field {
    std::string_view text;
    bool is_ascii;
  };
  template <class Take>
  void read_rows(std::size_t most, Take take);
  template <class Take>
  void read_row(Take take);
  void take_rows();
  bool take_number_rows();
  std::size_t read_number_rows(double* to, std::size_t most);
  const char* read_number_row(const char* at, double* to) const;
  std::size_t expected_rows() const;
  void add_number(Column&, double);
  void take_field(std::size_t place);
  void take_absent(Column&);
  void add_column();
  void become_text(Column&);
  void read_earlier_texts();
  void check_width(const char* row, std::size_t width);
  bool read_as_number(const Column&, std::string_view text, double& number) const;
  Field read_field();
  Field read_quoted();
  const char* find_end_of_field(const char* at, bool& is_ascii) const;
  const char* find_quote(const char* at, bool& is_ascii) const;
  bool ends_field(const char* at) const { return at == end_ || *at == options_.separator || *at == '\n' || *at == '\r'; }
  Value string_of(const Field&);
  Value finished(Column&);

  const CsvOptions& options_;
  HeapVector<Column> columns_;
  HeapVector<Value> names_;
  HeapText unquoted_;
  TextCache strings_;
  std::size_t row_ = 0;       // how many rows are read
  bool is_first_row_ = true;  // which says how many columns there are
  HeapArray<double> block_;   // of rows that consist of numbers
  bool is_all_numbers_ = true;
};

}  // namespace griddle
