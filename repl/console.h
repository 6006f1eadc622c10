// The console of the executable: standard input and output through file descriptors.
#pragma once

#include <string>
#include <string_view>

#include "runtime/api/griddle.h"

namespace griddle::repl {

// Output waits in a buffer until there is much of it, or the program reads, reports an error or ends; on a terminal it is written
// at once. Where nobody reads the output any more the process ends without a word.
class StandardConsole final : public Console {
 public:
  StandardConsole() = default;
  ~StandardConsole() override;
  void write(std::string_view) override;
  void write_error(std::string_view) override;
  void flush() override;
  bool read_line(std::string&) override;
  int read_byte(bool wait) override;
  void set_raw(bool) override;

  bool input_is_terminal() const;
  // Reads the rest of the input.
  std::string read_all();
  // Tells whether the last read_line was cut short by a signal.
  bool interrupted() const { return interrupted_; }

 private:
  // Reads more input into the buffer. Tells whether there was any.
  bool fill();
  bool waiting() const { return next_ < input_.size(); }

  std::string output_;
  std::string input_;
  std::size_t next_ = 0;
  bool interrupted_ = false;
  bool raw_ = false;
  int output_kind_ = -1;  // 1: a terminal, 0: not; -1: not known yet
};

}  // namespace griddle::repl
