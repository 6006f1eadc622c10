// Ends what an interpreter evaluates when a time is up.
#pragma once

#include <atomic>
#include <chrono>

#include "runtime/value/context.h"

namespace griddle {

// Asks for an interrupt after some time, unless it is destroyed before. One thread waits for all alarms of the process.
class Alarm {
 public:
  // Throws std::system_error where no thread is to be had.
  Alarm(Context&, double seconds, Context::Stop why);
  // Takes back what it asked for, unless the request is to stay.
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  // Tells whether the time was up before the alarm was to end.
  bool rang() const { return rang_; }

 private:
  friend class Alarms;
  Context& cx_;
  Context::Stop why_;
  std::chrono::steady_clock::time_point due_;
  std::atomic<bool> rang_ = false;
};

}  // namespace griddle
