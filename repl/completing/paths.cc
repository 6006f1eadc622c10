#include "repl/completing/paths.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace griddle::repl {

namespace {

// Of a folder that holds very many, so many are looked at.
constexpr std::size_t most_names = 10'000;

// Says how large a file is, with two digits or three.
std::string size_note(double bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); unit++) bytes /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 || bytes >= 10 ? "file, %.0f %s" : "file, %.1f %s", bytes, units[unit]);
  return text;
}

}  // namespace

std::vector<PathName> path_names(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder(slash == path.npos ? "./" : path.substr(0, slash + 1));
  const std::string_view begin = slash == path.npos ? path : path.substr(slash + 1);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(folder.c_str()), closedir);
  std::vector<PathName> names;
  if (!stream) return names;
  for (std::size_t i = 0; i < most_names; i++) {
    const dirent* entry = readdir(stream.get());
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (!name.starts_with(begin) || (name[0] == '.' && !begin.starts_with('.')) || name == "." || name == "..") continue;
    struct stat status;
    const bool is_there = stat((folder + name).c_str(), &status) == 0;
    if (is_there && S_ISDIR(status.st_mode))
      names.push_back({name + "/", "folder"});
    else
      names.push_back({name, is_there && S_ISREG(status.st_mode) ? size_note(static_cast<double>(status.st_size)) : "file"});
  }
  std::sort(names.begin(), names.end(), [](const PathName& a, const PathName& b) { return a.name < b.name; });
  return names;
}

}  // namespace griddle::repl
