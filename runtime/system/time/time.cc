// Time: •MonoTime •UnixTime •Delay •_timed •_maxTime_
#include <time.h>

#include <cmath>

#include "runtime/system/alarm.h"
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/seconds.h"
#include "runtime/system/system.h"
#include "runtime/vm/call.h"

namespace griddle::system_functions {

namespace {

// Keeps a delay interruptible.
constexpr double longest_nap = 0.05;

double seconds_on(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return seconds_of(now);
}

// Calls a function again and again and gives the mean time of a call.
double mean_time(Context& cx, const Value& f, const Value& x, std::size_t runs) {
  double start = seconds_on(CLOCK_MONOTONIC);
  for (std::size_t i = 0; i < runs; i++) {
    cx.check_interrupt();
    call(cx, f, x);
  }
  return (seconds_on(CLOCK_MONOTONIC) - start) / static_cast<double>(runs);
}

template <class Call>
Value call_within(Context& cx, const Function& self, const Value& limit, Call call_operand) {
  if (!limit.is_number()) fail_in(cx, self, "The result of 𝔾 must be a number of seconds (got a " + kind_text(limit) + ")");
  const double seconds = limit.number();
  if (!(seconds >= 0)) fail_in(cx, self, "The result of 𝔾 must be a number of seconds (got " + number_text(seconds) + ")");
  // No clock reaches further than this, and then neither does a program.
  constexpr double forever = 1e9;
  if (seconds > forever) return call_operand();
#ifdef __EMSCRIPTEN__
  fail_in(cx, self, "A browser has no clock that could end a call");
#endif
  Alarm alarm(cx, seconds, Context::call_time_up);
  try {
    return call_operand();
  } catch (const Error& error) {
    if (error.catchable || !alarm.rang() || cx.interrupted_by() != Context::call_time_up) throw;
    cx.heap.put_off_none();  // the program goes on
  }
  fail_in(cx, self, "The time is up (" + number_text(seconds) + " seconds)");
}

}  // namespace

Value limited_monad(Context& cx, const Function& self, Value x) {
  auto& derived = static_cast<const Derived&>(self);
  const Value limit = call(cx, derived.g, x);
  return call_within(cx, self, limit, [&] { return call(cx, derived.f, std::move(x)); });
}

Value limited_dyad(Context& cx, const Function& self, Value w, Value x) {
  auto& derived = static_cast<const Derived&>(self);
  const Value limit = call(cx, derived.g, w, x);
  return call_within(cx, self, limit, [&] { return call(cx, derived.f, std::move(w), std::move(x)); });
}

Value monotonic_time(Context&, const Function&, Value) { return seconds_on(CLOCK_MONOTONIC); }
Value unix_time(Context&, const Function&, Value) { return seconds_on(CLOCK_REALTIME); }

Value delay(Context& cx, const Function& self, Value x) {
  double wanted = number_argument(cx, self, x);
  if (!(wanted >= 0) || std::isinf(wanted)) fail_in(cx, self, "𝕩 must be a number of seconds (got " + number_text(wanted) + ")");
  double start = seconds_on(CLOCK_MONOTONIC);
  if (wanted > 0) cx.system->streams.flush();
  for (;;) {
    cx.check_interrupt();
    double left = wanted - (seconds_on(CLOCK_MONOTONIC) - start);
    if (left <= 0) return seconds_on(CLOCK_MONOTONIC) - start;
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
