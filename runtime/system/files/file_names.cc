// Paths, and the table of •file
#include "runtime/system/files/file_names.h"

#include <limits.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "runtime/system/functions.h"
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

std::string directory_of(Context& cx, const Unit& unit) {
  if (unit.path->starts_with('/')) return *unit.path;
  std::string real = real_path(*unit.path);
  if (real.empty()) fail(cx, "•path: Cannot find the directory (" + *unit.path + ": " + std::strerror(errno) + ")");
  return real;
}

std::string joined_path(const std::string& directory, const std::string& path) {
  if (path.starts_with('/') || directory.empty()) return path;
  if (path.empty() || directory.ends_with('/')) return directory + path;
  return directory + "/" + path;
}

std::string path_argument(Context& cx, const Function& self, const Value& v, const char* which) {
  std::string path = string_argument(cx, self, v, which);
  if (path.find('\0') != path.npos) fail_in(cx, self, std::string(which) + " must not contain @");
  if (path.starts_with('/')) return path;
  const Unit& unit = unit_of(self);
  if (!unit.path) fail_in(cx, self, "A relative path means nothing in text without a path (" + path + ")");
  return joined_path(directory_of(cx, unit), path);
}

void fail_system(Context& cx, const Function& self, const char* what, const std::string& path) {
  const char* reason = std::strerror(errno);
  fail_in(cx, self, std::string(what) + " (" + path + ": " + reason + ")");
}

namespace system_functions {

namespace {

Value at(Context& cx, const Function& self, Value x) { return make_string(cx.heap, path_argument(cx, self, x)); }

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

constexpr SystemEntry reaching_out(const char* spelling, MonadCode monad, DyadCode dyad = nullptr) {
  return function_in_unit(spelling, monad, dyad).reaching(Reach::outside);
}

constexpr SystemEntry file_entries[] = {
    function_in_unit("•file.At", at, at_directory),
    reaching_out("•file.List", list_directory),
    reaching_out("•file.Bytes", read_bytes, write_bytes),
    reaching_out("•file.Chars", read_characters, write_characters),
    reaching_out("•file.Lines", read_lines, write_lines),
    reaching_out("•file.Type", file_type),
    reaching_out("•file.Created", file_created),
    reaching_out("•file.Accessed", file_accessed),
    reaching_out("•file.Modified", file_modified),
    reaching_out("•file.Size", file_size),
    reaching_out("•file.Exists", file_exists),
    function_in_unit("•file.Name", name),
    function_in_unit("•file.Parent", parent),
    function_in_unit("•file.BaseName", base_name),
    function_in_unit("•file.Extension", extension),
    function_in_unit("•file.Parts", path_parts),
    reaching_out("•file.MapBytes", map_bytes),
    reaching_out("•file.CreateDir", create_directory),
    reaching_out("•file.RealPath", real_path_of),
    reaching_out("•file.Rename", nullptr, rename_file),
    reaching_out("•file.Copy", nullptr, copy_file),
    reaching_out("•file.Remove", remove_file),
    reaching_out("•file.RemoveDir", remove_directory),
    reaching_out("•file.Permissions", file_permissions, set_file_permissions),
    reaching_out("•file.Owner", file_owner, set_file_owner),
    reaching_out("•file.Open", open_file, open_file_as),
};

}  // namespace

Value file_namespace(Context& cx, Unit& unit) {
  std::vector<std::pair<std::string, Value>> fields;
  fields.emplace_back("path", unit.path ? make_string(cx.heap, directory_of(cx, unit)) : Value::character(0));
  for (const SystemEntry& entry : file_entries) {
    std::string_view name = entry.spelling;
    fields.emplace_back(name.substr(name.find('.') + 1), make_system_value(cx, unit, entry));
  }
  return make_namespace(cx.heap, std::move(fields));
}

}  // namespace system_functions

}  // namespace griddle
