// The contents of files: •FChars •FLines •FBytes, and the same in •file
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "primitives/kernels/text/text.h"
#include "runtime/mapped_file.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/files/name_text.h"
#include "runtime/system/functions.h"
#include "runtime/system/stored_value.h"
#include "runtime/system/system.h"
#include "runtime/value/array_builder.h"

namespace griddle::system_functions {

namespace {

// Lines that are collected before they are written.
constexpr std::size_t write_room = std::size_t{1} << 20;
// Characters that are encoded before they are written.
constexpr std::size_t write_length = std::size_t{1} << 18;

Descriptor open_to_read(Context& cx, const Function& self, const std::string& path) {
  Descriptor file = open_descriptor(path, O_RDONLY);
  if (!file) fail_system(cx, self, "Cannot read the file", path);
  return file;
}

Value contents(Context& cx, const Function& self, const Value& x) {
  std::string path = shown_path(cx, self, x);
  if (FileProvider* files = cx.system->files) {
    std::string bytes;
    if (!files->read(path, bytes)) fail_in(cx, self, "There is no such file (" + path + ")");
    Ref<Array> a = make_list(cx.heap, ElementType::c8, bytes.size());
    std::copy(bytes.begin(), bytes.end(), a->as<char>());
    return to_value(std::move(a));
  }
  return read_rest(cx, self, open_to_read(cx, self, path), path);
}

// Hands pieces of a new file to `write`, which gives false where one could not be written.
template <class Produce>
Value write_file(Context& cx, const Function& self, const std::string& path, Produce produce) {
  Descriptor file = open_descriptor(path, O_WRONLY | O_CREAT | O_TRUNC);
  auto write = [&](std::string_view bytes) {
    cx.check_interrupt();
    if (!file.write_all(bytes)) fail_system(cx, self, "Cannot write the file", path);
  };
  if (!file) fail_system(cx, self, "Cannot write the file", path);
  produce(write);
  if (!file.close()) fail_system(cx, self, "Cannot write the file", path);
  return name_string(cx.heap, path);
}

// A file in memory, as long as an array shows it.
struct Mapping final : NativeObject {
  Mapping(Context& cx, const Descriptor& file, std::size_t bytes) : file(cx, file, bytes) {}
  MappedFile file;
};

}  // namespace

Value read_bytes(Context& cx, const Function& self, Value x) { return contents(cx, self, x); }

Value read_characters(Context& cx, const Function& self, Value x) {
  return decoded_text(cx, self, contents(cx, self, x), "The file");
}

Value read_lines(Context& cx, const Function& self, Value x) {
  const Value bytes = contents(cx, self, x);
  const kernels::TextKernels& text = kernels::text();
  const std::uint8_t* at = bytes.array().data;
  const std::uint8_t* const end = at + bytes.array().length;
  const bool ascii = text.ascii_length(at, bytes.array().length) == bytes.array().length;
  if (!ascii) require_utf8(cx, self, {reinterpret_cast<const char*>(at), bytes.array().length}, "The file");
  std::vector<Value> lines;
  while (at != end) {
    const std::size_t length = text.line_length(at, static_cast<std::size_t>(end - at));
    const std::string_view line(reinterpret_cast<const char*>(at), length);
    if (ascii) {
      Ref<Array> a = make_list(cx.heap, ElementType::c8, length);
      if (length > 0) std::memcpy(a->data, at, length);
      lines.push_back(to_value(std::move(a)));
    } else {
      lines.push_back(checked_text(cx.heap, line));
    }
    at += length;
    if (at == end) break;
    at += at[0] == '\r' && at + 1 != end && at[1] == '\n' ? 2 : 1;
    if ((lines.size() & 0xFFF) == 0) cx.check_interrupt();
  }
  return make_values(cx.heap, lines);
}

Value read_value(Context& cx, const Function& self, Value x) {
  const Value bytes = contents(cx, self, x);
  return value_of_stored(cx, {bytes.array().as<char>(), bytes.array().length}, "•file.Value: ");
}

Value write_value(Context& cx, const Function& self, Value w, Value x) {
  std::string path = path_argument(cx, self, w, "𝕨");
  // A value that cannot be stored leaves the file as it is.
  const HeapText bytes = stored_value(cx, x, "•file.Value: ");
  return write_file(cx, self, path, [&](auto write) { write(bytes); });
}

Value write_characters(Context& cx, const Function& self, Value w, Value x) {
  std::string path = path_argument(cx, self, w, "𝕨");
  if (!is_string(x)) fail_in(cx, self, "𝕩 must be a string (got a " + kind_text(x) + ")");
  const Array& text = x.array();
  return write_file(cx, self, path, [&](auto write) {
    if (std::optional<std::string_view> ascii = ascii_text(text)) return write(*ascii);
    std::string piece;
    for (std::size_t at = 0; at < text.length; at += write_length) {
      piece.clear();
      append_text(piece, text, at, std::min(write_length, text.length - at));
      write(piece);
    }
  });
}

Value write_bytes(Context& cx, const Function& self, Value w, Value x) {
  std::string path = path_argument(cx, self, w, "𝕨");
  const BytesToWrite bytes = BytesToWrite::of_bytes(cx, self, x);
  return write_file(cx, self, path, [&](auto write) { write(bytes.view()); });
}

Value write_lines(Context& cx, const Function& self, Value w, Value x) {
  std::string path = path_argument(cx, self, w, "𝕨");
  auto refuse = [&](const Value& v, const char* where) {
    fail_in(cx, self, "𝕩 must be a list of strings (got a " + kind_text(v) + where + ")");
  };
  if (!x.is_array() || !x.array().is_list()) refuse(x, "");
  const Array& lines = x.array();
  if (lines.length > 0 && lines.type() != ElementType::boxed) refuse(element(lines, 0), " in it");
  std::span<const Value> boxes = lines.length > 0 ? lines.boxes() : std::span<const Value>();
  for (const Value& line : boxes)
    if (!is_string(line)) refuse(line, " in it");
  return write_file(cx, self, path, [&](auto write) {
    std::string piece;
    for (const Value& line : boxes) {
      append_text(piece, line.array());
      piece += '\n';
      if (piece.size() < write_room) continue;
      write(piece);
      piece.clear();
    }
    write(piece);
  });
}

Value map_bytes(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  Descriptor file = open_to_read(cx, self, path);
  struct stat status;
  if (fstat(file.number, &status) != 0) fail_system(cx, self, "Cannot look at the file", path);
  const auto bytes = static_cast<std::size_t>(status.st_size);
  if (!S_ISREG(status.st_mode)) fail_in(cx, self, "Only a regular file can be mapped (" + path + ")");
  if (bytes == 0) return to_value(make_list(cx.heap, ElementType::c8, 0));
  if (!mapped_files_are_guarded()) return read_rest(cx, self, file, path);
  Ref<Mapping> mapping = make_native<Mapping>(cx.heap, cx, file, bytes);
  std::uint8_t* const start = mapping->file.start;
  if (start == nullptr) fail_system(cx, self, "Cannot map the file", path);
  return foreign_list(cx.heap, Ref<Object>(mapping.leak()), ElementType::c8, start, bytes);
}

}  // namespace griddle::system_functions
