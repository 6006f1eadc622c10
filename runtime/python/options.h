// The options of an interpreter, from the keywords of Python.
#pragma once

#include <string>
#include <vector>

#include "runtime/python/bridge.h"

namespace griddle::python {

// Where programs write to and read from: objects like sys.stdout; None for nothing. Without one, what sys has at that time.
struct Streams {
  py::object output, errors, input;
  std::string line;  // that was read last
  std::string rest;  // of it, for programs that read bytes
};

// Files that the host makes up: a dictionary, or a function of a path that gives text, bytes, or None.
struct Files {
  py::object source;
  std::string contents;  // of the file that was read last
};

class Options {
 public:
  // Raises TypeError for what is no option, ValueError for a wrong choice. What it refers to stays where it is.
  Options(const py::kwargs&, Streams&, Files&);
  const griddle_options* get() const { return &options_; }

 private:
  void choose(const std::string& name, const py::handle& value, Streams&, Files&);

  griddle_options options_ = griddle_default_options();
  griddle_console console_ = {};
  griddle_file_source files_ = {};
  std::string root_, plugin_, cache_;
  std::vector<std::string> arguments_;
  std::vector<griddle_text> argument_texts_;
};

}  // namespace griddle::python
