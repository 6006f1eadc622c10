// A folder of its own for a test, with its files.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/files.h"

namespace griddle::testing {

class TemporaryFolder {
 public:
  TemporaryFolder() { REQUIRE(mkdtemp(path_) != nullptr); }
  ~TemporaryFolder() { remove_tree(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  // Gives the path of a file in it, and writes one.
  std::string at(const std::string& name) const { return std::string(path_) + "/" + name; }
  std::string write(const std::string& name, std::string_view text) const {
    CHECK(write_own_file(at(name), text, Writing::replace));
    return at(name);
  }

 private:
  char path_[64] = "/tmp/griddle-test-XXXXXX";
};

}  // namespace griddle::testing
