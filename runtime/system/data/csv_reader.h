// From CSV to columns: lists of numbers, or of strings.
#pragma once

#include <functional>

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

  // Moves what is left of a piece of a text to the front of the next piece, and tells whether that is the last one, which ends
  // with the end of a line.
  using NextPiece = std::function<std::string_view(std::string_view rest, bool& is_last)>;
  // The same of a text of so many bytes that comes in pieces, the first of which is `source`: so a large file of numbers is never
  // in memory as a whole. Gives the absent value where more than rows of numbers comes up. Then the whole text is to be read, for
  // columns of text and for errors need what was before.
  Value read_numbers(std::size_t bytes, const NextPiece& next);

 private:
  struct Column {
    Column(Heap& heap, HugePages& pages, char type) : numbers(heap, pages), texts(heap), type(type), is_text(type == 's') {}
    NumberList numbers;
    HeapVector<Value> texts;
    char type;  // as in the options
    bool is_text;
    std::size_t first_text = 0;  // the row of the first of the texts; those before are still to be read
    unsigned new_texts = 0;      // texts in a row that the cache did not have
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
  void read_names();
  Value result();
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
  HugePages pages_;
  HeapVector<Column> columns_;
  HeapVector<Value> names_;
  HeapText unquoted_;
  TextCache strings_;
  std::size_t row_ = 0;       // how many rows are read
  bool is_first_row_ = true;  // which says how many columns there are
  HeapArray<double> block_;   // of rows that consist of numbers
  bool is_all_numbers_ = true;
  const char* piece_;       // where the text begins, or the piece of it that is there
  std::size_t passed_ = 0;  // bytes of the pieces before
  std::size_t all_bytes_;   // of the whole text
};

}  // namespace griddle
