// Names of files and folders that begin like a path.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace griddle::repl {

struct PathName {
  std::string name;  // what stands behind the last slash; a folder's ends in one
  std::string note;
};

// Gives those that begin with what stands behind the path's last slash, in order; hidden ones only where it begins with a point.
std::vector<PathName> path_names(std::string_view path);

}  // namespace griddle::repl
