// Paths, and the table of •file
#include "runtime/system/files/file_names.h"

#include <limits.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "runtime/system/files/name_text.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"

namespace griddle {

Unit& unit_of(const Function& self) { return static_cast<Unit&>(*static_cast<const NativeFunction&>(self).state); }

std::string real_path(const std::string& path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) ? buffer : std::string();
}

std::string current_directory() {
  char buffer[PATH_MAX];
  return getcwd(buffer, sizeof buffer) ? buffer : std::string();
}

std::string starting_directory(Context& cx) { return cx.system->root.empty() ? current_directory() : cx.system->root; }

std::string directory_of(Context& cx, const Unit& unit) {
  if (unit.path->starts_with('/')) return *unit.path;
  std::string real = real_path(*unit.path);
  const std::string name = unit.path->empty() ? "the working directory" : *unit.path;
  if (real.empty()) fail(cx, "•path: Cannot find the directory (" + name + ": " + std::strerror(errno) + ")");
  return real;
}

std::string joined_path(const std::string& directory, const std::string& path) {
  if (path.starts_with('/') || directory.empty()) return path;
  if (path.empty() || directory.ends_with('/')) return directory + path;
  return directory + "/" + path;
}

namespace {

// Tells whether a real path is a folder or lies in it.
bool lies_within(std::string_view folder, std::string_view real) {
  return real.starts_with(folder) && (real.size() == folder.size() || folder.ends_with('/') || real[folder.size()] == '/');
}

// Fails for what does not lie in the one folder that programs may reach, wherever links lead. Of a file that does not exist yet,
// its folder counts.
void require_within(Context& cx, const Function& self, const std::string& root, const std::string& path) {
  std::string real = real_path(path);
  if (real.empty()) {
    const std::size_t slash = path.find_last_of('/', path.find_last_not_of('/'));
    const std::string_view last = std::string_view(path).substr(slash + 1);
    // A link that leads nowhere yet would lead somewhere once it is written through.
    char target[1];
    const bool is_link = readlink(path.c_str(), target, sizeof target) >= 0;
    if (!is_link && last != "..") real = real_path(path.substr(0, slash + 1));
  }
  if (real.empty() || !lies_within(root, real))
    fail_in(cx, self, "The file lies outside of what programs may reach (" + path + ")");
}

}  // namespace

std::string shown_path(Context& cx, const Function& self, const Value& v, const char* which) {
  std::string path = name_bytes(string_argument(cx, self, v, which));
  if (path.find('\0') != path.npos) fail_in(cx, self, std::string(which) + " must not contain @");
  const std::string& root = cx.system->root;
  if (!path.starts_with('/')) {
    const Unit& unit = unit_of(self);
    if (!unit.path) fail_in(cx, self, "A relative path means nothing in text without a path (" + path + ")");
    path = joined_path(directory_of(cx, unit), path);
  }
  if (!root.empty()) require_within(cx, self, root, path);
  return path;
}

std::string path_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  std::string path = shown_path(cx, self, v, which);
  if (cx.system->files != nullptr) fail_in(cx, self, "The host has only files to read in whole (" + path + ")");
  return path;
}

void fail_system(Context& cx, const Function& self, const char* what, const std::string& path) {
  const char* reason = std::strerror(errno);
  fail_in(cx, self, std::string(what) + " (" + path + ": " + reason + ")");
}

namespace system_functions {

namespace {

Value at(Context& cx, const Function& self, Value x) { return name_string(cx.heap, shown_path(cx, self, x)); }

Value at_directory(Context& cx, const Function& self, Value w, Value x) {
  std::string directory = string_argument(cx, self, w, "𝕨");
  return make_string(cx.heap, joined_path(directory, string_argument(cx, self, x)));
}

// Splits a path behind its last slash; a slash at the very end counts as part of the name.
struct PathParts {
  std::string_view parent;  // ends in a slash; empty where the path has none
  std::string_view name;
};

PathParts split(std::string_view path) {
  std::size_t end = path.find_last_not_of('/');
  std::size_t slash = end == path.npos ? path.npos : path.rfind('/', end);
  return {path.substr(0, slash + 1), path.substr(slash + 1)};
}

std::string nonempty_path(Context& cx, const Function& self, const Value& x) {
  std::string path = string_argument(cx, self, x);
  if (path.empty()) fail_in(cx, self, "𝕩 must not be empty");
  return path;
}

std::string file_path(Context& cx, const Function& self, const Value& x) {
  std::string path = nonempty_path(cx, self, x);
  if (path.ends_with('/')) fail_in(cx, self, "𝕩 must name a file (got \"" + path + "\")");
  return path;
}

std::string_view parent_text(std::string_view path) {
  PathParts parts = split(path);
  if (!parts.parent.empty()) return parts.parent;
  return path.starts_with('/') ? "/" : "./";
}

// Gives the place of a name's last dot; a name may begin with dots.
std::size_t extension_start(std::string_view name) {
  std::size_t first = name.find_first_not_of('.');
  std::size_t dot = name.rfind('.');
  return first == name.npos || dot == name.npos || dot < first ? name.size() : dot;
}

Value name(Context& cx, const Function& self, Value x) { return make_string(cx.heap, split(file_path(cx, self, x)).name); }
Value parent(Context& cx, const Function& self, Value x) { return make_string(cx.heap, parent_text(nonempty_path(cx, self, x))); }
Value base_name(Context& cx, const Function& self, Value x) {
  std::string path = file_path(cx, self, x);
  std::string_view name = split(path).name;
  return make_string(cx.heap, name.substr(0, extension_start(name)));
}
Value extension(Context& cx, const Function& self, Value x) {
  std::string path = file_path(cx, self, x);
  std::string_view name = split(path).name;
  return make_string(cx.heap, name.substr(extension_start(name)));
}
Value path_parts(Context& cx, const Function& self, Value x) {
  std::string path = file_path(cx, self, x);
  std::string_view name = split(path).name;
  const std::size_t dot = extension_start(name);
  Value list[] = {make_string(cx.heap, parent_text(path)), make_string(cx.heap, name.substr(0, dot)),
                  make_string(cx.heap, name.substr(dot))};
  return make_values(cx.heap, list);
}

constexpr SystemEntry reading(const char* spelling, MonadCode monad, DyadCode written = nullptr) {
  return function_in_unit(spelling, monad, written).reaching(Reach::read_files, Reach::write_files);
}
constexpr SystemEntry writing(const char* spelling, MonadCode monad, DyadCode dyad = nullptr) {
  return function_in_unit(spelling, monad, dyad).reaching(Reach::write_files);
}

constexpr SystemEntry file_entries[] = {
    function_in_unit("•file.At", at, at_directory).reaching(Reach::see_environment, Reach::none),
    reading("•file.List", list_directory),
    reading("•file.Bytes", read_bytes, write_bytes),
    reading("•file.Chars", read_characters, write_characters),
    reading("•file.Lines", read_lines, write_lines),
    reading("•file.Value", read_value, write_value),
    reading("•file.Type", file_type),
    reading("•file.Created", file_created),
    reading("•file.Accessed", file_accessed),
    reading("•file.Modified", file_modified),
    reading("•file.Size", file_size),
    reading("•file.Exists", file_exists),
    function_in_unit("•file.Name", name),
    function_in_unit("•file.Parent", parent),
    function_in_unit("•file.BaseName", base_name),
    function_in_unit("•file.Extension", extension),
    function_in_unit("•file.Parts", path_parts),
    reading("•file.MapBytes", map_bytes),
    writing("•file.CreateDir", create_directory),
    reading("•file.RealPath", real_path_of),
    writing("•file.Rename", nullptr, rename_file),
    writing("•file.Copy", nullptr, copy_file),
    writing("•file.Remove", remove_file),
    writing("•file.RemoveDir", remove_directory),
    reading("•file.Permissions", file_permissions, set_file_permissions),
    reading("•file.Owner", file_owner, set_file_owner),
    reading("•file.Open", open_file, open_file_as),
};

}  // namespace

Value file_namespace(Context& cx, Unit& unit) {
  std::vector<std::pair<std::string, Value>> fields;
  const bool shows_path = unit.path && values_of(unit).permits(Reach::see_environment);
  fields.emplace_back("path", shows_path ? name_string(cx.heap, directory_of(cx, unit)) : Value::character(0));
  for (const SystemEntry& entry : file_entries) {
    std::string_view name = entry.spelling;
    fields.emplace_back(name.substr(name.find('.') + 1), make_system_value(cx, unit, entry));
  }
  return make_namespace(cx.heap, std::move(fields));
}

}  // namespace system_functions

}  // namespace griddle
