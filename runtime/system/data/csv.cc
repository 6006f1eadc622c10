// Tables as text: •csv
#include "runtime/system/data/csv_reader.h"
#include "runtime/system/data/csv_writer.h"
#include "runtime/system/functions.h"
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

Value parse_csv_file_with(Context& cx, const Function& self, Value w, Value x) {
  return read_columns(cx, self, w, TextSource::of_file(cx, self, x));
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
