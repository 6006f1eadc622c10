// Running other files: •Import
#include <cerrno>
#include <cstring>

#include "runtime/system/argument.h"
#include "runtime/system/evaluate.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"

namespace griddle::system_functions {

namespace {

std::string existing_path(Context& cx, const Function& self, const Value& x) {
  std::string path = shown_path(cx, self, x);
  if (cx.system->files) return path;
  std::string real = real_path(path);
  if (real.empty()) fail_system(cx, self, "Cannot find the file", path);
  return real;
}

Value import(Context& cx, const Function& self, const std::string& path, Value args) {
  std::string text;
  if (FileProvider* files = cx.system->files) {
    if (!files->read(path, text)) fail_in(cx, self, "There is no such file (" + path + ")");
  } else if (!read_file(path, text)) {
    fail_system(cx, self, "Cannot read the file", path);
  }
  Ref<Unit> unit = make_file_unit(cx, path, std::move(text), path);
  share_system_values(*unit, unit_of(self));
  unit->args = std::move(args);
  return run_unit(cx, std::move(unit));
}

}  // namespace

Value import_file(Context& cx, const Function& self, Value x) {
  std::string path = existing_path(cx, self, x);
  auto& imported = values_of(unit_of(self)).imports().values;
  auto [entry, first] = imported.try_emplace(path);
  if (!first) {
    if (entry->second.is_absent()) fail_in(cx, self, "The file is being imported already (" + path + ")");
    return entry->second;
  }
  try {
    Value result = import(cx, self, path, to_value(make_list(cx.heap, ElementType::f64, 0)));
    imported[path] = result;
    return result;
  } catch (...) {
    imported.erase(path);
    throw;
  }
}

Value import_file_with(Context& cx, const Function& self, Value w, Value x) {
  std::string path = existing_path(cx, self, x);
  return import(cx, self, path, std::move(w));
}

}  // namespace griddle::system_functions
