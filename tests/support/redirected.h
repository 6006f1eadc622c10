// Standard input and output of the process as files.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace griddle::testing {

// Puts a file in place of one of the process's own, and the usual one back.
class Redirected {
 public:
  Redirected(int number, const std::string& text) : number_(number), usual_(dup(number)) {
    char name[] = "/tmp/griddle-console-XXXXXX";
    file_ = mkstemp(name);
    unlink(name);
    REQUIRE(write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    lseek(file_, 0, SEEK_SET);
    dup2(file_, number);
  }
  ~Redirected() {
    dup2(usual_, number_);
    close(usual_);
    close(file_);
  }
  std::string contents() const {
    std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), ' ');
    CHECK(pread(file_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    return text;
  }

 private:
  int number_, usual_, file_;
};

}  // namespace griddle::testing
