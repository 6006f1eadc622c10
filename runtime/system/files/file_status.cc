// What the system knows of a file, and how files are moved about: fields of •file
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "runtime/files.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/files/name_text.h"
#include "runtime/system/functions.h"
#include "runtime/system/seconds.h"

namespace griddle::system_functions {

namespace {

constexpr mode_t directory_mode = 0777;
constexpr mode_t permission_bits = 0777;

struct stat status_of(Context& cx, const Function& self, const Value& x, bool follow) {
  std::string path = path_argument(cx, self, x);
  struct stat status;
  if ((follow ? stat : lstat)(path.c_str(), &status) != 0) fail_system(cx, self, "Cannot look at the file", path);
  return status;
}

// Fails where there is such a file already: whole files are never replaced.
void require_free(Context& cx, const Function& self, const std::string& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) == 0) fail_in(cx, self, "There is such a file already (" + path + ")");
}

// Reads a list of `count` natural numbers up to `most`.
std::vector<std::size_t> numbers_argument(Context& cx, const Function& self, const Value& w, std::size_t count,
                                          std::size_t most) {
  const std::string expected = "𝕨 must be a list of " + std::to_string(count) + " numbers from 0 to " + std::to_string(most);
  if (!w.is_array() || !w.array().is_list() || w.array().length != count)
    fail_in(cx, self, expected + " (got a " + kind_text(w) + ")");
  std::vector<std::size_t> numbers(count);
  for (std::size_t i = 0; i < count; i++) {
    Value n = element(w.array(), i);
    if (!n.is_number() || n.number() < 0 || !n.to_integer(numbers[i]) || numbers[i] > most)
      fail_in(cx, self, expected + " (got " + (n.is_number() ? number_text(n.number()) : "a " + kind_text(n)) + " in it)");
  }
  return numbers;
}

}  // namespace

Value file_exists(Context& cx, const Function& self, Value x) {
  struct stat status;
  return lstat(path_argument(cx, self, x).c_str(), &status) == 0;
}

Value file_type(Context& cx, const Function& self, Value x) {
  switch (status_of(cx, self, x, false).st_mode & S_IFMT) {
    case S_IFDIR: return Value::character('d');
    case S_IFLNK: return Value::character('l');
    case S_IFIFO: return Value::character('p');
    case S_IFSOCK: return Value::character('s');
    case S_IFBLK: return Value::character('b');
    case S_IFCHR: return Value::character('c');
    default: return Value::character('f');
  }
}

Value file_size(Context& cx, const Function& self, Value x) { return static_cast<double>(status_of(cx, self, x, false).st_size); }
// Linux tells programs of a file's change where others tell of its birth.
Value file_created(Context& cx, const Function& self, Value x) { return seconds_of(status_of(cx, self, x, true).st_ctim); }
Value file_accessed(Context& cx, const Function& self, Value x) { return seconds_of(status_of(cx, self, x, true).st_atim); }
Value file_modified(Context& cx, const Function& self, Value x) { return seconds_of(status_of(cx, self, x, true).st_mtim); }

Value file_permissions(Context& cx, const Function& self, Value x) {
  const mode_t mode = status_of(cx, self, x, true).st_mode;
  Value list[] = {static_cast<int>(mode >> 6 & 7), static_cast<int>(mode >> 3 & 7), static_cast<int>(mode & 7)};
  return make_values(cx.heap, list);
}

Value set_file_permissions(Context& cx, const Function& self, Value w, Value x) {
  std::string path = path_argument(cx, self, x);
  std::vector<std::size_t> wanted = numbers_argument(cx, self, w, 3, 7);
  // Keeps what is no permission, such as the sticky bit.
  const mode_t others = status_of(cx, self, x, true).st_mode & 07777 & ~permission_bits;
  const mode_t mode = others | static_cast<mode_t>(wanted[0] << 6 | wanted[1] << 3 | wanted[2]);
  if (chmod(path.c_str(), mode) != 0) fail_system(cx, self, "Cannot change the permissions", path);
  return w;
}

Value file_owner(Context& cx, const Function& self, Value x) {
  struct stat status = status_of(cx, self, x, true);
  return make_pair(cx.heap, static_cast<double>(status.st_uid), static_cast<double>(status.st_gid));
}

Value set_file_owner(Context& cx, const Function& self, Value w, Value x) {
  std::string path = path_argument(cx, self, x);
  std::vector<std::size_t> wanted = numbers_argument(cx, self, w, 2, 0xFFFFFFFE);
  if (chown(path.c_str(), static_cast<uid_t>(wanted[0]), static_cast<gid_t>(wanted[1])) != 0)
    fail_system(cx, self, "Cannot change the owner", path);
  return w;
}

Value real_path_of(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  std::string real = real_path(path);
  if (real.empty()) fail_system(cx, self, "Cannot resolve the path", path);
  return name_string(cx.heap, real);
}

Value rename_file(Context& cx, const Function& self, Value w, Value x) {
  std::string to = path_argument(cx, self, w, "𝕨");
  std::string from = path_argument(cx, self, x);
  require_free(cx, self, to);
  if (std::rename(from.c_str(), to.c_str()) != 0) fail_system(cx, self, "Cannot rename the file", from);
  return name_string(cx.heap, to);
}

Value copy_file(Context& cx, const Function& self, Value w, Value x) {
  std::string to = path_argument(cx, self, w, "𝕨");
  std::string from = path_argument(cx, self, x);
  Descriptor source = open_descriptor(from, O_RDONLY);
  struct stat status;
  if (!source || fstat(source.number, &status) != 0) fail_system(cx, self, "Cannot read the file", from);
  if (S_ISDIR(status.st_mode)) fail_in(cx, self, "A directory cannot be copied (" + from + ")");
  require_free(cx, self, to);
  Descriptor target(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & permission_bits));
  if (!target) fail_system(cx, self, "Cannot write the file", to);
  std::vector<char> piece(std::size_t{1} << 20);
  for (;;) {
    cx.check_interrupt();
    const ssize_t count = source.read_some(piece.data(), piece.size());
    if (count == 0) break;
    if (count < 0) fail_system(cx, self, "Cannot read the file", from);
    if (!target.write_all({piece.data(), static_cast<std::size_t>(count)})) fail_system(cx, self, "Cannot write the file", to);
  }
  if (!target.close()) fail_system(cx, self, "Cannot write the file", to);
  return name_string(cx.heap, to);
}

Value create_directory(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  if (mkdir(path.c_str(), directory_mode) != 0) fail_system(cx, self, "Cannot create the directory", path);
  return name_string(cx.heap, path);
}

Value remove_file(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  if (unlink(path.c_str()) != 0) fail_system(cx, self, "Cannot remove the file", path);
  return 1;
}

Value remove_directory(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  struct stat status;
  if (lstat(path.c_str(), &status) != 0) fail_system(cx, self, "Cannot remove the directory", path);
  if (!S_ISDIR(status.st_mode)) fail_in(cx, self, "𝕩 must be a directory (" + path + ")");
  if (!remove_tree(path)) fail_system(cx, self, "Cannot remove the directory", path);
  return 1;
}

Value list_directory(Context& cx, const Function& self, Value x) {
  std::string path = path_argument(cx, self, x);
  std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path.c_str()), closedir);
  if (!directory) fail_system(cx, self, "Cannot read the directory", path);
  std::vector<std::string> names;
  errno = 0;
  while (dirent* entry = readdir(directory.get())) {
    std::string_view found = entry->d_name;
    if (found != "." && found != "..") names.emplace_back(found);
    errno = 0;
  }
  if (errno != 0) fail_system(cx, self, "Cannot read the directory", path);
  std::sort(names.begin(), names.end());
  std::vector<Value> strings;
  for (const std::string& n : names) strings.push_back(name_string(cx.heap, n));
  return make_values(cx.heap, strings);
}

}  // namespace griddle::system_functions
