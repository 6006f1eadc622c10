// Another program that runs beside this one.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>

namespace griddle {

class ChildProcess {
 public:
  ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  // Ends a program that still runs.
  ~ChildProcess();

  // Starts the program that the first word names, with descriptors of this process as its input, output and error output. Gives
  // 0, or the number of the error.
  int start(std::span<const std::string> words, int input, int output, int error);
  // Waits for its end. Gives its exit status, as a shell would.
  int wait();
  // Tells whether it has ended, so that nobody has to wait.
  bool has_ended() const;

 private:
  pid_t program_ = 0;
  pid_t awaited_ = 0;  // the program, or who waits for it
};

}  // namespace griddle
