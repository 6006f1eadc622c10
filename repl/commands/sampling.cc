#include "repl/commands/sampling.h"

#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "repl/commands/device_rows.h"
#include "repl/commands/showing.h"

namespace griddle::repl {

namespace {

constexpr long microseconds = 1000;

std::atomic<Interpreter*> sampled{nullptr};

void take_sample(int) {
  if (Interpreter* interpreter = sampled.load()) interpreter->sample();
}

void set_timer(long every) {
  const timeval interval = {0, every};
  const itimerval timer = {interval, interval};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

Sampling::Sampling(Interpreter& interpreter) : interpreter_(&interpreter), before_(interpreter.memory()) {
  begin_device_rows(interpreter);
  interpreter.forget_peak();
  if (!interpreter.start_profile()) return;
  sampled = &interpreter;
  struct sigaction action = {};
  action.sa_handler = take_sample;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  set_timer(microseconds);
}

void Sampling::stop() {
  if (interpreter_ == nullptr) return;
  set_timer(0);
  sampled = nullptr;
  interpreter_ = nullptr;
}

std::string Sampling::report() {
  Interpreter* const interpreter = interpreter_;
  if (interpreter == nullptr) return {};
  stop();
  // The handler stays: a signal may be on its way.
  std::string text = interpreter->end_profile(microseconds * 1e-6);
  const griddle_memory memory = interpreter->memory();
  text += "\n" + shown_bytes(memory.peak - std::min(memory.peak, before_.in_use)) + " more memory at most\n";
  const std::string rows = end_device_rows(*interpreter);
  text += rows.empty() ? "Nothing ran on a device\n" : rows;
  return text;
}

}  // namespace griddle::repl
