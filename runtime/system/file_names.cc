// Paths, directories and what the system knows of a file: •file
#include "runtime/system/file_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "runtime/system/evaluate.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"

namespace griddle {

Unit& unit_of(const Function& self) { return static_cast<Unit&>(*static_cast<const NativeFunction&>(self).state); }

std::string joined_path(const std::string& directory, const std::string& path) {
  if (path.starts_with('/')) return path;
  return directory.ends_with('/') ? directory + path : directory + "/" + path;
}

std::string path_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  std::string path = string_argument(cx, self, v, which);
  if (path.find('\0') != path.npos) fail_in(cx, self, std::string(which) + " must not contain @");
  if (path.starts_with('/')) return path;
  const Unit& unit = unit_of(self);
  if (unit.path.empty()) fail_in(cx, self, "A relative path means nothing in text without a path (" + path + ")");
  return joined_path(unit.path, path);
}

namespace system_functions {

namespace {

constexpr mode_t directory_mode = 0777;
constexpr double nanosecond = 1e-9;

[[noreturn]] void fail_system(Context& cx, const Function& self, const char* what, const std::string& path) {
  std::string reason = std::strerror(errno);
  fail_in(cx, self, std::string(what) + " (" + path + ": " + reason + ")");
}

struct stat status_of(Context& cx, const Function& self, const Value& x, bool follow) {
  std::string path = path_argument(cx, self, x);
  struct stat status;
  if ((follow ? stat : lstat)(path.c_str(), &status) != 0) fail_system(cx, self, "Cannot look at the file", path);
  return status;
}

Value seconds(const timespec& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * nanosecond; }

Value at(Context& cx, const Function& self, Value x) { return make_string(cx.heap, path_argument(cx, self, x)); }

Value at_directory(Context& cx, const Function& self, Value w, Value x) {
  std::string directory = string_argument(cx, self, w, "𝕨");
  std::string path = string_argument(cx, self, x);
  return make_string(cx.heap, directory.empty() ? path : joined_path(directory, path));
}

Value name(Context& cx, const Function& self, Value x) {
  std::string path = string_argument(cx, self, x);
  if (path.empty() || path.ends_with('/')) fail_in(cx, self, "𝕩 must name a file (got \"" + path + "\")");
  return make_string(cx.heap, std::string_view(path).substr(path.rfind('/') + 1));
}

Value parent(Context& cx, const Function& self, Value x) {
  std::string path = string_argument(cx, self, x);
  std::size_t end = path.find_last_not_of('/');
  std::size_t slash = end == path.npos ? path.npos : path.rfind('/', end);
  if (slash == path.npos) return make_string(cx.heap, path.starts_with('/') ? "/" : "./");
  return make_string(cx.heap, std::string_view(path).substr(0, slash + 1));
}

Value exists(Context& cx, const Function& self, Value x) {
  struct stat status;
  return stat(path_argument(cx, self, x).c_str(), &status) == 0;
}

Value type(Context& cx, const Function& self, Value x) {
  struct stat status = status_of(cx, self, x, false);
  switch (status.st_mode & S_IFMT) {
    case S_IFDIR: return Value::character('d');
    case S_IFLNK: return Value::character('l');
    case S_IFIFO: return Value::character('p');
    case S_IFSOCK: return Value::character('s');
    case S_IFBLK: return Value::character('b');
    case S_IFCHR: return Value::character('c');
    default: return Value::character('f');
  }
}

Value size(Context& cx, const Function& self, Value x) { return static_cast<double>(status_of(cx, self, x, true).st_size); }
// Linux tells programs of a file's change where others tell of its birth.
Value created(Context& cx, const Function& self, Value x) { return seconds(status_of(cx, self, x, true).st_ctim); }
Value accessed(Context& cx, const Function& self, Value x) { return seconds(status_of(cx, self, x, true).st_atim); }
Value modified(Context& cx, const Function& self, Value x) { return seconds(status_of(cx, self, x, true).st_mtim); }

Value resolved(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  std::string real = real_path(path);
  if (real.empty()) fail_system(cx, self, "Cannot resolve the path", path);
  return make_string(cx.heap, real);
}

Value rename_file(Context& cx, const Function& self, Value w, Value x) {
  std::string to = path_argument(cx, self, w, "𝕨");
  std::string from = path_argument(cx, self, x);
  struct stat status;
  if (lstat(to.c_str(), &status) == 0) fail_in(cx, self, "There is such a file already (" + to + ")");
  if (std::rename(from.c_str(), to.c_str()) != 0) fail_system(cx, self, "Cannot rename the file", from);
  return make_string(cx.heap, to);
}

Value create_directory(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  if (mkdir(path.c_str(), directory_mode) != 0) fail_system(cx, self, "Cannot create the directory", path);
  return make_string(cx.heap, path);
}

Value remove_file(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  if (unlink(path.c_str()) != 0) fail_system(cx, self, "Cannot remove the file", path);
  return 1;
}

Value list(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path.c_str()), closedir);
  if (!directory) fail_system(cx, self, "Cannot read the directory", path);
  std::vector<std::string> names;
  while (dirent* entry = readdir(directory.get())) {
    std::string_view found = entry->d_name;
    if (found != "." && found != "..") names.emplace_back(found);
  }
  std::sort(names.begin(), names.end());
  std::vector<Value> strings;
  for (const std::string& n : names) strings.push_back(make_string(cx.heap, n));
  return make_values(cx.heap, strings);
}

constexpr SystemEntry in_unit(const char* spelling, MonadCode monad, DyadCode dyad = nullptr) {
  return {spelling, SystemEntry::Kind::function, true, monad, dyad, nullptr};
}
constexpr SystemEntry file_entries[] = {
    in_unit("•file.At", at, at_directory),
    in_unit("•file.List", list),
    in_unit("•file.Bytes", read_bytes, write_bytes),
    in_unit("•file.Chars", read_characters, write_characters),
    in_unit("•file.Lines", read_lines, write_lines),
    in_unit("•file.Type", type),
    in_unit("•file.Created", created),
    in_unit("•file.Accessed", accessed),
    in_unit("•file.Modified", modified),
    in_unit("•file.Size", size),
    in_unit("•file.Exists", exists),
    in_unit("•file.Name", name),
    in_unit("•file.Parent", parent),
    in_unit("•file.MapBytes", read_bytes),
    in_unit("•file.CreateDir", create_directory),
    in_unit("•file.RealPath", resolved),
    in_unit("•file.Rename", nullptr, rename_file),
    in_unit("•file.Remove", remove_file),
};

}  // namespace

Value file_namespace(Context& cx, Unit& unit) {
  std::vector<std::pair<std::string, Value>> fields;
  fields.emplace_back("path",
                      unit.path.empty() ? to_value(make_list(cx.heap, ElementType::c8, 0)) : make_string(cx.heap, unit.path));
  for (const SystemEntry& entry : file_entries) {
    std::string_view name = entry.spelling;
    fields.emplace_back(name.substr(name.find('.') + 1), make_system_value(cx, unit, entry));
  }
  return make_namespace(cx.heap, std::move(fields));
}

}  // namespace system_functions

}  // namespace griddle
