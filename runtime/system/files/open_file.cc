// A file that is read and written piece by piece: •file.Open
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

#include "runtime/system/files/file_contents.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"

namespace griddle::system_functions {

namespace {

struct OpenFile final : NativeObject {
  Descriptor file;
  std::string path;
};

OpenFile& file_of(Context& cx, const Function& self) {
  auto& file = static_cast<OpenFile&>(*static_cast<const NativeFunction&>(self).state);
  if (!file.file) fail_in(cx, self, "The file is closed (" + file.path + ")");
  return file;
}

Value read_piece(Context& cx, const Function& self, Value x) {
  OpenFile& file = file_of(cx, self);
  if (x.is_number() && x.number() == std::numeric_limits<double>::infinity()) return read_rest(cx, self, file.file, file.path);
  Ref<Array> a = make_list(cx.heap, ElementType::c8, natural_argument(cx, self, x));
  std::size_t size = 0;
  while (size < a->length) {
    cx.check_interrupt();
    const ssize_t got = read(file.file.number, a->data + size, a->length - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_system(cx, self, "Cannot read the file", file.path);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  a->length = size;
  return to_value(std::move(a));
}

Value write_piece(Context& cx, const Function& self, Value x) {
  OpenFile& file = file_of(cx, self);
  const BytesToWrite bytes = BytesToWrite::of_bytes(cx, self, x);
  if (!file.file.write_all(bytes.view())) fail_system(cx, self, "Cannot write the file", file.path);
  return x;
}

Value place(Context& cx, const Function& self, Value) {
  OpenFile& file = file_of(cx, self);
  const off_t at = lseek(file.file.number, 0, SEEK_CUR);
  if (at < 0) fail_system(cx, self, "The file has no places", file.path);
  return static_cast<double>(at);
}

Value seek(Context& cx, const Function& self, Value x) {
  OpenFile& file = file_of(cx, self);
  const std::size_t at = natural_argument(cx, self, x);
  if (lseek(file.file.number, static_cast<off_t>(at), SEEK_SET) < 0) fail_system(cx, self, "Cannot go to this place", file.path);
  return x;
}

Value close_file(Context& cx, const Function& self, Value) {
  OpenFile& file = file_of(cx, self);
  if (!file.file.close()) fail_system(cx, self, "Cannot write the file", file.path);
  return 1;
}

constexpr MethodEntry open_file_methods[] = {
    {"Read", "(file).Read", read_piece, nullptr},   {"Write", "(file).Write", write_piece, nullptr},
    {"Place", "(file).Place", place, nullptr},      {"Seek", "(file).Seek", seek, nullptr},
    {"Close", "(file).Close", close_file, nullptr},
};

Value open_as(Context& cx, const Function& self, const Value& x, int flags) {
  Ref<OpenFile> file = make_native<OpenFile>(cx.heap);
  file->path = path_argument(cx, self, x);
  file->file = open_descriptor(file->path, flags);
  if (!file->file) fail_system(cx, self, "Cannot open the file", file->path);
  return make_method_namespace(cx, open_file_methods, Ref<NativeObject>(file.leak()));
}

}  // namespace

Value open_file(Context& cx, const Function& self, Value x) { return open_as(cx, self, x, O_RDONLY); }

Value open_file_as(Context& cx, const Function& self, Value w, Value x) {
  const std::string mode = string_argument(cx, self, w, "𝕨");
  if (mode == "read") return open_as(cx, self, x, O_RDONLY);
  if (mode == "write") return open_as(cx, self, x, O_WRONLY | O_CREAT | O_TRUNC);
  if (mode == "append") return open_as(cx, self, x, O_WRONLY | O_CREAT | O_APPEND);
  if (mode == "change") return open_as(cx, self, x, O_RDWR | O_CREAT);
  fail_in(cx, self, "𝕨 must be read, write, append or change (got \"" + mode + "\")");
}

}  // namespace griddle::system_functions
