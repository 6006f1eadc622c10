// JSON: •json
#include <fcntl.h>

#include <algorithm>
#include <cstring>

#include "runtime/files.h"
#include "runtime/system/data/json_reader.h"
#include "runtime/system/data/json_writer.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"
#include "runtime/vm/call.h"

namespace griddle::system_functions {

namespace {

Value read_json(Context& cx, const Function& self, const Value& w, const TextSource& source) {
  const JsonOptions options = json_parse_options(cx, self, w);
  return JsonReader(cx, options, source).read_all();
}

Value parse_json_with(Context& cx, const Function& self, Value w, Value x) {
  return read_json(cx, self, w, TextSource::of_string(cx, self, x));
}
Value parse_json(Context& cx, const Function& self, Value x) { return parse_json_with(cx, self, Value(), std::move(x)); }

Value parse_json_file_with(Context& cx, const Function& self, Value w, Value x) {
  return read_json(cx, self, w, TextSource::of_file(cx, self, x));
}
Value parse_json_file(Context& cx, const Function& self, Value x) {
  return parse_json_file_with(cx, self, Value(), std::move(x));
}

Value parse_json_lines_with(Context& cx, const Function& self, Value w, Value x) {
  const JsonOptions options = json_parse_options(cx, self, w);
  const TextSource source = TextSource::of_string(cx, self, x);
  JsonReader reader(cx, options, source);
  HeapVector<Value> values(cx.heap);
  for (Value value; !(value = reader.read_line()).is_absent();) values.push_back(std::move(value));
  return make_values(cx.heap, values);
}
Value parse_json_lines(Context& cx, const Function& self, Value x) {
  return parse_json_lines_with(cx, self, Value(), std::move(x));
}

Value format_json_with(Context& cx, const Function& self, Value w, Value x) {
  const JsonOptions options = json_format_options(cx, self, w);
  return JsonWriter(cx, self, options).text_of(x);
}
Value format_json(Context& cx, const Function& self, Value x) { return format_json_with(cx, self, Value(), std::move(x)); }

// Calls a function with the value of each line of a file, of which only a piece is in memory at once. Gives how many there were.
class LinesOfFile {
 public:
  LinesOfFile(Context& cx, const Function& self, const JsonOptions& options, Value f)
      : cx_(cx), self_(self), options_(options), f_(std::move(f)) {}

  Value each_of(const Value& path) {
    if (cx_.system->files != nullptr) {
      const TextSource source = TextSource::of_file(cx_, self_, path);
      take(source);
      return count_;
    }
    const std::string name = path_argument(cx_, self_, path);
    const Descriptor file = open_descriptor(name, O_RDONLY);
    if (!file) fail_system(cx_, self_, "Cannot read the file", name);
    HeapVector<char> bytes(cx_.heap);
    std::size_t kept = 0, row = 1;
    for (bool is_last = false; !is_last;) {
      bytes.resize(std::max(bytes.size(), kept + piece));
      const ssize_t got = file.read_some(bytes.data() + kept, bytes.size() - kept);
      if (got < 0) fail_system(cx_, self_, "Cannot read the file", name);
      const std::size_t filled = kept + static_cast<std::size_t>(got);
      is_last = filled < bytes.size();
      std::string_view lines(bytes.data(), filled);
      // A line that is not all there waits for the next piece.
      if (!is_last) lines = lines.substr(0, lines.rfind('\n') + 1);
      if (lines.empty() && !is_last) {
        kept = filled;
        bytes.resize(bytes.size() * 2);
        continue;
      }
      const std::size_t used = lines.size();
      const auto breaks = static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
      if (row == 1 && lines.starts_with("\xEF\xBB\xBF")) lines.remove_prefix(3);
      const TextSource source(cx_, self_, lines, row);
      source.require_utf8();
      take(source);
      row += breaks;
      kept = filled - used;
      std::memmove(bytes.data(), bytes.data() + used, kept);
    }
    return count_;
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 20;
  void take(const TextSource& source) {
    JsonReader reader(cx_, options_, source);
    for (Value value; !(value = reader.read_line()).is_absent(); count_++) {
      cx_.check_interrupt();
      call(cx_, f_, std::move(value));
    }
  }

  Context& cx_;
  const Function& self_;
  const JsonOptions& options_;
  const Value f_;
  std::size_t count_ = 0;
};

Value each_line_with(Context& cx, const Function& self, Value w, Value x) {
  const JsonOptions options = json_parse_options(cx, self, w);
  if (list_argument(cx, self, x, "𝕩").length != 2) fail_in(cx, self, "𝕩 must be a function and the name of a file");
  return LinesOfFile(cx, self, options, element(x.array(), 0)).each_of(element(x.array(), 1));
}
Value each_line(Context& cx, const Function& self, Value x) { return each_line_with(cx, self, Value(), std::move(x)); }

constexpr SystemEntry json_entries[] = {
    function_in_unit("•json.Parse", parse_json, parse_json_with),
    function_in_unit("•json.ParseFile", parse_json_file, parse_json_file_with).reaching(Reach::read_files),
    function_in_unit("•json.ParseLines", parse_json_lines, parse_json_lines_with),
    function_in_unit("•json.EachLine", each_line, each_line_with).reaching(Reach::read_files),
    function_in_unit("•json.Format", format_json, format_json_with),
};

}  // namespace

Value json_namespace(Context& cx, Unit& unit) { return make_entry_namespace(cx, unit, json_entries); }

}  // namespace griddle::system_functions
