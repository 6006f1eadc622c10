// Programs with all system values, as a host runs them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "runtime/api/griddle.hpp"

namespace griddle::testing {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

struct Host {
  Interpreter bqn{};
  std::string before = "";  // stands before each program

  // Gives the display text of the result, or "! " and the message of the error.
  std::string operator()(std::string_view source) {
    const Result result = bqn.eval(before + std::string(source));
    return result ? result->format() : "! " + result.failure().message;
  }
};

// A console that keeps what is written, and has one line to read.
struct Recorder : Console {
  void write(std::string_view text) override { out += text; }
  void write_error(std::string_view text) override { error += text; }
  bool read_line(std::string& line) override {
    line = "a line";
    return !std::exchange(read, true);
  }
  std::string out, error;
  bool read = false;
};

}  // namespace griddle::testing
