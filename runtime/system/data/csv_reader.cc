#include "runtime/system/data/csv_reader.h"

#include <algorithm>

#include "primitives/kernels/text/text.h"
#include "runtime/system/data/decimal.h"
#include "runtime/system/data/find_byte.h"

namespace griddle {

namespace {

// Drops blanks at both ends.
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

CsvReader::CsvReader(Context& cx, const CsvOptions& options, const TextSource& source)
    : SourceReader(cx, source),
      options_(options),
      columns_(cx.heap),
      names_(cx.heap),
      unquoted_(cx.heap),
      strings_(cx.heap),
      piece_(at_),
      all_bytes_(source.bytes().size()) {
  for (std::size_t i = 0; i < options_.types.size(); i++) columns_.emplace_back(cx_.heap, pages_, options_.types[i]);
}

Value CsvReader::read() {
  read_names();
  const char* const first = at_;
  take_rows();
  at_ = first;
  read_earlier_texts();
  return result();
}

Value CsvReader::read_numbers(std::size_t bytes, const NextPiece& next) {
  all_bytes_ = bytes;
  // The first line is read as any: it has to be a whole row, with all of its quotes.
  const std::string_view line(at_, static_cast<std::size_t>(std::find(at_, end_, '\n') - at_));
  const bool is_whole = line.data() + line.size() != end_ && !line.empty() && line[0] != '\r';
  const bool has_open_quote = options_.has_quote && std::count(line.begin(), line.end(), options_.quote) % 2 != 0;
  const auto* const start = reinterpret_cast<const std::uint8_t*>(line.data());
  if (!is_whole || has_open_quote || kernels::text().utf8_length(start, line.size()) != line.size()) return Value();
  read_names();
  if (columns_.empty()) read_rows(1, [&](std::size_t place) { take_field(place); });
  for (bool is_last = false;;) {
    const char* const before = at_;
    take_number_rows();
    if (at_ == end_ && is_last) return result();
    if (!is_all_numbers_ || is_last || (at_ == before && passed_ > 0)) return Value();
    passed_ += static_cast<std::size_t>(at_ - piece_);
    const std::string_view piece = next({at_, static_cast<std::size_t>(end_ - at_)}, is_last);
    piece_ = at_ = piece.data();
    end_ = at_ + piece.size();
  }
}

// Reads the first row where it has names.
void CsvReader::read_names() {
  if (!options_.has_header) return;
  read_rows(1, [&](std::size_t) { names_.push_back(string_of(read_field())); });
  row_ = 0;
  while (columns_.size() < names_.size()) add_column();
  is_first_row_ = names_.empty();
}

Value CsvReader::result() {
  HeapVector<Value> parts(cx_.heap);
  for (std::size_t i = 0; options_.has_header && i < columns_.size(); i++)
    if (columns_[i].type != '-')
      parts.push_back(i < names_.size() ? names_[i] : to_value(make_list(cx_.heap, ElementType::c8, 0)));
  for (Column& column : columns_)
    if (column.type != '-') parts.push_back(finished(column));
  if (!options_.has_header) return make_values(cx_.heap, parts);
  const std::size_t shape[] = {2, parts.size() / 2};
  Ref<Array> table = make_array(cx_.heap, ElementType::boxed, shape);
  std::move(parts.begin(), parts.end(), table->as<Value>());
  return to_value(std::move(table));
}

// Reads rows, each field of which `take` takes. Lines without anything are no rows.
template <class Take>
void CsvReader::read_rows(std::size_t most, Take take) {
  while (at_ != end_ && row_ < most) {
    if (*at_ == '\n' || *at_ == '\r') {
      at_++;
      continue;
    }
    read_row(take);
  }
}

template <class Take>
void CsvReader::read_row(Take take) {
  const char* const start = at_;
  std::size_t width = 0;
  for (;;) {
    take(width++);
    if (at_ == end_ || *at_ != options_.separator) break;
    at_++;
  }
  if (at_ != end_) at_ += *at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n' ? 2 : 1;
  row_++;
  check_width(start, width);
  is_first_row_ = false;
}

void CsvReader::take_rows() {
  while (at_ != end_)
    if (!take_number_rows()) read_rows(row_ + 1, [&](std::size_t place) { take_field(place); });
}

// So many numbers of rows wait before they go to their columns: they should stay in the nearest cache.
constexpr std::size_t block_numbers = 2048;

// Takes the rows that come next as long as each has a number for each column, and nothing else. Tells whether there were any.
bool CsvReader::take_number_rows() {
  const std::size_t width = columns_.size();
  if (!is_all_numbers_ || width == 0 || width > block_numbers) return false;
  for (const Column& column : columns_) is_all_numbers_ = is_all_numbers_ && !column.is_text && column.type != '-';
  if (!is_all_numbers_) return false;
  if (!block_) block_ = make_heap_array<double>(cx_.heap, block_numbers);
  const std::size_t first = row_, most = block_numbers / width;
  for (std::size_t read = most; read == most;) {
    cx_.check_interrupt();
    read = read_number_rows(block_.get(), most);
    row_ += read;
    const std::size_t expected = expected_rows();
    for (std::size_t i = 0; i < width; i++) columns_[i].numbers.add_every(block_.get() + i, width, read, expected);
  }
  if (row_ != first) is_first_row_ = false;
  return row_ != first;
}

// Reads such rows to memory, one behind the other, and gives how many.
std::size_t CsvReader::read_number_rows(double* to, std::size_t most) {
  std::size_t read = 0;
  for (; read < most; read++, to += columns_.size()) {
    const char* const after = read_number_row(at_, to);
    if (after == nullptr) break;
    at_ = after;
  }
  return read;
}

// Gives where such a row ends, behind the end of the line, or null where it is none.
inline const char* CsvReader::read_number_row(const char* at, double* to) const {
  for (const double* const last = to + columns_.size() - 1;; to++) {
    Decimal decimal;
    const char* const after = read_decimal<DecimalForm::loose>(at, end_, decimal);
    if (after == nullptr || after == end_) return nullptr;
    *to = decimal.number;
    at = after + 1;
    if (to == last) {
      if (*after == '\n') return at;
      return *after == '\r' && at != end_ && *at == '\n' ? at + 1 : nullptr;
    }
    if (*after != options_.separator) return nullptr;
  }
}

// Rows to come are likely to be as long as those that were read.
std::size_t CsvReader::expected_rows() const {
  const auto read = static_cast<double>(passed_) + static_cast<double>(at_ - piece_), all = static_cast<double>(all_bytes_);
  constexpr double more = 1.05;
  return static_cast<std::size_t>(static_cast<double>(row_) * all / std::max(read, 1.0) * more);
}

inline void CsvReader::add_number(Column& column, double number) {
  if (column.numbers.is_full()) [[unlikely]]
    column.numbers.make_room(expected_rows());
  column.numbers.add(number);
}

// Looks that a row which has begun at `row` has as many fields as there are columns.
void CsvReader::check_width(const char* row, std::size_t width) {
  // After a header they are still to be made.
  if (width == columns_.size() || columns_.empty()) return;
  const auto fields = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " field" : " fields"); };
  if (!options_.types.empty() && is_first_row_)
    source_.fail_at(row, "This row has " + fields(width) + ", but the option types has " + std::to_string(columns_.size()));
  if (!options_.is_ragged)
    source_.fail_at(row, "This row has " + fields(width) + ", but the first one has " + std::to_string(columns_.size()));
  for (std::size_t i = width; i < columns_.size(); i++) take_absent(columns_[i]);
}

void CsvReader::add_column() {
  columns_.emplace_back(cx_.heap, pages_, 'a');
  // Earlier rows have nothing there.
  Column& column = columns_.back();
  if (row_ == 0) return;
  if (!options_.missing.is_absent()) {
    column.numbers.fill(row_, options_.missing.number());
  } else {
    column.is_text = true;
    column.texts.resize(row_, to_value(make_list(cx_.heap, ElementType::c8, 0)));
  }
}

void CsvReader::take_field(std::size_t place) {
  count_part();
  if (place >= columns_.size()) {
    if (options_.types.empty() && (is_first_row_ || options_.is_ragged)) {
      add_column();
    } else {
      read_field();  // of which there are too many
      return;
    }
  }
  Column& column = columns_[place];
  if (!column.is_text && column.type != '-') {
    Decimal decimal;
    const char* const after = read_decimal<DecimalForm::loose>(at_, end_, decimal);
    if (after != nullptr && ends_field(after)) {
      at_ = after;
      add_number(column, decimal.number);
      return;
    }
  }
  const char* const start = at_;
  const Field field = read_field();
  if (column.type == '-') return;
  if (!column.is_text) {
    double number;
    if (read_as_number(column, trimmed(field.text), number)) {
      add_number(column, number);
      return;
    }
    if (column.type == 'n') source_.fail_at(start, "This field must be a number (got \"" + std::string(field.text) + "\")");
    become_text(column);
  }
  column.texts.push_back(strings_.string(field.text, field.is_ascii, column.new_texts));
}

// Takes a field that its row does not have.
void CsvReader::take_absent(Column& column) {
  if (column.type == '-') return;
  if (!column.is_text && !options_.missing.is_absent()) {
    add_number(column, options_.missing.number());
    return;
  }
  if (column.type == 'n') source_.fail_at(at_, "A number is missing in the row before");
  if (!column.is_text) become_text(column);
  column.texts.push_back(to_value(make_list(cx_.heap, ElementType::c8, 0)));
}

void CsvReader::become_text(Column& column) {
  column.is_text = true;
  column.first_text = column.numbers.size();
  column.numbers.drop();
}

// Reads, as texts, what was taken for numbers.
void CsvReader::read_earlier_texts() {
  std::size_t most = 0;
  for (const Column& column : columns_) most = std::max(most, column.first_text);
  if (most == 0) return;
  HeapVector<HeapVector<Value>> earlier(columns_.size(), HeapVector<Value>(cx_.heap), cx_.heap);
  for (row_ = 0; row_ < most;) {
    if (*at_ == '\n' || *at_ == '\r') {
      at_++;
      continue;
    }
    std::size_t width = 0;
    for (;;) {
      count_part();
      const Field field = read_field();
      if (row_ < columns_[width].first_text)
        earlier[width].push_back(strings_.string(field.text, field.is_ascii, columns_[width].new_texts));
      width++;
      if (at_ == end_ || *at_ != options_.separator) break;
      at_++;
    }
    for (; width < columns_.size(); width++)
      if (row_ < columns_[width].first_text) earlier[width].push_back(string_of({{}, true}));
    if (at_ != end_) at_ += *at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n' ? 2 : 1;
    row_++;
  }
  for (std::size_t i = 0; i < columns_.size(); i++) {
    if (columns_[i].first_text == 0) continue;
    std::move(columns_[i].texts.begin(), columns_[i].texts.end(), std::back_inserter(earlier[i]));
    columns_[i].texts = std::move(earlier[i]);
  }
}

bool CsvReader::read_as_number(const Column& column, std::string_view text, double& number) const {
  if (text.empty()) {
    if (options_.missing.is_absent()) return false;
    number = options_.missing.number();
    return true;
  }
  // Zeros before a number are dropped where somebody says that it is one.
  if (column.type == 'n')
    while (text.size() > 1 && text[0] == '0' && is_digit(text[1])) text.remove_prefix(1);
  Decimal decimal;
  const char* const end = text.data() + text.size();
  if (read_decimal<DecimalForm::loose>(text.data(), end, decimal) != end) return false;
  number = decimal.number;
  return true;
}

const char* CsvReader::find_end_of_field(const char* at, bool& is_ascii) const {
  return find_byte(at, end_, is_ascii, ByteAmong<3>{{options_.separator, '\n', '\r'}});
}

const char* CsvReader::find_quote(const char* at, bool& is_ascii) const {
  return find_byte(at, end_, is_ascii, ByteAmong<1>{{options_.quote}});
}

CsvReader::Field CsvReader::read_field() {
  if (at_ != end_ && options_.has_quote && *at_ == options_.quote) return read_quoted();
  const char* const start = at_;
  Field field;
  at_ = find_end_of_field(start, field.is_ascii);
  field.text = {start, static_cast<std::size_t>(at_ - start)};
  return field;
}

// Reads a field in quotes; two of them stand for one in it.
CsvReader::Field CsvReader::read_quoted() {
  const char* const quote = at_++;
  const char* start = at_;
  std::string_view text;
  bool all_ascii = true;
  unquoted_.clear();
  for (;;) {
    bool is_ascii;
    const char* const next = find_quote(start, is_ascii);
    all_ascii = all_ascii && is_ascii;
    if (next == end_) source_.fail_at(quote, "This quote is not closed");
    const bool is_last = next + 1 == end_ || next[1] != options_.quote;
    if (is_last && unquoted_.empty()) {
      text = {start, static_cast<std::size_t>(next - start)};
      at_ = next + 1;
      break;
    }
    unquoted_.append(start, is_last ? next : next + 1);
    if (is_last) {
      text = unquoted_;
      at_ = next + 1;
      break;
    }
    start = next + 2;
  }
  if (!ends_field(at_))
    source_.fail_at(at_, "Expected the end of the field after its quote, but got " + shown_character(at_, end_));
  return {text, all_ascii};
}

Value CsvReader::string_of(const Field& field) { return strings_.string(field.text, field.is_ascii); }

Value CsvReader::finished(Column& column) {
  if (column.is_text || column.numbers.size() == 0) return make_values(cx_.heap, column.texts);
  Value list = column.numbers.finish();
  column.numbers.drop();
  return list;
}

}  // namespace griddle
