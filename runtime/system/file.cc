// The contents of files: •FChars •FLines •FBytes, and the same in •file
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/system/argument.h"
#include "runtime/system/evaluate.h"
#include "runtime/system/file_names.h"
#include "runtime/system/functions.h"

namespace griddle::system_functions {

namespace {

constexpr mode_t file_mode = 0666;

std::string contents(Context& cx, const Function& self, const Value& x) {
  std::string path = path_argument(cx, self, x);
  std::string bytes;
  if (!read_file(path, bytes)) fail_in(cx, self, "Cannot read the file (" + path + ": " + std::strerror(errno) + ")");
  return bytes;
}

Value write(Context& cx, const Function& self, const Value& w, std::string_view bytes) {
  std::string path = path_argument(cx, self, w, "𝕨");
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, file_mode);
  bool written = file >= 0;
  while (written && !bytes.empty()) {
    ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(count));
    else
      written = errno == EINTR;
  }
  int problem = errno;
  if (file >= 0 && close(file) != 0 && written) {
    written = false;
    problem = errno;
  }
  if (!written) fail_in(cx, self, "Cannot write the file (" + path + ": " + std::strerror(problem) + ")");
  return make_string(cx.heap, path);
}

}  // namespace

Value read_characters(Context& cx, const Function& self, Value x) { return make_string(cx.heap, contents(cx, self, x)); }

Value read_bytes(Context& cx, const Function& self, Value x) {
  std::string bytes = contents(cx, self, x);
  Ref<Array> a = make_list(cx.heap, ElementType::c8, bytes.size());
  std::copy(bytes.begin(), bytes.end(), a->as<std::uint8_t>());
  return to_value(std::move(a));
}

Value read_lines(Context& cx, const Function& self, Value x) {
  std::string bytes = contents(cx, self, x);
  std::string_view rest = bytes;
  std::vector<Value> lines;
  bool has_cr = rest.find('\r') != rest.npos;
  while (!rest.empty()) {
    std::size_t end = rest.find('\n');
    if (has_cr) end = std::min(end, rest.substr(0, end).find('\r'));
    lines.push_back(make_string(cx.heap, rest.substr(0, end)));
    if (end == rest.npos) break;
    rest.remove_prefix(rest.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  }
  return make_values(cx.heap, lines);
}

Value write_characters(Context& cx, const Function& self, Value w, Value x) {
  return write(cx, self, w, string_argument(cx, self, x));
}
Value write_bytes(Context& cx, const Function& self, Value w, Value x) { return write(cx, self, w, bytes_argument(cx, self, x)); }

Value write_lines(Context& cx, const Function& self, Value w, Value x) {
  std::string text;
  for (const std::string& line : strings_argument(cx, self, x)) text += line + "\n";
  return write(cx, self, w, text);
}

}  // namespace griddle::system_functions
