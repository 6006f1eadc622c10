// Samples of what an interpreter does, a thousand each second of processor time.
#pragma once

#include <string>

#include "runtime/api/griddle.hpp"

namespace griddle::repl {

// One at a time: a timer of the process calls a signal handler, which can only know one interpreter.
class Sampling {
 public:
  explicit Sampling(Interpreter&);
  ~Sampling() { stop(); }
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;
  // Ends the samples, and tells what they show, how much memory there was at most, and what ran on a device.
  std::string report();

 private:
  void stop();
  Interpreter* interpreter_;
  griddle_memory before_;
};

}  // namespace griddle::repl
