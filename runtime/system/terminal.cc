// What a person types and sees: •GetLine •term
#include "runtime/system/argument.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"

namespace griddle::system_functions {

namespace {

Value flush(Context& cx, const Function&, Value x) {
  cx.system->streams.flush();
  return x;
}

Value raw_mode(Context& cx, const Function& self, Value x) {
  cx.system->streams.set_raw(boolean_argument(cx, self, x));
  return x;
}

Value key(Context& cx, bool wait) {
  int byte = cx.system->streams.read_byte(wait);
  cx.check_interrupt();
  return byte < 0 ? Value(0) : Value::character(static_cast<char32_t>(byte));
}
Value blocking_key(Context& cx, const Function&, Value) { return key(cx, true); }
Value waiting_key(Context& cx, const Function&, Value) { return key(cx, false); }

Value write_output(Context& cx, const Function& self, Value x) {
  cx.system->streams.write(bytes_argument(cx, self, x));
  return x;
}
Value write_error(Context& cx, const Function& self, Value x) {
  cx.system->streams.write_error(bytes_argument(cx, self, x));
  return x;
}

// Gives rows and columns; 0 of both where output goes to no terminal.
Value terminal_size(Context& cx, const Function&, Value) {
  std::size_t size[] = {0, 0};
  if (!cx.system->streams.terminal_size(size[0], size[1])) size[0] = size[1] = 0;
  return make_numbers(cx.heap, std::span<const std::size_t>(size));
}

// Writes a line of text, as •Out does.
Value write_error_line(Context& cx, const Function& self, Value x) {
  const BytesToWrite text = BytesToWrite::of_text(cx, self, x);
  cx.check_mapped_files();
  cx.system->streams.write_error(text.view());
  cx.system->streams.write_error("\n");
  cx.check_interrupt();
  return x;
}

constexpr MethodEntry terminal_methods[] = {
    {"flush", "•term.Flush", flush, nullptr},          {"rawmode", "•term.RawMode", raw_mode, nullptr},
    {"charb", "•term.CharB", blocking_key, nullptr},   {"charn", "•term.CharN", waiting_key, nullptr},
    {"outraw", "•term.OutRaw", write_output, nullptr}, {"errraw", "•term.ErrRaw", write_error, nullptr},
    {"err", "•term.Err", write_error_line, nullptr},   {"size", "•term.Size", terminal_size, nullptr},
};

}  // namespace

Value get_line(Context& cx, const Function&, Value) {
  std::string line;
  const bool there = cx.system->streams.read_line(line);
  // An interrupt cuts the reading short.
  cx.check_interrupt();
  if (line.ends_with('\r')) line.pop_back();
  return there ? make_string(cx.heap, line) : Value::character(0);
}

Value terminal_namespace(Context& cx, Unit&) { return make_method_namespace(cx, terminal_methods); }

}  // namespace griddle::system_functions
