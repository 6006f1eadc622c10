// What all targets share. Each one defines LLVMFuzzerTestOneInput: libFuzzer calls it with inputs that it makes up, replay.cc
// with those of a corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/api/griddle.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process, which is how a target says that it found something.
inline void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "fuzz target: not so: %s\n", what);
  std::abort();
}

// An interpreter that reaches nothing outside, and whose programs end soon, whatever they are.
inline griddle::Options limited() {
  griddle::Options options;
  options.capabilities = 0;
  options.memory_limit = std::size_t{64} << 20;
  options.output_limit = std::size_t{1} << 20;
  options.step_limit = 3000;
  options.time_limit = 2;
  options.seed = 1;
  return options;
}

// Asks a result all there is to ask: a value for its text, its source and its bytes, which must make the same value again; a
// failure for its report.
inline void look_at(griddle::Interpreter& bqn, const griddle::Result& result) {
  if (!result) {
    require(!result.failure().report.empty() || result.failure().cause == griddle::Failure::Cause::exit,
            "a failure has a report");
    for (const griddle::StackFrame& frame : result.failure().frames) require(frame.line > 0, "a place has a line");
    return;
  }
  const griddle::Any& value = result.value();
  if (!value.has_value()) return;
  require(!value.format().empty() || value.length() == 0, "a value has a text");
  if (const griddle::Result source = value.source()) require(source->is_text(), "source is text");
  const std::optional<std::string> bytes = value.serialise();
  if (!bytes || value.is_namespace()) return;
  const griddle::Result back = bqn.deserialise(*bytes);
  if (!back || !value.is_array()) return;
  // Both are in memory at once, which may be too much, and operations come from their source.
  const std::optional<std::string> again = back->serialise();
  require(!again || again == bytes, "bytes make the same value again");
}

// Takes bytes from the front of an input; zeros after its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t next() {
    if (size_ == 0) return 0;
    size_--;
    return *data_++;
  }
  template <class T>
  T number() {
    T t = 0;
    for (std::size_t i = 0; i < sizeof t; i++) t = static_cast<T>(t | static_cast<T>(static_cast<T>(next()) << (8 * i)));
    return t;
  }
  bool is_empty() const { return size_ == 0; }
  std::string_view rest() const { return text_of(data_, size_); }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace fuzz
