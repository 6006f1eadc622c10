// Time: •MonoTime •UnixTime •Delay •_timed
#include <time.h>

#include <cmath>

#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/vm/call.h"

namespace griddle::system_functions {

namespace {

constexpr double nanosecond = 1e-9;
// Keeps a delay interruptible.
constexpr double longest_nap = 0.05;

double seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * nanosecond;
}

// Calls a function again and again and gives the mean time of a call.
double mean_time(Context& cx, const Value& f, const Value& x, std::size_t runs) {
  double start = seconds(CLOCK_MONOTONIC);
  for (std::size_t i = 0; i < runs; i++) {
    cx.check_interrupt();
    call(cx, f, x);
  }
  return (seconds(CLOCK_MONOTONIC) - start) / static_cast<double>(runs);
}

}  // namespace

Value monotonic_time(Context&, const Function&, Value) { return seconds(CLOCK_MONOTONIC); }
Value unix_time(Context&, const Function&, Value) { return seconds(CLOCK_REALTIME); }

Value delay(Context& cx, const Function& self, Value x) {
  double wanted = number_argument(cx, self, x);
  if (!(wanted >= 0) || std::isinf(wanted)) fail_in(cx, self, "𝕩 must be a number of seconds (got " + number_text(wanted) + ")");
  double start = seconds(CLOCK_MONOTONIC);
  for (;;) {
    cx.check_interrupt();
    double left = wanted - (seconds(CLOCK_MONOTONIC) - start);
    if (left <= 0) return seconds(CLOCK_MONOTONIC) - start;
    timespec nap{0, static_cast<long>(std::fmin(left, longest_nap) / nanosecond)};
    nanosleep(&nap, nullptr);
  }
}

Value timed_once(Context& cx, const Function& self, Value x) { return mean_time(cx, static_cast<const Derived&>(self).f, x, 1); }

Value timed(Context& cx, const Function& self, Value w, Value x) {
  std::size_t runs = natural_argument(cx, self, w, "𝕨");
  if (runs == 0) fail_in(cx, self, "𝕨 must be at least 1 (got 0)");
  return mean_time(cx, static_cast<const Derived&>(self).f, x, runs);
}

}  // namespace griddle::system_functions
