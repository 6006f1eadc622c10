// Tables as text: •csv
#include <fcntl.h>

#include <cstring>

#include "runtime/files.h"
#include "runtime/system/data/csv_reader.h"
#include "runtime/system/data/csv_writer.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"

namespace griddle::system_functions {

namespace {

Value read_columns(Context& cx, const Function& self, const Value& w, const TextSource& source) {
  const CsvOptions options = csv_parse_options(cx, self, w);
  return CsvReader(cx, options, source).read();
}

Value parse_csv_with(Context& cx, const Function& self, Value w, Value x) {
  return read_columns(cx, self, w, TextSource::of_string(cx, self, x));
}
Value parse_csv(Context& cx, const Function& self, Value x) { return parse_csv_with(cx, self, Value(), std::move(x)); }

// Reads a large file in pieces as long as it has rows of numbers alone; gives the absent value where it has more, or is not
// large.
Value read_file_of_numbers(Context& cx, const Function& self, const CsvOptions& options, const Value& path) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20, least_bytes = 4 * piece_bytes;
  if (cx.system->files != nullptr) return Value();
  const std::string name = path_argument(cx, self, path);
  const Descriptor file = open_descriptor(name, O_RDONLY);
  const std::size_t bytes = file ? file.expected_size() : 0;
  if (bytes < least_bytes) return Value();
  const HeapArray<char> buffer = make_heap_array<char>(cx.heap, piece_bytes + 1);
  const auto next = [&](std::string_view rest, bool& is_last) {
    std::memmove(buffer.get(), rest.data(), rest.size());
    const ssize_t got = file.read_some(buffer.get() + rest.size(), piece_bytes - rest.size());
    if (got < 0) fail_system(cx, self, "Cannot read the file", name);
    std::size_t filled = rest.size() + static_cast<std::size_t>(got);
    is_last = filled < piece_bytes;
    if (is_last && filled > 0 && buffer[filled - 1] != '\n') buffer[filled++] = '\n';
    return std::string_view(buffer.get(), filled);
  };
  bool is_last = false;
  std::string_view first = next({buffer.get(), std::size_t{0}}, is_last);
  if (is_last) return Value();
  if (first.starts_with(byte_order_mark)) first.remove_prefix(byte_order_mark.size());
  const TextSource source(cx, self, first);
  return CsvReader(cx, options, source).read_numbers(bytes, next);
}

Value parse_csv_file_with(Context& cx, const Function& self, Value w, Value x) {
  const CsvOptions options = csv_parse_options(cx, self, w);
  if (Value columns = read_file_of_numbers(cx, self, options, x); !columns.is_absent()) return columns;
  const TextSource source = TextSource::of_file(cx, self, x);
  return CsvReader(cx, options, source).read();
}
Value parse_csv_file(Context& cx, const Function& self, Value x) { return parse_csv_file_with(cx, self, Value(), std::move(x)); }

Value format_csv_with(Context& cx, const Function& self, Value w, Value x) {
  const CsvOptions options = csv_format_options(cx, self, w);
  return CsvWriter(cx, self, options).text_of(x);
}
Value format_csv(Context& cx, const Function& self, Value x) { return format_csv_with(cx, self, Value(), std::move(x)); }

constexpr SystemEntry csv_entries[] = {
    function_in_unit("•csv.Parse", parse_csv, parse_csv_with),
    function_in_unit("•csv.ParseFile", parse_csv_file, parse_csv_file_with).reaching(Reach::read_files),
    function_in_unit("•csv.Format", format_csv, format_csv_with),
};

}  // namespace

Value csv_namespace(Context& cx, Unit& unit) { return make_entry_namespace(cx, unit, csv_entries); }

}  // namespace griddle::system_functions
